"""Judges each question of a worksheet, against the truth or against the student's own earlier answers, so that one slip
costs only once."""

import math
import re
from dataclasses import replace

from typing_extensions import assert_never

from nbody_lab.tasks.evidence import Evidence, count_ideas, describe_disagreement
from nbody_lab.tasks.hypothetical_machine import seal_of
from nbody_lab.tasks.judge_counts import ClassAnswer, judge_counts
from nbody_lab.tasks.program import NO_CHOICE, is_answered
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
    evaluate_at_both_sizes,
    is_missing,
)
from nbody_lab.tasks.sheet import Detail, Line, Sheet, State
from nbody_lab.tasks.slips import find_slip, matches

_FAR_FROM_DOUBTFUL = 0.5  # another ceiling, not noise
_ROUNDED = 0.005  # an answer of three digits


def _line(question: Question, answer: str | float, kind: str | None = None) -> Line:
    if isinstance(answer, float):
        answer = f"{answer:.4g}" if is_answered(answer) else ""
    name = getattr(question, "answer", "")
    return Line(
        question.number, getattr(question, "text", ""), kind or question.kind, answer, name=name
    )


def _slip(
    question: Exact | Recorded,
    answer: float,
    expected: float,
    tolerance: float,
    sheet: Worksheet,
) -> str:
    division = sheet.evidence.cut_divisions.get(question.answer, "")
    both = (answer, answer), (expected, expected)
    return find_slip(question.unit, *both, tolerance, division)


def _judge_number(question: Exact | Recorded, expected: float, sheet: Worksheet) -> Line:
    answer, tolerance = sheet.answers.number(question.answer), question.tolerance
    line = _line(question, answer, None if isinstance(question, Exact) else "exact")
    if not is_answered(answer):
        return line
    if question.waits_for and not math.isfinite(expected):
        words = f"not judged yet: it depends on {question.waits_for}"
        return replace(line, state=State.WAITING, words=words)
    if matches(answer, expected, tolerance):
        return replace(line, state=State.RIGHT)
    words = _slip(question, answer, expected, tolerance, sheet)
    if not words and question.waits_for:
        words = f"does not follow from {question.waits_for}"
    return replace(line, state=State.WRONG, words=words)


def _remark_on_unusual(question: Recorded, answer: float, sheet: Worksheet) -> str:
    """A remark if the answer is far from naive's usual profile, else ""."""
    if question.usually is None or abs(answer - question.usually) <= question.within:
        return ""
    tolerance = question.within / question.usually
    slip = _slip(question, answer, question.usually, tolerance, sheet)
    return slip or "unusual: check again"


def _remark_on_level(answer: float, expected: float, sheet: Worksheet) -> str:
    """A remark if the answer is rather what memory behind the level in question gave, else ""."""
    off = abs(answer - expected)
    for columns in sheet.asked_ceilings if off > _ROUNDED * expected else ():
        best = sheet.evidence.ceilings.best(columns)
        for level, rate in sheet.evidence.ceilings.behind(columns) if best else ():
            there = expected * rate / (best or rate)
            if abs(answer - there) < min(off, _ROUNDED * there):
                level = "memory" if level == "DRAM" else level
                return f"but is that {columns['level']}? {level} gave {there:.3g}"
    return ""


def _doubtful_truth(question: Recorded, sheet: Worksheet) -> float:
    """The expected value, including ceilings whose measurement was disturbed."""
    if not question.truth:
        return math.nan
    evidence = replace(sheet.evidence, ceilings=sheet.evidence.ceilings.with_doubtful())
    return float(Worksheet(sheet.part, evidence).value(question.truth))


def _judge_recorded(question: Recorded, sheet: Worksheet) -> Line:
    """Any answer is accepted, unless this machine's own files say what it should be."""
    answer = sheet.answers.number(question.answer)
    expected = sheet.value(question.truth) if question.truth else math.nan
    if not is_answered(answer):
        return _line(question, answer)
    if not is_missing(expected):
        line = _judge_number(question, expected, sheet)
        if line.state is State.RIGHT:
            return replace(line, words=_remark_on_level(answer, expected, sheet))
        percent = 100 * question.tolerance
        return replace(
            line, words=line.words or f"more than {percent:g} % away from build/ceilings.json"
        )
    line, doubtful = _line(question, answer), _doubtful_truth(question, sheet)
    if not is_missing(doubtful) and not matches(answer, doubtful, _FAR_FROM_DOUBTFUL):
        words = f"this ceiling was measured as {doubtful:.3g} (?): ./lab machine shows it"
        return replace(line, state=State.WRONG, words=words)
    words = _remark_on_unusual(question, answer, sheet)
    if question.notebook:
        words = words or describe_disagreement(answer, sheet.value(question.notebook))
    words = words or sheet.evidence.cut_divisions.get(question.answer, "")
    return replace(line, state=State.NOTED, words=words)


def _judge_choice(question: Choice, sheet: Worksheet) -> Line:
    """By the letter that follows from earlier answers, or by the seal."""
    letter = sheet.answers.letter(question.answer)
    line = _line(question, "" if letter == NO_CHOICE else letter)
    if letter == NO_CHOICE:
        return line
    if letter not in tuple("abcd"):  # counts as no answer anywhere
        return replace(line, words="the choices are a, b, c and d, in small letters")
    right = sheet.value(question.truth) if question.truth else None
    if is_missing(right):
        words = f"not judged yet: it depends on {question.waits_for}"
        return replace(line, state=State.WAITING, words=words)
    sealed = right is None and seal_of(question.answer, letter) == question.seal
    return replace(line, state=State.RIGHT if sealed or letter == right else State.WRONG)


def _judge_text(question: Text, sheet: Worksheet) -> Line:
    line = _line(question, sheet.answers.text(question.answer))
    if line.answer:
        return replace(line, state=State.NOTED)
    return replace(line, words="needed for the hypothetical machine")


def _judge_notebook(question: NotebookRows, sheet: Worksheet) -> Line:
    if sheet.evidence.notebook is None:
        line, words = _line(question, "", "recorded"), "not counted: the notebook cannot be read"
        return replace(line, state=State.WAITING, words=words)
    rows = count_ideas(sheet.evidence.notebook)
    line = _line(question, str(rows), "recorded")
    if rows >= question.wanted:
        return replace(line, state=State.NOTED)
    return replace(line, words=f"{question.wanted} wanted: ./lab try")


def _judge_classes(question: Count, sheet: Worksheet, detail: Detail) -> list[Line]:
    first, second = sheet.evidence.answers
    classes = [
        ClassAnswer(
            one.text,
            (first.number(one.answer), second.number(one.answer)),
            evaluate_at_both_sizes(sheet.part, sheet.evidence, one.truth),
            question.unit,
            question.tolerance,
            sheet.evidence.cut_divisions.get(one.answer, ""),
            one.answer,
        )
        for one in question.classes
    ]
    return judge_counts(question.number, classes, question.sum, detail.at_most(question.most_told))


def _judge_question(question: Question, sheet: Worksheet, detail: Detail) -> list[Line]:
    match question:
        case Text():
            return [_judge_text(question, sheet)]
        case Exact():
            return [_judge_number(question, sheet.value(question.truth), sheet)]
        case Choice():
            return [_judge_choice(question, sheet)]
        case Recorded():
            return [_judge_recorded(question, sheet)]
        case NotebookRows():
            return [_judge_notebook(question, sheet)]
        case Count():
            return _judge_classes(question, sheet, detail)
        case _:
            assert_never(question)


def judge(question: Question, part: Questions, evidence: Evidence, detail: Detail) -> list[Line]:
    """The lines of a question."""
    sheet = Worksheet(part, evidence)

    def insert_texts(words: str) -> str:
        """ "flops of {mine}": the name the student gave it."""
        return re.sub(r"\{(\w+)\}", lambda found: sheet.answers.text(found[1]), words)

    return [
        replace(
            line,
            question=insert_texts(line.question),
            points=line.points if line.is_sum else question.points,
        )
        for line in _judge_question(question, sheet, detail)
    ]


def judge_sheet(part: Questions, evidence: Evidence, detail: Detail = Detail.TOTAL) -> Sheet:
    authors = evidence.answers[0].text("authors")
    machine = part.machine.describe(authors) if authors else ""
    lines = [
        line for question in part.questions for line in judge(question, part, evidence, detail)
    ]
    return Sheet(part=part.part, authors=authors, lines=tuple(lines), hypothetical_machine=machine)


# Whether counts may be shown yet.


def _is_counted_right(part: Questions, evidence: Evidence) -> bool:
    asked = part.hidden_counts.until_right
    lines = judge_sheet(part, evidence).lines if asked else []
    return all(line.state is State.RIGHT for line in lines if line.number in asked)


def _describe_condition(numbers: tuple[str, ...]) -> str:
    """ "questions 3 and 4 of worksheet.hpp are right" """
    what, are = ("question", "is") if len(numbers) == 1 else ("questions", "are")
    return f"{what} {' and '.join(numbers)} of worksheet.hpp {are} right"


def reason_to_hide_counts(name: str, part: Questions, evidence: Evidence) -> str | None:
    """Why an implementation's counts are not shown yet; None if they may be. Naive's counts, and those of code that
    still does the same work, appear once the student has counted them by hand."""
    if _is_counted_right(part, evidence):
        return None
    counts, still = evidence.counts, f"{name} still does the same work as naive; "
    functions = part.hidden_counts.functions
    if name == "naive":
        still = ""
    elif counts and not any(
        counts.polynomials(name, function) == counts.polynomials("naive", function)
        for function in functions
    ):
        return None
    condition = _describe_condition(part.hidden_counts.until_right)
    return (
        f"{still}count by hand first: the numbers appear once {condition} "
        f"(./lab worksheet {part.part})"
    )
