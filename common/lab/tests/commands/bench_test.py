"""./lab bench: what it refuses before anything is built, and what it passes on."""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest

from nbody_lab import cli
from nbody_lab.build import lab as lab_module
from nbody_lab.core.errors import LabError
from nbody_lab.measure.bench_file import read_result
from tests import ended_with


@pytest.fixture(autouse=True)
def builds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever would lock, configure or build fails."""

    def refuse(*_: object) -> None:
        raise AssertionError("configures or builds")

    for name in ("lock", "configure", "step", "works"):
        monkeypatch.setattr(lab_module.Lab, name, refuse)


REFUSED = {
    "part1 naive -n 0": "-n needs numbers of bodies from 1 to 16777216",
    "part1 naive -n=5": "not '=5'",
    "part1 naive -n 5,5": "-n has a number twice: 5,5",
    "part1 naive --rounds 0": "--rounds needs at least 1",
    "part1 naive --threads 1,x": "--threads needs numbers of threads from 1 to 4096",
    "part1 naive --precision half": "--precision 'half' is not one of",
    "part1 naive --scene nothing": "--scene does not know 'nothing'",
    "part1 naive --quik": "there is no option --quik; did you mean --quick?",
    "part1 naive --json /no/such/x": "/no/such/x cannot be written: there is no folder /no/such",
    "part1 naive --json /tmp": "/tmp cannot be written: it is a folder",
    "part1 naive --plot /proc/x": "--plot /proc/x cannot be written",
    "--compare a.json b.json": "a.json: No such file or directory",
    "--compare README.md LICENSE": "README.md: not a result of ./lab bench: write one with --json",
    "--compare README.md LICENSE -n 5": "measures nothing: leave out everything else",
    "part1 --compare README.md LICENSE": "measures nothing: leave out everything else",
    "--from a.json": "a.json: No such file or directory",
    "--from README.md": "README.md: not a result of ./lab bench: write one with --json",
    "part1 --from README.md": "measures nothing: leave out all but --plot FOLDER",
    "--from README.md -n 5": "measures nothing: leave out all but --plot FOLDER",
    "": "bench needs a part; for example: ./lab bench part1 mine",
}


@pytest.mark.parametrize(("words", "why"), REFUSED.items())
def test_what_is_wrong_is_refused_before_anything_is_built(words: str, why: str) -> None:
    """In one line, with status 2."""
    status, out, err = ended_with(cli.run, ["bench", *words.split()])
    assert (status, out, err.count("\n")) == (2, "", 1), err
    assert err.startswith("lab: ") and why in err


def test_options_reach_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As they were typed, and --json only as the file that is drawn."""
    from nbody_lab.commands import bench

    prepared = []

    def prepare(lab: object, names: object, options: object, double: bool) -> object:
        prepared.append((names, options, double))
        return lambda file: prepared.append(file) or 0

    monkeypatch.setattr(bench, "_prepare", prepare)
    monkeypatch.setattr(lab_module.Lab, "begin", lambda _: None)
    monkeypatch.setattr(bench.pictures, "can_draw", lambda: False)
    file = tmp_path / "x.json"
    words = f"part1 mine.hpp -n 50,60 --precision float,double --vdt --json {file}".split()
    assert ended_with(cli.run, ["bench", *words])[0] == 0
    assert prepared == [
        (["mine"], ["-n", "50,60", "--precision", "float,double", "--vdt"], True),
        file,
    ]


@pytest.mark.parametrize(
    ("names", "options", "complaint"),
    [
        (["best"], ["--block", "32,64"], "bench part3: best takes no --block, so there"),
        (["best", "split"], ["--unroll=2"], "bench part3: best and split take no --unroll"),
        (["tiles"], ["--grid", "32"], "bench part3: tiles takes no --grid, so there"),
        (["best", "tiles"], ["--block", "32"], None),
        (["best"], ["-n", "32"], None),
        ([], ["--block", "32"], None),
    ],
)
def test_a_sweep_that_no_program_takes_is_refused(names, options, complaint, tmp_path) -> None:
    """Each program says in its help what it leaves to the command line."""
    from nbody_lab.commands.bench import _require_tunable

    for name in ("best", "split", "tiles"):
        help_text = "  --block K   threads per block" if name == "tiles" else "  -n N   bodies"
        (tmp_path / name).write_text(f"#!/bin/sh\necho '{help_text}'\n")
        (tmp_path / name).chmod(0o755)
    programs = [tmp_path / name for name in names]
    refused = pytest.raises(LabError, match=complaint) if complaint else nullcontext()
    with refused:
        _require_tunable("part3", names, programs, options)


def test_nothing_heavy_is_imported() -> None:
    """A command line that is refused needs no numpy and no matplotlib."""
    code = (
        "import sys; import nbody_lab.commands.bench, nbody_lab.studies.simulate;"
        "print({'numpy', 'matplotlib'} & set(sys.modules))"
    )
    done = subprocess.run(
        [cli.sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
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
from nbody_lab.commands import bench
from nbody_lab.build.lab import Lab
from nbody_lab.core.errors import ended
lab = Lab("part1")
lab.build = pathlib.Path(sys.argv[1])
file = pathlib.Path(sys.argv[2]) if sys.argv[2] else None
sys.exit(ended(bench._call_bench(lab, sys.argv[3:]), file))
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


def test_a_result_that_is_replaced_is_named(start_bench, tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text("old", encoding="utf-8")
    out, err = start_bench("old.json").communicate(timeout=60)
    assert "naive" in out
    assert "lab: old.json already exists and will be replaced" in err
    assert read_result(tmp_path / "old.json").names == ["naive"]


@pytest.mark.parametrize("file", ["/dev/null", "pipe", ""])
def test_tables_are_shown_wherever_the_result_goes(file: str, start_bench, tmp_path: Path) -> None:
    if file == "pipe":
        os.mkfifo(tmp_path / "pipe")
        reader = subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE, text=True)
    out, err = start_bench(file).communicate(timeout=60)
    assert ("naive" in out, "replaced" in err) == (True, False)
    if file == "pipe":
        assert '"summary"' in reader.communicate(timeout=60)[0]


@pytest.mark.parametrize("name", ["part1_sizes", "part4_simulated_ring"])
def test_a_stored_result_is_shown_and_drawn_again(name: str, tmp_path: Path) -> None:
    file = cli.ROOT / f"data/results/{name}.json"
    words = ["bench", "--from", str(file), "--plot", str(tmp_path)]
    status, out, err = ended_with(cli.run, words)
    assert (status, err) == (0, "")
    assert ("simulated: part4/ring on gbe" in out) == ("simulated" in name)
    drawn = {picture.stem for picture in tmp_path.glob("*.svg")}
    assert drawn >= ({"ring_gbe_scaling"} if "simulated" in name else {"time", "flops"})
