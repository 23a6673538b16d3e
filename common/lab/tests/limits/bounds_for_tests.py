"""A made-up bound."""

from typing import Any

from nbody_lab.measure.bound_file import Bound


def make_bound(**fields: Any) -> Bound:
    """Of two instructions, measured."""
    values: dict[str, Any] = {
        "tool": "llvm-mca 14.0.6",
        "core": "skylake-avx512",
        "is_this_machine": True,
        "function": "f()",
        "text": ("vdivss %xmm1,%xmm1,%xmm2", "jne .L0"),
        "instructions": 2,
        "interactions": 1,
        "cycles": 3.0,
        "simulated_cycles": 3.3,
        "busy": {"FPDivider": 3.0, "Port0": 1.1, "Port6": 0.5},
        "limit": ("FPDivider",),
        "without": ((0.5, 1.1), (3.0, 4.2)),
        "units": ("FPDivider", "Port6 Port0"),
        "date": "2026-11-28",
        "part": "part2",
        "name": "newton",
        "precision": "float",
        "program": "bin/part2/newton",
        "clock_hz": 3e9,
        "bound_interactions_per_s": 1e9,
        "measured_interactions_per_s": 0.75e9,
        "measured_cycles": 4.0,
        "share_of_bound": 0.75,
    }
    return Bound(**values | fields)
