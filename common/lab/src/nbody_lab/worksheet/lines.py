"""A line of a judged worksheet, and the worksheet, which is also the file of --json and in build/worksheets."""

import enum
from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Literal

import pydantic
from pydantic import BeforeValidator, Field
from pydantic.dataclasses import dataclass

from nbody_lab.notebook.kept_results import Record


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


def decodable(text: str) -> str:
    """A student's bytes need not be UTF-8."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


Text = Annotated[str, BeforeValidator(decodable)]


@dataclass(frozen=True)
class Line:
    number: str
    question: Text
    kind: str = "exact"  # text, exact, follows, choice or recorded
    answer: Text = ""
    state: State = State.UNANSWERED
    words: Text = ""  # further explanation
    points: float = 1.0
    name: str = Field(default="", exclude=True, description="of the answer in worksheet.hpp")
    is_count: bool = Field(default=False, exclude=True)
    is_sum: bool = Field(
        default=False, exclude=True, description="of the lines above, not an answer"
    )

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
    authors: Text
    lines: tuple[Line, ...]
    paper_machine: Text = Field(
        default="", exclude=True, description="one line, from the authors' names"
    )


class KeptSheet(Record):
    """The last ./lab worksheet of a part, for the page of ./lab report."""

    what: Literal["worksheet"] = "worksheet"
    part: str
    authors: Text
    lines: tuple[Line, ...]


SHEET = pydantic.TypeAdapter(Sheet)


def any_wrong(lines: Iterable[Line]) -> bool:
    return any(line.is_wrong for line in lines)


def hide_choices(sheet: Sheet) -> Sheet:
    """As students see it: whether a choice is right is only for the grader."""
    lines = (
        replace(line, state=State.HIDDEN)
        if line.is_choice and line.state is not State.UNANSWERED
        else line
        for line in sheet.lines
    )
    return replace(sheet, lines=tuple(lines))
