"""Reading a loop's machine code: units, widths, fma, calls of pow."""

import sys
from pathlib import Path
from typing import Any

import pytest

from nbody_lab.bound.machine_code import HotLoop
from nbody_lab.bound.machine_loops import Instruction
from nbody_lab.core.results import Work
from nbody_lab.hardware.cores import core_called
from nbody_lab.roofline import code as roofline_code
from nbody_lab.roofline.ceilings import Place
from nbody_lab.roofline.code import analyse_loop, analyse_program, parse_unit
from nbody_lab.roofline.model import limits_of, plain_code
from tests.roofline import roofline_for_tests as made

# naive as g++ compiles it: of its seven divisions, two pairs share an instruction.
NAIVE = """subss %xmm4,%xmm1; mulss %xmm1,%xmm1; sqrtss %xmm0,%xmm0; divss %xmm0,%xmm2; divss %xmm7,%xmm3
divps %xmm7,%xmm1; divss %xmm6,%xmm2; divps %xmm5,%xmm1; addss (%rax),%xmm1; movss %xmm1,(%rax); cmp %rdx,%rax"""
WIDE = "vfmadd231ps %zmm1,%zmm2,%zmm3; vrsqrt14ps %zmm3,%zmm4; vmulps %zmm3,%zmm4,%zmm5"
SCALAR = ("scalar", 1)


def loop(
    text: str, shape: tuple[str, int] = SCALAR, roots: int = 1, calls: Any = (), others: Any = ()
) -> HotLoop:
    code = [Instruction(0, one.strip()) for one in text.replace("\n", ";").split(";")]
    return HotLoop("f()", code, *shape, roots, calls, others)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("vdivps %ymm1,%ymm2,%ymm3", ("div", "avx2")),
        ("rsqrtps %xmm1,%xmm2", ("rsqrt", "sse2")),
        ("vrsqrt14ps %zmm1,%zmm2", ("rsqrt", "avx512f")),
        ("vfnmadd213ss %xmm0,%xmm1,%xmm2", ("arithmetic", "scalar")),
        ("addpd %xmm1,%xmm2", ("arithmetic", "sse2")),
        ("vsqrtsd %xmm0,%xmm0,%xmm0", ("sqrt", "scalar")),
        ("fdiv s0, s1, s2", ("div", "scalar")),
        ("fmla v0.4s, v1.4s, v2.4s", ("arithmetic", "neon")),
        ("fsqrt v0.4s, v1.4s", ("sqrt", "neon")),
        *(
            (text, None)
            for text in (
                "cvtss2sd %xmm0,%xmm0",
                "imul %rax,%rdx",
                "rcpps %xmm0,%xmm1",
                "haddps %xmm0,%xmm1",
                "",
            )
        ),
    ],
)
def test_single_instructions(text: str, unit: tuple[str, str] | None) -> None:
    assert parse_unit(text) == unit


STEP = loop("addps  %xmm1,%xmm2; mulps  %xmm1,%xmm2", ("sse2", 4), 0)
REST = loop("addss  %xmm1,%xmm2", roots=0)
BESIDE = loop("sqrtps %xmm0,%xmm0", ("sse2", 4), 4, others=[STEP, REST])
IN_NAIVE = {"arithmetic scalar": 3, "sqrt scalar": 1, "div scalar": 3, "div sse2": 8}
IN_WIDE = {"arithmetic avx512f": 2, "rsqrt avx512f": 1}
HALF_OF_WIDE = {"arithmetic avx512f": 1, "rsqrt avx512f": 0.5}


@pytest.mark.parametrize(
    ("hot", "work", "units", "fma"),
    [
        (loop(NAIVE), made.NAIVE, IN_NAIVE, False),
        (loop(WIDE, ("avx512f", 16), 16), made.NEWTON, IN_WIDE, True),
        (loop(WIDE, ("avx512f", 16), 16), made.work(rsqrt=0.5), HALF_OF_WIDE, True),
        (BESIDE, made.FUSED, {"sqrt sse2": 1, "arithmetic sse2": 2}, False),
        (loop(NAIVE, roots=0), made.NAIVE, None, False),
        (loop(NAIVE), made.work(add=1), None, False),
    ],
    ids=["naive", "wide", "one root for both", "steps beside it", "no root", "none counted"],
)
def test_units_of_a_loop(
    hot: HotLoop, work: Work, units: dict[str, float] | None, fma: bool
) -> None:
    """Per interaction, of which a loop does several at a time; without roots the source counts."""
    code = analyse_loop(hot, work, "float", 1e-8)
    found = code.units and {" ".join(unit): results for unit, results in code.units.items()}
    assert (found, code.fma, code.pow_s) == (units, fma, 0)


def test_calls_of_pow_have_a_price() -> None:
    hot = loop("sqrtss %xmm0,%xmm0", calls=["powf", "sqrtf"])
    assert analyse_loop(hot, made.NAIVE, "float", 1e-8).pow_s == 1e-8


ROOTS = """sqrtps (%r11,%rax,1),%xmm0; divps %xmm0,%xmm1; movaps %xmm1,(%rax,%rdx,1)
add $0x10,%rax; cmp %rax,%r14; jne 0 <f>"""
SUMS = """mulss (%rcx),%xmm0; addss (%rax),%xmm0; add $0x4,%rdx; movss -0x4(%rdx),%xmm1
add $0x28,%rcx; cmp %rdx,%r8; jne 0 <f>"""


def test_a_narrow_step_counts_as_often_as_it_goes_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Roots are computed four at a time, the other loops run one by one: 8 interactions."""
    split = loop(ROOTS, ("sse2", 4), 4, others=[loop(SUMS, roots=0)])
    monkeypatch.setattr(roofline_code, "core_in", lambda: core_called("Ice Lake"))  # issues 5
    code = analyse_loop(split, made.THIRD_LAW, "float", 0, 1e9)
    assert code.units == {("sqrt", "sse2"): 0.5, ("div", "sse2"): 0.5, ("arithmetic", "scalar"): 1}
    # A comparison and its jump are fused.
    assert code.issue_s == pytest.approx((5 + 4 * 6) / 5 / 8 / 1e9)
    place = Place(tuple(made.processor_rows(1)), "float", 1)
    limits = limits_of(place, made.work(sqrt=0.5, add=1), code)
    speeds = {limit.name: limit.interactions_per_s for limit in limits}
    assert speeds["adding and multiplying"] == pytest.approx(2 * made.CLOCK)
    assert speeds["issuing instructions"] == pytest.approx(1 / code.issue_s)
    monkeypatch.setattr(roofline_code, "core_in", lambda: None)
    assert analyse_loop(split, made.THIRD_LAW, "float", 0, 1e9).issue_s == 0


def test_without_a_loop_the_manifest_is_believed() -> None:
    code = analyse_program(Path(sys.executable), made.NAIVE, "float", 0, "avx2")
    assert code == plain_code("avx2")
