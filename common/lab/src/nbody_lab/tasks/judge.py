"""Judges each question of a worksheet, against the truth or against the student's own earlier answers, so that one slip
costs only once."""

import math
import re
from dataclasses import replace
from typing import NamedTuple

from typing_extensions import assert_never

from nbody_lab.core.errors import LabError
from nbody_lab.tasks.evidence import Evidence, count_ideas
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


Verdict = tuple[State, str]  # and words about it


def _slip(question: Exact | Recorded, sheet: Worksheet, expected: float, tolerance: float) -> str:
    answer = sheet.answers.number(question.answer)
    division = sheet.evidence.cut_divisions.get(question.answer, "")
    return find_slip(question.unit, (answer, answer), (expected, expected), tolerance, division)


def _judge_number(question: Exact | Recorded, expected: float, sheet: Worksheet) -> Verdict:
    answer = sheet.answers.number(question.answer)
    if not is_answered(answer):
        return State.UNANSWERED, ""
    if question.waits_for and not math.isfinite(expected):
        return State.WAITING, f"not judged yet: it depends on {question.waits_for}"
    if matches(answer, expected, question.tolerance):
        return State.RIGHT, ""
    otherwise = f"does not follow from {question.waits_for}" if question.waits_for else ""
    return State.WRONG, _slip(question, sheet, expected, question.tolerance) or otherwise


def _judge_recorded(question: Recorded, sheet: Worksheet) -> Verdict:
    """Any answer is accepted, unless this machine's own files say what it should be."""
    answer, usual = sheet.answers.number(question.answer), question.usually
    expected = sheet.value(question.truth) if question.truth else math.nan
    if not is_answered(answer) or not is_missing(expected):
        state, words = _judge_number(question, expected, sheet)
        if state is State.WRONG and not words:
            words = f"more than {100 * question.tolerance:g} % away from build/ceilings.json"
        return state, words
    words = ""
    if usual is not None and abs(answer - usual) > question.within:
        words = _slip(question, sheet, usual, question.within / usual) or "unusual: check again"
    return State.NOTED, words or sheet.evidence.cut_divisions.get(question.answer, "")


def _judge_choice(question: Choice, sheet: Worksheet, graded: bool) -> Verdict:
    """By the letter that follows from earlier answers, or by the seal, which only the grader uses. Raises LabError: it has
    none."""
    letter = sheet.answers.letter(question.answer)
    if letter == NO_CHOICE:
        return State.UNANSWERED, ""
    if letter not in tuple("abcd"):  # counts as no answer anywhere
        return State.UNANSWERED, "the choices are a, b, c and d, in small letters"
    if question.truth:
        right = sheet.value(question.truth)
        if is_missing(right):
            return State.WAITING, f"not judged yet: it depends on {question.waits_for}"
        return State.RIGHT if letter == right else State.WRONG, ""
    if not graded:
        return State.NOTED, "judged when it is graded"
    if question.seal is None:
        where = f"{sheet.part.part}: questions.py: {question.answer}"
        raise LabError(f"{where} has no seal: grade in a tree that was not handed out")
    is_right = seal_of(question.answer, letter) == question.seal
    return State.RIGHT if is_right else State.WRONG, ""


def _judge_one(
    question: Text | Exact | Choice | Recorded | NotebookRows, sheet: Worksheet, graded: bool
) -> tuple[str, Verdict]:
    """The answer as it is shown, and the verdict."""
    match question:
        case Text():
            answer = sheet.answers.text(question.answer)
            if answer:
                return answer, (State.NOTED, "")
            return "", (State.UNANSWERED, "needed for the hypothetical machine")
        case Choice():
            letter = sheet.answers.letter(question.answer).strip(NO_CHOICE)
            return letter, _judge_choice(question, sheet, graded)
        case NotebookRows():
            if sheet.evidence.notebook is None:
                return "", (State.UNCOUNTED, "the notebook cannot be read")
            rows = count_ideas(sheet.evidence.notebook)
            if rows < question.wanted:
                return str(rows), (State.UNANSWERED, f"{question.wanted} wanted: ./lab try")
            return str(rows), (State.NOTED, "")
        case Recorded():
            verdict = _judge_recorded(question, sheet)
        case Exact():
            verdict = _judge_number(question, sheet.value(question.truth), sheet)
        case _:
            assert_never(question)
    number = sheet.answers.number(question.answer)
    return f"{number:.4g}" if is_answered(number) else "", verdict


def format_expression(answer: Numbers) -> str:
    """ "27 n^2 - 27 n" if the two values fit, else the first one as a number; "" for none."""
    n, m = SIZES
    if not all(map(is_answered, answer)):
        return ""
    a = (answer[1] / m - answer[0] / n) / (m - n)  # a n^2 + b n through both
    b = answer[0] / n - a * n
    if math.isfinite(a) and math.isfinite(b):
        whole_a, whole_b = (round_half_away_from_zero(4 * factor) / 4 for factor in (a, b))
        if abs(a - whole_a) <= 1e-6 and abs(b - whole_b) <= 1e-3:
            terms = ((whole_a, "n^2"), (whole_b, "n"))
            text = " + ".join(f"{factor:g} {power}" for factor, power in terms if factor)
            return re.sub(r"\b1 n", "n", text.replace("+ -", "- ")) or "0"
    return f"{answer[0]:.6g} with n = {n}"


class _Class(NamedTuple):
    """Of a count; or the sum of its classes."""

    text: str
    answer: Numbers
    truth: Numbers
    slip: str
    name: str = ""


def _judge_class(one: _Class, tolerance: float) -> Verdict:
    """One operation per interaction is more than the tolerance, so an answer within it but not exact differs only in terms
    in n."""
    right = [matches(*pair, tolerance) for pair in zip(one.answer, one.truth)]
    if all(right):
        is_same = all(matches(*pair, _SAME_EXPRESSION) for pair in zip(one.answer, one.truth))
        return State.RIGHT, "" if is_same else "apart from smaller terms"
    direction = "too many" if one.answer[0] > one.truth[0] else "too few"
    if right[0]:
        direction = f"right for n = {SIZES[0]} only: write an expression in n"
    return State.WRONG, one.slip or direction


def _judge_count(question: Count, sheet: Worksheet, which: bool) -> list[Line]:
    """Its classes together, with their sum as last line. Reveals nothing before all are answered."""
    other, divisions = Worksheet(sheet.part, sheet.evidence, 1), sheet.evidence.cut_divisions
    classes = []
    for one in question.classes:
        answer = sheet.answers.number(one.answer), other.answers.number(one.answer)
        truth = sheet.value(one.truth), other.value(one.truth)
        division = divisions.get(one.answer, "")
        slip = find_slip(question.unit, answer, truth, question.tolerance, division)
        classes.append(_Class(one.text, answer, truth, slip, one.answer))

    def line(one: _Class, verdict: Verdict) -> Line:
        # "flops of {mine}": the name that the student gave it
        text = re.sub(r"\{(\w+)\}", lambda found: sheet.answers.text(found[1]), one.text)
        told = (question.kind, format_expression(one.answer), *verdict)
        return Line(question.number, text, *told, question.points, one.name)

    # A class that is not a polynomial is not judged, but the others are.
    known = [one for one in classes if not any(map(is_missing, one.truth))]
    asked, not_asked = known or classes, (State.NOTED, "not asked: it depends on the positions")
    others = [line(one, not_asked) for one in classes if one not in asked]
    answered = [bool(format_expression(one.answer)) for one in asked]
    if not all(answered) or not known:
        waits, empty = (State.WAITING, "answer the others first"), (State.UNANSWERED, "")
        if all(answered):
            waits = State.UNCOUNTED, "./lab count says why"
        given = [line(one, waits if there else empty) for one, there in zip(asked, answered)]
        return [*given, *others]
    verdicts = [_judge_class(one, question.tolerance) for one in known]
    if others or not question.sum:
        return [*map(line, known, verdicts), *others]
    pairs = zip(*((one.answer, one.truth) for one in classes))
    answer, truth = ((sum(n for n, _ in each), sum(m for _, m in each)) for each in pairs)
    slips = {one.slip for one in classes}
    total = _Class(question.sum, answer, truth, slips.pop() if len(slips) == 1 else "")
    verdict = _judge_class(total, question.tolerance)
    if any(state is State.WRONG for state, _ in verdicts):
        if verdict[0] is State.RIGHT:
            verdict = State.WRONG, "the sum is right, its parts are not"
        if not which:
            verdicts = [(State.HIDDEN, "")] * len(classes)
    of_sum = replace(line(total, verdict), points=0.0, is_sum=True)
    return [*map(line, classes, verdicts), of_sum]


def judge(
    question: Question, sheet: Worksheet, which: bool = False, graded: bool = False
) -> list[Line]:
    """The lines of a question. `which`: tell which class of a count is wrong; `graded`: judge sealed letters."""
    if isinstance(question, Count):
        return _judge_count(question, sheet, which)
    answer, (state, words) = _judge_one(question, sheet, graded)
    name = "" if isinstance(question, NotebookRows) else question.answer
    told = (question.kind, answer, state, words, question.points, name)
    return [Line(question.number, question.text, *told)]


def judge_sheet(
    part: Questions, evidence: Evidence, which: bool = False, graded: bool = False
) -> Sheet:
    """Only the grader sees which choices are right: a single letter could be found by trial."""
    sheet, authors = Worksheet(part, evidence), evidence.answers[0].text("authors")
    lines = [line for one in part.questions for line in judge(one, sheet, which, graded)]
    if not graded:
        judged = (Choice.kind, State.RIGHT), (Choice.kind, State.WRONG)
        lines = [
            replace(line, state=State.HIDDEN) if (line.kind, line.state) in judged else line
            for line in lines
        ]
    return Sheet(
        part=part.part,
        authors=authors,
        lines=tuple(lines),
        hypothetical_machine=part.machine.describe(authors) if authors else "",
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
