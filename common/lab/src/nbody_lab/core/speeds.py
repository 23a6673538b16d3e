"""The speed of a row of ./lab bench --json, and how two rows compare: one definition for all that print or draw it.

The speed is the median of the rounds. All programs are timed in turn, so two of them are compared round by round, and
only in rounds beside about the same neighbours (common/bench/statistics.hpp does the same).
"""

from collections.abc import Mapping
from statistics import median
from typing import Any

MOST_CHANGE_OF_NEIGHBOURS = 0.5  # cores

Row = Mapping[str, Any]  # of the result file


def speed_of(row: Row) -> float:
    """Interactions/s; files of older labs hold the fastest request of one thread. 0: it has no speed."""
    return float(row.get("fastest_interactions_per_s") or row["interactions_per_s"]["median"])


def spread_of(row: Row) -> float:
    """The interquartile range of the rounds, relative to the median; 1 without a speed."""
    speed = row["interactions_per_s"]
    return (
        (speed["upper_quartile"] - speed["lower_quartile"]) / speed["median"]
        if speed["median"]
        else 1.0
    )


def has_speed(row: Row) -> bool:
    return bool("interactions_per_s" in row and speed_of(row))


def rounds_of(row: Row) -> list[tuple[float, float] | None]:
    """[(seconds of a step, cores that others used)], None in rounds that do not count."""
    seconds, others = row.get("seconds_of_rounds", []), row.get("cores_of_others_in_rounds", [])
    others = [*others, *[0.0] * (len(seconds) - len(others))]
    return [(second, other) if second > 0 else None for second, other in zip(seconds, others)]


def ratios_of_rounds(row: Row, other: Row) -> list[float]:
    """How many times as fast `row` is as `other`, in each round that counts for both beside the same neighbours."""
    return [
        theirs[0] / ours[0]
        for ours, theirs in zip(rounds_of(row), rounds_of(other))
        if ours and theirs and abs(ours[1] - theirs[1]) <= MOST_CHANGE_OF_NEIGHBOURS
    ]


def ratio_of(row: Row, other: Row) -> float | None:
    """How many times as fast `row` is as `other`; None if a speed is missing or too few rounds can be compared."""
    if not has_speed(row) or not has_speed(other):
        return None
    rounds = min(len(rounds_of(row)), len(rounds_of(other)))
    if not rounds:  # a file of an older lab
        return speed_of(row) / speed_of(other)
    ratios = ratios_of_rounds(row, other)
    return median(ratios) if 2 * len(ratios) > rounds else None
