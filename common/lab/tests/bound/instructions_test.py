"""Instructions: their kinds, what they compute, their spellings; the shape of a loop."""

import pytest

from nbody_lab.bound.instruction_kinds import (
    count_issue_slots,
    count_kinds,
    count_results,
    kind_of,
    plain,
    spellings,
)
from nbody_lab.bound.machine_code import shape_of

KINDS = {
    "vfmadd231ps %zmm1,%zmm2,%zmm3": "multiply and add",
    "vrsqrt14ps %zmm1,%zmm2": "estimate of 1/sqrt",
    "subss (%rax),%xmm0": "add or subtract",
    "sub $0x1,%rax": "integers and addresses",
    "divsd %xmm1,%xmm0": "divide",
    "movss (%rax),%xmm0": "load, store, move",
    "jne 10 <f>": "jump",
    "ucomiss %xmm0,%xmm1": "minimum, maximum, compare",
    "fmla v0.4s, v1.4s, v2.4s": "multiply and add",
    "nonsense": "other",
}
# As objdump shows it, as an assembler reads it, and other names for the same work.
SPELLINGS = {
    "subss 0xc(%rbx),%xmm2": ["vsubss 0xc(%rbx),%xmm2,%xmm2", "vsubss 0xc(%rbx),%xmm2"],
    "vcmpgt_oqps %zmm1,%zmm2,%k1": ["vcmpps $0,%zmm1,%zmm2,%k1"],
    "vsqrtps %xmm1,%xmm2": ["sqrtps %xmm1,%xmm2"],
    "vaddps (%rax,%rdx,8),%zmm1,%zmm2{%k1}{z}": [],
    "addps (%rax,%rdx,8),%xmm2": [
        "vaddps (%rax,%rdx,8),%xmm2,%xmm2",
        "vaddps (%rax,%rdx,8),%xmm2",
    ],
}


@pytest.mark.parametrize(("text", "kind"), KINDS.items())
def test_kind(text: str, kind: str) -> None:
    """An instruction is of one kind, by its name."""
    assert kind_of(text) == kind


def test_counts_and_results() -> None:
    """A vector instruction has several results; a comparison and its jump are issued as one."""
    texts = ["vmulps %zmm1,%zmm2,%zmm3"] * 2 + ["mulss %xmm1,%xmm2", "add $0x1,%rax"]
    assert count_kinds(texts) == {"multiply": 3, "integers and addresses": 1}
    assert count_results(texts) == {"multiply": 33}
    texts = ["add $0x1,%rax", "cmp %rax,%rcx", "jne 10 <f>", "mulss %xmm0,%xmm1"]
    assert (count_issue_slots(texts), count_issue_slots(texts[:2])) == (3, 2)


@pytest.mark.parametrize(("text", "others"), SPELLINGS.items())
def test_spellings(text: str, others: list[str]) -> None:
    """The original comes first, then other names for the same work."""
    assert spellings(text) == [text, *others]


def test_jumps_and_symbols() -> None:
    """All conditional jumps take the same ports, an unconditional one others."""
    assert spellings("jbe 1000 <f>") == ["jbe .L0", "jne .L0"]
    assert spellings("bnd jmp 1000 <f()+0x18>") == ["jmp .L0"]
    assert plain("movss 0x10(%rip),%xmm0 # 8d0b8 <x>") == "movss 0x10(%rip),%xmm0"


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("vrsqrt14ps %zmm1,%zmm2; vmulps %zmm1,%zmm1,%zmm1", ("avx512f", 16, 16)),
        ("sqrtpd %xmm1,%xmm2", ("sse2", 2, 2)),
        ("fsqrt v0.4s, v1.4s; fadd v0.4s, v0.4s, v1.4s", ("neon", 4, 4)),
        ("add $0x1,%rax", ("scalar", 1, 0)),
        # Two coordinates side by side make no vector code.
        ("mulps %xmm0,%xmm1; divps %xmm0,%xmm1; sqrtss %xmm0,%xmm0", ("scalar", 1, 1)),
        # A float estimate of a root in double is worth the lanes of double.
        ("rsqrtps %xmm2,%xmm2; mulpd %xmm1,%xmm2; addpd %xmm1,%xmm2", ("sse2", 2, 2)),
        ("vrsqrtps %xmm2,%xmm2; vmulpd %ymm1,%ymm2; vaddpd %ymm1,%ymm2", ("avx2", 4, 4)),
    ],
)
def test_shape_of_a_loop(text: str, shape: tuple[str, int, int]) -> None:
    """(instruction set, lanes, square roots per iteration)"""
    assert shape_of(text.split("; ")) == shape
