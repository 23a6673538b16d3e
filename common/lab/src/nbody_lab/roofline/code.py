"""Reads from a program's machine code what the roofline needs: vector width, fma, operations of each unit."""

import re

from nbody_lab.bound.instruction_kinds import count_issue_slots
from nbody_lab.bound.loop_bound import times_beside
from nbody_lab.bound.machine_code import find_hot_loop
from nbody_lab.bound.machine_symbols import NoLoop
from nbody_lab.hardware.cores import core_in
from nbody_lab.roofline.model import Code, plain_code

LANES = {
    "scalar": 4,
    "sse2": 16,
    "avx2": 32,
    "avx512f": 64,
    "neon": 16,
}  # register size in bytes; scalar: see lanes_of
# AVX and SSE, then ARM: full names of the instructions that compute with floats.
UNITS = (
    ("sqrt", re.compile(r"v?sqrt[sp][sd]|fsqrt")),
    ("div", re.compile(r"v?div[sp][sd]|fdiv")),
    ("rsqrt", re.compile(r"v?rsqrt(14|28)?[sp][sd]|frsqrte")),
    (
        "arithmetic",
        re.compile(
            r"v?(add|sub|mul)[sp][sd]|vfn?m(add|sub)\d*[sp][sd]|f(add|sub|mul|n?madd|n?msub|mla|mls)"
        ),
    ),
)
FUSED = re.compile(r"v?fn?m(add|sub)|fml[as]")


def lanes_of(width, precision):
    return 1 if width == "scalar" else LANES[width] // (8 if precision == "double" else 4)


def width_of(text, scalar):
    if scalar:
        return "scalar"
    return (
        "avx512f"
        if "zmm" in text
        else "avx2"
        if "ymm" in text
        else "sse2"
        if "xmm" in text
        else "neon"
    )


def unit_of(text):
    """(operation, instruction set) of a floating-point instruction; None of any other."""
    name = text.split()[0] if text else ""
    operation = next((operation for operation, names in UNITS if names.fullmatch(name)), None)
    if not operation:
        return None
    packed = re.search(r"p[sd]$", name) or re.search(r"\bv\d+\.", text)
    return operation, width_of(text, not packed)


def texts_of(loop):
    return [one.text.strip() for one in loop.instructions]


def steps_of(loop):
    """[(texts, times)] of one iteration of the hot loop: its own, and those of the loops beside it, which do other steps of
    the same work. A loop with an unknown number of iterations counts once if it has as many lanes, else it is left out,
    as in ./lab bound."""
    beside = [
        (texts_of(one), times_beside(loop, one) or (1 if one.lanes == loop.lanes else 0))
        for one in loop.others
    ]
    return [(texts_of(loop), 1), *(step for step in beside if step[1])]


def units_in(steps, interactions, precision):
    """{(operation, set): results per interaction} of steps that compute this many interactions per iteration."""
    units = {}
    for texts, times in steps:
        for unit in filter(None, map(unit_of, texts)):
            units[unit] = units.get(unit, 0) + times * lanes_of(unit[1], precision) / interactions
    return units


def seconds_to_begin(steps, interactions, clock_hz):
    """Seconds per interaction that the front end needs to issue the instructions. 0 if core or clock is unknown."""
    core = core_in()
    return (
        sum(count_issue_slots(texts) * times for texts, times in steps)
        / core.width
        / clock_hz
        / interactions
        if core and clock_hz
        else 0.0
    )


def code_of_loop(loop, work, precision, pow_price, clock_hz=0.0):
    """The Code of a loop from machine_code.find_hot_loop(); `pow_price`: seconds per call."""
    steps = steps_of(loop)
    fused = any(FUSED.match(text) for texts, _ in steps for text in texts)
    counted = work["sqrt"] + work["rsqrt"]
    if not counted or not loop.roots:
        return Code(loop.instruction_set, fused)
    interactions = loop.roots / counted
    calls = sum(1 for name in loop.calls if re.fullmatch(r"(__)?powf?(_finite)?", name))
    return Code(
        loop.instruction_set,
        fused,
        units_in(steps, interactions, precision),
        calls * pow_price / interactions,
        seconds_to_begin(steps, interactions, clock_hz),
    )


def code_of(program, work, precision, pow_price, otherwise, clock_hz=0.0):
    """The Code of a program; `otherwise`: its instruction set if it has no hot loop."""
    try:
        return code_of_loop(find_hot_loop(program), work, precision, pow_price, clock_hz)
    except NoLoop:
        return plain_code(otherwise)
