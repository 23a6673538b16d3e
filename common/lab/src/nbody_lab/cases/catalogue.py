"""The ten broken programs of ./lab case: what stands in cases.json, and which of them are solved."""

import datetime
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from nbody_lab.core.messages import UserError
from nbody_lab.core.model import LabModel, load
from nbody_lab.core.whole_file import write_text

_HERE = Path(__file__).resolve().parent
CASES = _HERE / "cases.json"
SOURCES = _HERE / "sources"

Kind = Literal[
    "forces",
    "exact cases",
    "steps",
    "adaptive step",
    "integrators",
    "jerk",
    "conservation",
    "threads",
]
Text = Annotated[str, Field(min_length=1)]


class Cause(LabModel):
    """One of the causes to choose from."""

    text: Text
    nudge: str | None = Field(description="why it is not this one; null: it is")


class Case(LabModel):
    """A program that is wrong in one place."""

    title: Text
    symptom: tuple[Text, ...] = Field(min_length=1, description="paragraphs")
    fails: dict[Kind, Text] = Field(min_length=1, description="what the check says of each kind")
    mistake: Text = Field(description="the program of kind wrong in the manifest that makes it")
    diagnosis: Text = Field(description="a part of the check's sentence")
    causes: tuple[Cause, ...] = Field(min_length=6, max_length=6)
    lines: tuple[Text, ...] = Field(min_length=1, description="where it may be seen, as written")
    where: Text = Field(description="a nudge towards the line")
    lesson: Text

    @model_validator(mode="after")
    def _one_cause_is_right(self) -> "Case":
        if [cause.nudge for cause in self.causes].count(None) != 1:
            raise ValueError("exactly one cause is right: the one whose nudge is null")
        return self

    @property
    def cause(self) -> int:
        """The number of the right cause, from 1."""
        return [cause.nudge for cause in self.causes].index(None) + 1


class Catalogue(LabModel):
    """The file of all cases, in rising difficulty."""

    version: Literal[1]
    cases: tuple[Case, ...] = Field(min_length=10, max_length=10)


class NumberedCase:
    """A case by its number, with its source."""

    def __init__(self, number: int, case: Case) -> None:
        self.number, self.facts = number, case
        self.file_name = f"case_{number}.hpp"

    @cached_property
    def source(self) -> str:
        return (SOURCES / self.file_name).read_text(encoding="utf-8")

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """The numbers of the lines that are accepted, from 1."""
        written = [line.strip() for line in self.source.splitlines()]
        return tuple(sorted(written.index(line) + 1 for line in self.facts.lines))


def read_cases() -> list[NumberedCase]:
    """All cases. Raises UserError."""
    cases = load(Catalogue, CASES).cases
    return [NumberedCase(number, case) for number, case in enumerate(cases, 1)]


# --- which are solved ---------------------------------------------------------------------------


class Solved(LabModel):
    """Lies in data/out, which survives when build/ is deleted and is nobody else's."""

    what: Literal["solved cases"] = "solved cases"
    version: Literal[1] = 1
    solved: dict[int, datetime.date] = Field(
        default_factory=dict, description="the day of the first right answer, by number"
    )


def solved_file(root: Path) -> Path:
    return root / "data/out/solved_cases.json"


def read_solved(root: Path) -> Solved:
    """Which cases are solved. Raises UserError, which says how to begin anew."""
    file = solved_file(root)
    if not file.exists():
        return Solved()
    try:
        return load(Solved, file)
    except UserError as error:
        raise UserError(f"{error}; delete the file to begin anew") from error


def record_solved(root: Path, number: int, today: datetime.date) -> None:
    """Keeps the first day on which it was solved."""
    before = read_solved(root).solved
    if number not in before:
        now = Solved(solved=dict(sorted({**before, number: today}.items())))
        write_text(solved_file(root), now.model_dump_json(indent=1) + "\n")
