"""Common slips in one table, with the sentence that names each."""

import math
import re

from nbody_lab.worksheet.answers import SIZES
from nbody_lab.worksheet.expression import half_away_from_zero


def times(factor):
    return lambda truth, n: factor * truth


def times_n(truth, n):
    return truth * n


def over_n(truth, n):
    return truth / n


def over_n2(truth, n):
    return truth / (n * n)


def upside_down(truth, n):
    return 1 / truth


def cut(truth, n):
    """4 / 3 in C++."""
    return math.floor(truth)


def factor_cut(truth, n):
    """7 / 2 * n * n in C++. Truths are multiples of n^2 / 4, plus smaller terms."""
    return math.floor(half_away_from_zero(4 * truth / (n * n)) / 4) * n * n


ONE_INTERACTION = "that is for one interaction: how many are there with n bodies?"
ONE_BODY = "n times too few: is it once for each body i, or for every j?"
EVERY_J = "n times too many: is it for every j, or once for each body i?"
HALF_THE_PAIRS = "half of it: does the code visit each pair once, or i with j and j with i?"
TWICE_THE_PAIRS = "twice as many: does the code visit i with j and j with i, or each pair once?"
WHOLE_NUMBERS = "C++ divides whole numbers: 7 / 2 is 3; write 7.0 / 2"
OTHER_WAY = "upside down: what is divided by what?"
OF_FLOAT = "8 bytes each? a float has 4"

# The unit of an answer: (what a slip turns the truth into for n bodies, the sentence about it).
SLIPS = {
    "none": (),
    "operations": (  # of one call, as an expression in n
        (over_n2, ONE_INTERACTION),
        (over_n, ONE_BODY),
        (times(0.5), HALF_THE_PAIRS),
        (times(2), TWICE_THE_PAIRS),
        (factor_cut, WHOLE_NUMBERS),
    ),
    "fma": (
        (over_n2, ONE_INTERACTION),
        (times(2), "an fma is two flops, but here it is one fma"),
        (factor_cut, WHOLE_NUMBERS),
    ),
    "numbers": (  # loaded or stored in one call
        (times(4), "bytes of float? the question asks for numbers, whatever their size"),
        (times(8), "bytes of double? the question asks for numbers, whatever their size"),
        (over_n2, ONE_INTERACTION),
        (over_n, ONE_BODY),
        (times_n, EVERY_J),
        (times(0.5), HALF_THE_PAIRS),
        (times(2), TWICE_THE_PAIRS),
        (factor_cut, WHOLE_NUMBERS),
    ),
    "bytes": (
        (times(1 / 4), "numbers? the question asks for bytes, and a float has 4"),
        (times(1 / 40), "bodies? the question asks for bytes, and a body has ten floats"),
        (times(0.5), "half of it: which functions copy the bodies?"),
        (over_n, "that is for one body: write an expression in n"),
    ),
    "flop_per_byte": (
        (times(4), "flops per number? a float has 4 bytes"),
        (times(1 / 4), "the 4 bytes of a float are counted twice"),
        (times(0.5), OF_FLOAT),
        (upside_down, OTHER_WAY),
        (cut, WHOLE_NUMBERS),
    ),
    "gflops": (
        (times(2), "twice as much: with fma? naive has none"),
        (times(1e3), "Mflop/s? the question asks for Gflop/s"),
        (times(1e-3), "Tflop/s? the question asks for Gflop/s"),
        (times(1e9), "flop/s? the question asks for Gflop/s"),
    ),
    "gflops_of_fma": (
        (times(0.5), "half of it: an fma is two flops"),
        (times(1e3), "Mflop/s? the question asks for Gflop/s"),
        (times(1e-3), "Tflop/s? the question asks for Gflop/s"),
        (times(1e9), "flop/s? the question asks for Gflop/s"),
    ),
    "tflops": (
        (times(0.5), "half of it: an fma is two flops"),
        (times(1e3), "Gflop/s? the question asks for Tflop/s"),
        (times(1e12), "flop/s? the question asks for Tflop/s"),
    ),
    "percent": (
        (times(1 / 100), "a fraction? the question asks for percent: times 100"),
        (times(100), "100 times too much: was it already in percent?"),
    ),
    "share": ((times(100), "percent? the question asks for a fraction"),),
    "ratio": (
        (upside_down, OTHER_WAY),
        (times(100), "percent? the question asks how many times"),
        (cut, WHOLE_NUMBERS),
    ),
    "a_cycle": ((upside_down, "cycles for each? the question asks how many per cycle"),),
    "lanes_of_float": (
        (times(4), "bytes of a register? a float has 4 of them"),
        (times(32), "bits of a register? a float has 32 of them"),
        (times(0.5), OF_FLOAT),
    ),
    "lanes_of_double": (
        (times(8), "bytes of a register? a double has 8 of them"),
        (times(64), "bits of a register? a double has 64 of them"),
        (times(2), "4 bytes each? a double has 8"),
    ),
}


def matches(answer, truth, tolerance):
    """`tolerance` is relative; a truth of 0 needs a 0."""
    return abs(answer - truth) <= tolerance * abs(truth) + 1e-9


def explains(made, answer, truth, tolerance):
    try:
        slipped = [made(true, n) for true, n in zip(truth, SIZES)]
    except (ArithmeticError, ValueError):  # for a truth of 0
        return False
    # An answer of 0 must reveal nothing. matches() forgives 1e-9, which is more than some slips leave.
    return (
        slipped[0] != 0
        and all(map(math.isfinite, slipped))
        and all(abs(one - wrong) <= tolerance * abs(wrong) for one, wrong in zip(answer, slipped))
    )


def whole_numbers_divided(source):
    """Names of the answers in a worksheet.hpp where C++ may divide whole numbers: 7 / 2, or (3 + 4) / 2."""
    text = re.sub(r"//.*", "", source)
    return {
        name
        for name, answer in re.findall(r"(\w+)\s*=\s*([^;]*);", text)
        if re.search(r"(?:\)|(?<![\w.])\d+)\s*/\s*(?:\(|\d+(?![\w.]))", answer)
    }


def slip_in(unit, answer, truth, tolerance, divides=True):
    """The sentence for a wrong answer explained by a known slip, else "". `answer` and `truth`: pairs, at both sizes.
    `divides`: whether the answer's text may divide whole numbers."""
    if all(matches(one, true, tolerance) for one, true in zip(answer, truth)):
        return ""
    return next(
        (
            sentence
            for made, sentence in SLIPS[unit]
            if (divides or sentence != WHOLE_NUMBERS) and explains(made, answer, truth, tolerance)
        ),
        "",
    )
