"""The hot loop of a program that g++ compiles here."""

import platform
import subprocess
from pathlib import Path

import pytest

from nbody_lab.limits.machine_code import (
    JUMP,
    Function,
    Instruction,
    Loop,
    NoBound,
    count_roots,
    find_hot_loop,
    hottest,
    roots_of,
)

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="the machine code of x86-64")
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
struct Retries : Simulator {
  void compute_accelerations() override {
    for (int j = 0; j < n; ++j) {
      const float root = std::sqrt(x[j]);
      float old = shared;
      while (!shared.compare_exchange_weak(old, old + root)) {}
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


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("bound") / "program"
    flags = "-std=c++20 -O2 -fno-math-errno -fopenmp -mavx2 -fPIE -pie -x c++ -"
    subprocess.run(["g++", *flags.split(), "-o", file], input=SOURCE, text=True, check=True)
    return file


@pytest.mark.parametrize(
    ("class_name", "function", "roots"),
    [
        ("Scalar", "nbody::Scalar::compute_accelerations()", 1),
        ("Inherits", "nbody::Scalar::compute_accelerations()", 1),
        ("Vectors", "nbody::Vectors::compute_accelerations()", 8),
        ("Threads", "nbody::Threads::compute_accelerations() [clone ._omp_fn.0]", 1),
        ("Calls", "nbody::add_row(int)", 1),
    ],
)
def test_hot_loop(program: Path, class_name: str, function: str, roots: int) -> None:
    """The vector loop and not its remainder; that of the base class; behind calls and OpenMP."""
    loop = find_hot_loop(program, class_name)
    assert (loop.function, roots_of(loop, double=class_name == "Threads")) == (function, roots)
    assert loop.texts[-1].startswith("j")


def test_a_retry_is_no_loop(program: Path) -> None:
    """Of an atomic addition: it lies within the loop, which goes on after it."""
    texts = find_hot_loop(program, "Retries").texts
    assert any("cmpxchg" in text for text in texts)
    assert sum(map(count_roots, texts)) == 1
    for class_name, why in (
        ("Rootless", "no loop with a square root"),
        ("Absent", "no virtual table"),
    ):
        with pytest.raises(NoBound, match=why):
            find_hot_loop(program, class_name)


def test_the_innermost_loop_and_on_a_tie_the_shortest() -> None:
    """Of a root and a loop around a loop, and a longer loop after it."""
    texts = "sqrtss; sqrtss; jne 1 <f>; jne 0 <f>; sqrtss; addss; jne 4 <f>".split("; ")
    texts = [text.replace("ss", "ss %xmm0,%xmm0") for text in texts]
    code = [Instruction(address, text) for address, text in enumerate(texts)]
    found = hottest([Function("f()", code)], JUMP, count_roots)
    assert found and found.code == code[1:3]


def test_a_double_root_from_an_estimate_in_float() -> None:
    """Two of its four estimates are used."""
    texts = ("rsqrtps %xmm1,%xmm2", "mulpd %xmm1,%xmm2")
    assert roots_of(Loop("f()", [Instruction(0, text) for text in texts]), double=True) == 2
