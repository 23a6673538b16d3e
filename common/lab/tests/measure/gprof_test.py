"""How ./lab profile reads recorded output of gprof, what it prints and keeps, and when it refuses."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.measure.gprof import (
    Profiled,
    explain_functions,
    format_functions,
    profile_program,
    read_flat_profile,
    shorten_name,
)

RECORDED = Path(__file__).parent / "recorded"
NEEDED = ["gprof", "objcopy", "nm"]
REPORTS = {  # what it says, line by line and its spaces aside
    "debug": """49 % 0.38 - powf, of the C library
        31 % 0.24 4994508 std::vector<nbody::Naive::Body>::operator[](unsigned long)
        all 0.78 Without optimisation each operator[]
        The optimiser removes them: compare with AGAIN""",
    "openmp": """81 % 2.43 4 nbody::Mine::compute_accelerations()
        19 % 0.57 4 nbody::Naive::largest_time_step()
        If nbody::Mine::compute_accelerations() took no time at all, the program would be 1 / (1 - 0.81) = 5.3 times as fast
        work on it alone cannot gain more""",
    "alone": "If nbody::Naive::compute_accelerations() took no time at all, the program would be a hundred times as fast",
}


@pytest.mark.parametrize(("name", "said"), REPORTS.items())
def test_report(name, said):
    """The body of an OpenMP loop counts for its function; what took no time is left out."""
    rows, debug = read_flat_profile((RECORDED / f"{name}.gprof").read_text()), name == "debug"
    table = format_functions(rows, 61 if debug else 25)
    text = " ".join(f"{table} {explain_functions(rows, 'AGAIN', debug)}".split())
    assert [line for line in said.splitlines() if line.strip() not in text] == []
    assert " 0 % " not in text


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("std::vector<A<B>, std::allocator<A<B> > >::size()", "std::vector<A<B>>::size()"),
        ("__gnu_cxx::__promote_2<float, int>::__type std::pow<int>(int)", "std::pow<int>(int)"),
        ("__sinf_sse2", "sinf, of the C library"),
        ("__mcount_internal", "__mcount_internal"),
    ],
)
def test_names_are_shortened(name, short):
    assert shorten_name(name) == short


def profile(build, **what):
    """The report, if each run takes half a second."""
    ticks = iter(range(1000))
    try:
        return profile_program(Profiled("part1", "naive", build, **what), lambda: next(ticks) / 2)
    finally:
        assert not list(build.glob("gprof_work*")), "it cleans up"


@pytest.mark.parametrize(
    ("tool", "debug", "said"),
    [
        ("cat RECORDED", False, "part1/naive: 1500 bodies, 25 iterations with the adaptive step"),
        ("cat RECORDED", True, "part1/naive: 500 bodies, 49 iterations with the adaptive step"),
        ("echo", False, "gprof took no samples of part1/naive: use more bodies (-n)"),
        ("exit 1", False, "gprof stopped: status 1"),
    ],
)
def test_what_is_run_and_kept(tmp_path, monkeypatch, tool, debug, said):
    """The whole profile is; tools and the program are played by scripts."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'tools'}:/usr/bin:/bin")
    recorded = RECORDED / "openmp.gprof"
    scripts = dict.fromkeys((f"bin/gprof{x}/part1/naive" for x in ("", "_debug")), "true")
    scripts |= {"tools/gprof": tool.replace("RECORDED", str(recorded))}
    scripts |= {"tools/nm": "true", "tools/objcopy": "true"}
    for file, text in scripts.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / file).chmod(0o755)
    if "RECORDED" not in tool:
        with pytest.raises(LabError, match=f"^{re.escape(said)}"):
            profile(tmp_path, debug=debug)
        return
    assert profile(tmp_path, debug=debug).startswith(said)
    copy = tmp_path / f"gprof{'_debug' if debug else ''}/part1_naive.txt"
    assert copy.read_text() == recorded.read_text()


PROGRAM = """
#include <cstdlib>
volatile double sink;
__attribute__((noinline)) void forces() {
#pragma omp parallel for num_threads(1)
  for (int k = 0; k < 4000000; ++k) sink = sink + 1.0 / (1 + k);
}
__attribute__((noinline)) void update() { sink = 0; }
int main(int, char** words) {
  for (int i = std::atoi(words[4]); i > 0; --i) forces(), update();
}
"""


@pytest.mark.skipif(not all(map(shutil.which, NEEDED)), reason="binutils is not here")
def test_the_real_gprof(tmp_path):
    """It would give the time of an OpenMP loop to the function before it."""
    program = tmp_path / Profiled("part1", "naive", tmp_path).program
    program.parent.mkdir(parents=True)
    words = ["c++", "-O2", "-pg", "-fopenmp", "-no-pie", "-x", "c++", "-", "-o", program]
    subprocess.run(words, input=PROGRAM, text=True, check=True)
    report = profile(tmp_path)
    assert re.search(r"^ +\d+ %  +[0-9.]+ +1  forces\(\)$", report, re.M), report
