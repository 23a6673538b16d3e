"""What ./lab bench prints of a result."""

from typing import Any

import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.measure.bench_file import read_result
from nbody_lab.measure.bench_text import bench_text
from tests.measure.compare_test import result, row

BUSY = "its thread had 0.4 of a core on average: try again when the machine is quiet"
RESULTS = {
    "one row": result(row("naive", flops_counted=True, flops_per_interaction=19)),
    "one round": result(row("naive", rounds=1, error=None)),
    "a row that builds on another than the first": result(
        row("naive"), row("loop", 2e9, parent="naive"), row("tiled", 3e9, parent="loop")
    ),
    "wrong and crashed": result(
        row("naive"),
        row("weak", 0, outcome="wrong", verdict="WRONG"),
        row("crash", 0, outcome="failed", verdict="killed by signal 11"),
    ),
    "wrong at some size": result(
        *(row(name, n=n) for n in (50, 100) for name in ("naive", "good")),
        row("weak", n=50),
        row("weak", 0, n=100, outcome="wrong", verdict="WRONG"),
    ),
    "launches": result(
        *(
            row(name, block=block, n=n, error=None)
            for n in (50, 60)
            for block in (32, 64)
            for name in ("tiled", "best")
        )
    ),
    "too busy": result(
        *(
            row(name, 0, n=n, outcome="busy", verdict="too busy to measure", about_cores=BUSY)
            for n in (50, 60)
            for name in ("naive", "mine")
        )
    ),
    "spread and stopped": result(
        row("naive", spread=0.4),
        row("mine", 2e9, spread=0.5, step_count_verified=False, parent="naive", cores_used=1.9),
        stopped=True,
        device="Abacus GPU",
        load_before=2.34,
        clock_hz=3.93e9,
        seconds_spent={"all": 10, "warming_up": 1, "timed": 5, "judging": 2},
    ),
}


@pytest.mark.parametrize("name", RESULTS)
def test_text(name: str, snapshot: Any) -> None:
    assert bench_text(RESULTS[name]) == snapshot


@pytest.mark.parametrize("sizes", [(100,), (50, 100)])
def test_one_program_is_not_compared_with_itself(sizes: tuple[int, ...]) -> None:
    def text(*names: str) -> str:
        return bench_text(result(*(row(name, n=n) for n in sizes for name in names)))

    assert "x mine" not in text("mine") and "x:" not in text("mine")
    assert "x naive" in text("naive", "mine")


def text_with_rounds(*mine: float) -> str:
    naive = row("naive", seconds_of_rounds=[1.0] * len(mine))
    return " ".join(bench_text(result(naive, row("mine", seconds_of_rounds=mine))).split())


def test_a_ratio_that_is_left_out_says_why_and_what_to_do() -> None:
    told = "mine: x is left out, since its rounds differ by more than 30 %: try again"
    assert told in text_with_rounds(0.5, 1, 1.5, 2, 2.5, 3)
    assert "left out" not in text_with_rounds(1, 1, 1, 1, 1, 1)


def test_a_ratio_to_the_parent_that_is_left_out_says_so_too() -> None:
    """Also of a row whose ratio to the first is shown; its column stays."""
    even, uneven = [1.0] * 6, [0.5, 1, 1.5, 2, 2.5, 3]
    rows = (
        row("naive", seconds_of_rounds=even),
        row("loop", seconds_of_rounds=uneven),
        row("tiled", seconds_of_rounds=even, parent="loop"),
    )
    text = " ".join(bench_text(result(*rows)).split())
    assert "loop, tiled: x is left out" in text and "x parent" in text


@pytest.mark.parametrize("columns", [80, 130])
@pytest.mark.parametrize("name", ["part1_threads", "part2_sizes", "part1_ladder_1_thread"])
def test_it_fits_the_terminal(name: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No word is broken, whatever was swept; of a narrow table, the least important columns go."""
    monkeypatch.setattr("nbody_lab.core.console.width", lambda: columns)
    monkeypatch.setattr("nbody_lab.measure.bench_text.width", lambda: columns)
    stored = read_result(ROOT / f"data/results/{name}.json")
    text = bench_text(stored)
    assert max(map(len, text.splitlines())) <= columns
    assert all(name in text for name in stored.names)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"context": {"part": "part1"}, "summary": []}',
        '{"context": {"part": "part1"}, "summary": [{}]}',
    ],
)
def test_what_is_no_result(text: str, tmp_path: Any) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(LabError, match=r"x.json: not a result of ./lab bench: write one with"):
        read_result(tmp_path / "x.json")
    with pytest.raises(LabError, match="No such file"):
        read_result(tmp_path / "y.json")
