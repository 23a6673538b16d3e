"""What ./lab bound refuses, and what it prints."""

from typing import Any

import pytest

from nbody_lab.limits.bound_text import text_of
from tests.limits.bounds_for_tests import make_bound

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
