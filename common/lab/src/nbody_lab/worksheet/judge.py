"""Judges each question of a worksheet, against the truth or against the student's own earlier answers, so that one slip
costs only once."""

import math
import re
from dataclasses import dataclass, field

from nbody_lab.worksheet.answers import NO_CHOICE, Pair, is_answered
from nbody_lab.worksheet.expression import is_missing
from nbody_lab.worksheet.judge_counts import CountedClass, judge_counts
from nbody_lab.worksheet.machines import seal_of
from nbody_lab.worksheet.notebook_rows import disagreement, measured_ideas
from nbody_lab.worksheet.question import NOTED, RIGHT, TOTAL, WAITING, WRONG, Line
from nbody_lab.worksheet.scope import Scope, at_both_sizes
from nbody_lab.worksheet.slips import matches, slip_in

FAR_FROM_DOUBTFUL = 0.5  # another ceiling, not noise


def line_of(question, answer, kind=None):
    if isinstance(answer, float):
        answer = f"{answer:.4g}" if is_answered(answer) else ""
    return Line(question.number, question.text, kind or question.kind, answer)


def slip_of(question, answer, expected, tolerance, divided):
    return slip_in(
        question.unit,
        Pair(answer, answer),
        Pair(expected, expected),
        tolerance,
        question.answer in divided,
    )


def judge_text(question, scope):
    line = line_of(question, scope.answers.found("texts", question.answer))
    if line.answer:
        line.state = NOTED
    else:
        line.words = "needed for the paper machine"
    return line


def judge_number(question, answer, expected, divided=(), kind=None):
    line = line_of(question, answer, kind)
    if not is_answered(answer):
        return line
    if question.waits_for and not math.isfinite(expected):
        line.state, line.words = WAITING, f"not judged yet: it depends on {question.waits_for}"
    elif matches(answer, expected, question.tolerance):
        line.state = RIGHT
    else:
        line.state, line.words = (
            WRONG,
            slip_of(question, answer, expected, question.tolerance, divided),
        )
        if not line.words and question.waits_for:
            line.words = f"does not follow from {question.waits_for}"
    return line


def remark_on(question, answer, divided):
    """A remark if the answer is far from naive's usual profile, else ""."""
    if abs(answer - question.usually) <= question.within:
        return ""
    return (
        slip_of(question, answer, question.usually, question.within / question.usually, divided)
        or "unusual: check again"
    )


def doubtful_ceiling(question, scope):
    """The expected value, including ceilings whose measurement was disturbed."""
    given = scope.given._replace(ceilings=scope.given.ceilings.with_doubtful())
    return Scope(scope.part, given).value(question.truth) if question.truth else math.nan


def judge_recorded(question, scope):
    """Any answer is accepted, unless this machine's own files say what it should be."""
    answer = scope.answers.found("numbers", question.answer)
    expected = scope.value(question.truth) if question.truth else math.nan
    if is_answered(answer) and not is_missing(expected):
        line = judge_number(question, answer, expected, scope.given.divided, "exact")
        if line.state == WRONG:
            line.words = (
                line.words
                or f"more than {100 * question.tolerance:g} % away from build/ceilings.json"
            )
        return line
    line = line_of(question, answer)
    about = doubtful_ceiling(question, scope)
    if (
        is_answered(answer)
        and not is_missing(about)
        and not matches(answer, about, FAR_FROM_DOUBTFUL)
    ):
        line.state, line.words = (
            WRONG,
            f"this ceiling was measured as {about:.3g} (?): ./lab machine shows it",
        )
        return line
    if is_answered(answer):
        line.state = NOTED
        if question.usually is not None:
            line.words = remark_on(question, answer, scope.given.divided)
        if question.notebook:
            numbers = scope.value(question.notebook)
            line.words = disagreement(answer, numbers)
    return line


def judge_choice(question, letter, right):
    """`right`: the letter that follows, "" if it is not known yet, or None if the seal decides."""
    line = line_of(question, "" if letter == NO_CHOICE else letter)
    if letter not in (NO_CHOICE, *"abcd"):  # counts as no answer anywhere
        line.words = "the choices are a, b, c and d, in small letters"
    elif letter != NO_CHOICE and right == "":
        line.state, line.words = WAITING, f"not judged yet: it depends on {question.waits_for}"
    elif letter != NO_CHOICE:
        is_right = (
            letter == right
            if right is not None
            else seal_of(question.answer, letter) == question.seal
        )
        line.state = RIGHT if is_right else WRONG
    return line


def judge_one_choice(question, scope):
    right = None
    if question.truth:
        right = scope.value(question.truth)
        right = "" if is_missing(right) else right
    return judge_choice(question, scope.answers.found("letters", question.answer), right)


def judge_notebook(question, scope):
    rows = measured_ideas(scope.given.notebook)
    line = line_of(question, str(rows), "recorded")
    if rows >= question.wanted:
        line.state = NOTED
    else:
        line.words = f"{question.wanted} wanted: ./lab try"
    return line


def judge_expected(question, scope):
    return judge_number(
        question,
        scope.answers.found("numbers", question.answer),
        scope.value(question.truth),
        scope.given.divided,
    )


JUDGES = {
    "text": judge_text,
    "exact": judge_expected,
    "follows": judge_expected,
    "choice": judge_one_choice,
    "recorded": judge_recorded,
    "notebook": judge_notebook,
}


def judge_classes(question, part, given, told):
    classes = []
    for one in question.classes:
        answer = Pair(*(answers.found("numbers", one.answer) for answers in given.answers))
        truth = at_both_sizes(part, given, one.truth)
        classes.append(
            CountedClass(
                one.text,
                answer,
                None if any(map(is_missing, truth)) else truth,
                question.unit,
                one.answer in given.divided,
            )
        )
    return judge_counts(
        question.number, classes, question.sum, question.tolerance, min(told, question.most_told)
    )


def judge(question, part, given, told):
    """The lines of a question."""
    scope = Scope(part, given)
    lines = (
        judge_classes(question, part, given, told)
        if question.kind == "count"
        else [JUDGES[question.kind](question, scope)]
    )
    for line in lines:
        # "flops of {mine}": the name the student gave it.
        line.question = re.sub(
            r"\{(\w+)\}", lambda found: scope.answers.found("texts", found[1]), line.question
        )
        if not line.is_sum:
            line.points = question.points
    return lines


# A judged worksheet, and whether counts may be shown yet.


@dataclass
class Sheet:
    part: str
    authors: str
    paper_machine: str = ""  # one line, from the authors' names
    lines: list = field(default_factory=list)


def judged_sheet(part, given, told=TOTAL):
    authors = given.answers.first.found("texts", "authors")
    lines = [line for question in part.questions for line in judge(question, part, given, told)]
    return Sheet(part.part, authors, part.paper_machine.about(authors) if authors else "", lines)


def counted_right(part, given):
    return all(
        line.state == RIGHT
        for line in judged_sheet(part, given).lines
        if line.number in part.asks_for_counts
    )


def once_right(numbers):
    """ "questions 3 and 4 of worksheet.hpp are right" """
    one = len(numbers) == 1
    return f"question{'' if one else 's'} {' and '.join(numbers)} of worksheet.hpp {'is' if one else 'are'} right"


def reason_to_hide_counts(name, part, given):
    """Why an implementation's counts are not shown yet; empty if they may be. Naive's counts, and those of code that
    still does the same work, appear once the student has counted them by hand."""
    if counted_right(part, given):
        return ""
    for function in part.counted_functions:
        if name == "naive" or given.counted.of(name, function) == given.counted.of(
            "naive", function
        ):
            still = "" if name == "naive" else f"{name} still does the same work as naive; "
            return (
                f"{still}count by hand first: the numbers appear once {once_right(part.asks_for_counts)} "
                f"(./lab worksheet {part.part})"
            )
    return ""
