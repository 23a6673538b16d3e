"""What ./lab bound refuses, and what it prints."""

from typing import Any

import pytest

from nbody_lab.core.console import render
from nbody_lab.limits.bound_text import table, text_of
from tests.limits.bounds_for_tests import make_bound


def test_text_of_one() -> None:
    """The share, the full unit, and the loop with its cycles without each instruction."""
    text = " ".join(" ".join(text_of(make_bound())).split())
    for line in (
        "part2/newton, float: f() 2 instructions for 1 interaction; cycles of skylake-avx512 by llvm-mca 14.0.6",
        "bound 3.00 cycles, 3.000/interaction simulated 3.30",
        "measured 4.00, 0.750 x 10^9 interactions/s at 3.00 GHz: 75% of the bound",
        "limit: FPDivider FPDivider 3.00 91% ####",
        "0.50 1.10 FPDivider vdivss %xmm1,%xmm1,%xmm2 <- 200% faster by the simulation",
        "3.00 - Port6 Port0 jne .L0 -: without it an iteration would wait for the one before",
    ):
        assert line in text


ODD = [
    ({"limit": ()}, "limit: it waits: no unit is busy for 85 % of the time"),
    ({"is_this_machine": False}, "cycles of skylake-avx512, not of this processor: no share"),
    ({"text": ()}, "one instruction fewer: 1.10 simulated cycles at best, 200% faster"),
    ({"text": ()}, "which one is shown once the worksheet's counts are right"),
    ({"why_not_measured": "WRONG"}, "newton: WRONG"),
    ({"simulated_cycles": None, "text": ("@!P0 FADD R1", "BRA 0x0")}, "FADD      1, 1.00/inter"),
]


@pytest.mark.parametrize(("fields", "line"), ODD)
def test_what_else_it_says(fields: dict[str, Any], line: str) -> None:
    assert line in " ".join(text_of(make_bound(**fields)))


def test_table_of_several() -> None:
    """Under it the reasons: no number without one."""
    waits = make_bound(name="locals", limit=(), measured_cycles=None, share_of_bound=None)
    items = table([make_bound(), waits], {"restrict": "llvm-mca: error"})
    text = "\n".join(one if isinstance(one, str) else render(one) for one in items)
    assert [line.split() for line in text.splitlines()[2:]] == [
        ["newton", "2", "1", "3.00", "3.30", "4.00", "FPDivider", "0.750", "75%"],
        ["locals", "2", "1", "3.00", "3.30", "waits", "0.750"],
        ["restrict:", "llvm-mca:", "error"],
    ]
