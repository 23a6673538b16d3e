"""Which program runs on this processor, by /proc/cpuinfo."""

import pytest

from nbody_lab.building.cpuinfo import FEATURES, best_program
from nbody_lab.building.manifest import Program

PROGRAMS = [
    Program(precision=precision, instruction_set=name, program=f"{name}_{precision}")
    for precision in ("float", "double")
    for name in ("sse2", "avx2", "avx512")
]
ZEN2 = {"sse2", "avx2", "fma"}
ZEN4 = ZEN2 | set(FEATURES["avx512"].split())


@pytest.mark.parametrize(
    ("precision", "instruction_set", "features", "chosen"),
    [
        ("float", "", ZEN2, "avx2_float"),
        ("double", "", ZEN4, "avx512_double"),
        ("float", "", {"asimd"}, None),
        ("float", "sse2", ZEN2, "sse2_float"),
    ],
)
def test_the_best_that_the_processor_has(precision, instruction_set, features, chosen):
    program = best_program(PROGRAMS, precision, instruction_set, features)
    assert (program and program.program) == chosen
