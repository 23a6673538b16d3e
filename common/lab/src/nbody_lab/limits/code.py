"""Reads from a program's machine code what the roofline needs: vector width, fma, operations of each unit."""

import re
from collections import defaultdict
from pathlib import Path

from nbody_lab.limits.machine_code import Loop, NoBound, count_roots, find_hot_loop, lanes, roots_of
from nbody_lab.limits.roofline import Code, plain_code
from nbody_lab.measure.results import Work

# The operation of a floating-point instruction, and the name that a ceiling gives it.
_OPERATION = re.compile(r"v?(r?sqrt|div|add|sub|mul|fn?m(?:add|sub))\d*([ps])[sd]\b")
_UNITS = {"sqrt": "sqrt", "rsqrt": "rsqrt", "div": "div"}  # all others: "arithmetic"
_SETS = {16: "sse2", 32: "avx2", 64: "avx512f"}  # by bytes of a register


def parse_unit(text: str, double: bool) -> tuple[str, str, int] | None:
    """(operation, instruction set, results) of a floating-point instruction of a program in double
    or float; None of any other."""
    match = _OPERATION.match(text)
    if not match:
        return None
    unit = _UNITS.get(match[1], "arithmetic")
    if match[2] == "s":
        return unit, "scalar", 1
    return unit, _SETS[4 * lanes(text, double=False)], lanes(text, double)


def _set_of(loop: Loop) -> str:
    """Its widest, if it takes its roots in vectors; a compiler may keep two coordinates of a scalar
    loop in one register."""
    if any(count_roots(text) == 1 for text in loop.texts):
        return "scalar"
    computing = [text for text in loop.texts if _OPERATION.match(text)]
    widths = [4 * lanes(text, double=False) for text in computing]
    return _SETS[max(widths, default=16)]


def analyse_loop(loop: Loop, work: Work, precision: str) -> Code:
    instruction_set = _set_of(loop)
    fused = any(re.match(r"vfn?m", text) for text in loop.texts)
    double = precision == "double"
    roots = roots_of(loop, double)
    if not roots or not work.sqrt + work.rsqrt:
        return Code(instruction_set, fused)
    interactions = roots / (work.sqrt + work.rsqrt)
    units: dict[tuple[str, str], float] = defaultdict(float)
    for text in loop.texts:
        if unit := parse_unit(text, double):
            units[unit[:2]] += unit[2] / interactions
    return Code(instruction_set, fused, dict(units))


def analyse_program(
    program: Path, class_name: str, work: Work, precision: str, otherwise: str
) -> Code:
    """`otherwise`: its instruction set if it has no hot loop."""
    try:
        return analyse_loop(find_hot_loop(program, class_name), work, precision)
    except NoBound:
        return plain_code(otherwise)
