"""When do two speeds differ?"""

from typing import Any

import pytest

from nbody_lab.measure.bench_file import BenchResult, BenchRow, Setup
from nbody_lab.measure.compare import (
    Difference,
    compare_rows,
    compare_text,
    label_of,
)


def row(name: str = "x", speed: float = 1e9, spread: float = 0.04, **more: Any) -> BenchRow:
    """One whose middle half reaches from 1 - spread/2 to 1 + spread/2 of its speed."""
    rates = {
        "median": speed,
        "lower_quartile": speed * (1 - spread / 2),
        "upper_quartile": speed * (1 + spread / 2),
    }
    given = {
        "name": name,
        "n": 1000,
        "rounds": 7,
        "interactions_per_s": rates,
        "flags": "-O3",
        "error": 3e-7,
    }
    return BenchRow.model_validate({**given, **more})


def result(*rows: BenchRow, **context: Any) -> BenchResult:
    known = {"part": "zoo", "cpu": "Abacus 2", "compiler": "g++ 12", "scene": "plummer"}
    summary = [one.model_dump() for one in rows]
    return BenchResult.model_validate({"context": {**known, **context}, "summary": summary})


@pytest.mark.parametrize(
    ("speed", "spread", "words"),
    [
        (944, 0.22, "0.944 is inside the spread of 22 %: no difference shown"),
        (1200, 0.22, "1.2 is inside the spread of 22 %: no difference shown"),
        (1310, 0.04, "1.31: faster, outside the spread of 4 %"),
        (900, 0.04, "0.9: slower, outside the spread of 4 %"),
        (3000, 0.31, "3: the spread of 31 % is too wide to tell"),
    ],
)
def test_outside_the_spread_is_faster_or_slower(speed: float, spread: float, words: str) -> None:
    assert str(compare_rows(row(speed=speed, spread=spread), row(speed=1000, spread=0.01))) == words


def test_the_wider_spread_decides_and_a_single_round_shows_nothing() -> None:
    found = compare_rows(row(speed=1.2, spread=0.01), row(speed=1, spread=0.3))
    assert (found.difference, found.spread) == (Difference.NONE, pytest.approx(0.3))
    once = row(speed=5, spread=0, rounds=1)
    assert compare_rows(once, row(spread=0)).difference is Difference.UNKNOWN


def test_a_median_is_not_compared_with_a_fastest_request() -> None:
    """Rows of an older bench have both."""
    new, old = row(spread=0), row(spread=0, fastest_interactions_per_s=1.3e9)
    assert [compare_rows(*rows).ratio for rows in ((new, old), (old, new), (old, old))] == [1, 1, 1]


def test_two_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of one of them only, those without a speed, and other machines and flags are named."""
    monkeypatch.setattr("nbody_lab.core.console.width", lambda: 130)
    before = result(row("a"), row("b"), row("d"))
    killed = row("a", 0, outcome="failed", verdict="killed by signal 11")
    after = result(killed, row("c"), row("d", 2e9, flags="-O2"), cpu="Abacus 3", adaptive=True)
    text = compare_text(before, after)
    assert text.splitlines()[:2] == [
        "not the same processor: Abacus 2 and Abacus 3",
        "not the same time step: fixed and adaptive",
    ]
    assert "only in the first" in text and "only in the second" in text
    assert "not measured: killed by signal 11" in text
    assert "2: faster, outside the spread of 4 %; now -O2" in text
    assert "not the same" not in compare_text(before, before)


def test_a_label_says_what_differs() -> None:
    one, two, ranks = (Setup(100, 1, "float", ranks=k) for k in (0, 1, 2))
    assert label_of(one, [one]) == "N = 100, 1 thread, float"
    assert label_of(one, [one, one._replace(n=50, threads=2)]) == "N = 100, 1 thread"
    assert label_of(ranks, [ranks, two]) == "2 ranks"
    tuned = [Setup(100, 1, "float", block, 2, grid=5) for block in (32, 64)]
    assert label_of(tuned[0], tuned) == "blocks of 32, unroll 2, grids of 5"


@pytest.mark.parametrize(
    ("seconds", "ratio"),
    [
        ([0.5, 1.0, 0.25, 0.5], 2),  # the clock drifts, for both alike
        ([0.5, 0.4, 0.9, 0.2], None),
        ([], 2),
    ],
)
def test_a_ratio_is_shown_if_the_rounds_agree(seconds: list[float], ratio: float | None) -> None:
    others = [0.0] * len(seconds)
    naive = [1.0, 2.0, 0.5, 1.0][: len(seconds)]
    slow = row(spread=0.9, seconds_of_rounds=naive, cores_of_others_in_rounds=others)
    fast = row(speed=2e9, seconds_of_rounds=seconds, cores_of_others_in_rounds=others)
    assert fast.shown_ratio(slow) == ratio
