"""./lab bench: what it passes on to the bench program, and what it does with the result."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nbody_lab import cli
from nbody_lab.commands import bench
from nbody_lab.measure.bench_file import read_result
from nbody_lab.notebook.notebook import Row
from tests.conftest import Ended


def test_options_reach_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_lab: Callable[..., Ended]
) -> None:
    """As they were typed, and --json only as the file that is written."""
    asked = []
    monkeypatch.setattr(bench, "run_bench", lambda _, *words: asked.append(words) or 0)
    monkeypatch.setattr(bench.pictures, "can_draw", lambda: False)
    for name in ("begin", "demand_name", "demand_part"):
        monkeypatch.setattr(bench.Lab, name, lambda *_: None)
    monkeypatch.setattr(bench, "names_with_hidden_counts", lambda _: ["mine"])
    built = []
    monkeypatch.setattr(bench.Lab, "targets", lambda _, name, precision: [f"{name}_{precision}"])
    monkeypatch.setattr(bench.Lab, "build", lambda _, *targets: built.append(targets))
    file = tmp_path / "x.json"
    words = "part1 mine.hpp -n 50,60 --precision float,double --vdt".split()
    assert run_lab("bench", *words, "--json", file).status == 0
    assert asked == [
        (["mine"], ["-n", "50,60", "--precision", "float,double", "--vdt"], ["mine"], file),
    ]
    assert built == [("part1/mine", "bin/bench", "mine_float", "mine_double")]


def test_the_rate_of_a_simulated_rank_is_the_best_right_row_of_part_2(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On one thread, since a rank has one."""
    rows = [
        Row(threads=threads, interactions_per_s=speed)
        for threads, speed in ((1, 3e9), (2, 9e9), (1, 5e9), (1, None))
    ]
    monkeypatch.setattr(bench.notebook, "right_rows", lambda _: rows)
    assert bench._rate_of_a_rank(None) == (5.0, "your best of part 2")
    rows.clear()
    assert bench._rate_of_a_rank(None) == (2.0, "no row of part 2 in its notebook yet")


def test_nothing_heavy_is_imported() -> None:
    """A command line that is refused needs no numpy and no matplotlib."""
    code = (
        "import sys; import nbody_lab.commands.bench;"
        "print({'numpy', 'matplotlib'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "set()\n", done.stderr


# Plays the bench program: writes what it has when it is asked to stop.
BENCH = """#!/usr/bin/env python3
import json, pathlib, signal, sys, time
row = {"name": "naive", "n": 50, "rounds": 2, "interactions_per_s": {"median": 1e9}}
text = json.dumps({"context": {"part": "part1"}, "summary": [row]})
def write(*_):
    pathlib.Path(sys.argv[sys.argv.index("--json") + 1]).write_text(text)
    sys.exit(130 if _ else 0)
signal.signal(signal.SIGTERM, write)
print("ready", file=sys.stderr, flush=True)
time.sleep(30 if "--slow" in sys.argv else 0)
write()
"""
CALL = """
import pathlib, sys
from nbody_lab.measure.bench import run_bench
from nbody_lab.building.lab import Lab
from nbody_lab.core.errors import ended
lab = Lab("part1")
lab.build_dir = pathlib.Path(sys.argv[1])
sys.exit(ended(run_bench, lab, [], sys.argv[3:], [], pathlib.Path(sys.argv[2])))
"""


@pytest.fixture
def start_bench(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/bench").write_text(BENCH, encoding="utf-8")
    (tmp_path / "bin/bench").chmod(0o755)

    def start(file: str, *words: str) -> subprocess.Popen[str]:
        argv = [sys.executable, "-c", CALL, str(tmp_path), file, *words]
        return subprocess.Popen(
            argv, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
        )

    return start


def test_the_end_of_a_jobs_time_keeps_what_is_measured(start_bench, tmp_path: Path) -> None:
    """A batch system sends SIGTERM; Ctrl-C does the same."""
    process = start_bench("kept.json", "--slow")
    assert process.stderr.readline() == "ready\n"
    process.terminate()
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "naive" in out and "1.000" in out
    assert read_result(tmp_path / "kept.json").names == ["naive"]


@pytest.mark.parametrize("file", ["/dev/null", "old.json"])
def test_tables_are_shown_wherever_the_result_goes(file: str, start_bench, tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text("old", encoding="utf-8")
    out, _ = start_bench(file).communicate(timeout=60)
    assert "naive" in out
    assert (tmp_path / "old.json").read_text() == "old" or file == "old.json"


@pytest.mark.parametrize("name", ["part1_sizes", "part4_simulated_ring"])
def test_a_stored_result_is_shown_and_drawn_again(
    name: str, tmp_path: Path, run_lab: Callable[..., Ended]
) -> None:
    file = cli.ROOT / f"data/results/{name}.json"
    status, out, err = run_lab("bench", "--from", file, "--plot", tmp_path)
    assert (status, err) == (0, "")
    assert ("simulated: part4/ring on gbe" in out) == ("simulated" in name)
    drawn = {picture.stem for picture in tmp_path.glob("*.svg")}
    assert drawn >= ({"ring_gbe_scaling"} if "simulated" in name else {"part1_sizes_bodies"})
