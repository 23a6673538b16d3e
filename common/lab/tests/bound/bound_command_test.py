"""./lab bound: what it refuses, what it looks at, and what it stores."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from nbody_lab.bound import sass
from nbody_lab.bound.analysis import (
    Options,
    choose_program,
    interactions_in,
)
from nbody_lab.bound.ports import has_osaca
from nbody_lab.bound.work import Work, count_work, load_counts
from nbody_lab.commands import bound as command
from nbody_lab.core.bound_file import Bound
from nbody_lab.core.manifest import Program
from nbody_lab.core.messages import UserError
from nbody_lab.core.model import load
from nbody_lab.core.ninja_commands import NoCommands, commands_of
from tests.bound.bounds_for_tests import SPR, make_loop, make_row
from tests.bound.lab_for_tests import TinyLab, bench_row, write_script
from tests.bound.machine_code_test import SOURCE
from tests.bound.sass_test import ON_MATRIX_UNITS
from tests.conftest import Ended

RECORDING = Path(__file__).parent / "recordings/kernels.sass"
Run = Callable[..., Ended]

REFUSED = {
    "part1 mine --interactions 0": "--interactions needs a number above 0, not '0'",
    "part1 mine --interactions x": "--interactions needs a number above 0, not 'x'",
    "part1 mine --clock -1": "--clock needs a number above 0, not '-1'",
    "part1 mine --clock nan": "--clock needs a number above 0, not 'nan'",
    "part1 mine --core sparc": "bound knows no core 'sparc'; it knows: SNB, IVB, ",
    "part1 mine --core ZEN9": "bound knows no core 'ZEN9'; did you mean ZEN",
    "part1 mine --nonsense": "there is no option --nonsense",
    "part1 mine --json /no/such/x": "/no/such/x cannot be written: there is no folder /no/such",
    "part1 mine --json /tmp": "--json /tmp cannot be written: it is a folder",
    "part3 mine --arch sm_10": "no table for 'sm_10'; known are sm_70 sm_75",
    "part3 mine --core SPR": "part3 runs on a GPU: --arch names it, --core a processor's core",
    "part1 mine --kernel tiles": "part1 has no kernels: --kernel is for the programs of a GPU",
    "": "bound needs a part; for example: ./lab bound part1 mine",
}


@pytest.mark.usefixtures("nothing_is_built")
@pytest.mark.parametrize(("words", "why"), REFUSED.items())
def test_refused_before_anything_is_built(words: str, why: str, run_lab: Run) -> None:
    """In one line, with status 2."""
    ended = run_lab("bound", *words.split())
    assert (ended.status, ended.output, ended.error.count("\n")) == (2, "", 1), ended
    assert why in ended.error


def test_what_is_kept() -> None:
    """Only bounds of this machine's own programs, which roofline and report read."""
    others = [Options(core=SPR), Options(arch="sse2"), Options(kernel="tiles")]
    others += [Options(interactions=4), Options(clock_hz=3e9)]
    assert Options(double=True, measure=False).is_kept
    assert not any(options.is_kept for options in others)


THERE = {
    "avx2 avx512": "it has: avx2 avx512",
    " ": "it has only one: leave out --arch",
    "": "it has none in this precision",
}


@pytest.mark.parametrize(("sets", "there"), THERE.items())
def test_instruction_set_without_a_program(sets: str, there: str) -> None:
    """The message names those that there are."""
    names = [""] if sets == " " else sets.split()
    programs = [Program(precision="float", instruction_set=one, program="x") for one in names]
    row = make_row("naive", "part1", programs=tuple(programs))
    why = f"part1/naive has no program for foo in float; {there}"
    with pytest.raises(UserError, match=re.escape(why)):
        choose_program(row, "float", "foo")


PAIRS = "one root for every two: each pair is computed once, as in third_law"
UNKNOWN = "if an interaction takes one root (it cannot be counted"


@pytest.mark.parametrize(
    ("roots", "interactions", "why"),
    [
        ({"square root": 0.999}, 16, "one root each"),
        ({"square root": 0.0, "estimate of 1/sqrt": 0.52}, 32, PAIRS),
        ({"square root": 2.0}, 8, "2 roots each"),
        ({}, 16, UNKNOWN),
    ],
)
def test_interactions_in_an_iteration(
    roots: dict[str, float], interactions: float, why: str
) -> None:
    """By the roots that the source takes; the remainders of tiles are left out."""
    work = Work(roots, "third_law" if why is PAIRS else None)
    number, reason = interactions_in(make_loop("nop"), work)
    assert number == interactions and reason.startswith(why)


def write_counts(lab: TinyLab, name: str, **counts: object) -> Path:
    file = lab.build / f"bin/{lab.part}/{name}_count.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"work": {"compute_accelerations": counts}}))
    return file


def test_counts(tmp_path: Path) -> None:
    """Per interaction, by the polynomial or by most bodies; of the nearest ancestor with counts."""
    lab = TinyLab(tmp_path, "part2", ["newton", "child"])
    file = write_counts(
        lab,
        "newton",
        sqrt={"polynomial": {"n2": 1, "n": 0, "1": 0, "over": 2}},
        mul={"polynomial": None, "counted": {"256": 1, "1024": 1024 * 512}},
        flops={"polynomial": None, "counted": {}},
    )
    assert load_counts(file) == {"multiply": 0.5, "square root": 0.5}
    write_counts(lab, "child")
    manifest = lab.manifest.read_text().replace(
        '"name": "child"', '"name": "child", "parent": "newton"'
    )
    lab.manifest.write_text(manifest)
    assert count_work(lab, "child") == Work({"multiply": 0.5, "square root": 0.5}, "newton")
    assert count_work(lab, "newton").counted_on is None
    assert load_counts(tmp_path / "nowhere") == load_counts(lab.manifest) == {}


def test_compile_command(tmp_path: Path) -> None:
    """The one of the implementation's own source, among those of Ninja."""
    build = [
        "rule run",
        "  command = $line",
        "build main.o: run",
        "  line = g++ -c main.cpp -o main.o",
    ]
    build += ["build a.o: run", "  line = nvcc -O3 -c /x/tiles.cu -o 'a b.o'"]
    build += ["build tiles: run a.o main.o", "  line = g++ main.o 'a b.o' -o tiles", ""]
    (tmp_path / "build.ninja").write_text("\n".join(build))
    compiling, linking = commands_of(tmp_path, "tiles", "tiles", ".cu")
    assert compiling == ["nvcc", "-O3", "-c", "/x/tiles.cu", "-o", "a b.o"]
    assert linking == ["g++", "main.o", "-o", "tiles"]
    with pytest.raises(NoCommands):
        commands_of(tmp_path, "tiles", "mine", ".cu")


@pytest.fixture
def use_lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., TinyLab]:
    """The command works in a tiny lab, and stores its bounds there."""

    def use(part: str, *names: str) -> TinyLab:
        lab = TinyLab(tmp_path, part, names)
        monkeypatch.setattr(command, "Workshop", lambda _: lab)
        file = "{}_{}_{}.json"
        monkeypatch.setattr(
            command, "bound_file", lambda *row: tmp_path / "kept" / file.format(*row)
        )
        return lab

    return use


@pytest.mark.parametrize(
    ("options", "gpu", "core", "kept"),
    [
        ("", True, "sm_86", ["part3_tiles_float.json"]),
        ("", False, "sm_90", ["part3_tiles_float.json"]),
        ("--arch sm_80", True, "sm_80", []),
        ("--kernel tile", True, "sm_86", []),
        ("--interactions 3", True, "sm_86", []),
        ("--kernel tile --matrix", True, "sm_86", []),
    ],
)
def test_code_for_the_gpu_that_answers(
    options: str,
    gpu: bool,
    core: str,
    kept: list[str],
    use_lab: Callable[..., TinyLab],
    run_lab: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without a GPU, that of the stored speeds; a bound of other code is not stored. If another
    kernel computes on the matrix units, the program's speed is not that of the one named."""
    lab = use_lab("part3", "tiles")
    write_counts(lab, "tiles", rsqrt={"polynomial": {"n2": 1, "over": 1}})
    lab.answers = lab.answers if gpu else ""
    options, matrix, _ = options.partition(" --matrix")
    recording = lab.build / "recording"
    recording.write_text(RECORDING.read_text() + (ON_MATRIX_UNITS if matrix else ""))
    for tool in ("cuobjdump", "nvdisasm"):
        write_script(lab.build / "tools" / tool, f"#!/bin/sh\ncat {recording}\n")
    monkeypatch.setattr(sass, "_FOLDERS", (lab.build / "tools",))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setattr(sass, "find_launched", lambda _: set())
    ended = run_lab("bound", "part3", "tiles", "--no-measure", *options.split())
    assert ended.status == 0, ended
    assert f"ports of {core}, cycles per iteration (cuobjdump)" in ended.output
    assert [file.name for file in (lab.build / "kept").glob("*")] == kept
    assert ("given by --interactions" in ended.output) == ("--interactions" in options)
    assert ("not: the program's speed is that of its matrix units" in ended.output) == bool(matrix)


@pytest.mark.skipif(not has_osaca(), reason="no OSACA (./lab setup --pictures)")
def test_processor(use_lab: Callable[..., TinyLab], run_lab: Run) -> None:
    """A program without a loop is named, the others get their row; a wrong one is announced."""
    lab = use_lab("part1", "naive", "empty")
    source = lab.build / "one.cpp"
    for name, text in (
        ("naive", SOURCE),
        ("empty", "void compute_accelerations() {}\nint main() {}"),
    ):
        source.write_text(text)
        write_counts(lab, name, sqrt={"polynomial": {"n2": 1, "over": 1}})
        program = lab.build / "bin/part1" / name
        subprocess.run(["g++", "-O2", "-fno-tree-vectorize", source, "-o", program], check=True)
    lab.set_bench(bench_row("naive", "wrong", verdict="WRONG"), clock_hz=2e9)
    rows = lab.build / "rows.json"
    ended = run_lab("bound", "part1", "--all", "--json", rows)
    assert ended.status == 0, ended
    assert "lab: part1: empty: empty: no loop in compute_accelerations()" in ended.error
    assert "part1/naive is WRONG, so this bound is for different work" in ended.output
    (row,) = json.loads(rows.read_text())["summary"]
    kept = load(Bound, lab.build / "kept/part1_naive_float.json")
    assert (row["name"], row["clock_hz"], row["interactions"]) == ("naive", 2e9, 1.0)
    assert row["cycles"] == round(kept.cycles_per_iteration, 2)
    assert (kept.source, kept.why_not_measured) == ("LICENSE", "the bench says: WRONG")
    assert kept.source_sha256
    alone = run_lab("bound", "part1", "empty")
    assert alone.status == 2 and "no loop in" in alone.error
