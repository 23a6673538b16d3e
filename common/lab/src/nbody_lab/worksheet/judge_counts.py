"""Judges the classes of a count together, with their sum as last line.

One operation per interaction is more than the tolerance of 2 %. An answer within the tolerance but not exact differs
only in terms in n, and the verdict says so. A known slip is named at its class, or at the sum if all classes share it.
"""

from dataclasses import dataclass

from nbody_lab.worksheet.answers import SIZES, Pair, is_answered
from nbody_lab.worksheet.expression import half_away_from_zero
from nbody_lab.worksheet.question import (
    BY_HOW_MUCH,
    HIDDEN,
    NOTED,
    RIGHT,
    TOTAL,
    WAITING,
    WHICH,
    WRONG,
    Line,
)
from nbody_lab.worksheet.slips import matches, slip_in

CLOSE_ENOUGH_TO_TELL = (
    0.3  # no difference is shown beyond this: an answer of 0 would otherwise reveal the count
)
SAME_EXPRESSION = 1e-7  # rounding only


@dataclass
class CountedClass:
    question: str
    answer: Pair
    truth: Pair = None  # None: not counted, or not a polynomial
    unit: str = "none"
    divides: bool = False

    def is_answered(self):
        return all(map(is_answered, self.answer))

    def right_at(self, which, tolerance):
        return matches(self.answer[which], self.truth[which], tolerance)

    def right(self, tolerance):
        return self.right_at(0, tolerance) and self.right_at(1, tolerance)

    def slip(self, tolerance):
        return slip_in(self.unit, self.answer, self.truth, tolerance, self.divides)


def term(factor, power):
    return power if factor == 1 else f"{factor:g} {power}"


def expression_text(answer):
    """ "27 n^2 - 27 n" if the two values fit, else the first one as a number."""
    n, m = SIZES
    a = (answer.second / m - answer.first / n) / (m - n)  # a n^2 + b n through both
    b = answer.first / n - a * n
    try:
        whole_a, whole_b = half_away_from_zero(a * 4) / 4, half_away_from_zero(b * 4) / 4
    except (OverflowError, ValueError):  # of infinity
        return f"{answer.first:.6g} with n = {n}"
    if abs(a - whole_a) > 1e-6 or abs(b - whole_b) > 1e-3:
        return f"{answer.first:.6g} with n = {n}"
    if whole_a == 0:
        return term(whole_b, "n") if whole_b else "0"
    if whole_b == 0:
        return term(whole_a, "n^2")
    return term(whole_a, "n^2") + (" - " if whole_b < 0 else " + ") + term(abs(whole_b), "n")


def direction(one, tolerance):
    if one.right_at(0, tolerance):
        return f"right for n = {SIZES[0]} only: write an expression in n"
    return "too many" if one.answer.first > one.truth.first else "too few"


def distance(one, tolerance):
    n, off, words = SIZES[0], abs(one.answer.first - one.truth.first), direction(one, tolerance)
    if off > CLOSE_ENOUGH_TO_TELL * max(one.truth.first, one.answer.first):
        return words + ", far off: count again before asking by how much"
    return f"{words}: by {off / (n * n):.2f} per interaction, {off:.0f} in all with n = {n}"


def line_of(number, one):
    return Line(
        number,
        one.question,
        "exact",
        expression_text(one.answer) if one.is_answered() else "",
        is_count=True,
    )


def judged_line(number, one, tolerance, told):
    line = line_of(number, one)
    if one.right(tolerance):
        line.state = RIGHT
        line.words = "" if one.right(SAME_EXPRESSION) else "apart from terms in n"
        return line
    line.state = WRONG
    tell = distance if told == BY_HOW_MUCH else direction
    line.words = one.slip(tolerance) or tell(one, tolerance)
    return line


def sum_of(classes, name, tolerance):
    """The sum of the classes. It has a slip if all classes share it."""
    slips = {one.slip(tolerance) for one in classes}
    unit = classes[0].unit if len(slips) == 1 and "" not in slips else "none"
    answer, truth = (
        Pair(*map(sum, zip(*(getattr(one, pair) for one in classes))))
        for pair in ("answer", "truth")
    )
    return CountedClass(name, answer, truth, unit, any(one.divides for one in classes))


def line_of_sum(number, one, tolerance, all_right):
    """The sum's line: wrong if one of its parts is."""
    line = judged_line(number, one, tolerance, WHICH)
    line.is_sum, line.points = True, 0.0
    if not all_right and line.state == RIGHT:
        line.state, line.words = WRONG, "the sum is right, its parts are not"
    return line


def waiting_lines(number, classes, words):
    lines = [line_of(number, one) for one in classes]
    for line in lines:
        if line.answer:
            line.state, line.words = WAITING, words
    return lines


def judge_known(number, classes, name_of_sum, tolerance, told):
    """The lines of classes with a known truth. Reveals nothing before all are answered."""
    if not all(one.is_answered() for one in classes):
        return waiting_lines(number, classes, "answer the others first")
    lines = [judged_line(number, one, tolerance, told) for one in classes]
    if len(classes) == 1 or not name_of_sum:  # it is its own sum, or has none
        return lines
    all_right = all(line.state == RIGHT for line in lines)
    if not all_right and told == TOTAL:
        for line in lines:
            line.state, line.words = HIDDEN, ""
    return [
        *lines,
        line_of_sum(number, sum_of(classes, name_of_sum, tolerance), tolerance, all_right),
    ]


def judge_counts(number, classes, name_of_sum, tolerance, told):
    """The lines; `tolerance` is relative."""
    known = [one for one in classes if one.truth is not None]
    unknown = [one for one in classes if one.truth is None]
    if not known:
        answered = all(one.is_answered() for one in classes)
        return waiting_lines(
            number,
            classes,
            "not counted; ./lab count says why" if answered else "answer the others first",
        )
    # A class that is not a polynomial is not judged, but the others are.
    lines = judge_known(number, known, "" if unknown else name_of_sum, tolerance, told)
    for one in unknown:
        line = line_of(number, one)
        line.state, line.words = NOTED, "not asked: it depends on the positions"
        lines.append(line)
    return lines
