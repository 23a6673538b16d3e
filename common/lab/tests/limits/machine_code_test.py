"""The hot loop of a program that g++ compiles here, and what the roofline reads from a loop: units, widths, fma."""

import platform
import subprocess
from pathlib import Path

import pytest

from nbody_lab.limits.code import analyse_loop
from nbody_lab.limits.machine_code import Instruction, Loop, NoBound, find_hot_loop, roots_of
from nbody_lab.measure.results import Work
from tests.limits import roofline_for_tests as made

SOURCE = """
#include <atomic>
#include <cmath>
namespace nbody {
float x[999], y[999]; double z[999]; std::atomic<float> shared; int n = 999;
struct Simulator { virtual void compute_accelerations() {} virtual ~Simulator() = default; };
struct Scalar : Simulator {
  void compute_accelerations() override { for (int j = 0; j < n; ++j) y[0] += std::sqrt(x[j]); }
};
struct Inherits : Scalar { int member = 0; virtual void other() { for (;;) y[1] = std::sqrt(y[1]); } };
struct Vectors : Simulator {  // and a remainder
  void compute_accelerations() override {
    #pragma omp simd
    for (int j = 0; j < n; ++j) y[j] = std::sqrt(x[j]);
  }
};
struct Threads : Simulator {
  void compute_accelerations() override {
    #pragma omp parallel for
    for (int j = 0; j < n; ++j) z[j] = std::sqrt(z[j]) + 1 / z[j];
  }
};
__attribute__((noinline)) void add_row(int i) { for (int j = 0; j < n; ++j) y[i] += std::sqrt(x[j]); }
struct Calls : Simulator {
  void compute_accelerations() override { for (int i = 0; i < n; ++i) add_row(i); }
};
struct Retries : Simulator {  // an atomic addition, whose loop lies within
  void compute_accelerations() override {
    for (int j = 0; j < n; ++j) {
      float old = shared;
      while (!shared.compare_exchange_weak(old, old + std::sqrt(x[j]))) {}
    }
  }
};
struct Rootless : Simulator {
  void compute_accelerations() override { for (int j = 0; j < n; ++j) y[j] = x[j] / y[j]; }
};
}
int main(int argc, char**) {
  nbody::Simulator* all[] = {new nbody::Scalar, new nbody::Inherits, new nbody::Vectors,
      new nbody::Threads, new nbody::Calls, new nbody::Retries, new nbody::Rootless};
  all[argc % 7]->compute_accelerations();
}
"""
OWN = "nbody::{}::compute_accelerations()"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("bound") / "program"
    flags = "-std=c++20 -O2 -fno-math-errno -fopenmp -mavx2 -fPIE -pie -x c++ -"
    subprocess.run(["g++", *flags.split(), "-o", file], input=SOURCE, text=True, check=True)
    return file


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the machine code of x86-64")
@pytest.mark.parametrize(
    ("class_name", "function", "roots"),
    [
        ("Scalar", OWN.format("Scalar"), 1),
        ("Inherits", OWN.format("Scalar"), 1),
        ("Vectors", OWN.format("Vectors"), 8),
        ("Threads", OWN.format("Threads") + " [clone ._omp_fn.0]", 1),
        ("Calls", "nbody::add_row(int)", 1),
        ("Retries", OWN.format("Retries"), 1),
        ("Rootless", "no loop with a square root", 0),
        ("Absent", "no virtual table", 0),
    ],
)
def test_hot_loop(program: Path, class_name: str, function: str, roots: int) -> None:
    """The vector loop and not its remainder; that of the base class; behind calls and OpenMP."""
    if not roots:
        with pytest.raises(NoBound, match=function):
            find_hot_loop(program, class_name)
        return
    loop = find_hot_loop(program, class_name)
    assert (loop.function, roots_of(loop, double=class_name == "Threads")) == (function, roots)
    assert loop.texts[-1].startswith("j")


# naive as g++ compiles it: of its seven divisions, two pairs share an instruction.
NAIVE = """subss %xmm4,%xmm1; mulss %xmm1,%xmm1; sqrtss %xmm0,%xmm0; divss %xmm0,%xmm2; divss %xmm7,%xmm3
divps %xmm7,%xmm1; divss %xmm6,%xmm2; divps %xmm5,%xmm1; addss (%rax),%xmm1; movss %xmm1,(%rax); cmp %rdx,%rax"""
WIDE = "vfmadd231ps %zmm1,%zmm2,%zmm3; vrsqrt14ps %zmm3,%zmm4; vmulps %zmm3,%zmm4,%zmm5"
IN_DOUBLE = "vrsqrt14ps %ymm3,%ymm4; vmulpd %zmm3,%zmm4,%zmm5"
IN_NAIVE = {"arithmetic scalar": 3, "sqrt scalar": 1, "div scalar": 3, "div sse2": 8}
IN_WIDE = {"arithmetic avx512f": 2, "rsqrt avx512f": 1}
HALF_OF_WIDE = {"arithmetic avx512f": 1, "rsqrt avx512f": 0.5}
OF_DOUBLE = {"rsqrt avx2": 0.5, "arithmetic avx512f": 1}


@pytest.mark.parametrize(
    ("text", "work", "precision", "units", "fma"),
    [
        (NAIVE, made.NAIVE, "float", IN_NAIVE, False),
        (WIDE, made.NEWTON, "float", IN_WIDE, True),
        (WIDE, made.work(rsqrt=0.5), "float", HALF_OF_WIDE, True),  # one root for both
        (IN_DOUBLE, made.work(rsqrt=1), "double", OF_DOUBLE, False),
        ("addss %xmm1,%xmm2", made.NAIVE, "float", None, False),  # no root: the source counts
        (NAIVE, made.work(add=1), "float", None, False),  # none counted
    ],
)
def test_units_of_a_loop(
    text: str, work: Work, precision: str, units: dict[str, float] | None, fma: bool
) -> None:
    """Per interaction, of which a loop does several at a time."""
    texts = text.replace("\n", "; ").split("; ")
    code = analyse_loop(Loop("f()", [Instruction(0, one) for one in texts]), work, precision)
    found = code.units and {" ".join(unit): results for unit, results in code.units.items()}
    assert (found, code.fma) == (units, fma)
