"""When do two speeds differ, when may a ratio be shown, and what is said of a result that does not allow it."""

from collections.abc import Sequence
from typing import Any

import pytest

from nbody_lab.measure.bench_file import BenchResult, BenchRow
from nbody_lab.measure.bench_text import bench_text, compare_text, difference


def row(name: str = "x", speed: float = 1e9, spread: float = 0.04, **more: Any) -> BenchRow:
    """One whose middle half reaches from 1 - spread/2 to 1 + spread/2 of its speed."""
    lower, upper = (speed * (1 + sign * spread / 2) for sign in (-1, 1))
    rates = {"median": speed, "lower_quartile": lower, "upper_quartile": upper}
    given = {"name": name, "n": 1000, "rounds": 7, "flags": "-O3", "error": 3e-7}
    return BenchRow.model_validate({"interactions_per_s": rates, **given, **more})


def timed(seconds: Sequence[float], others: Sequence[float] = (), speed: float = 1) -> BenchRow:
    return row(speed=speed, spread=0.9, seconds_of_rounds=seconds, cores_of_others_in_rounds=others)


def result(*rows: BenchRow, **context: Any) -> BenchResult:
    known = {"part": "zoo", "cpu": "Abacus 2", "compiler": "g++ 12", "scene": "plummer"}
    return BenchResult.model_validate({"context": {**known, **context}, "summary": rows})


@pytest.mark.parametrize(
    ("speed", "spread", "rounds", "words"),
    [
        (1200, 0.22, 7, "1.2 is inside the spread of 22 %: no difference shown"),
        (1310, 0.04, 7, "1.31: faster, outside the spread of 4 %"),
        (900, 0.04, 7, "0.9: slower, outside the spread of 4 %"),
        (3000, 0.31, 7, "3: the spread of 31 % is too wide to tell"),
        (5000, 0, 1, "5 of a single round, which has no spread: nothing shown"),
    ],
)
def test_outside_the_wider_spread_is_faster_or_slower(
    speed: float, spread: float, rounds: int, words: str
) -> None:
    after, before = row(speed=speed, spread=spread, rounds=rounds), row(speed=1000, spread=0.01)
    assert difference(after, before) == words


NAIVE = [1.0, 2.0, 0.5, 1.0]


@pytest.mark.parametrize(
    ("ours", "theirs", "ratio", "shown"),
    [
        (timed([], speed=4e8), timed([], speed=1e8), 4, 4),  # stored without rounds
        (timed([0.5, 1, 0.25, 0.5]), timed(NAIVE), 2, 2),  # the clock drifts, for both alike
        (timed([0.5, 0.4, 0.9, 0.2]), timed(NAIVE), 3.5, None),  # the rounds do not agree
        (timed([1] * 4), timed([3, 3, 3, 9], [0, 0.2, 0, 1]), 3, 3),
        (timed([1] * 4), timed([3, 3, 3, 9], [0, 0, 1, 1]), None, None),
        (timed([1, 0, 0, 1]), timed([3, 3, 3, 9]), None, None),
    ],
)
def test_a_ratio_is_that_of_rounds_beside_the_same_neighbours(
    ours: BenchRow, theirs: BenchRow, ratio: float | None, shown: float | None
) -> None:
    """At least half of them count; a round of 0 s does not. It is shown if the rounds agree."""
    assert (ours.ratio(theirs), ours.shown_ratio(theirs)) == (ratio, shown)


def test_a_row_is_compared_with_the_first_program_launched_as_there() -> None:
    mine = {"name": "mine", "speed": 6, "block": 64, "parent": "naive"}
    rows = [row("naive", k, n=50, block=32 * k) for k in (1, 2)] + [
        row(n=50, **mine),
        row(n=70, **mine),
    ]
    found = result(*rows)
    assert [found.ratio_to_first(one) for one in rows] == [1, 2, 6, None]
    assert [found.ratio_to_parent(one) for one in rows] == [None, None, 3, None]


def test_two_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of one of them only, those without a speed, and other machines and flags are named."""
    monkeypatch.setattr("nbody_lab.core.console.width", lambda: 130)
    before = result(row("a"), row("b"), row("d"))
    killed = row("a", 0, outcome="failed", verdict="killed by signal 11")
    after = result(killed, row("c"), row("d", 2e9, flags="-O2"), cpu="Abacus 3")
    text = compare_text(before, after)
    for words in (
        *("not the same cpu: Abacus 2 and Abacus 3", "only in the first", "only in the second"),
        *("not measured: killed by signal 11", "faster, outside the spread of 4 %; now -O2"),
    ):
        assert words in text


EVEN, UNEVEN = [1.0] * 6, [0.5, 1, 1.5, 2, 2.5, 3]
LEFT_OUT = result(row("naive", seconds_of_rounds=EVEN), row("loop", seconds_of_rounds=UNEVEN))


@pytest.mark.parametrize(
    ("measured", "said"),
    [
        (LEFT_OUT, "loop: x is left out, since its rounds differ by more than 30 %"),
        (result(row("a", spread=0.4), row("b", spread=0.5)), "a, b: a spread of up to 50 % is too"),
        (result(row("a", step_count_verified=False)), "but not, for every row, that all steps"),
        (result(row("a"), stopped=True), "stopped before all rounds were measured"),
        (result(row("a"), row("b", 0, outcome="busy", about_cores="1 core")), "b: 1 core"),
    ],
)
def test_what_a_table_does_not_tell_is_said_below_it(measured: BenchResult, said: str) -> None:
    assert said in " ".join(bench_text(measured).split())
    assert said not in " ".join(bench_text(result(row("a"))).split())
