"""Reading a loop's machine code: units, widths, fma."""

import sys
from pathlib import Path

import pytest

from nbody_lab.limits.code import analyse_loop, analyse_program, parse_unit
from nbody_lab.limits.machine_code import Instruction, Loop
from nbody_lab.limits.roofline import plain_code
from nbody_lab.measure.results import Work
from tests.limits import roofline_for_tests as made

# naive as g++ compiles it: of its seven divisions, two pairs share an instruction.
NAIVE = """subss %xmm4,%xmm1; mulss %xmm1,%xmm1; sqrtss %xmm0,%xmm0; divss %xmm0,%xmm2; divss %xmm7,%xmm3
divps %xmm7,%xmm1; divss %xmm6,%xmm2; divps %xmm5,%xmm1; addss (%rax),%xmm1; movss %xmm1,(%rax); cmp %rdx,%rax"""
WIDE = "vfmadd231ps %zmm1,%zmm2,%zmm3; vrsqrt14ps %zmm3,%zmm4; vmulps %zmm3,%zmm4,%zmm5"
IN_DOUBLE = "vrsqrt14ps %ymm3,%ymm4; vmulpd %zmm3,%zmm4,%zmm5"


def loop(text: str) -> Loop:
    texts = text.replace("\n", "; ").split("; ")
    return Loop("f()", [Instruction(0, one.strip()) for one in texts])


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("vdivps %ymm1,%ymm2,%ymm3", ("div", "avx2", 8)),
        ("rsqrtps %xmm1,%xmm2", ("rsqrt", "sse2", 4)),
        ("vrsqrt14ps %zmm1,%zmm2", ("rsqrt", "avx512f", 16)),
        ("vfnmadd213ss %xmm0,%xmm1,%xmm2", ("arithmetic", "scalar", 1)),
        ("vsqrtsd %xmm0,%xmm0,%xmm0", ("sqrt", "scalar", 1)),
        *(
            (text, None)
            for text in ("cvtss2sd %xmm0,%xmm0", "imul %rax,%rdx", "haddps %xmm0,%xmm1")
        ),
    ],
)
def test_single_instructions(text: str, unit: tuple[str, str, int] | None) -> None:
    assert parse_unit(text, double=False) == unit


IN_NAIVE = {"arithmetic scalar": 3, "sqrt scalar": 1, "div scalar": 3, "div sse2": 8}
IN_WIDE = {"arithmetic avx512f": 2, "rsqrt avx512f": 1}
HALF_OF_WIDE = {"arithmetic avx512f": 1, "rsqrt avx512f": 0.5}
OF_DOUBLE = {"rsqrt avx2": 0.5, "arithmetic avx512f": 1}


@pytest.mark.parametrize(
    ("text", "work", "precision", "units", "fma"),
    [
        (NAIVE, made.NAIVE, "float", IN_NAIVE, False),
        (WIDE, made.NEWTON, "float", IN_WIDE, True),
        (WIDE, made.work(rsqrt=0.5), "float", HALF_OF_WIDE, True),
        (IN_DOUBLE, made.work(rsqrt=1), "double", OF_DOUBLE, False),
        ("addss %xmm1,%xmm2", made.NAIVE, "float", None, False),
        (NAIVE, made.work(add=1), "float", None, False),
    ],
    ids=["naive", "wide", "one root for both", "double", "no root", "none counted"],
)
def test_units_of_a_loop(
    text: str, work: Work, precision: str, units: dict[str, float] | None, fma: bool
) -> None:
    """Per interaction, of which a loop does several at a time; without roots the source counts."""
    code = analyse_loop(loop(text), work, precision)
    found = code.units and {" ".join(unit): results for unit, results in code.units.items()}
    assert (found, code.fma) == (units, fma)


def test_without_a_loop_the_manifest_is_believed() -> None:
    code = analyse_program(Path(sys.executable), "Mine", made.NAIVE, "float", "avx2")
    assert code == plain_code("avx2")
