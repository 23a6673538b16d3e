"""A line of a judged worksheet, and the worksheet as a file."""

import enum
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Annotated

from pydantic import BeforeValidator

from nbody_lab.core.model import LabModel


class State(str, enum.Enum):
    """As it is shown, and written to files."""

    UNANSWERED = ""
    WAITING = "waits"  # for an earlier answer, or for a count
    RIGHT = "right"
    WRONG = "wrong"
    NOTED = "noted"  # any answer will do
    HIDDEN = "answered"  # in a group that reveals less than is known


class Detail(str, enum.Enum):
    """How much of a wrong count is revealed: too many or too few; which class; by how much."""

    TOTAL = "total"
    WHICH = "which"
    BY_HOW_MUCH = "by how much"

    def at_most(self, other: "Detail") -> "Detail":
        return min(self, other, key=list(Detail).index)


@dataclass(frozen=True)
class Line:
    number: str
    question: str
    kind: str = "exact"  # text, exact, follows, choice or recorded
    answer: str = ""
    state: State = State.UNANSWERED
    words: str = ""  # further explanation
    name: str = ""  # of the answer in worksheet.hpp
    is_count: bool = False
    is_sum: bool = False  # a sum of the lines above, not an answer
    points: float = 1.0

    @property
    def is_choice(self) -> bool:
        return self.kind == "choice"

    @property
    def is_wrong(self) -> bool:
        """Choices do not count: a single one must not be found by trial."""
        return self.state is State.WRONG and not self.is_choice


@dataclass(frozen=True)
class Sheet:
    """A judged worksheet."""

    part: str
    authors: str
    paper_machine: str = ""  # one line, from the authors' names
    lines: list[Line] = field(default_factory=list)


def any_wrong(lines: Iterable[Line]) -> bool:
    return any(line.is_wrong for line in lines)


def printable(text: str) -> str:
    """A student's bytes need not be UTF-8."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


_Text = Annotated[str, BeforeValidator(printable)]


class LineRecord(LabModel):
    """A line as a file has it."""

    number: str
    question: _Text
    kind: str
    answer: _Text
    state: State
    words: _Text
    points: float


class SheetRecord(LabModel):
    """The file of --json; also in build/worksheets."""

    part: str
    authors: _Text
    lines: tuple[LineRecord, ...]


def record_sheet(sheet: Sheet, with_choices: bool = False) -> SheetRecord:
    """The worksheet for a file. Whether a choice is right is only for the grader: `with_choices`."""
    lines = []
    for line in sheet.lines:
        if line.is_choice and line.state is not State.UNANSWERED and not with_choices:
            line = replace(line, state=State.HIDDEN)
        lines.append(LineRecord(**{name: getattr(line, name) for name in LineRecord.model_fields}))
    return SheetRecord(part=sheet.part, authors=sheet.authors, lines=tuple(lines))
