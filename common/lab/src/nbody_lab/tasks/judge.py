"""Judges each question of a worksheet, against the truth or against the student's own earlier answers, so that one slip
costs only once."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, cast

from typing_extensions import assert_never

from nbody_lab.core.errors import LabError
from nbody_lab.tasks.evidence import Evidence, count_ideas, describe_disagreement
from nbody_lab.tasks.hypothetical_machine import seal_of
from nbody_lab.tasks.program import NO_CHOICE, SIZES, Numbers, is_answered
from nbody_lab.tasks.questions import (
    Choice,
    Count,
    Exact,
    NotebookRows,
    Question,
    Questions,
    Recorded,
    Text,
    Worksheet,
    is_missing,
    round_half_away_from_zero,
)
from nbody_lab.tasks.sheet import Line, Sheet, State
from nbody_lab.tasks.slips import find_slip, matches

_SAME_EXPRESSION = 1e-7  # rounding only


def _line(question: Question, answer: str | float, kind: str | None = None) -> Line:
    if isinstance(answer, float):
        answer = f"{answer:.4g}" if is_answered(answer) else ""
    name = getattr(question, "answer", "")
    return Line(
        question.number, getattr(question, "text", ""), kind or question.kind, answer, name=name
    )


def _slip(question: Exact | Recorded, sheet: Worksheet, expected: float, tolerance: float) -> str:
    answer = sheet.answers.number(question.answer)
    division = sheet.evidence.cut_divisions.get(question.answer, "")
    return find_slip(question.unit, (answer, answer), (expected, expected), tolerance, division)


def _judge_number(question: Exact | Recorded, expected: float, sheet: Worksheet) -> Line:
    answer = sheet.answers.number(question.answer)
    line = _line(question, answer, None if isinstance(question, Exact) else "exact")
    if not is_answered(answer):
        return line
    if question.waits_for and not math.isfinite(expected):
        words = f"not judged yet: it depends on {question.waits_for}"
        return replace(line, state=State.WAITING, words=words)
    if matches(answer, expected, question.tolerance):
        return replace(line, state=State.RIGHT)
    words = _slip(question, sheet, expected, question.tolerance)
    if not words and question.waits_for:
        words = f"does not follow from {question.waits_for}"
    return replace(line, state=State.WRONG, words=words)


def _judge_recorded(question: Recorded, sheet: Worksheet) -> Line:
    """Any answer is accepted, unless this machine's own files say what it should be."""
    answer = sheet.answers.number(question.answer)
    expected = sheet.value(question.truth) if question.truth else math.nan
    if is_answered(answer) and not is_missing(expected):
        line = _judge_number(question, expected, sheet)
        if line.state is State.WRONG and not line.words:
            percent = f"{100 * question.tolerance:g} %"
            line = replace(line, words=f"more than {percent} away from build/ceilings.json")
        return line
    line, words, usual = _line(question, answer), "", question.usually
    if not line.answer:
        return line
    if usual is not None and abs(answer - usual) > question.within:
        words = _slip(question, sheet, usual, question.within / usual) or "unusual: check again"
    elif question.notebook:
        words = describe_disagreement(answer, sheet.value(question.notebook))
    words = words or sheet.evidence.cut_divisions.get(question.answer, "")
    return replace(line, state=State.NOTED, words=words)


def _judge_choice(question: Choice, sheet: Worksheet, graded: bool) -> Line:
    """By the letter that follows from earlier answers, or by the seal, which only the grader uses. Raises LabError: it has
    none."""
    letter = sheet.answers.letter(question.answer)
    line = _line(question, "" if letter == NO_CHOICE else letter)
    if letter == NO_CHOICE:
        return line
    if letter not in tuple("abcd"):  # counts as no answer anywhere
        return replace(line, words="the choices are a, b, c and d, in small letters")
    if question.truth:
        right = sheet.value(question.truth)
        if is_missing(right):
            words = f"not judged yet: it depends on {question.waits_for}"
            return replace(line, state=State.WAITING, words=words)
        return replace(line, state=State.RIGHT if letter == right else State.WRONG)
    if not graded:
        return replace(line, state=State.NOTED, words="judged when it is graded")
    if question.seal is None:
        where = f"{sheet.part.part}: questions.py: {question.answer}"
        raise LabError(f"{where} has no seal: grade in a tree that was not handed out")
    is_right = seal_of(question.answer, letter) == question.seal
    return replace(line, state=State.RIGHT if is_right else State.WRONG)


def _judge_notebook(question: NotebookRows, sheet: Worksheet) -> Line:
    if sheet.evidence.notebook is None:
        line, words = _line(question, "", "recorded"), "not counted: the notebook cannot be read"
        return replace(line, state=State.WAITING, words=words)
    rows = count_ideas(sheet.evidence.notebook)
    line = _line(question, str(rows), "recorded")
    if rows >= question.wanted:
        return replace(line, state=State.NOTED)
    return replace(line, words=f"{question.wanted} wanted: ./lab try")


# The classes of a count are judged together, with their sum as last line. One operation per interaction is more than the
# tolerance, so an answer within it but not exact differs only in terms in n.


def format_expression(answer: Numbers) -> str:
    """ "27 n^2 - 27 n" if the two values fit, else the first one as a number."""
    n, m = SIZES
    as_number = f"{answer[0]:.6g} with n = {n}"
    a = (answer[1] / m - answer[0] / n) / (m - n)  # a n^2 + b n through both
    b = answer[0] / n - a * n
    if not (math.isfinite(a) and math.isfinite(b)):
        return as_number
    whole_a, whole_b = (round_half_away_from_zero(4 * factor) / 4 for factor in (a, b))
    if abs(a - whole_a) > 1e-6 or abs(b - whole_b) > 1e-3:
        return as_number
    terms = [
        f"{factor:g} {power}" for factor, power in ((whole_a, "n^2"), (whole_b, "n")) if factor
    ]
    return re.sub(r"\b1 n", "n", " + ".join(terms).replace("+ -", "- ")) or "0"


class _Class(NamedTuple):
    """The answer to one class of a count, or to their sum."""

    text: str
    answer: Numbers
    truth: Numbers | None  # None: not counted, or not a polynomial
    slip: str
    name: str = ""


def _class_line(question: Count, one: _Class) -> Line:
    answer = format_expression(one.answer) if all(map(is_answered, one.answer)) else ""
    return Line(question.number, one.text, answer=answer, name=one.name)


def _judge_class(question: Count, one: _Class) -> Line:
    """Of a class whose truth is known."""

    def is_right(tolerance: float) -> list[bool]:
        return [matches(*pair, tolerance) for pair in zip(one.answer, one.truth or one.answer)]

    line, right = _class_line(question, one), is_right(question.tolerance)
    if all(right):
        words = "" if all(is_right(_SAME_EXPRESSION)) else "apart from smaller terms"
        return replace(line, state=State.RIGHT, words=words)
    if right[0]:
        words = f"right for n = {SIZES[0]} only: write an expression in n"
    else:
        words = "too many" if one.truth and one.answer[0] > one.truth[0] else "too few"
    return replace(line, state=State.WRONG, words=one.slip or words)


def _with_sum(
    question: Count, classes: Sequence[_Class], lines: list[Line], which: bool
) -> list[Line]:
    """And the line of the sum, which has a slip if all classes share it."""

    def add(pairs: Sequence[Numbers | None]) -> Numbers:
        return cast(Numbers, tuple(map(sum, zip(*filter(None, pairs)))))

    slips = {one.slip for one in classes}
    shared = slips.pop() if len(slips) == 1 else ""
    answer, truth = add([one.answer for one in classes]), add([one.truth for one in classes])
    total = _judge_class(question, _Class(question.sum, answer, truth, shared))
    total = replace(total, is_sum=True)
    if any(line.state is State.WRONG for line in lines):
        if total.state is State.RIGHT:
            words = "the sum is right, its parts are not"
            total = replace(total, state=State.WRONG, words=words)
        if not which:
            lines = [replace(line, state=State.HIDDEN, words="") for line in lines]
    return [*lines, total]


def _judge_count(question: Count, sheet: Worksheet, which: bool) -> list[Line]:
    """Reveals nothing before all classes are answered. A class that is not a polynomial is not judged, but the others are."""
    both, classes = [Worksheet(sheet.part, sheet.evidence, k) for k in range(len(SIZES))], []
    for one in question.classes:
        answer = cast(Numbers, tuple(each.answers.number(one.answer) for each in both))
        truth = cast(Numbers, tuple(each.value(one.truth) for each in both))
        if any(map(is_missing, truth)):
            classes.append(_Class(one.text, answer, None, "", one.answer))
            continue
        division = sheet.evidence.cut_divisions.get(one.answer, "")
        slip = find_slip(question.unit, answer, truth, question.tolerance, division)
        classes.append(_Class(one.text, answer, truth, slip, one.answer))
    known = [one for one in classes if one.truth]
    lines, why = [_class_line(question, one) for one in known or classes], ""
    if not all(line.answer for line in lines):
        why = "answer the others first"
    elif not known:
        why = "not counted; ./lab count says why"
    if why:
        waiting = [replace(line, state=State.WAITING, words=why) for line in lines]
        lines = [told if told.answer else line for line, told in zip(lines, waiting)]
    else:
        lines = [_judge_class(question, one) for one in known]
        if question.sum and len(known) == len(classes) > 1:
            lines = _with_sum(question, classes, lines, which)
    words = "not asked: it depends on the positions"
    return lines + [
        replace(_class_line(question, one), state=State.NOTED, words=words)
        for one in classes
        if known and not one.truth
    ]


def _judge_question(question: Question, sheet: Worksheet, which: bool, graded: bool) -> list[Line]:
    match question:
        case Text():
            line = _line(question, sheet.answers.text(question.answer))
            if line.answer:
                return [replace(line, state=State.NOTED)]
            return [replace(line, words="needed for the hypothetical machine")]
        case Exact():
            return [_judge_number(question, sheet.value(question.truth), sheet)]
        case Choice():
            return [_judge_choice(question, sheet, graded)]
        case Recorded():
            return [_judge_recorded(question, sheet)]
        case NotebookRows():
            return [_judge_notebook(question, sheet)]
        case Count():
            return _judge_count(question, sheet, which)
        case _:
            assert_never(question)


def judge(
    question: Question, sheet: Worksheet, which: bool = False, graded: bool = False
) -> list[Line]:
    """The lines of a question. `which`: tell which class of a count is wrong; `graded`: judge sealed letters."""
    return [
        replace(
            line,  # "flops of {mine}": the name the student gave it
            question=re.sub(
                r"\{(\w+)\}", lambda found: sheet.answers.text(found[1]), line.question
            ),
            points=0.0 if line.is_sum else question.points,
        )
        for line in _judge_question(question, sheet, which, graded)
    ]


def judge_sheet(
    part: Questions, evidence: Evidence, which: bool = False, graded: bool = False
) -> Sheet:
    """Only the grader sees which choices are right: a single letter could be found by trial."""
    sheet, authors = Worksheet(part, evidence), evidence.answers[0].text("authors")
    lines = [line for one in part.questions for line in judge(one, sheet, which, graded)]
    score, choices = "", [line for line in lines if line.kind == Choice.kind]
    judged = [line for line in choices if line.state in (State.RIGHT, State.WRONG)]
    if not graded:
        if judged and all(line.state is not State.UNANSWERED for line in choices):
            right = sum(line.state is State.RIGHT for line in judged)
            score = f"choices: {right} of {len(judged)} right"
        lines = [replace(line, state=State.HIDDEN) if line in judged else line for line in lines]
    return Sheet(
        part=part.part,
        authors=authors,
        lines=tuple(lines),
        hypothetical_machine=part.machine.describe(authors) if authors else "",
        score_of_choices=score,
    )


def reason_to_hide_counts(name: str, part: Questions, evidence: Evidence) -> str | None:
    """Why an implementation's counts are not shown yet; None if they may be. Naive's counts, and those of code that
    still does the same work, appear once the student has counted them by hand."""
    asked, counts = part.hidden_counts.until_right, evidence.counts
    lines = [line for line in judge_sheet(part, evidence).lines if line.number in asked]
    if all(line.state is State.RIGHT for line in lines):
        return None
    if name != "naive" and counts:
        functions = part.hidden_counts.functions
        mine, naive = ([counts.polynomials(of, one) for one in functions] for of in (name, "naive"))
        if all(one != other for one, other in zip(mine, naive)):
            return None
    what, are = ("question", "is") if len(asked) == 1 else ("questions", "are")
    still = "" if name == "naive" else f"{name} still does the same work as naive; "
    return (
        f"{still}count by hand first: the numbers appear once {what} {' and '.join(asked)} of "
        f"worksheet.hpp {are} right (./lab worksheet {part.part})"
    )
