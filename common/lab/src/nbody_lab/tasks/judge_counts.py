"""Judges the classes of a count together, with their sum as last line.

One operation per interaction is more than the tolerance of 2 %. An answer within the tolerance but not exact differs
only in terms in n, and the verdict says so. A known slip is named at its class, or at the sum if all classes share it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nbody_lab.tasks.program import SIZES, Numbers, is_answered
from nbody_lab.tasks.questions import round_half_away_from_zero
from nbody_lab.tasks.sheet import Detail, Line, State
from nbody_lab.tasks.slips import find_slip, matches

# No difference is shown beyond this: an answer of 0 would otherwise reveal the count.
_CLOSE_ENOUGH_TO_TELL = 0.3
_SAME_EXPRESSION = 1e-7  # rounding only


@dataclass(frozen=True)
class ClassAnswer:
    """The answer to one class of a count."""

    question: str
    answer: Numbers
    truth: Numbers | None = None  # None: not counted, or not a polynomial
    unit: str = "none"
    tolerance: float = 0.0  # relative
    division: str = ""  # sentence on a division of whole numbers in its text
    name: str = ""

    def is_answered(self) -> bool:
        return all(map(is_answered, self.answer))

    def is_right_at(self, which: int, tolerance: float) -> bool:
        return self.truth is not None and matches(self.answer[which], self.truth[which], tolerance)

    def is_right(self, tolerance: float) -> bool:
        return self.is_right_at(0, tolerance) and self.is_right_at(1, tolerance)

    def slip(self) -> str:
        truth = self.truth or (0, 0)
        return find_slip(self.unit, self.answer, truth, self.tolerance, self.division)

    def judge(self, number: str, detail: Detail) -> Line:
        """The line of one whose truth is known."""
        line = _line(number, self)
        if self.is_right(self.tolerance):
            words = "" if self.is_right(_SAME_EXPRESSION) else "apart from smaller terms"
            return replace(line, state=State.RIGHT, words=words)
        tell = _distance if detail is Detail.BY_HOW_MUCH else _direction
        return replace(line, state=State.WRONG, words=self.slip() or tell(self))


def _direction(one: ClassAnswer) -> str:
    if one.is_right_at(0, one.tolerance):
        return f"right for n = {SIZES[0]} only: write an expression in n"
    return "too many" if one.truth and one.answer[0] > one.truth[0] else "too few"


def _distance(one: ClassAnswer) -> str:
    n, answer, truth = SIZES[0], one.answer[0], (one.truth or one.answer)[0]
    off, words = abs(answer - truth), _direction(one)
    if off > _CLOSE_ENOUGH_TO_TELL * max(truth, answer):
        return words + ", far off: count again before asking by how much"
    return f"{words}: by {off / (n * n):.2f} per interaction, {off:.0f} in all with n = {n}"


def _format_term(factor: float, power: str) -> str:
    return power if factor == 1 else f"{factor:g} {power}"


def format_expression(answer: Numbers) -> str:
    """ "27 n^2 - 27 n" if the two values fit, else the first one as a number."""
    n, m = SIZES
    a = (answer[1] / m - answer[0] / n) / (m - n)  # a n^2 + b n through both
    b = answer[0] / n - a * n
    try:
        whole_a, whole_b = (round_half_away_from_zero(4 * factor) / 4 for factor in (a, b))
    except (ValueError, OverflowError):  # NaN, infinity
        return f"{answer[0]:.6g} with n = {n}"
    if abs(a - whole_a) > 1e-6 or abs(b - whole_b) > 1e-3:
        return f"{answer[0]:.6g} with n = {n}"
    if whole_a == 0:
        return _format_term(whole_b, "n") if whole_b else "0"
    if whole_b == 0:
        return _format_term(whole_a, "n^2")
    sign = " - " if whole_b < 0 else " + "
    return _format_term(whole_a, "n^2") + sign + _format_term(abs(whole_b), "n")


def _line(number: str, one: ClassAnswer) -> Line:
    answer = format_expression(one.answer) if one.is_answered() else ""
    return Line(number, one.question, answer=answer, name=one.name, is_count=True)


def _waiting_lines(number: str, classes: Sequence[ClassAnswer], words: str) -> list[Line]:
    lines = [_line(number, one) for one in classes]
    return [
        replace(line, state=State.WAITING, words=words) if line.answer else line for line in lines
    ]


def _add(pairs: Sequence[Numbers]) -> Numbers:
    return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)


def _judge_sum(number: str, classes: Sequence[ClassAnswer], name: str) -> Line:
    """The line of the sum. It has a slip if all classes share it."""
    slips = {one.slip() for one in classes}
    first = classes[0]
    shared = len(slips) == 1 and "" not in slips
    total = ClassAnswer(
        name,
        _add([one.answer for one in classes]),
        _add([one.truth for one in classes if one.truth]),
        first.unit if shared else "none",
        first.tolerance,
        first.division if shared else "",
    )
    return replace(total.judge(number, Detail.WHICH), is_sum=True, points=0.0)


def _judge_known(
    number: str, classes: Sequence[ClassAnswer], name_of_sum: str, detail: Detail
) -> list[Line]:
    """The lines of classes with a known truth. Reveals nothing before all are answered."""
    if not all(one.is_answered() for one in classes):
        return _waiting_lines(number, classes, "answer the others first")
    lines = [one.judge(number, detail) for one in classes]
    if len(classes) == 1 or not name_of_sum:  # it is its own sum, or has none
        return lines
    total = _judge_sum(number, classes, name_of_sum)
    if all(line.state is State.RIGHT for line in lines):
        return [*lines, total]
    if total.state is State.RIGHT:
        total = replace(total, state=State.WRONG, words="the sum is right, its parts are not")
    if detail is Detail.TOTAL:
        lines = [replace(line, state=State.HIDDEN, words="") for line in lines]
    return [*lines, total]


def judge_counts(
    number: str, classes: Sequence[ClassAnswer], name_of_sum: str, detail: Detail
) -> list[Line]:
    known = [one for one in classes if one.truth is not None]
    unknown = [one for one in classes if one.truth is None]
    if not known:
        answered = all(one.is_answered() for one in classes)
        why = "not counted; ./lab count says why" if answered else "answer the others first"
        return _waiting_lines(number, classes, why)
    # A class that is not a polynomial is not judged, but the others are.
    lines = _judge_known(number, known, "" if unknown else name_of_sum, detail)
    not_asked = "not asked: it depends on the positions"
    return lines + [
        replace(_line(number, one), state=State.NOTED, words=not_asked) for one in unknown
    ]
