"""Which program runs on this processor, by /proc/cpuinfo; and how busy it is."""

import subprocess
import sys

import pytest

from nbody_lab.building.cpuinfo import FEATURES, best_program, busy_cores, features_of_processor
from nbody_lab.building.manifest import Program

PROGRAMS = [
    Program(precision=precision, instruction_set=name, program=f"{name}_{precision}")
    for precision in ("float", "double")
    for name in ("sse2", "avx2", "avx512")
]
ANY = [Program(precision="float", program="naive")]
ZEN2 = {"sse2", "avx2", "fma"}
ZEN4 = ZEN2 | set(FEATURES["avx512"].split())


@pytest.mark.parametrize(
    ("programs", "precision", "instruction_set", "features", "chosen"),
    [
        (PROGRAMS, "float", "", ZEN2, "avx2_float"),
        (PROGRAMS, "double", "", ZEN2, "avx2_double"),
        (PROGRAMS, "float", "", ZEN4, "avx512_float"),
        (PROGRAMS, "float", "", {"asimd"}, None),
        (PROGRAMS, "float", "sse2", ZEN2, "sse2_float"),
        (PROGRAMS, "float", "neon", ZEN2, None),
        (ANY, "float", "", set(), "naive"),
    ],
)
def test_the_best_that_the_processor_has(programs, precision, instruction_set, features, chosen):
    program = best_program(programs, precision, instruction_set, features)
    assert (program and program.program) == chosen


@pytest.mark.parametrize(
    ("text", "features"),
    [
        ("model name\t: x\nflags\t\t: fpu sse2\n", {"fpu", "sse2"}),
        ("Features\t: fp asimd\n", {"fp", "asimd"}),
        ("nothing", set()),
    ],
)
def test_features_of_both_kinds_of_processors(text, features):
    assert features_of_processor(text) == features


def test_a_program_that_computes_keeps_a_core_busy() -> None:
    """The kernel counts in ticks of 10 ms; other programs may add to it."""
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as program:
        try:
            busy = busy_cores()
        finally:
            program.kill()
    assert busy > 0.3
