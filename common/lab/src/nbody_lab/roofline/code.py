"""Reads from a program's machine code what the roofline needs: vector width, fma, operations of each unit."""

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from nbody_lab.bound.instruction_kinds import count_issue_slots, kind_of, parse_arithmetic
from nbody_lab.bound.loop_bound import times_beside
from nbody_lab.bound.machine_code import HotLoop, find_hot_loop
from nbody_lab.bound.machine_symbols import NoLoop
from nbody_lab.core.results import Work
from nbody_lab.hardware.cores import core_in
from nbody_lab.roofline.model import Code, plain_code

_UNITS = {
    "square root": "sqrt",
    "divide": "div",
    "estimate of 1/sqrt": "rsqrt",
    "add or subtract": "arithmetic",
    "multiply": "arithmetic",
    "multiply and add": "arithmetic",
}
# An estimate of 1/x, which is not on the divider; a horizontal sum, which is mostly shuffles.
_NOT_A_UNIT = re.compile(r"v?rcp|frecp|v?hadd")
_POW = re.compile(r"(__)?powf?(_finite)?")
_Step = tuple[list[str], float]  # instructions, and how often they run per iteration of the loop


def parse_unit(text: str) -> tuple[str, str] | None:
    """(operation, instruction set) of a floating-point instruction; None of any other."""
    arithmetic, operation = parse_arithmetic(text), _UNITS.get(kind_of(text))
    if not arithmetic or not operation or _NOT_A_UNIT.match(text):
        return None
    return operation, arithmetic.instruction_set


def _results(text: str, number_bytes: int) -> int:
    """Numbers of this size that a floating-point instruction computes."""
    arithmetic = parse_arithmetic(text)
    if not arithmetic or arithmetic.instruction_set == "scalar":
        return 1
    return arithmetic.lanes * arithmetic.bytes_each // number_bytes


def _steps(loop: HotLoop) -> list[_Step]:
    """One iteration of the hot loop: its own instructions, and those of the loops beside it, which do other steps of
    the same work. A loop with an unknown number of iterations counts once if it has as many lanes, else it is left out,
    as in ./lab bound."""
    times = [
        (other, times_beside(loop, other) or (1 if other.lanes == loop.lanes else 0))
        for other in loop.others
    ]
    return [
        ([text.strip() for text in each.texts], count)
        for each, count in ((loop, 1), *times)
        if count
    ]


def _count_units(
    steps: Sequence[_Step], interactions: float, number_bytes: int
) -> dict[tuple[str, str], float]:
    """{(operation, set): results per interaction}"""
    units: dict[tuple[str, str], float] = defaultdict(float)
    for texts, times in steps:
        for text in texts:
            if unit := parse_unit(text):
                units[unit] += times * _results(text, number_bytes) / interactions
    return dict(units)


def _issue_s(steps: Sequence[_Step], interactions: float, clock_hz: float) -> float:
    """Seconds per interaction that the front end needs. 0 if core or clock is unknown."""
    core = core_in()
    if not core or not clock_hz:
        return 0.0
    issued: float = sum(count_issue_slots(texts) * times for texts, times in steps)
    return issued / core.width / clock_hz / interactions


def analyse_loop(
    loop: HotLoop, work: Work, precision: str, pow_price_s: float, clock_hz: float = 0.0
) -> Code:
    steps = _steps(loop)
    fused = any(kind_of(text) == "multiply and add" for texts, _ in steps for text in texts)
    roots_each = work.sqrt + work.rsqrt
    if not roots_each or not loop.roots:
        return Code(loop.instruction_set, fused)
    interactions = loop.roots / roots_each
    calls = sum(1 for name in loop.calls if _POW.fullmatch(name))
    return Code(
        loop.instruction_set,
        fused,
        _count_units(steps, interactions, 8 if precision == "double" else 4),
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
