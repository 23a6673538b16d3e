"""One question of each kind: right, wrong, waiting, and what the student is told."""

import math
from collections.abc import Callable
from typing import Any

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.tasks.evidence import Ceilings, Evidence
from nbody_lab.tasks.hypothetical_machine import HypotheticalMachine, seal_of
from nbody_lab.tasks.judge import judge
from nbody_lab.tasks.judge_counts import ClassAnswer, format_expression, judge_counts
from nbody_lab.tasks.program import SIZES, Answers, Numbers
from nbody_lab.tasks.questions import (
    Choice,
    Exact,
    Follows,
    Question,
    Questions,
    Recorded,
    Text,
    Truth,
    Worksheet,
)
from nbody_lab.tasks.sheet import Detail, Line
from tests.measure.ceilings_for_tests import complete

_SEAL = seal_of("it", "d")
_PEAK = {"kind": "flops", "operation": "mul_add", "is_ceiling": True, "best": 12e9}


def _judge(question: Question, answers: Answers, **evidence: Any) -> Line:
    """The line of a question; its answer is called `it`."""
    machine = HypotheticalMachine(lambda draw: {}, "none")
    part = Questions("part0", machine, (question,))
    return judge(question, part, Evidence((answers, answers), **evidence), Detail.TOTAL)[0]


def _follows(truth: Truth) -> Follows:
    return Follows("1", "", "it", truth, 0.05, "question 9", unit="percent")


def _divides_by_zero(w: Worksheet) -> float:
    return 1 / (w.n - w.n)


_USUAL = Recorded("1", "", "it", usually=78.0, within=15.0, unit="percent")


@pytest.mark.parametrize(
    ("question", "answer", "state", "words"),
    [
        (_follows(lambda w: 80), 82.0, "right", ""),
        (_follows(lambda w: 80), 8.0, "wrong", "does not follow from question 9"),
        (_follows(lambda w: 80), 0.8, "wrong", "a fraction? the question asks for percent:"),
        (_follows(_divides_by_zero), 8.0, "waits", "not judged yet: it depends on question 9"),
        (_follows(lambda w: w.it / w.missing), math.nan, "", ""),
        (
            _follows(lambda w: (-w.it) ** 0.5),
            8.0,
            "waits",
            "not judged yet: it depends on question 9",
        ),
        (Exact("1", "", "it", lambda w: 80, 0.1), 8.0, "wrong", ""),
        (_USUAL, 92.0, "noted", ""),
        (_USUAL, 40.0, "noted", "unusual: check again"),
        (_USUAL, 0.78, "noted", "a fraction? the question asks for percent: times 100"),
        (Recorded("1", "", "it", points=3.0), 40.0, "noted", ""),
    ],
)
def test_numbers(question: Exact | Recorded, answer: float, state: str, words: str) -> None:
    """A number is right, wrong with a reason, waits, is noted, or missing."""
    line = _judge(question, Answers({"it": answer, "missing": math.nan}))
    assert (line.state, line.points) == (state, question.points)
    assert line.words.startswith(words) and bool(line.words) == bool(words)


def test_cut_divisions_are_named() -> None:
    """Also where nothing else explains the answer, and where a number is only recorded."""
    divisions = {"it": "16 / 21 is 0"}
    answers = Answers({"it": 0.0})
    for question in (_follows(lambda w: 80), Recorded("1", "", "it")):
        assert _judge(question, answers, cut_divisions=divisions).words == "16 / 21 is 0"


@pytest.mark.parametrize(
    ("letter", "row", "state"),
    [
        ("d", {"seal": _SEAL}, "right"),
        ("a", {"seal": _SEAL}, "wrong"),
        (" ", {"seal": _SEAL}, ""),
        ("d", {"seal": seal_of("other", "d")}, "wrong"),
        ("a", {"truth": lambda w: "a"}, "right"),
        ("a", {"truth": lambda w: "b"}, "wrong"),
        ("a", {"truth": lambda w: "b" if 1 / (w.n - w.n) else "a"}, "waits"),
        ("e", {"seal": seal_of("it", "e")}, ""),
        ("B", {"seal": seal_of("it", "B")}, ""),
    ],
)
def test_choices(letter: str, row: dict[str, Any], state: str) -> None:
    """A letter that is no choice counts as no answer, whatever the seal. Seals never change."""
    assert seal_of("limited_by", "d") == 0x72310661
    question = Choice("1", "", "it", waits_for="question 7", **row)
    line = _judge(question, Answers(letters={"it": letter}))
    assert line.state == state
    assert ("small letters" in line.words) == (letter in "eB")


@pytest.mark.parametrize(
    ("answer", "rows", "outcome"),
    [
        (12.5, [_PEAK], ("exact", "right", "")),
        (10.0, [_PEAK], ("exact", "wrong", "more than 5 % away from build/ceilings.json")),
        (12e3, [_PEAK], ("exact", "wrong", "Mflop/s? the question asks for Gflop/s")),
        (10.0, [], ("recorded", "noted", "")),
        (10.0, [{**_PEAK, "is_ceiling": False}], ("recorded", "noted", "")),
        (
            180.0,
            [{**_PEAK, "is_ceiling": False}, {**_PEAK, "operation": "fma", "best": 180e9}],
            ("recorded", "wrong", "this ceiling was measured as 12 (?): ./lab machine shows it"),
        ),
        (10.0, [{**_PEAK, "operation": "fma"}], ("recorded", "noted", "")),
        (math.nan, [_PEAK], ("recorded", "", "")),
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
    ceilings = Ceilings(rows=tuple(map(complete, rows)))
    line = _judge(question, Answers({"it": answer}), ceilings=ceilings)
    assert (line.kind, line.state, line.words) == outcome


def test_a_member_that_was_removed() -> None:
    for question, wanted in (
        (Recorded("1", "", "it"), "double"),
        (Choice("1", "", "it", seal=1), "char"),
        (Text("1", "", "it"), "std::string"),
    ):
        with pytest.raises(LabError, match=f"^worksheet.hpp: {wanted} it is missing: restore it$"):
            _judge(question, Answers())


def _both(function: Callable[[int], float]) -> Numbers:
    return function(SIZES[0]), function(SIZES[1])


def _pairs(factor: float) -> Numbers:
    return _both(lambda n: factor * n * (n - 1))


_BYTES = "bytes of float? the question asks for numbers, whatever their size"
_NUMBERS = {
    "open": (math.nan, math.nan),
    "only_for_1000": (9.0 * 1000 * 999,) * 2,
    "n2": _both(lambda n: 9 * n * n),
    "none": None,
}


def _numbers(text: str) -> Numbers | None:
    return _NUMBERS[text] if text in _NUMBERS else _pairs(float(text))


def _classes(text: str, unit: str = "none") -> list[ClassAnswer]:
    """ "10/9": 10 n (n - 1) is typed, 9 n (n - 1) is right."""
    pairs = (map(_numbers, one.split("/")) for one in text.split())
    return [ClassAnswer("", typed or (0, 0), right, unit, 0.005) for typed, right in pairs]


def test_a_right_count() -> None:
    """Its classes and their sum are shown as expressions; the sum has no points."""
    lines = judge_counts("3", _classes("9/9 5/5"), "all", Detail.TOTAL)
    assert [(line.state, line.answer, line.is_sum, line.points) for line in lines] == [
        ("right", "9 n^2 - 9 n", False, 1),
        ("right", "5 n^2 - 5 n", False, 1),
        ("right", "14 n^2 - 14 n", True, 0),
    ]


_TOTAL, _WHICH, _BY = Detail
_FAR = "wrong: too few, far off: count again before asking by how much"
_OFF = "wrong: too few: by 1.00 per interaction, 999000 in all with n = 1000"


@pytest.mark.parametrize(
    ("classes", "detail", "told"),
    [
        # A number that is no expression.
        ("only_for_1000/9", _TOTAL, "wrong: right for n = 1000 only: write an expression in n"),
        # First only too many or too few, then which, then by how much.
        ("10/9 5/5", _TOTAL, "answered: |answered: |wrong: too many"),
        ("9/9 4/5", _WHICH, "right: |wrong: too few|wrong: too few"),
        ("9/9 4/5", _BY, f"right: |{_OFF}|wrong: too few"),
        # An answer of zero is no oracle; two wrongs do not make a right.
        ("0/9 5/5", _BY, f"{_FAR}|right: |wrong: too few"),
        ("10/9 4/5", _TOTAL, "answered: |answered: |wrong: the sum is right, its parts are not"),
        # Nothing before all are answered, nor about what was not counted or is no number for every n.
        ("10/9 open/5", _BY, "waits: answer the others first|: "),
        ("10/none", _TOTAL, "waits: not counted; ./lab count says why"),
        ("9/9 open/none", _TOTAL, "right: |noted: not asked: it depends on the positions"),
        (
            "n2/9 5/5",
            _TOTAL,
            "right: apart from smaller terms|right: |right: apart from smaller terms",
        ),
        # The sum names a slip of all classes, but not of one, which is named where the class is.
        ("56/14 12/3", _TOTAL, f"answered: |answered: |wrong: {_BYTES}"),
        ("56/14 3/3", _TOTAL, "answered: |answered: |wrong: too many"),
        ("56/14 3/3", _WHICH, f"wrong: {_BYTES}|right: |wrong: too many"),
    ],
)
def test_counts(classes: str, detail: Detail, told: str) -> None:
    """No more is told than was asked for."""
    lines = judge_counts("3", _classes(classes, "numbers"), "all", detail)
    assert "|".join(f"{line.state.value}: {line.words}" for line in lines) == told


def test_expressions() -> None:
    """An answer is shown as the expression that was typed, if it was one."""
    for text, function in {
        "27 n^2 - 27 n": lambda n: 27 * n * n - 27 * n,
        "3 n": lambda n: 3 * n,
        "0": lambda n: 0,
        "5.5 n^2 + 0.5 n": lambda n: 5.5 * n * n + n / 2,
        "n^2 - n": lambda n: n * n - n,
        "8.991e+06 with n = 1000": lambda n: 8991000.0,
        "inf with n = 1000": lambda n: math.inf,
    }.items():
        assert format_expression(_both(function)) == text
