"""Speeds and ratios of rows of ./lab bench."""

from collections.abc import Sequence
from typing import Any

import pytest

from nbody_lab.measure.bench_file import BenchResult, BenchRow, Rates


def row(median: float, seconds: Sequence[float] = (), others: Sequence[float] = (), **more: Any):
    rates = Rates(median=median, lower_quartile=0.9 * median, upper_quartile=1.1 * median)
    rounds = {"seconds_of_rounds": seconds, "cores_of_others_in_rounds": others}
    return BenchRow(interactions_per_s=rates, **rounds, **more)


def test_a_speed_is_the_median_but_in_stored_files_of_an_older_bench() -> None:
    assert row(3e8).speed == 3e8
    assert row(3e8, fastest_interactions_per_s=4e8).speed == 4e8
    assert row(3e8).spread == pytest.approx(0.2)
    assert (BenchRow().speed, BenchRow().spread) == (0, 1)


@pytest.mark.parametrize(
    ("ours", "theirs", "ratio"),
    [
        (row(0), row(1e8), None),
        (row(1, [1, 2, 3]), row(1, [2, 4, 9]), 2),
        (row(4e8), row(1e8), 4),  # stored without rounds
        (
            row(4e8, fastest_interactions_per_s=9e8),
            row(1e8),
            4,
        ),  # a fastest request beside a median
        (row(1, [1] * 4, [0] * 4), row(1, [3, 3, 3, 9], [0, 0.2, 0, 1]), 3),
        (row(1, [1] * 4, [0] * 4), row(1, [3, 3, 3, 9], [0, 0, 1, 1]), None),
        (row(1, [1, 0, 0, 1]), row(1, [3, 3, 3, 9]), None),
    ],
)
def test_rounds_beside_the_same_neighbours_are_compared(
    ours: BenchRow, theirs: BenchRow, ratio: float | None
) -> None:
    """At least half of them; a round of 0 s does not count."""
    assert ours.ratio(theirs) == ratio


def test_speeds_as_the_bench_judges_them() -> None:
    rows = (
        row(2, name="a", busy_machine=True),
        row(3, name="race", outcome="wrong as expected"),
        row(3, name="b", outcome="wrong", verdict="WRONG"),
        row(4, name="a", threads=2),
        row(5, name="a", precision="double"),
    )
    result = BenchResult(summary=rows)
    wrong = {"race": "wrong, as this exhibit is meant to be", "b": "WRONG"}
    assert result.speeds("float", 1) == ({"a": 2}, wrong)
    assert result.timed_beside_others() == ["a"]


def test_a_row_is_compared_with_the_first_program_launched_as_there() -> None:
    rows = (
        row(1, name="naive", n=50, block=32),
        row(2, name="naive", n=50, block=64),
        row(6, name="mine", n=50, block=64, parent="naive"),
        row(6, name="mine", n=70, block=64, parent="naive"),
    )
    result = BenchResult(summary=rows)
    assert [result.ratio_to_first(one) for one in rows] == [1, 2, 6, None]
    assert [result.ratio_to_parent(one) for one in rows] == [None, None, 3, None]
