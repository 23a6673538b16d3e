"""The speed-up of one program over another: is it real, and is it what was expected?

Both programs are timed in turn, so a busy machine affects both, and each round has its own ratio. A gain is real if it
is at least 2 % (the position of a program in memory can change its speed by that much) and either so many rounds agree
on its direction that chance would do so in at most 5 % of all cases (8 of 9 rounds: 3.9 %; the sign test, which assumes
no distribution), or the middle half of the ratios excludes 1 and the middle halves of the two times do not overlap.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from statistics import median

from nbody_lab.measure.bench_file import BenchRow, middle_half, rounds_differ

_LEAST_DIFFERENCE = 0.02
# "As expected": of the predicted factor, and of the predicted change. With 1.1 expected, 1.03 is a third of the gain.
_OF_FACTOR, _OF_CHANGE = 0.15, 0.5
# Verdicts that compare nothing.
TOO_NOISY = "too noisy to tell"
BUSY = "no verdict: the machine was busy"
_FEWEST_ROUNDS = 6  # five agree by chance in 6 % of all cases


@dataclass(frozen=True)
class Gain:
    ratio: float  # the median
    lower: float  # the middle half
    upper: float
    real: bool  # larger than the noise of the measurement
    noisy: bool = False


def _is_one(ratio: float) -> bool:
    return abs(ratio - 1) < _LEAST_DIFFERENCE


def _chance(agreeing: int, rounds: int) -> float:
    """The probability that of so many coin throws at least `agreeing` fall on one side."""
    return min(1.0, 2.0 * sum(comb(rounds, k) for k in range(rounds - agreeing + 1)) / 2.0**rounds)


def _rounds_agree(ratios: Sequence[float]) -> bool:
    above = sum(ratio > 1 for ratio in ratios)
    return _chance(max(above, len(ratios) - above), len(ratios)) <= 0.05


def _times_are_apart(row: BenchRow, other: BenchRow) -> bool:
    """Do the middle halves of their times exclude each other?"""
    (least, most), (others_least, others_most) = (
        middle_half([seconds for seconds in one.seconds_of_rounds if seconds > 0])
        for one in (row, other)
    )
    return most < others_least or others_most < least


def compare(row: BenchRow, other: BenchRow) -> Gain | None:
    """The gain of one program over another. None if too few rounds were measured to tell: of those in which the
    neighbours changed, none counts."""
    ratios = row.ratios(other)
    if len(ratios) < _FEWEST_ROUNDS:
        return None
    ratio, (lower, upper) = median(ratios), middle_half(ratios)
    separate = (lower > 1 or upper < 1) and _times_are_apart(row, other)
    noisy = rounds_differ(ratios)
    real = not noisy and (_rounds_agree(ratios) or separate) and not _is_one(ratio)
    return Gain(ratio, lower, upper, real, noisy=noisy)


def as_expected(expected: float) -> str:
    """What counts as this, in words."""
    if _is_one(expected):
        return "no gain and no loss beyond the spread is as expected"
    lower, upper = _bounds(expected)
    return f"{lower:.2f} to {upper:.2f} is as expected"


def _bounds(expected: float) -> tuple[float, float]:
    tolerance = min(_OF_FACTOR * expected, _OF_CHANGE * abs(expected - 1))
    return expected - tolerance, expected + tolerance


def verdict_on(expected: float, gain: Gain) -> str:
    """The gain in words, compared with the prediction."""
    if gain.noisy:
        return TOO_NOISY
    if not gain.real:
        return "as expected" if _is_one(expected) else "no difference beyond the spread"
    lower, upper = _bounds(expected)
    if not _is_one(expected) and lower <= gain.ratio <= upper:
        return "as expected"
    return "less than expected" if gain.ratio < expected else "more than expected"
