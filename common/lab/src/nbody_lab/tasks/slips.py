"""Common slips in one table, with the sentence that names each; and divisions of whole numbers in a worksheet.hpp."""

import math
import re
from collections.abc import Callable

from nbody_lab.building.handed_out import NO_CODE
from nbody_lab.tasks.program import SIZES, Numbers

Slip = Callable[[float, float], float]  # what it turns the truth into for n bodies


def _times(factor: float) -> Slip:
    return lambda truth, n: factor * truth


_ONE_INTERACTION = "that is for one interaction: how many are there with n bodies?"
_ONE_BODY = "n times too few: is it once for each body i, or for every j?"
_EVERY_J = "n times too many: is it for every j, or once for each body i?"
_HALF_THE_PAIRS = "half of it: does the code visit each pair once, or i with j and j with i?"
_TWICE_THE_PAIRS = "twice as many: does the code visit i with j and j with i, or each pair once?"
_OTHER_WAY = "upside down: what is divided by what?"
_OF_FLOAT = "8 bytes each? a float has 4"
_FMA_IS_TWO = "half of it: an fma is two flops"
# (units of answers, slip, its sentence): the first of a unit that explains an answer is named. Units of operations and
# numbers are of one call, as an expression in n.
_TABLE: tuple[tuple[str, Slip, str], ...] = (
    ("numbers", _times(4), "bytes of float? the question asks for numbers, whatever their size"),
    ("numbers", _times(8), "bytes of double? the question asks for numbers, whatever their size"),
    ("operations fma numbers", lambda truth, n: truth / (n * n), _ONE_INTERACTION),
    ("operations numbers", lambda truth, n: truth / n, _ONE_BODY),
    ("numbers", lambda truth, n: truth * n, _EVERY_J),
    ("operations numbers", _times(0.5), _HALF_THE_PAIRS),
    ("operations numbers", _times(2), _TWICE_THE_PAIRS),
    ("fma", _times(2), "an fma is two flops, but here it is one fma"),
    ("bytes", _times(1 / 4), "numbers? the question asks for bytes, and a float has 4"),
    ("bytes", _times(1 / 40), "bodies? the question asks for bytes, and a body has ten floats"),
    ("bytes", _times(0.5), "half of it: which functions copy the bodies?"),
    ("bytes", lambda truth, n: truth / n, "that is for one body: write an expression in n"),
    ("flop_per_byte", _times(4), "flops per number? a float has 4 bytes"),
    ("flop_per_byte", _times(1 / 4), "the 4 bytes of a float are counted twice"),
    ("flop_per_byte", _times(0.5), _OF_FLOAT),
    ("gflops", _times(2), "twice as much: with fma? naive has none"),
    ("gflops_of_fma tflops", _times(0.5), _FMA_IS_TWO),
    ("gflops gflops_of_fma", _times(1e3), "Mflop/s? the question asks for Gflop/s"),
    ("gflops gflops_of_fma", _times(1e-3), "Tflop/s? the question asks for Gflop/s"),
    ("gflops gflops_of_fma", _times(1e9), "flop/s? the question asks for Gflop/s"),
    (
        "structures",
        _times(80 / 36),
        "36 bytes are used, but whole lines travel: 40 in, and 40 back",
    ),
    ("structures", _times(2), "read only? what is written goes back to memory, too"),
    ("tflops", _times(1e3), "Gflop/s? the question asks for Tflop/s"),
    ("tflops", _times(1e12), "flop/s? the question asks for Tflop/s"),
    ("percent", _times(1 / 100), "a fraction? the question asks for percent: times 100"),
    ("percent", _times(100), "100 times too much: was it already in percent?"),
    ("share", _times(100), "percent? the question asks for a fraction"),
    ("flop_per_byte ratio", lambda truth, n: 1 / truth, _OTHER_WAY),
    ("ratio", _times(100), "percent? the question asks how many times"),
    (
        "a_cycle",
        lambda truth, n: 1 / truth,
        "cycles for each? the question asks how many per cycle",
    ),
    ("lanes_of_float", _times(4), "bytes of a register? a float has 4 of them"),
    ("lanes_of_float", _times(32), "bits of a register? a float has 32 of them"),
    ("lanes_of_float", _times(0.5), _OF_FLOAT),
    ("lanes_of_double", _times(8), "bytes of a register? a double has 8 of them"),
    ("lanes_of_double", _times(64), "bits of a register? a double has 64 of them"),
    ("lanes_of_double", _times(2), "4 bytes each? a double has 8"),
)
SLIPS: dict[str, list[tuple[Slip, str]]] = {"none": []}
for _units, _slip, _words in _TABLE:
    for _unit in _units.split():
        SLIPS.setdefault(_unit, []).append((_slip, _words))


def matches(answer: float, truth: float, tolerance: float) -> bool:
    """`tolerance` is relative; a truth of 0 needs a 0."""
    return abs(answer - truth) <= tolerance * abs(truth) + 1e-9


def _explains(slip: Slip, answer: Numbers, truth: Numbers, tolerance: float) -> bool:
    try:
        slipped = [slip(true, n) for true, n in zip(truth, SIZES)]
    except (ArithmeticError, ValueError):  # for a truth of 0
        return False
    # An answer of 0 must reveal nothing. matches() forgives 1e-9, which is more than some slips leave.
    return (
        slipped[0] != 0
        and all(map(math.isfinite, slipped))
        and all(abs(one - wrong) <= tolerance * abs(wrong) for one, wrong in zip(answer, slipped))
    )


def find_slip(
    unit: str, answer: Numbers, truth: Numbers, tolerance: float, division: str = ""
) -> str:
    """The sentence for a wrong answer that a known slip explains, else "". `division`: what its text divides."""
    if all(matches(one, true, tolerance) for one, true in zip(answer, truth)):
        return ""
    known = (words for slip, words in SLIPS[unit] if _explains(slip, answer, truth, tolerance))
    return next(known, division)


def find_cut_divisions(source: str) -> dict[str, str]:
    """{answer: sentence} for the answers of a worksheet.hpp where C++ divides whole numbers and a remainder is lost: of
    two numbers as typed, after no other factor."""
    found: dict[str, str] = {}
    for name, answer in re.findall(
        r"(\w+)\s*=\s*([^;]*);", NO_CODE.sub(lambda match: match[1] or " ", source)
    ):
        typed = re.sub(r"[\s']", "", answer)
        for a, b in re.findall(r"(?<![\w.)*/])(\d+)/(\d+)(?![\w.])", typed):
            if int(b) and int(a) % int(b):
                whole = f"C++ divides whole numbers: {a} / {b} is {int(a) // int(b)}"
                found.setdefault(name, f"{whole}; write {a}.0 / {b}")
    return found
