"""Hot loops, in recorded machine code and in small programs built by the compilers here."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from nbody_lab.bound.machine_code import find_candidates, find_hot_loop, find_loops_with_roots
from nbody_lab.bound.machine_symbols import (
    NoLoop,
    Symbol,
    find_entries,
    parse_instructions,
    parse_pointers,
    parse_symbols,
)

RECORDINGS = Path(__file__).parent / "recordings"
FUNCTIONS, DATA = parse_symbols((RECORDINGS / "classes.nm").read_text())
POINTERS = parse_pointers((RECORDINGS / "classes.readelf").read_text())

SOURCE = """
#include <cmath>
__attribute__((noinline)) void compute_accelerations(const float* x, float* __restrict a, int n) {
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int j = 0; j < n; ++j) { const float d = x[j] - x[i]; sum += d / std::sqrt(d * d + 1e-3F); }
    a[i] = sum;
  }
}
__attribute__((noinline)) float largest_time_step(const float* x, int n) {
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += std::sqrt(x[j]) + std::sqrt(x[j] + 1);
  return sum;
}
int main(int argc, char**) {
  static float x[1000], a[1000];
  compute_accelerations(x, a, argc);
  return static_cast<int>(a[0] + largest_time_step(x, argc));
}
"""


@pytest.mark.parametrize("recording", sorted(RECORDINGS.glob("*.objdump")), ids=lambda f: f.stem)
def test_loops_of_a_recording(recording: Path) -> None:
    """An iteration leaves out the call for negative numbers; a body and its remainder are two loops;
    a retry of an atomic addition is none; a call of pow() counts as a root."""
    code = parse_instructions(recording.read_text())
    loops = [
        {
            "set": loop.instruction_set,
            "lanes": loop.lanes,
            "roots": loop.roots,
            "calls": loop.calls,
            "addresses": [hex(one.address) for one in loop.instructions],
        }
        for loop in find_loops_with_roots(Symbol(0x1000, 0x100, "f()"), code)
    ]
    assert loops == json.loads(recording.with_suffix(".json").read_text())


@pytest.mark.parametrize(
    ("pointers", "addresses"),
    [
        (POINTERS, [0x1100, 0x1200]),  # its own function, and what the compiler made of it
        ({**POINTERS, 0x2110: 0x1000}, [0x1000]),  # the one that it inherits
        ({}, [0x1000, 0x1100, 0x1200]),  # all of the name
    ],
)
def test_entries(pointers: dict[int, int], addresses: list[int]) -> None:
    """The virtual table of the simulator from which no other class derives tells which function of
    the name a program calls."""
    entries = find_entries(FUNCTIONS, DATA, pointers, "compute_accelerations")
    assert [symbol.address for symbol in entries] == addresses


Build = Callable[..., Path]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Compiles SOURCE, or another source."""
    if not shutil.which("objdump"):
        pytest.skip("no binutils here")

    def compile_with(compiler: str, *flags: str, source: str = SOURCE) -> Path:
        if not shutil.which(compiler):
            pytest.skip(f"no {compiler} here")
        (tmp_path / "one.cpp").write_text(source, encoding="utf-8")
        argv = [compiler, *flags, str(tmp_path / "one.cpp"), "-o", str(tmp_path / "one")]
        subprocess.run(argv, check=True)
        return tmp_path / "one"

    return compile_with


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_scalar_and_vector_code(compiler: str, build: Build) -> None:
    """Each compiler's loop has as many roots as interactions; clang++ does two per iteration."""
    scalar = find_hot_loop(build(compiler, "-O2", "-fno-tree-vectorize"))
    assert (scalar.lanes, scalar.instruction_set, list(scalar.calls)) == (1, "scalar", [])
    assert sum("sqrtss" in text for text in scalar.texts) == scalar.roots
    assert scalar.roots in (1, 2)
    vector = find_hot_loop(build(compiler, "-O3", "-ffast-math"))
    assert vector.lanes > 1 and vector.roots % vector.lanes == 0


def test_the_search_for_neighbours_is_not_taken(build: Build) -> None:
    """It has more roots, but is no part of the forces."""
    program = build("g++", "-O2", "-fno-math-errno", "-fno-tree-vectorize")
    names = [loop.function for loop in find_candidates(program)]
    assert names == ["compute_accelerations(float const*, float*, int)"]
    assert len(find_candidates(program, "main")) == 1


@pytest.mark.parametrize("flags", [[], ["-no-pie"]])
def test_openmp(flags: list[str], build: Build) -> None:
    """The loop of a function that is handed on to OpenMP."""
    source = SOURCE.replace("  for (int i", "#pragma omp parallel for\n  for (int i", 1)
    program = build("g++", "-O2", "-fopenmp", *flags, source=source)
    assert "omp_fn" in find_hot_loop(program).function


def test_what_cannot_be_shown(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reason is a sentence."""
    program = build("g++", "-O2")

    def refused(why: str, file: Path = program, function: str = "compute_accelerations") -> None:
        with pytest.raises(NoLoop, match=re.escape(why)):
            find_hot_loop(file, function)

    refused("has no function nothing", function="nothing")
    refused("No such file", program.with_name("nothing"))
    subprocess.run(["strip", str(program)], check=True)
    refused("no symbols")
    monkeypatch.setenv("PATH", "/nowhere")
    refused("nm is missing; install the package binutils")
