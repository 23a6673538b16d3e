"""Whose paper machine do a worksheet's answers fit? It depends on the authors' names, so answers that are wrong for
their own machine but right for a classmate's may be copied. A single such answer is often chance.
"""

import math

from nbody_lab.core.messages import UserError
from nbody_lab.worksheet.answers import Answers
from nbody_lab.worksheet.lines import State
from nbody_lab.worksheet.questions import CountQuestion, ExactQuestion
from nbody_lab.worksheet.scope import Evidence, Scope
from nbody_lab.worksheet.slips import matches

FEWEST = 2  # answers that fit the same classmate
ROUNDED = 0.0006  # measured lines have four digits


def personal(questions, expression):
    """Whether an expression needs the paper machine, directly or through a formula."""
    return any(
        name.startswith("paper.")
        or (name in questions.formulas and personal(questions, questions.formulas[name]))
        for name in expression.names
    )


def asked(questions):
    """The questions with a personal number."""
    return [
        one
        for one in questions.questions
        if isinstance(one, ExactQuestion) and personal(questions, one.truth)
    ]


def number_in(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return math.nan


def answers_in(questions, lines):
    """{answer name: number} from the measured lines of a worksheet."""
    names = {
        (one.number, asked_for.text): asked_for.answer
        for one in questions.questions
        for asked_for in (one.classes if isinstance(one, CountQuestion) else [one])
        if one.kind != "notebook"
    }
    numbers = dict.fromkeys(questions.answer_names(), math.nan)
    for line in lines:
        name = names.get((line.get("number"), line.get("question")))
        if name:
            numbers[name] = number_in(line.get("answer"))
    return numbers


def fits(questions, question, numbers, authors):
    texts = {**dict.fromkeys(questions.text_names(), ""), "authors": authors}
    answers = Answers(numbers=numbers, letters=dict.fromkeys(numbers, " "), texts=texts)
    try:
        truth = Scope(questions, Evidence((answers, answers))).value(question.truth)
    except UserError:
        return False
    return (
        isinstance(truth, (int, float))
        and math.isfinite(truth)
        and matches(numbers[question.answer], truth, max(questions.tolerance_of(question), ROUNDED))
    )


def wrong_ones(questions, lines, numbers):
    """The personal questions with a wrong answer."""
    wrong = {
        (line.get("number"), line.get("question"))
        for line in lines
        if line.get("state") == State.WRONG
    }
    return [
        one
        for one in asked(questions)
        if (one.number, one.text) in wrong and math.isfinite(numbers[one.answer])
    ]


def foreign_machines(questions, sheets):
    """Signs of copying: [{"submission", "fits", "numbers", "wrong", "machines"}]. `sheets`: {name: (authors as written
    in the worksheet, measured lines)}. `numbers` of the `wrong` answers are right for the machine of `fits`;
    `machines`: how many other machines in class they fit as well."""
    signs = []
    for name, (authors, lines) in sheets.items():
        numbers = answers_in(questions, lines)
        wrong = wrong_ones(questions, lines, numbers)
        if len(wrong) < FEWEST:
            continue
        fitting = {
            other: [one.number for one in wrong if fits(questions, one, numbers, neighbour)]
            for other, (neighbour, _) in sheets.items()
            if other != name and neighbour and neighbour != authors
        }
        most = max(map(len, fitting.values()), default=0)
        best = [other for other, found in fitting.items() if len(found) == most]
        if most >= FEWEST:
            signs += [
                {
                    "submission": name,
                    "fits": other,
                    "numbers": most,
                    "wrong": len(wrong),
                    "machines": len(best),
                }
                for other in best[:3]
            ]
    return signs
