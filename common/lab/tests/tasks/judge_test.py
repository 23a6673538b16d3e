"""One question of each kind: right, wrong, waiting, and what the student is told."""

import math
import re
from collections.abc import Callable
from typing import Any

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.tasks.evidence import Evidence
from nbody_lab.tasks.hypothetical_machine import HypotheticalMachine, seal_of
from nbody_lab.tasks.judge import format_expression, judge, judge_sheet
from nbody_lab.tasks.program import SIZES, Answers, Numbers
from nbody_lab.tasks.questions import (
    Choice,
    Count,
    Counted,
    Exact,
    Follows,
    Question,
    Questions,
    Recorded,
    Truth,
    Worksheet,
)
from nbody_lab.tasks.sheet import Line, State, format_sheet
from tests.measure.ceilings_for_tests import complete

_SEAL = seal_of("it", "d")
_PEAK = {"kind": "flops", "operation": "mul_add", "is_ceiling": True, "best": 12e9}
_MACHINE = HypotheticalMachine(lambda draw: {}, "none")


def _judge(question: Question, answers: Answers, graded: bool = False, **evidence: Any) -> Line:
    """The line of a question; its answer is called `it`."""
    part = Questions("part0", _MACHINE, (question,))
    sheet = Worksheet(part, Evidence((answers, answers), **evidence))
    return judge(question, sheet, graded=graded)[0]


def _follows(truth: Truth) -> Follows:
    return Follows("1", "", "it", truth, 0.05, "question 9", unit="percent")


def _divides_by_zero(w: Worksheet) -> float:
    return 1 / (w.n - w.n)


_DEPENDS = "not judged yet: it depends on question 9"
_USUAL = Recorded("1", "", "it", usually=78.0, within=15.0, unit="percent")


@pytest.mark.parametrize(
    ("question", "answer", "state", "words"),
    [
        (_follows(lambda w: 80), 82.0, "right", ""),
        (_follows(lambda w: 80), 8.0, "wrong", "does not follow from question 9"),
        (_follows(lambda w: 80), 0.8, "wrong", "a fraction? the question asks for percent:"),
        (_follows(_divides_by_zero), 8.0, "waits", _DEPENDS),
        (_follows(lambda w: w.it / w.missing), math.nan, "", ""),
        (_follows(lambda w: (-w.it) ** 0.5), 8.0, "waits", _DEPENDS),
        (Exact("1", "", "it", lambda w: 80, 0.1), 8.0, "wrong", ""),
        (_USUAL, 92.0, "noted", ""),
        (_USUAL, 40.0, "noted", "unusual: check again"),
        (_USUAL, 0.78, "noted", "a fraction? the question asks for percent: times 100"),
    ],
)
def test_numbers(question: Exact | Recorded, answer: float, state: str, words: str) -> None:
    """A number is right, wrong with a reason, waits, is noted, or missing."""
    line = _judge(question, Answers({"it": answer, "missing": math.nan}))
    assert (line.state, line.points) == (state, question.points)
    assert line.words.startswith(words) and bool(line.words) == bool(words)


@pytest.mark.parametrize(
    ("letter", "row", "state"),
    [
        ("d", {"seal": _SEAL}, "right"),
        ("a", {"seal": _SEAL}, "wrong"),
        (" ", {"seal": _SEAL}, ""),
        ("a", {"truth": lambda w: "a"}, "right"),
        ("a", {"truth": lambda w: "b"}, "wrong"),
        ("e", {"seal": seal_of("it", "e")}, ""),
    ],
)
def test_choices(letter: str, row: dict[str, Any], state: str) -> None:
    """A letter that is no choice counts as no answer, whatever the seal."""
    question = Choice("1", "", "it", waits_for="question 7", **row)
    answers = Answers(letters={"it": letter})
    line = _judge(question, answers, graded=True)
    assert line.state == state
    assert ("small letters" in line.words) == (letter == "e")
    shown = _judge(question, answers)
    assert shown.state == ("noted" if "seal" in row and state else state)


@pytest.mark.parametrize(
    ("letters", "states"),
    [("add", "noted answered answered"), ("ad ", "noted answered ")],
)
def test_choices_are_not_revealed(letters: str, states: str) -> None:
    """Before the grader judges: a letter could be found by trial."""
    names = ("sealed", "first", "second")
    choices = (
        Choice("1", "", "sealed", seal=seal_of("sealed", "d")),
        Choice("2", "", "first", truth=lambda w: "a"),
        Choice("3", "", "second", truth=lambda w: "d"),
    )
    answers = Answers(letters=dict(zip(names, letters)), texts={"authors": ""})
    part, evidence = Questions("part0", _MACHINE, choices), Evidence((answers, answers))
    sheet = judge_sheet(part, evidence)
    assert [line.state.value for line in sheet.lines] == states.split(" ")
    assert not re.search("right|wrong", format_sheet(sheet, sheet.lines))
    graded = judge_sheet(part, evidence, graded=True).lines
    assert all(line.state in (State.RIGHT, State.WRONG) for line in graded if line.answer)


@pytest.mark.parametrize(
    ("answer", "rows", "outcome"),
    [
        (12.5, [_PEAK], ("right", "")),
        (10.0, [_PEAK], ("wrong", "more than 5 % away from build/ceilings.json")),
        (12e3, [_PEAK], ("wrong", "Mflop/s? the question asks for Gflop/s")),
        (10.0, [], ("noted", "")),
        (10.0, [{**_PEAK, "is_ceiling": False}], ("noted", "")),
    ],
)
def test_this_machine(answer: float, rows: list[dict[str, Any]], outcome: tuple[str, ...]) -> None:
    """A recorded number is judged if build/ceilings.json knows it."""
    question = Recorded(
        *("1", "", "it"),
        truth=lambda w: w.ceiling(kind="flops", operation="mul_add") / 1e9,
        tolerance=0.05,
        unit="gflops",
    )
    ceilings = tuple(map(complete, rows))
    line = _judge(question, Answers({"it": answer}), ceilings=ceilings)
    assert (line.state, line.words) == outcome


def test_a_member_that_was_removed() -> None:
    with pytest.raises(LabError, match=r"^worksheet\.hpp: char it is missing: restore it$"):
        _judge(Choice("1", "", "it", seal=1), Answers())


def _both(function: Callable[[float], float]) -> Numbers:
    return function(SIZES[0]), function(SIZES[1])


_BYTES = "bytes of float? the question asks for numbers, whatever their size"
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "open": lambda n: math.nan,
    "none": lambda n: math.nan,
    "only_for_1000": lambda n: 9.0 * 1000 * 999,
    "n2": lambda n: 9 * n * n,
}


def _function(text: str) -> Callable[[float], float]:
    return _FUNCTIONS.get(text) or (lambda n: float(text) * n * (n - 1))


def _counts(classes: str, which: bool) -> list[Line]:
    """The lines for "10/9 5/5": in the first class, 10 n (n - 1) is typed and 9 n (n - 1) right."""
    typed, right = zip(*(map(_function, one.split("/")) for one in classes.split()))
    numbers = [{f"it{k}": one(n) for k, one in enumerate(typed)} for n in SIZES]
    counted = tuple(
        Counted("", f"it{k}", lambda w, one=one: one(w.n)) for k, one in enumerate(right)
    )
    question = Count("3", 0.005, counted, unit="numbers", sum="all" if len(counted) > 1 else "")
    first, second = map(Answers, numbers)
    part = Questions("part0", _MACHINE, (question,))
    return judge(question, Worksheet(part, Evidence((first, second))), which)


@pytest.mark.parametrize(
    ("classes", "which", "told"),
    [
        # A number that is no expression.
        ("only_for_1000/9", False, "wrong: right for n = 1000 only: write an expression in n"),
        # First only too many or too few, then which.
        ("10/9 5/5", False, "answered: |answered: |wrong: too many"),
        ("9/9 4/5", True, "right: |wrong: too few|wrong: too few"),
        # Two wrongs do not make a right.
        ("10/9 4/5", False, "answered: |answered: |wrong: the sum is right, its parts are not"),
        # Nothing before all are answered, nor about what was not counted or is no number for every n.
        ("10/9 open/5", True, "waits: answer the others first|: "),
        ("10/none", False, "not counted: ./lab count says why"),
        ("9/9 open/none", False, "right: |noted: not asked: it depends on the positions"),
        (
            "n2/9 5/5",
            False,
            "right: apart from smaller terms|right: |right: apart from smaller terms",
        ),
        # The sum names a slip of all classes, but not of one, which is named where the class is.
        ("56/14 12/3", False, f"answered: |answered: |wrong: {_BYTES}"),
        ("56/14 3/3", False, "answered: |answered: |wrong: too many"),
        ("56/14 3/3", True, f"wrong: {_BYTES}|right: |wrong: too many"),
    ],
)
def test_counts(classes: str, which: bool, told: str) -> None:
    """No more is told than was asked for."""
    lines = _counts(classes, which)
    assert "|".join(f"{line.state.value}: {line.words}" for line in lines) == told


def test_expressions() -> None:
    """An answer is shown as the expression that was typed, if it was one."""
    for text, function in {
        "27 n^2 - 27 n": lambda n: 27 * n * n - 27 * n,
        "0": lambda n: 0,
        "5.5 n^2 + 0.5 n": lambda n: 5.5 * n * n + n / 2,
        "8.991e+06 with n = 1000": lambda n: 8991000.0,
    }.items():
        assert format_expression(_both(function)) == text
