"""How ./lab profile reads recorded output of nm and gprof, what it prints, and when it refuses."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.measure.gprof import Profiled, profile_program, require_tools
from nbody_lab.measure.profile_text import (
    explain_functions,
    find_local_symbols,
    format_functions,
    read_flat_profile,
    shorten_name,
)

RECORDED = Path(__file__).parent / "recorded"
STRING = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"
NEEDED = ["gprof", "objcopy", "nm"]


def recorded(name):
    return (RECORDED / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "iterations"), [("debug", 61), ("openmp", 25), ("alone", 25)])
def test_report(name, iterations, snapshot):
    """The body of an OpenMP loop counts for its function; what took no time is left out."""
    rows = read_flat_profile(recorded(f"{name}.gprof"))
    lines = [format_functions(rows, iterations), explain_functions(rows, "AGAIN", name == "debug")]
    assert "\n".join(lines) == snapshot


def test_no_samples():
    assert read_flat_profile(recorded("nothing.gprof")) == []


def test_symbols_that_gprof_does_not_see():
    symbols = find_local_symbols(recorded("symbols.nm"))
    assert symbols == ["_ZN5nbody4Mine21compute_accelerationsEv._omp_fn.0"]


@pytest.mark.parametrize(
    ("name", "short"),
    [
        (f"f({STRING}, {STRING})", "f(std::string, std::string)"),
        ("std::vector<A<B>, std::allocator<A<B> > >::size()", "std::vector<A<B>>::size()"),
        ("__gnu_cxx::__promote_2<float, int>::__type std::pow<int>(int)", "std::pow<int>(int)"),
        ("nbody::(anonymous namespace)::run()", "nbody::run()"),
        ("void nbody::pairs<4ul>(int)", "nbody::pairs<4ul>(int)"),
        (
            "void nbody::Rows<4ul>::meet<(Mode)1>(std::array<nbody::Rows<4ul>::Row, 4ul>&, unsigned long) const",
            "nbody::Rows<4ul>::meet<(Mode)1>(...) const",
        ),
        ("__sinf_sse2", "sinf, of the C library"),
        ("__mcount_internal", "__mcount_internal"),
        ("_init_all", "_init_all"),
    ],
)
def test_names_are_shortened(name, short):
    assert shorten_name(name) == short


class Bench:
    """A build folder with a program, and tools that print recorded output."""

    def __init__(self, folder):
        self.build, self.tools = folder / "build", folder / "tools"

    def write(self, file, script):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        file.chmod(0o755)

    def write_tool(self, tool, script):
        self.write(self.tools / tool, script)

    def write_program(self, script):
        for folder in ("gprof", "gprof_debug"):
            self.write(self.build / "bin" / folder / "part1/naive", script)

    def profile(self, **what):
        """The report, if each run takes half a second."""
        ticks = iter(range(1000))
        try:
            profiled = Profiled("part1", "naive", self.build, **what)
            return profile_program(profiled, lambda: next(ticks) / 2)
        finally:
            assert not list(self.build.glob("gprof_work*")), "it cleans up"


@pytest.fixture
def bench(tmp_path, monkeypatch):
    made = Bench(tmp_path)
    made.write_program("touch gmon.out")
    for tool, file in zip(NEEDED, ("alone.gprof", "", "symbols.nm")):
        made.write_tool(tool, f"cat {RECORDED / file}" if file else "true")
    monkeypatch.setenv("PATH", f"{made.tools}:/usr/bin:/bin")
    return made


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ({}, "1500 bodies, 25 iterations with the adaptive step, one thread, optimised (-O2)"),
        ({"debug": True}, "500 bodies, 49 iterations with the adaptive step, one thread, not opt"),
        ({"asked_bodies": 77}, "77 bodies, 25 iterations"),
    ],
)
def test_what_ran(bench, what, words):
    assert bench.profile(**what).startswith(f"part1/naive: {words}")


def test_the_whole_profile_and_the_shares_are_kept(bench):
    """The shares of the optimised program are for the page of ./lab report."""
    shares = bench.build.parent / "profile_lines/part1_naive.json"
    bench.profile(debug=True)
    assert not shares.exists()
    bench.write_tool("gprof", f"cat {RECORDED / 'openmp.gprof'}")
    copy = bench.build / "gprof/part1_naive.txt"
    assert bench.profile().endswith(f"\nThe whole profile: {copy}")
    assert copy.read_text(encoding="utf-8") == recorded("openmp.gprof")
    kept = json.loads(shares.read_text(encoding="utf-8"))
    assert [kept[key] for key in ("what", "part", "name", "source", "bodies")] == [
        *("profile", "part1", "naive", "", 1500)
    ]
    assert [(row["function"], round(row["share"], 2)) for row in kept["rows"]] == [
        ("nbody::Mine::compute_accelerations()", 0.81),
        ("nbody::Naive::largest_time_step()", 0.19),
    ]
    assert kept["rows"][1]["calls_per_iteration"] == 4


@pytest.mark.parametrize(
    ("tool", "script", "reason"),
    [
        ("gprof", f"cat {RECORDED}/nothing.gprof", "gprof took no samples of part1/naive: use mor"),
        ("gprof", "exit 1", "gprof stopped with status 1"),
        ("", "true", "part1/naive left no gmon.out: it was not built with -pg, or it was killed"),
        ("", "echo first >&2; echo last >&2; exit 3", "part1/naive stopped: last"),
        ("", "exit 3", "part1/naive stopped: "),
    ],
)
def test_what_went_wrong(bench, tool, script, reason):
    if tool:
        bench.write_tool(tool, script)
    else:
        bench.write_program(script)
    with pytest.raises(LabError, match=f"^{re.escape(reason)}"):
        bench.profile()


@pytest.mark.parametrize("missing", ["gprof", "objcopy", "nm"])
def test_a_missing_tool(bench, missing, monkeypatch):
    monkeypatch.setenv("PATH", str(bench.tools))
    require_tools()
    (bench.tools / missing).unlink()
    with pytest.raises(LabError, match=f"^{missing} is missing; install the package binutils"):
        require_tools()


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
    profiled = Profiled("part1", "naive", tmp_path)
    program = tmp_path / profiled.program
    program.parent.mkdir(parents=True)
    words = ["c++", "-O2", "-pg", "-fopenmp", "-no-pie", "-x", "c++", "-", "-o", program]
    subprocess.run(words, input=PROGRAM, text=True, check=True)
    ticks = iter(range(100))
    report = profile_program(profiled, read_clock=lambda: next(ticks) / 2)
    assert re.search(r"^ +\d+ %  +[0-9.]+ +1  forces\(\)$", report, re.M), report
