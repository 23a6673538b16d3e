"""Whose paper machine do a worksheet's answers fit? It depends on the authors' names, so answers that are wrong for
their own machine but right for a classmate's may be copied. A single such answer is often chance.
"""

import math
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from pydantic import Field

from nbody_lab.core.messages import UserError
from nbody_lab.core.model import LabModel
from nbody_lab.grade.models import JudgedWorksheet
from nbody_lab.worksheet.evidence import Evidence
from nbody_lab.worksheet.program import Answers
from nbody_lab.worksheet.questions import (
    CountQuestion,
    ExactQuestion,
    NotebookQuestion,
    Questions,
)
from nbody_lab.worksheet.scope import Scope
from nbody_lab.worksheet.sheet import Line, State
from nbody_lab.worksheet.slips import matches

_FEWEST = 2  # answers that fit the same classmate
_ROUNDED = 0.0006  # measured lines have four digits


class Sign(LabModel):
    """Of `wrong` answers, `numbers` are right for the machine of another submission, `fits`."""

    part: str = ""
    submission: str
    fits: str
    numbers: int
    wrong: int
    machines: int = Field(description="how many machines in class they fit equally well")


def _is_personal(questions: Questions, expression: Any) -> bool:
    """Whether an expression needs the paper machine, directly or through a formula."""
    return any(
        name.startswith("paper.")
        or (name in questions.formulas and _is_personal(questions, questions.formulas[name]))
        for name in expression.names
    )


def personal_questions(questions: Questions) -> list[ExactQuestion]:
    return [
        one
        for one in questions.questions
        if isinstance(one, ExactQuestion) and _is_personal(questions, one.truth)
    ]


def _numbers_in(questions: Questions, lines: Iterable[Line]) -> dict[str, float]:
    """The measured lines of a worksheet by the names of the answers."""
    names: dict[tuple[str, str], str] = {}
    for one in questions.questions:
        if isinstance(one, CountQuestion):
            names |= {(one.number, counted.text): counted.answer for counted in one.classes}
        elif not isinstance(one, NotebookQuestion):
            names[one.number, one.text] = one.answer
    numbers = dict.fromkeys(questions.answer_names(), math.nan)
    for line in lines:
        with suppress(KeyError, ValueError):  # no line of this part, or no number
            numbers[names[line.number, line.question]] = float(line.answer)
    return numbers


def _fits(
    questions: Questions, question: ExactQuestion, numbers: dict[str, float], authors: str
) -> bool:
    texts = {**dict.fromkeys(questions.text_names(), ""), "authors": authors}
    answers = Answers(numbers=numbers, letters=dict.fromkeys(numbers, " "), texts=texts)
    try:
        truth = Scope(questions, Evidence((answers, answers))).value(question.truth)
    except UserError:
        return False
    tolerance = max(questions.tolerance_of(question), _ROUNDED)
    return (
        isinstance(truth, (int, float))
        and math.isfinite(truth)
        and matches(numbers[question.answer], truth, tolerance)
    )


def find_foreign_machines(
    questions: Questions, sheets: Mapping[str, JudgedWorksheet]
) -> list[Sign]:
    """Signs of copying among the worksheets of a class."""
    sheets = {name: sheet for name, sheet in sheets.items() if sheet.authors and sheet.lines}
    personal, signs = personal_questions(questions), []
    for name, sheet in sheets.items():
        numbers = _numbers_in(questions, sheet.lines)
        are_wrong = {(one.number, one.question) for one in sheet.lines if one.state == State.WRONG}
        wrong = [
            one
            for one in personal
            if (one.number, one.text) in are_wrong and math.isfinite(numbers[one.answer])
        ]
        if len(wrong) < _FEWEST:
            continue
        fitting = {
            other: sum(_fits(questions, one, numbers, neighbour.authors) for one in wrong)
            for other, neighbour in sheets.items()
            if neighbour.authors != sheet.authors
        }
        most = max(fitting.values(), default=0)
        best = [other for other, fits in fitting.items() if fits == most >= _FEWEST]
        sign = {"submission": name, "numbers": most, "wrong": len(wrong), "machines": len(best)}
        signs += [Sign.model_validate({**sign, "fits": other}) for other in best[:3]]
    return signs
