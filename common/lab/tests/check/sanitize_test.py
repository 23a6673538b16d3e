"""Which lines are picked from the sanitizers' output, how a program is compiled again, and a whole run of small ones."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nbody_lab import ROOT as LAB
from nbody_lab.check import sanitize
from nbody_lab.check.sanitize import libraries, without_files
from nbody_lab.check.sanitizer_reports import places
from nbody_lab.core.errors import LabError
from tests import ended_with

ROOT = Path("/lab")
ADDRESS = """=================================================================
==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000574 at pc 0x55d bp 0x7ff sp 0x7fe
WRITE of size 4 at 0x602000000574 thread T0
    #0 0x55d in nbody::Mine::compute_accelerations() /lab/build/x/../../part1_standard_opti/mine.hpp:10
    #1 0x55e in nbody::SimulatorOf<float>::advance(unsigned long, nbody::StepRule const&) /lab/common/simulator/contract.hpp:59
"""
RACE = """==================
WARNING: ThreadSanitizer: data race (pid=9)
  Write of size 4 at 0x7b5 by thread T1:
    #0 .omp_outlined._debug__ /lab/part1_standard_opti/mine.hpp:46:20 (mine_thread+0x4c)
{other}
SUMMARY: ThreadSanitizer: data race /lab/part1_standard_opti/mine.hpp:46:20 in .omp_outlined._debug__
"""
OTHER = """
  Previous write of size 4 at 0x7b5 by thread T2:
    #0 nbody::step(float*) /lab/part3_cuda/mine.cuh:31 (mine_thread+0x4d)
"""
TWO_THREADS = "a data race: two threads use this number at once, and one of them writes"
NO_SPACE = (
    "/lab/part1_standard_opti/mine.hpp:10:7: runtime error: store to address 0x602000000574 "
    "with insufficient space for an object of type 'float'\n"
)
UNDEFINED = "/lab/part1_standard_opti/mine.hpp:12:9: runtime error: division of 1 by zero\n"
IN_LIBRARY = """/usr/include/c++/12/bits/stl_vector.h:1123:9: runtime error: load of null pointer 0x5 of type 'float'
    #0 0x55d in std::vector<float>::operator[](unsigned long) /usr/include/c++/12/bits/stl_vector.h:1123
    #1 0x55d in nbody::Mine::compute_accelerations() /lab/part1_standard_opti/mine.hpp:14
"""
BEYOND = "part1_standard_opti/mine.hpp:10: reads or writes beyond the end of an array"


@pytest.mark.parametrize(
    ("report", "found"),
    [
        (ADDRESS, [BEYOND]),
        (NO_SPACE + ADDRESS, [BEYOND]),
        (UNDEFINED, ["part1_standard_opti/mine.hpp:12: division of 1 by zero"]),
        (
            IN_LIBRARY,
            [
                "part1_standard_opti/mine.hpp:14: load of null pointer an address of type 'float' (in stl_vector.h)"
            ],
        ),
        (RACE.format(other=""), [f"part1_standard_opti/mine.hpp:46: {TWO_THREADS}"]),
        (
            RACE.format(other=OTHER),
            [
                f"part1_standard_opti/mine.hpp:46: {TWO_THREADS}; the other one at part3_cuda/mine.cuh:31"
            ],
        ),
        (UNDEFINED + ADDRESS + UNDEFINED, None),
        ("mine: stopped\n", []),
    ],
)
def test_places_are_the_students_lines(report: str, found: list[str] | None) -> None:
    """Each once, in words that explain; a race has two."""
    both = ["part1_standard_opti/mine.hpp:12: division of 1 by zero", BEYOND]
    assert places(report, ROOT) == places(report * 2, ROOT) == (both if found is None else found)


def test_own_files_level_and_warnings_go_the_rest_stays() -> None:
    """The implementation keeps its own flags."""
    words = "-DLAB_REAL=float -I/lab/common -O3 -march=native -fopenmp -Wall -Werror -MD -MT x.o -MF x.d -o x.o -c"
    kept = "-DLAB_REAL=float -I/lab/common -march=native -fopenmp"
    assert without_files(words.split()) == kept.split()


def test_clang_brings_its_own_openmp() -> None:
    """In place of g++'s; other libraries stay."""
    words = "a.o libx.a /usr/lib/libgomp.so /usr/lib/libfmt.so.9.1.0 -ldl -o bin/mine"
    assert libraries(words.split(), None) == words.split()[:5]
    assert libraries(words.split(), "/llvm/libomp.so")[2] == "/llvm/libomp.so"


PROGRAM = """#include <cstdlib>
#include <cstring>
int main(int count, char** words) {
  int n = 0;
  for (int k = 1; k + 1 < count; ++k) if (!std::strcmp(words[k], "-n")) n = std::atoi(words[k + 1]);
  float* values = new float[n];
  for (int k = 0; k <= n - 1 + EXTRA; ++k) values[k] = 1;  // line 7
  delete[] values;
}
"""


def _lab(root: Path, extra: int, needs: tuple[str, ...] = ()) -> Path:
    """A lab with one program; `extra`: floats that it writes beyond its array."""
    build = root / "build"
    source = root / "part1_x/mine.cpp"
    for file in (source, build / "bin/mine"):
        file.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(PROGRAM)
    (build / "bin/mine").touch()
    (build / "build.ninja").write_text(
        f"rule c\n  command = c++ -DEXTRA={extra} -o mine.o -c {source}\n"
        "rule l\n  command = c++ mine.o -o bin/mine\n"
        f"build mine.o: c {source}\nbuild bin/mine: l mine.o\n"
    )
    row = {"part": "part1", "name": "mine", "needs": needs}
    row["programs"] = [{"precision": "float", "program": "bin/mine"}]
    content = {"parts": [{"name": "part1", "launcher": None}], "implementations": [row]}
    (build / "manifest.json").write_text(json.dumps(content))
    return build / "manifest.json"


@pytest.mark.skipif(not (shutil.which("c++") and shutil.which("ninja")), reason="no compiler")
@pytest.mark.parametrize("extra", [0, 1])
def test_a_whole_run_names_the_line(
    tmp_path: Path, extra: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a small program, compiled and run for real; without clang++ the races are not looked for."""
    monkeypatch.setattr(sanitize, "_archer", lambda: None)
    arguments = (str(tmp_path), str(_lab(tmp_path, extra)), "part1", "mine")
    status, out, _ = ended_with(sanitize.main, *arguments)
    lines = out.splitlines()
    assert lines[0] == "part1/mine under the sanitizers, 10 small runs each"
    if extra:
        assert lines[1] == "addresses and undefined behaviour: FOUND"
        assert lines[2] == "  part1_x/mine.cpp:7: reads or writes beyond the end of an array"
    else:
        assert lines[1] == "addresses and undefined behaviour: clean, 10 runs"
    assert lines[-1].startswith("data races: not checked: needs clang++")
    assert status == extra


def test_what_cannot_be_sanitized_is_refused(tmp_path: Path) -> None:
    """A program of a GPU; an unknown name."""
    manifest = _lab(tmp_path, 0, needs=("gpu",))
    with pytest.raises(LabError, match="part1 runs on a GPU: compute-sanitizer"):
        sanitize.find_program(tmp_path, manifest, "part1", "mine")
    with pytest.raises(LabError, match="part1 has no implementation 'nobody'"):
        sanitize.find_program(tmp_path, manifest, "part1", "nobody")


@pytest.mark.parametrize(
    ("takes", "blocks"),
    [
        ("16|32|64|128) exit 0", ["64", "16"]),
        ("32|64|1024) exit 0", ["64"]),
        ("256|1024) exit 0", []),
        ("none) exit 0", []),
        ("16) exit 134", ["16"]),  # what crashes is looked at
    ],
)
def test_only_blocks_that_the_program_takes(tmp_path: Path, takes: str, blocks: list[str]) -> None:
    """`$2` is the value of --block."""
    program = tmp_path / "program"
    program.write_text(f'#!/bin/sh\ncase "$2" in\n{takes} ;;\nesac\nexit 2\n')
    program.chmod(0o755)
    assert sanitize._blocks_of(program) == blocks


def test_it_needs_the_standard_library_only() -> None:
    """CMake calls it with whatever Python there is."""
    code = f"import sys; sys.path.insert(0, {str(LAB / 'common/lab/src')!r}); import nbody_lab.check.sanitize"
    words = [sys.executable, "-S", "-c", code]  # -S: no packages
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
