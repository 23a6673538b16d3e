"""A judged worksheet: its lines, and how ./lab worksheet prints them."""

import enum
from collections.abc import Collection, Sequence

from pydantic import Field
from pydantic.dataclasses import dataclass

from nbody_lab.core.console import format_table, wrapped
from nbody_lab.core.model import LabModel
from nbody_lab.core.words import plural


class State(str, enum.Enum):
    """As it is shown, and written to files."""

    UNANSWERED = ""
    WAITING = "waits"  # for an earlier answer
    UNCOUNTED = "not counted"  # what its author cannot fix
    RIGHT = "right"
    WRONG = "wrong"
    NOTED = "noted"  # any answer will do, or it is judged later
    HIDDEN = "answered"  # in a group that reveals less than is known


@dataclass(frozen=True)
class Line:
    """One line of the table that the command prints."""

    number: str
    question: str
    kind: str = Field(default="exact", description="text, exact, follows, choice or recorded")
    answer: str = ""
    state: State = State.UNANSWERED
    words: str = Field(default="", description="further explanation")
    points: float = 1.0
    name: str = Field(default="", exclude=True, description="of the answer in worksheet.hpp")
    is_sum: bool = Field(default=False, description="of the lines above, not an answer")

    @property
    def verdict(self) -> str:
        """An empty answer has its name."""
        state = self.state.value
        if self.state is State.UNANSWERED and not self.answer:
            state = f"empty: {self.name}" if self.name else ""
        return ": ".join(word for word in (state, self.words) if word)


class Sheet(LabModel):
    """A judged worksheet, and what worksheet --json writes."""

    part: str
    authors: str
    lines: tuple[Line, ...]
    hypothetical_machine: str = Field(
        default="", exclude=True, description="one line, from the authors' names"
    )


def format_lines(lines: Sequence[Line]) -> str:
    """The table. A question's number appears in its first row only, and an empty column not at all."""
    before = [None, *(line.number for line in lines)]
    rows = [
        (
            "" if line.number == number else line.number,
            line.question,
            line.kind,
            line.answer,
            line.verdict,
        )
        for number, line in zip(before, lines)
    ]
    titles = (">no", "question", "kind", ">answer", "verdict")
    shown = [k for k in range(len(titles)) if any(row[k] for row in rows)]
    return format_table(
        [titles[k] for k in shown], [[row[k] for k in shown] for row in rows], indent=2
    )


def format_progress(lines: Sequence[Line]) -> str:
    """ "3 of 4 lines answered; wrong: 2; empty: 4"; of an empty sheet nothing but the count."""
    asked = [line for line in lines if not line.is_sum]
    given = sum(line.state is not State.UNANSWERED for line in asked)
    text = f"{given} of {plural(len(asked), 'line')} answered"
    states = {
        "wrong": [State.WRONG],
        "empty": [State.UNANSWERED],
        "waiting": [State.WAITING, State.UNCOUNTED],
    }
    for what, those in states.items() if given else ():
        numbers = dict.fromkeys(line.number for line in lines if line.state in those)
        text += f"; {what}: {', '.join(numbers)}" if numbers else ""
    return text


def select_lines(lines: Sequence[Line], numbers: Collection[str]) -> list[Line]:
    """The lines of these questions, and of those in which something is wrong, as a letter that is no choice."""
    is_no_choice = [
        line
        for line in lines
        if line.kind == "choice" and line.answer and line.state is State.UNANSWERED
    ]
    wrong = [line for line in lines if line.state is State.WRONG]
    shown = {*numbers, *(line.number for line in (*is_no_choice, *wrong))}
    return [line for line in lines if line.number in shown]


def format_sheet(sheet: Sheet, shown: Sequence[Line]) -> str:
    """Hypothetical machine, table of the lines shown, progress of all."""
    machine = ["hypothetical machine: write your names into worksheet.hpp first"]
    if sheet.authors:
        text = f"hypothetical machine of {sheet.authors}: {sheet.hypothetical_machine}"
        machine = wrapped(text, indent="  ")
    text = "\n".join([f"worksheet of {sheet.part}", *machine, "", format_lines(shown), ""])
    hidden = sum(not line.is_sum for line in sheet.lines) - sum(not line.is_sum for line in shown)
    if hidden:
        text += f"{plural(hidden, 'more line')}: ./lab worksheet {sheet.part} --all\n"
    text += f"\n{format_progress(sheet.lines)}\n"
    if any(line.state is State.HIDDEN and line.kind != "choice" for line in sheet.lines):
        text += "a count is wrong; look again, then --which tells which class\n"
    return text
