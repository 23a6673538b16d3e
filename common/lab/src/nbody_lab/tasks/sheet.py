"""A judged worksheet: its lines, and how ./lab worksheet prints them. For choices only the number of right ones is shown;
the hand-in says which."""

import enum
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field
from pydantic.dataclasses import dataclass

from nbody_lab.check.kept import Record
from nbody_lab.core.console import format_table, wrapped
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


def decodable(text: str) -> str:
    """A student's bytes need not be UTF-8."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


Text = Annotated[str, BeforeValidator(decodable)]


@dataclass(frozen=True)
class Line:
    """One line of the table that the command prints."""

    number: str
    question: Text
    kind: str = Field(default="exact", description="text, exact, follows, choice or recorded")
    answer: Text = ""
    state: State = State.UNANSWERED
    words: Text = Field(default="", description="further explanation")
    points: float = 1.0
    name: str = Field(default="", exclude=True, description="of the answer in worksheet.hpp")
    is_count: bool = Field(default=False, exclude=True)
    is_sum: bool = Field(default=False, description="of the lines above, not an answer")

    @property
    def is_choice(self) -> bool:
        return self.kind == "choice"

    @property
    def is_wrong(self) -> bool:
        """Choices do not count: a single one must not be found by trial."""
        return self.state is State.WRONG and not self.is_choice


class Sheet(LabModel):
    """A judged worksheet, and what worksheet --json writes."""

    part: str
    authors: Text
    lines: tuple[Line, ...]
    hypothetical_machine: Text = Field(
        default="", exclude=True, description="one line, from the authors' names"
    )


class KeptSheet(Sheet, Record):
    """The last ./lab worksheet of a part, for the page of ./lab report."""

    what: Literal["worksheet"] = "worksheet"


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
    return sheet.model_copy(update={"lines": tuple(lines)})


_COLUMNS = (
    ">no",
    "question",
    "kind",
    ">answer",
    "verdict",
)


def _verdict(line: Line) -> str:
    """The verdict; hidden for a choice. An empty answer has its name."""
    told = not line.is_choice or line.state is State.UNANSWERED or line.words
    state = line.state.value if told else State.HIDDEN.value
    if line.state is State.UNANSWERED and not line.answer:
        state = f"empty: {line.name}" if line.name else ""
    return ": ".join(word for word in (state, line.words) if word)


def format_lines(lines: Sequence[Line]) -> str:
    """The table. A question's number appears in its first row only, and an empty column not at all."""
    before = [None, *(line.number for line in lines)]
    rows = [
        (
            "" if line.number == number else line.number,
            line.question,
            line.kind,
            line.answer,
            _verdict(line),
        )
        for number, line in zip(before, lines)
    ]
    shown = [k for k in range(len(_COLUMNS)) if any(row[k] for row in rows)]
    columns = [_COLUMNS[k] for k in shown]
    return format_table(columns, [[row[k] for k in shown] for row in rows], indent=2)


def _format_choices(lines: Sequence[Line]) -> str:
    choices = [line for line in lines if line.is_choice]
    given = sum(line.state is not State.UNANSWERED for line in choices)
    right = sum(line.state is State.RIGHT for line in choices)
    if given == 0:
        return ""
    if given < len(choices):
        return (
            f"choices: {given} of {len(choices)} given; the score appears once all are answered\n"
        )
    which = "" if right == len(choices) else "; your instructor knows which"
    return f"choices: {right} of {len(choices)} right{which}\n"


def _format_hypothetical_machine(sheet: Sheet) -> str:
    if not sheet.authors:
        return "hypothetical machine: write your names into worksheet.hpp first\n"
    text = f"hypothetical machine of {sheet.authors}: {sheet.hypothetical_machine}"
    return "\n".join(wrapped(text, indent="  ")) + "\n"


def _format_count(lines: Sequence[Line]) -> str:
    asked = [line for line in lines if not line.is_sum]
    given = sum(line.state is not State.UNANSWERED for line in asked)
    return f"{given} of {len(asked)} line{'' if len(asked) == 1 else 's'} answered"


def _in_ranges(numbers: Sequence[str]) -> str:
    """ "0, 3 to 9, 12" """
    groups: list[list[str]] = []
    for number in dict.fromkeys(numbers):
        if groups and groups[-1][-1].isdigit() and number == str(int(groups[-1][-1]) + 1):
            groups[-1].append(number)
        else:
            groups.append([number])
    return ", ".join(
        f"{group[0]} to {group[-1]}" if len(group) > 2 else ", ".join(group) for group in groups
    )


def _format_numbers(lines: Sequence[Line]) -> str:
    """ "; wrong: 3, 13; empty: 14 to 19; waiting: 20". Wrong choices are not listed."""
    numbers = {
        "wrong": [line.number for line in lines if line.is_wrong],
        "empty": [line.number for line in lines if line.state is State.UNANSWERED],
        "waiting": [line.number for line in lines if line.state is State.WAITING],
    }
    return "".join(f"; {what}: {_in_ranges(which)}" for what, which in numbers.items() if which)


def format_progress(lines: Sequence[Line]) -> str:
    """ "3 of 4 lines answered; wrong: 2; empty: 4"; of an empty sheet nothing but the count."""
    begun = any(not line.is_sum and line.state is not State.UNANSWERED for line in lines)
    return f"{_format_count(lines)}{_format_numbers(lines) if begun else ''}"


def _advise(lines: Sequence[Line], detail: Detail) -> str:
    """A hint on what to ask next when a count is wrong."""
    if detail is Detail.BY_HOW_MUCH or not any(line.is_count and line.is_wrong for line in lines):
        return ""
    if detail is Detail.TOTAL:
        return "a count is wrong; look again, then --which tells which class\n"
    return "look again, then --by-how-much tells the difference\n"


def select_lines(lines: Sequence[Line], numbers: Collection[str]) -> list[Line]:
    """The lines of these questions, and of those in which something is wrong, as a letter that is no choice."""
    no_choice = {line.number for line in lines if line.is_choice and line.answer and line.words}
    shown = {*numbers, *no_choice, *(line.number for line in lines if line.is_wrong)}
    return [line for line in lines if line.number in shown]


def numbers_changed(before: Sheet | None, now: Sheet) -> set[str]:
    """Of the questions that have another answer than before; none if it is not known."""
    if before is None:
        return set()
    answers = {(line.number, line.question): line.answer for line in before.lines}
    return {
        line.number
        for line in now.lines
        if line.answer and line.answer != answers.get((line.number, line.question))
    }


def format_sheet(sheet: Sheet, detail: Detail, shown: Sequence[Line] | None = None) -> str:
    """Hypothetical machine, table of the lines shown (None: all), progress of all."""
    lines = sheet.lines
    shown = lines if shown is None else shown
    hidden = sum(not line.is_sum for line in lines) - sum(not line.is_sum for line in shown)
    more = f"{hidden} more line{'' if hidden == 1 else 's'}: ./lab worksheet {sheet.part} --all\n"
    return (
        f"worksheet of {sheet.part}\n{_format_hypothetical_machine(sheet)}\n{format_lines(shown)}\n"
        f"{more if hidden else ''}\n{format_progress(lines)}\n"
        f"{_format_choices(lines)}{_advise(lines, detail)}"
    )


def lines_of_question(sheet: Sheet, number: str) -> list[Line]:
    return [line for line in sheet.lines if line.number == number]


def format_question(lines: Sequence[Line], detail: Detail) -> str:
    """One question's lines. They omit choices, because a single one would reveal whether it is right."""
    return f"{format_lines(lines)}\n\n{_format_count(lines)}\n{_advise(lines, detail)}"
