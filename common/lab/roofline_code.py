"""What the machine code of a program tells the roofline: how wide, fused or not, how many operations of each unit."""

import re

from machine_code import hot_loop
from machine_symbols import NoLoop
from roofline_limits import Code, plain_code

LANES = {"scalar": 4, "sse2": 16, "avx2": 32, "avx512f": 64, "neon": 16}  # bytes of a register; scalar: see lanes_of
# AVX and SSE, then ARM: whole names of instructions that compute with floats.
UNITS = (("sqrt", re.compile(r"v?sqrt[sp][sd]|fsqrt")), ("div", re.compile(r"v?div[sp][sd]|fdiv")),
         ("rsqrt", re.compile(r"v?rsqrt(14|28)?[sp][sd]|frsqrte")),
         ("arithmetic", re.compile(r"v?(add|sub|mul)[sp][sd]|vfn?m(add|sub)\d*[sp][sd]|f(add|sub|mul|n?madd|n?msub|mla|mls)")))
FUSED = re.compile(r"v?fn?m(add|sub)|fml[as]")


def lanes_of(width, precision):
    return 1 if width == "scalar" else LANES[width] // (8 if precision == "double" else 4)


def width_of(text, scalar):
    """The instruction set whose registers an instruction uses."""
    if scalar:
        return "scalar"
    return "avx512f" if "zmm" in text else "avx2" if "ymm" in text else "sse2" if "xmm" in text else "neon"


def unit_of(text):
    """(operation, instruction set) of what a unit for floats does; None of any other instruction."""
    name = text.split()[0] if text else ""
    operation = next((operation for operation, names in UNITS if names.fullmatch(name)), None)
    if not operation:
        return None
    packed = re.search(r"p[sd]$", name) or re.search(r"\bv\d+\.", text)
    return operation, width_of(text, not packed)


def units_in(texts, interactions, precision):
    """{(operation, set): results of an interaction}, of a loop that does so many interactions in a turn."""
    units = {}
    for unit in filter(None, map(unit_of, texts)):
        units[unit] = units.get(unit, 0) + lanes_of(unit[1], precision) / interactions
    return units


def texts_of(loop):
    return [one.text.strip() for one in loop.instructions]


def texts_in_step(loop):
    """Of the loop, and of those beside it without a root that take as many numbers at a time: steps of the same work."""
    return [text for one in (loop, *loop.others) if one.lanes == loop.lanes for text in texts_of(one)]


def code_of_loop(loop, work, precision, pow_price):
    """`loop`: as machine_code.hot_loop() returns it; `pow_price`: seconds of a call."""
    texts = texts_in_step(loop)
    fused = any(FUSED.match(text) for text in texts)
    counted = work["sqrt"] + work["rsqrt"]
    if not counted or not loop.roots:
        return Code(loop.instruction_set, fused)
    interactions = loop.roots / counted
    calls = sum(1 for name in loop.calls if re.fullmatch(r"(__)?powf?(_finite)?", name))
    return Code(loop.instruction_set, fused, units_in(texts, interactions, precision), calls * pow_price / interactions)


def code_of(program, work, precision, pow_price, otherwise):
    """The one place that looks into a program. `otherwise`: its instruction set where there is no loop to look at."""
    try:
        return code_of_loop(hot_loop(program), work, precision, pow_price)
    except NoLoop:
        return plain_code(otherwise)
