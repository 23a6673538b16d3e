"""What ./lab bench prints of a result."""

from pathlib import Path

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.measure.bench_file import BenchResult, read_result
from nbody_lab.measure.bench_text import bench_text
from tests.measure.compare_test import result, row

BUSY = {"outcome": "busy", "verdict": "too busy", "about_cores": "its thread had 0.4 of a core"}
DEVICE = {
    "device": "Abacus GPU",
    "load_before": 2.34,
    "clock_hz": 3.93e9,
    "seconds_spent": {"all": 10, "warming_up": 1, "timed": 5, "judging": 2},
}
EVEN, UNEVEN = [1.0] * 6, [0.5, 1, 1.5, 2, 2.5, 3]
LOOP, TILED = row("loop", 2e9, parent="naive"), row("tiled", 3e9, parent="loop")
WIDE = row("mine", 2e9, spread=0.5, step_count_verified=False, cores_used=1.9)
WRONG = row("weak", 0, outcome="wrong", verdict="WRONG")
RESULTS = [  # what it says, line by line and its spaces aside; what it does not say
    (
        result(row("naive", flops_counted=True, flops_per_interaction=19)),
        """zoo: 1000 bodies (plummer), float, 1 thread, fixed step, 7 rounds Abacus 2, g++ 12
        naive 1.000 4 % 0.00 3.0e-07 right
        naive 19.0 19.00
        run ./lab check""",
        ["x naive", "x:", "not counted"],
    ),
    (result(row("naive", rounds=1, error=None)), "naive 1.000 - 0.00 nan right", []),
    (
        result(row("naive"), LOOP, TILED),
        """tiled 3.000 4 % 0.00 3.00 1.50 3.0e-07 right
        tiled 20.0* 60.00
        * not counted: 20""",
        [],
    ),
    (
        result(
            row("naive"), WRONG, row("crash", 0, outcome="failed", verdict="killed by signal 11")
        ),
        """weak WRONG
        crash killed by signal 11""",
        [],
    ),
    (
        result(
            *(row(name, n=n) for n in (50, 1000) for name in ("naive", "good")),
            row("weak", n=50),
            WRONG,
        ),
        """implementation N = 50 N = 1000
        weak 1.000 (4 %) -
        weak, N = 1000: WRONG
        x naive""",
        ["all are right"],
    ),
    (
        result(*(row("tiled", block=block, n=n) for n in (50, 60) for block in (32, 64))),
        """tiled, block 64 1.000 (4 %) 1.000 (4 %)
        verdict: all are right""",
        ["x tiled"],
    ),
    (
        result(*(row(name, 0, n=n, **BUSY) for n in (50, 60) for name in ("naive", "mine"))),
        """mine, N = 50: too busy
        naive, mine: too few free cores; for example naive: its thread had 0.4 of a core""",
        ["ms per iteration"],
    ),
    (
        result(row("naive", spread=0.4), WIDE, stopped=True, **DEVICE),
        """Abacus GPU Abacus 2, g++ 12, core at 3.93 GHz, load 2.3 before
        mine 20.0* 40.00 0.268
        timed requests 50 %, warming up 10 %, asking again 20 %
        but not, for every row, that all steps were made
        stopped before all rounds
        naive, mine: spreads of up to 50 % are too wide to compare""",
        [],
    ),
    (
        result(row("naive", seconds_of_rounds=EVEN), row("mine", seconds_of_rounds=UNEVEN)),
        "mine: x is left out, since its rounds differ by more than 30 %: try again",
        [],
    ),
    (  # Also of a row whose ratio to the first is shown; its column stays.
        result(
            row("naive", seconds_of_rounds=EVEN),
            row("loop", seconds_of_rounds=UNEVEN),
            row("tiled", seconds_of_rounds=EVEN, parent="loop"),
        ),
        """loop, tiled: x is left out
        x parent""",
        [],
    ),
]


@pytest.mark.parametrize(("measured", "said", "unsaid"), RESULTS)
def test_text(measured: BenchResult, said: str, unsaid: list[str]) -> None:
    text = " ".join(bench_text(measured).split())
    assert [line for line in said.splitlines() if line.strip() not in text] == []
    assert [words for words in unsaid if words in text] == []


@pytest.mark.parametrize("text", ["{", '{"context": {"part": "part1"}, "summary": []}'])
def test_what_is_no_result(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(LabError, match=r"x.json: not a result of ./lab bench: write one with"):
        read_result(tmp_path / "x.json")
