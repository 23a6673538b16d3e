"""The hot loop of a program that g++ compiles here, and what the roofline reads from a loop: units, widths, fma."""

import platform
import subprocess
from pathlib import Path

import pytest

from nbody_lab.limits.machine_code import Instruction, Loop, NoBound, find_hot_loop, roots_of
from nbody_lab.limits.points import analyse_loop
from nbody_lab.measure.results import Work
from tests.limits import roofline_for_tests as made

SOURCE = """
#include <cmath>
#define EACH(j) for (int j = 0; j < n; ++j)
namespace nbody {
float x[999], y[999]; double z[999]; int n = 999;
struct Simulator { virtual void compute_accelerations() {} virtual ~Simulator() = default; };
__attribute__((noinline)) void add_row(int i) { EACH(j) y[i] += std::sqrt(x[j]); }
"""
STRUCT = "struct {} : Simulator {{ void compute_accelerations() override {{\n{}\n}} }};\n"
INHERITS = """struct Inherits : Scalar { int member = 0; virtual void other() { for (;;) y[1] = std::sqrt(y[1]); } };
Simulator* make(int k) { switch (k) { case 0: return new Inherits;"""
SUM = "y[0] += std::sqrt(x[j]);"
OWN = "nbody::{}::compute_accelerations()"
CLASSES = [  # a class, its loop, the function with the hot one, roots of an iteration
    ("Scalar", f"EACH(j) {SUM}", OWN.format("Scalar"), 1),
    # The vector loop and not its remainder; behind OpenMP and calls.
    ("Vectors", "#pragma omp simd\nEACH(j) y[j] = std::sqrt(x[j]);", OWN.format("Vectors"), 8),
    (
        "Threads",
        "#pragma omp parallel for\nEACH(j) z[j] = std::sqrt(z[j]) + 1 / z[j];",
        OWN.format("Threads") + " [clone ._omp_fn.0]",
        1,
    ),
    ("Calls", "EACH(i) add_row(i);", "nbody::add_row(int)", 1),
    ("Rootless", "EACH(j) y[j] = x[j] / y[j];", "no loop with a square root", 0),
]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    structs = [STRUCT.format(name, loop) for name, loop, *_ in CLASSES]
    makes = [f"case {k}: return new {row[0]};" for k, row in enumerate(CLASSES, 1)]
    end = "} return nullptr; } }\nint main(int k, char**) { nbody::make(k)->compute_accelerations(); }"
    text = "".join([SOURCE, *structs, INHERITS, *makes, end])
    file = tmp_path_factory.mktemp("bound") / "program"
    flags = "-std=c++20 -O2 -fno-math-errno -fopenmp -mavx2 -fPIE -pie -x c++ -"
    subprocess.run(["g++", *flags.split(), "-o", file], input=text, text=True, check=True)
    return file


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the machine code of x86-64")
@pytest.mark.parametrize(
    ("class_name", "function", "roots"),
    [(name, function, roots) for name, _, function, roots in CLASSES]
    + [("Inherits", OWN.format("Scalar"), 1), ("Absent", "no virtual table", 0)],
)
def test_hot_loop(program: Path, class_name: str, function: str, roots: int) -> None:
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
OF_DOUBLE = {"rsqrt avx2": 0.5, "arithmetic avx512f": 1}


@pytest.mark.parametrize(
    ("text", "work", "precision", "units", "fma"),
    [
        (NAIVE, made.NAIVE, "float", IN_NAIVE, False),
        (WIDE, made.NEWTON, "float", IN_WIDE, True),
        (IN_DOUBLE, made.work(rsqrt=1), "double", OF_DOUBLE, False),
        ("addss %xmm1,%xmm2", made.NAIVE, "float", None, False),  # no root: the source counts
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
