"""The questions of a part, partX/questions.json (docs/file_formats.md), as models, and what is checked beyond types.

An error in the file is one line, FILE: question N: what is wrong.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, Literal

import pydantic
from pydantic import BeforeValidator, Field

from nbody_lab.core.errors import LabError
from nbody_lab.core.model import LabModel, fault_in, place_of
from nbody_lab.measure.count_file import FORCES
from nbody_lab.measure.results import Ceiling
from nbody_lab.notebook.file import in_quotes, shown
from nbody_lab.worksheet.expression import (
    ARITHMETIC,
    BadExpression,
    Expression,
    Formula,
    Functions,
    evaluate,
    is_missing,
)
from nbody_lab.worksheet.hypothetical_machine import PaperMachine
from nbody_lab.worksheet.sheet import Detail
from nbody_lab.worksheet.slips import SLIPS


def _parse_unit(unit: object) -> object:
    if unit not in SLIPS:
        raise ValueError(f"'{unit}' is not known; there are {', '.join(SLIPS)}")
    return unit


def _parse_member(name: object) -> object:
    if isinstance(name, str) and not name.isidentifier():
        raise ValueError(f"'{name}' is not the name of a member in worksheet.hpp")
    return name


def _parse_seal(seal: object) -> object:
    try:
        return int(str(seal), 16)
    except ValueError:
        instead = "./lab worksheet PART --seal ANSWER LETTER prints one"
        raise ValueError(f"'{seal}' is not a seal: {instead}") from None


Unit = Annotated[str, BeforeValidator(_parse_unit)]
Member = Annotated[str, BeforeValidator(_parse_member)]
Seal = Annotated[int, BeforeValidator(_parse_seal)]


class _Strict(LabModel):
    model_config = pydantic.ConfigDict(strict=True)


class _Question(_Strict):
    number: str = Field(description="several rows may share one")
    points: float = Field(1.0, description="of each of its lines; 1 if left out")


class _Answered(_Question):
    text: str = Field(description="the question; `{mine}` inserts the text of that name")
    answer: Member = Field(description="its name in `worksheet.hpp`")

    def answers(self) -> tuple[str, ...]:
        return (self.answer,)


class TextQuestion(_Answered):
    """Given or not."""

    kind: Literal["text"]


class ExactQuestion(_Answered):
    """A number with one right value."""

    kind: Literal["exact"]
    truth: Formula = Field(description="the right answer")
    tolerance: float | str = Field(description="relative, or the name of one of `tolerances`")
    unit: Unit = Field("none", description="to name known slips: a key of `SLIPS` in `slips.py`")
    waits_for: str = Field("", description="what `truth` follows from, in words")


class FollowsQuestion(ExactQuestion):
    """A number that follows from earlier answers, right or wrong."""

    kind: Literal["follows"]  # type: ignore[assignment]
    waits_for: str


class ChoiceQuestion(_Answered):
    """A letter from a to d: by its seal, or by a truth that waits for answers."""

    kind: Literal["choice"]
    seal: Seal = Field(0, description="of the right letter, as `worksheet --seal` prints it")
    truth: Formula | None = None
    waits_for: str = ""

    @pydantic.model_validator(mode="after")
    def _must_have_an_answer(self) -> "ChoiceQuestion":
        if not self.seal and not self.truth:
            raise ValueError("seal or truth is missing")
        if not self.seal and not self.waits_for:
            raise ValueError("waits_for is missing")
        return self


class RecordedQuestion(_Answered):
    """A number that is only recorded, or judged if its truth is known here."""

    kind: Literal["recorded"]
    truth: Formula | None = None
    tolerance: float | str = 0.0
    unit: Unit = "none"
    usually: float | None = Field(None, description="the usual answer")
    within: float = Field(0.0, description="of it; an answer farther off is flagged, but right")
    notebook: Formula | None = Field(None, description="numbers, one of which should be close")
    waits_for: Literal[""] = ""


class CountedClass(_Strict):
    """One class of operations."""

    text: str
    answer: Member
    truth: Formula


class CountQuestion(_Question):
    """Expressions of n, judged with n = 1000 and 4099; one class alone may stand in the row."""

    kind: Literal["count"]
    classes: tuple[CountedClass, ...] = Field(strict=False, description="judged together")
    tolerance: float | str
    unit: Unit = "none"
    sum: str = Field("", description="the words for the classes' sum, if it is shown")
    most_told: Detail = Field(Detail.BY_HOW_MUCH, strict=False, description="of a wrong count")

    @pydantic.model_validator(mode="before")
    @classmethod
    def _take_the_only_class(cls, row: Any) -> Any:
        if not isinstance(row, dict) or "classes" in row:
            return row
        one = {name: row[name] for name in CountedClass.model_fields if name in row}
        return {"classes": [one]} | {key: row[key] for key in row if key not in one}

    def answers(self) -> tuple[str, ...]:
        return tuple(one.answer for one in self.classes)


class NotebookQuestion(_Question):
    """Rows of the notebook."""

    kind: Literal["notebook"]
    wanted: int = Field(description="rows with a prediction and a measurement")
    text: str = "rows of the notebook"

    def answers(self) -> tuple[str, ...]:
        return ()


Question = Annotated[
    TextQuestion
    | ExactQuestion
    | FollowsQuestion
    | ChoiceQuestion
    | RecordedQuestion
    | CountQuestion
    | NotebookQuestion,
    Field(discriminator="kind"),
]


class Tolerance(_Strict):
    """How far an answer may differ."""

    value: float = Field(description="relative")
    why: str


class HiddenCounts(_Strict):
    """Counts of the given code that are not shown yet."""

    until_right: tuple[str, ...] = Field(default=(), description="questions to answer before")
    functions: tuple[str, ...] = Field(default=(FORCES,), description="what they are about")


class Questions(_Strict):
    """PART_FOLDER/questions.json."""

    what: str = ""
    version: Literal[1]
    part: str
    tolerances: dict[str, Tolerance] = {}
    formulas: dict[str, Formula] = Field({}, description="each may use those above it")
    hypothetical_machine: PaperMachine
    names: tuple[str, ...] = Field((), description="members of `worksheet.hpp` that are texts")
    hidden_counts: HiddenCounts = HiddenCounts()
    questions: tuple[Question, ...] = Field(description="in the order of the worksheet")

    def text_names(self) -> set[str]:
        texts = [q.answer for q in self.questions if isinstance(q, TextQuestion)]
        return {*self.names, *texts}

    def answer_names(self) -> list[str]:
        """The names that the part's worksheet.hpp must declare."""
        return [*self.names, *(name for question in self.questions for name in question.answers())]

    def require(self, number: str) -> None:
        """Raises LabError: there is no such question."""
        numbers = [question.number for question in self.questions]
        if number not in numbers:
            quoted = in_quotes(number)
            raise LabError(f"{self.part} has no question {quoted}; the last is {numbers[-1]}")

    def tolerance_of(self, question: ExactQuestion | RecordedQuestion | CountQuestion) -> float:
        tolerance = question.tolerance
        return self.tolerances[tolerance].value if isinstance(tolerance, str) else tolerance

    @pydantic.model_validator(mode="after")
    def _check(self) -> "Questions":
        try:
            _Checker(self).check()
        except BadExpression as error:
            raise ValueError(str(error)) from None
        return self


# Dummies of the functions that expressions may call besides ARITHMETIC, for truths and for the column `notebook`, with
# the signatures of scope.py: they reveal wrong calls when the file is read.
def _sample_ceiling(**columns: object) -> float:
    unknown = set(columns) - set(Ceiling.model_fields)
    if unknown:
        raise TypeError(f"ceilings have no {unknown.pop()}")
    return 7.0


_DUMMY: Functions = {"draw": lambda count: 0}
_OF_TRUTHS: Functions = {
    "counted": lambda kind, function=FORCES, of="naive": 7.0,
    "ceiling": _sample_ceiling,
}
_OF_NOTEBOOK: Functions = {
    "expected_gains": list,
    "measured_gains": list,
    "latest_speed": lambda name, n=0, threads=0: [],
    "speed_ups": lambda n=0, threads=0: [],
}


class _Checker:
    """Are all names known, all calls right, and all truths of the right type? Raises BadExpression with the place."""

    def __init__(self, part: Questions) -> None:
        self.part = part
        self.known: set[str] = set()
        self.texts = {*part.names, "authors"}

    def check(self) -> None:
        part = self.part
        for name, constant in part.hypothetical_machine.constants.items():
            self._sample("hypothetical_machine: ", constant, _DUMMY)
            self.known.add(name)
        try:
            part.hypothetical_machine.check()
        except BadExpression as error:
            raise BadExpression(f"hypothetical_machine: {error}") from None
        constants = {f"paper.{name}" for name in part.hypothetical_machine.constants}
        self.known = {"n", *part.names, *part.tolerances, *constants}
        for question in part.questions:
            for name in question.answers():
                if name in self.known - constants:
                    what = f"another question has the answer {name} already"
                    raise BadExpression(f"question {question.number}: {what}")
                self.known.add(name)
        for name, formula in part.formulas.items():
            self._sample(f"formulas: {name}: ", formula)
            self.known.add(name)
        for question in part.questions:
            self._check_question(question)
        numbers = [question.number for question in part.questions]
        for number in part.hidden_counts.until_right:
            if number not in numbers:
                raise BadExpression(f"hidden_counts: there is no question {number}")

    def _check_question(self, question: Question) -> None:
        where = f"question {question.number}: "
        for truth in _truths_of(question):
            sample = self._sample(where, truth)
            is_letter = isinstance(question, ChoiceQuestion)
            fits = sample in tuple("abcd") if is_letter else not isinstance(sample, str)
            if not fits and not is_missing(sample):
                wanted = "a letter from a to d" if is_letter else "a number"
                raise BadExpression(f"{where}'{truth.text}' gives {sample!r}, not {wanted}")
        if isinstance(question, RecordedQuestion) and question.notebook:
            self._sample(where, question.notebook, _OF_NOTEBOOK)
        tolerance, known = getattr(question, "tolerance", 0.0), self.part.tolerances
        if isinstance(tolerance, str) and tolerance not in known:
            there_are = f"there are {', '.join(known) or 'none'}"
            raise BadExpression(f"{where}there is no tolerance '{tolerance}'; {there_are}")

    def _sample(self, where: str, expression: Expression, functions: Functions = _OF_TRUTHS) -> Any:
        """Its value with arbitrary answers."""
        callable_here = {*ARITHMETIC, *functions}
        for name in sorted(expression.names - self.known):
            neither = "neither an answer nor a formula, tolerance or constant above"
            raise BadExpression(f"{where}'{expression.text}' needs {name}, which is {neither}")
        for name in sorted(expression.functions - callable_here):
            choose = f"which does not exist; choose from {', '.join(sorted(callable_here))}"
            raise BadExpression(f"{where}'{expression.text}' calls {name}(), {choose}")
        values = {name: "mine" if name in self.texts else 2.0 for name in self.known}
        paper = {name.removeprefix("paper."): 2.0 for name in self.known}
        names = {**values, "paper": SimpleNamespace(**paper)}
        try:
            return evaluate(expression, names, functions)
        except BadExpression as error:
            raise BadExpression(f"{where}{error}") from None


def _truths_of(question: Question) -> Iterator[Expression]:
    if isinstance(question, CountQuestion):
        yield from (one.truth for one in question.classes)
    elif truth := getattr(question, "truth", None):
        yield truth


def _describe(error: pydantic.ValidationError, text: bytes) -> str:
    """The first error in one line, with the question's number instead of its place in the file."""
    first = error.errors()[0]
    location, fault = first["loc"], fault_in(error)
    if location[:1] != ("questions",) or len(location) < 2:
        return fault
    row = json.loads(text)["questions"][location[1]]
    number = row.get("number", "?") if isinstance(row, dict) else "?"
    if first["type"] == "union_tag_not_found":
        fault = "kind is missing"
    if first["type"] == "union_tag_invalid":
        kinds = first["ctx"]["expected_tags"].replace("'", "")
        fault = f"there is no kind '{first['ctx']['tag']}'; there are {kinds}"
    return f"question {number}: {fault.removeprefix(place_of(location[:3])).lstrip('. ')}"


def load_questions(file: Path) -> Questions:
    """Raises LabError."""
    try:
        text = file.read_bytes()
        return Questions.model_validate_json(text)
    except OSError as error:
        raise LabError(f"{shown(file)}: {error.strerror}") from None
    except pydantic.ValidationError as error:
        raise LabError(f"{shown(file)}: {_describe(error, text)}") from None
