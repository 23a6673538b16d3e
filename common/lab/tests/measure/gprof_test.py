"""What ./lab profile makes of gprof's output, and the real gprof."""

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
)

NEEDED = ["gprof", "objcopy", "nm"]
DEBUG = """
 40.86      0.38     0.38                             __powf_fma
 25.81      0.62     0.24 304665000     0.00     0.00  std::vector<A, std::allocator<A> >::operator[](unsigned long)
  0.00      0.78     0.00   124992     0.00     0.00  float const& std::forward<float const&>(std::remove_reference<float const&>::type&)
"""
OPENMP = """
 80.00      2.40     2.40                             nbody::Mine::compute_accelerations() [clone ._omp_fn.0]
 19.00      2.97     0.57      100     5.70     5.70  nbody::Naive::largest_time_step()
  1.00      3.00     0.03      100     0.30     0.30  nbody::Mine::compute_accelerations()
"""
SAID_OF_DEBUG = """61 % 0.38 - powf, of the C library
39 % 0.24 12186600 std::vector<A>::operator[](unsigned long)
The optimiser removes them: compare with the profile"""
SAID_OF_OPENMP = """81 % 2.43 4 nbody::Mine::compute_accelerations()
If nbody::Mine::compute_accelerations() took no time at all, the program would gain 1 / (1 - 0.81) = 5.3 x"""


@pytest.mark.parametrize(("recorded", "said"), [(DEBUG, SAID_OF_DEBUG), (OPENMP, SAID_OF_OPENMP)])
def test_report(recorded, said):
    """The body of an OpenMP loop counts for its function; what took no time is left out."""
    rows = read_flat_profile(recorded)
    explained = explain_functions(rows, Profiled("", Path(), debug=recorded == DEBUG))
    text = " ".join(f"{format_functions(rows, 25)} {explained}".split())
    assert [line for line in said.splitlines() if line not in text] == [], text
    assert " 0 % " not in text


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
    """It would give the time of an OpenMP loop to the function before it. The whole profile is kept."""
    profiled = Profiled("part1/naive", tmp_path)
    program = tmp_path / profiled.program
    program.parent.mkdir(parents=True)
    words = ["c++", "-O2", "-pg", "-fopenmp", "-no-pie", "-x", "c++", "-", "-o", program]
    subprocess.run(words, input=PROGRAM, text=True, check=True)

    def profile(seconds_of_a_run):
        ticks = iter(range(1000))
        return profile_program(profiled, lambda: next(ticks) * seconds_of_a_run)

    report = profile(0.5)
    assert report.startswith("part1/naive: 1500 bodies, 25 iterations with the adaptive step")
    assert re.search(r"^ +\d+ %  +[0-9.]+ +1  forces\(\)$", report, re.M), report
    assert (tmp_path / "gprof/part1/naive.txt").read_text().startswith("Flat profile")
    with pytest.raises(LabError, match=r"^gprof took no samples of part1/naive: use more bodies"):
        profile(100)  # a single iteration
