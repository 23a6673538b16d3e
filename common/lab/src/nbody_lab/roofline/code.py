"""Reads from a program's machine code what the roofline needs: vector width, fma, operations of each unit."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nbody_lab.bound.instruction_kinds import count_issue_slots
from nbody_lab.bound.loop_bound import times_beside
from nbody_lab.bound.machine_code import find_hot_loop
from nbody_lab.bound.machine_symbols import NoLoop
from nbody_lab.core.results import Work
from nbody_lab.hardware.cores import core_in
from nbody_lab.roofline.model import Code, plain_code

_REGISTER_BYTES = {"sse2": 16, "avx2": 32, "avx512f": 64, "neon": 16}
# AVX and SSE, then ARM: full names of the instructions that compute with floats.
_UNITS = (
    ("sqrt", re.compile(r"v?sqrt[sp][sd]|fsqrt")),
    ("div", re.compile(r"v?div[sp][sd]|fdiv")),
    ("rsqrt", re.compile(r"v?rsqrt(14|28)?[sp][sd]|frsqrte")),
    (
        "arithmetic",
        re.compile(
            r"v?(add|sub|mul)[sp][sd]|vfn?m(add|sub)\d*[sp][sd]"
            r"|f(add|sub|mul|n?madd|n?msub|mla|mls)"
        ),
    ),
)
_FUSED = re.compile(r"v?fn?m(add|sub)|fml[as]")
_POW = re.compile(r"(__)?powf?(_finite)?")
_Step = tuple[list[str], float]  # instructions, and how often they run per iteration of the loop


def _lanes(instruction_set: str, precision: str) -> int:
    if instruction_set == "scalar":
        return 1
    return _REGISTER_BYTES[instruction_set] // (8 if precision == "double" else 4)


def parse_unit(text: str) -> tuple[str, str] | None:
    """(operation, instruction set) of a floating-point instruction; None of any other."""
    name = text.split()[0] if text else ""
    operation = next((operation for operation, names in _UNITS if names.fullmatch(name)), None)
    if not operation:
        return None
    if not re.search(r"p[sd]$", name) and not re.search(r"\bv\d+\.", text):
        return operation, "scalar"
    for register, instruction_set in (("zmm", "avx512f"), ("ymm", "avx2"), ("xmm", "sse2")):
        if register in text:
            return operation, instruction_set
    return operation, "neon"


def _steps(loop: Any) -> list[_Step]:
    """One iteration of the hot loop: its own instructions, and those of the loops beside it, which do other steps of
    the same work. A loop with an unknown number of iterations counts once if it has as many lanes, else it is left out,
    as in ./lab bound."""
    times = [
        (other, times_beside(loop, other) or (1 if other.lanes == loop.lanes else 0))
        for other in loop.others
    ]
    return [
        ([one.text.strip() for one in each.instructions], count)
        for each, count in ((loop, 1), *times)
        if count
    ]


def _count_units(
    steps: Sequence[_Step], interactions: float, precision: str
) -> dict[tuple[str, str], float]:
    """{(operation, set): results per interaction}"""
    units: dict[tuple[str, str], float] = {}
    for texts, times in steps:
        for unit in filter(None, map(parse_unit, texts)):
            lanes = _lanes(unit[1], precision)
            units[unit] = units.get(unit, 0) + times * lanes / interactions
    return units


def _issue_s(steps: Sequence[_Step], interactions: float, clock_hz: float) -> float:
    """Seconds per interaction that the front end needs. 0 if core or clock is unknown."""
    core = core_in()
    if not core or not clock_hz:
        return 0.0
    issued: float = sum(count_issue_slots(texts) * times for texts, times in steps)
    return issued / core.width / clock_hz / interactions


def analyse_loop(
    loop: Any, work: Work, precision: str, pow_price_s: float, clock_hz: float = 0.0
) -> Code:
    """The Code of a loop from machine_code.find_hot_loop()."""
    steps = _steps(loop)
    fused = any(_FUSED.match(text) for texts, _ in steps for text in texts)
    roots_each = work.sqrt + work.rsqrt
    if not roots_each or not loop.roots:
        return Code(loop.instruction_set, fused)
    interactions = loop.roots / roots_each
    calls = sum(1 for name in loop.calls if _POW.fullmatch(name))
    return Code(
        loop.instruction_set,
        fused,
        _count_units(steps, interactions, precision),
        calls * pow_price_s / interactions,
        _issue_s(steps, interactions, clock_hz),
    )


def analyse_program(
    program: Path,
    work: Work,
    precision: str,
    pow_price_s: float,
    otherwise: str,
    clock_hz: float = 0.0,
) -> Code:
    """`otherwise`: its instruction set if it has no hot loop."""
    try:
        return analyse_loop(find_hot_loop(program), work, precision, pow_price_s, clock_hz)
    except NoLoop:
        return plain_code(otherwise)
