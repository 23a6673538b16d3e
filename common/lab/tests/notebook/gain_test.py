"""Gains of one program over another, and what they are called."""

import pytest

from nbody_lab.measure.bench_file import BenchRow
from nbody_lab.notebook.gain import Gain, compare, verdict_on

SOME = [1.1] * 8
CLOSE = [1.18, 1.18, 1.2, 1.15, 1.1, 1.25]  # of nine rounds
SCATTERED = (1, 2, 1, 2, 1, 2, 1, 2, 1)  # by more than the gain: only the rounds can tell


def row(seconds, others=()):
    return BenchRow(seconds_of_rounds=seconds, cores_of_others_in_rounds=others)


def gain_of(ratios, seconds=(1.0,) * 9):
    """The program before took so many times as long in each round."""
    seconds = seconds[: len(ratios)]
    return compare(row(seconds), row([s * ratio for s, ratio in zip(seconds, ratios)]))


@pytest.mark.parametrize(
    "ratios, seconds, real",
    [
        ([*SOME, 0.9], SCATTERED, True),
        ([*SOME[:7], 0.9, 0.9], SCATTERED, False),
        ([0.9] * 8 + [1.1], SCATTERED, True),
        (SOME[:6], SCATTERED, True),
        ([*SOME[:7], 0.9], SCATTERED, False),  # 7 of 8: 7 %
        # 7 of 9 rounds agree, and the times do not overlap; 6 of 9: the middle half holds 1.
        ([*CLOSE, 1.2, 0.95, 0.9], [1.0] * 9, True),
        ([*CLOSE, 0.96, 0.95, 0.9], [1.0] * 9, False),
        # Below 2 % there is none.
        *(([ratio] * 9, [1.0] * 9, real) for ratio, real in ((1.015, False), (1.025, True))),
        *(([ratio] * 9, [1.0] * 9, real) for ratio, real in ((0.985, False), (0.975, True))),
    ],
)
def test_a_gain_is_real_if_rounds_agree_or_times_do_not_overlap(ratios, seconds, real):
    assert gain_of(ratios, seconds).real == real


def test_a_gain_is_the_median_of_the_rounds():
    ratios = [1.5, 1.5, 1.4, 1.6, 1.5, 1.5, 9, 1.3, 1.5]
    assert gain_of(ratios, (1, 2, *[1] * 7)) == Gain(1.5, 1.5, 1.5, True)


def test_rounds_that_tell_nothing_are_left_out():
    """Those without a time, and those in which the neighbours changed."""
    assert compare(row([1, 0, *[1] * 7]), row([2, 2, 0, *[2] * 6])).ratio == 2
    assert compare(row([1] * 5 + [0] * 4), row([2] * 9)) is None
    seconds, before = [1, 1, 1, 2, 1, 1, 1], row([3] * 7, [0] * 7)
    assert compare(row(seconds, [0, 0.1, 0, 1, 0, 0.2, 0]), before).lower == 3
    assert compare(row(seconds, [1] * 7), before) is None


GAINED = Gain(1.5, 1.4, 1.6, True)
HARDLY = Gain(1.05, 0.9, 1.2, False)


@pytest.mark.parametrize(
    "expected, gain, verdict",
    [
        (1.75, GAINED, "as expected"),
        (1.8, GAINED, "less than expected"),
        (1.36, GAINED, "as expected"),
        (1.3, GAINED, "more than expected"),
        # The other side of one is never as expected, however close.
        (1.0, Gain(0.91, 0.9, 0.92, True), "less than expected"),
        (1.1, Gain(0.96, 0.95, 0.97, True), "less than expected"),
        (1.0, Gain(1.14, 1.1, 1.2, True), "more than expected"),
        (0.9, Gain(0.86, 0.8, 0.88, True), "as expected"),
        # A third of the predicted change is not as expected, although the factors are close.
        (1.15, Gain(1.05, 1.04, 1.06, True), "less than expected"),
        # No difference may have been expected.
        (1.1, HARDLY, "no difference beyond the spread"),
        (1.0, HARDLY, "as expected"),
        (2, gain_of([0.3, 0.7, 0.5] * 3), "too noisy to tell"),
    ],
)
def test_a_verdict_compares_the_gain_with_the_prediction(expected, gain, verdict):
    assert verdict_on(expected, gain) == verdict
