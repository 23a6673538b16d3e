"""Which lines are picked from the sanitizers' output, and a whole run of small programs."""

import shutil
from pathlib import Path

import pytest

from nbody_lab.building.lab import Lab
from nbody_lab.check import sanitize
from nbody_lab.check.sanitize import places

ROOT = Path("/lab")
MINE = "part1_standard_opti/mine.hpp"
ADDRESS = f"""==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000574 at pc 0x55d bp 0x7ff sp 0x7fe
    #0 0x55d in nbody::Mine::compute_accelerations() /lab/build/x/../../{MINE}:10
    #1 0x55e in nbody::SimulatorOf<float>::advance(unsigned long, nbody::StepRule const&) /lab/common/simulator/contract.hpp:59
"""
RACE = f"""WARNING: ThreadSanitizer: data race (pid=9)
  Write of size 4 at 0x7b5 by thread T1:
    #0 .omp_outlined._debug__ /lab/{MINE}:46:20 (mine_thread+0x4c)
"""
OTHER = """
  Previous write of size 4 at 0x7b5 by thread T2:
    #0 nbody::step(float*) /lab/part3_cuda/mine.cuh:31 (mine_thread+0x4d)
"""
UNDEFINED = f"/lab/{MINE}:12:9: runtime error: division of 1 by zero\n"
IN_LIBRARY = f"""/usr/include/c++/12/bits/stl_vector.h:1123:9: runtime error: load of null pointer 0x5 of type 'float'
    #0 0x55d in std::vector<float>::operator[](unsigned long) /usr/include/c++/12/bits/stl_vector.h:1123
    #1 0x55d in nbody::Mine::compute_accelerations() /lab/{MINE}:14
"""
BEYOND = f"{MINE}:10: reads or writes beyond the end of an array"
BY_ZERO = f"{MINE}:12: division of 1 by zero"
TWO_THREADS = f"{MINE}:46: a data race: two threads use this number at once, and one of them writes"


@pytest.mark.parametrize(
    ("report", "found"),
    [
        (ADDRESS, [BEYOND]),
        (UNDEFINED + ADDRESS + UNDEFINED, [BY_ZERO, BEYOND]),
        (IN_LIBRARY, [f"{MINE}:14: load of null pointer an address of type 'float'"]),
        (RACE + OTHER, [f"{TWO_THREADS}; the other one at part3_cuda/mine.cuh:31"]),
        ("mine: stopped\n", []),
    ],
)
def test_places_are_the_students_lines(report: str, found: list[str]) -> None:
    """Each once, in words that explain; a race has two."""
    assert places(report, ROOT) == places(report * 2, ROOT) == found


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


@pytest.mark.skipif(not (shutil.which("c++") and shutil.which("ninja")), reason="no compiler")
@pytest.mark.parametrize("extra", [0, 1])
def test_a_whole_run_names_the_line(
    tmp_path: Path, extra: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a small program, compiled and run for real; without clang++ the races are not looked for. `extra`: floats that it
    writes beyond its array."""
    source = tmp_path / "part1_x/mine.cpp"
    source.parent.mkdir()
    source.write_text(PROGRAM)
    flags = f"-g -fsanitize=address,undefined -DEXTRA={extra}"
    (tmp_path / "build.ninja").write_text(
        f"rule c\n  command = c++ {flags} -o $out {source}\nbuild bin/addresses/part1/mine: c\n"
    )
    monkeypatch.setattr(sanitize, "find_archer", lambda: None)
    monkeypatch.setattr(sanitize, "ROOT", tmp_path)
    lab = Lab("part1")
    lab.build_dir, lab.manifest, lab.log = tmp_path, tmp_path / "none", tmp_path / "log"
    assert sanitize.sanitize(lab, "mine") == (extra == 0)
    lines = capsys.readouterr().out.splitlines()
    if extra:
        assert lines[1] == "addresses and undefined behaviour: FOUND"
        assert lines[2] == "  part1_x/mine.cpp:7: reads or writes beyond the end of an array"
    else:
        assert lines[1] == "addresses and undefined behaviour: clean, 10 runs"
    assert lines[-1].startswith("data races: not checked: needs clang++")
