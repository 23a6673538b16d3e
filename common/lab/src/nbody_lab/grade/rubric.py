"""What gives points: a rubric such as data/rubric.json, as models. docs/fields.md has them as tables."""

import itertools
from pathlib import Path
from typing import Annotated, Literal

import pydantic
from pydantic import Field

from nbody_lab import ROOT
from nbody_lab.building.lab import known_parts
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import LabModel, load
from nbody_lab.core.words import nearest, plural
from nbody_lab.tasks.questions import load_questions

PUBLISHED = ROOT / "data/rubric.json"

Positive = Annotated[float, Field(gt=0)]


class _Rule(LabModel):
    model_config = pydantic.ConfigDict(strict=True, allow_inf_nan=False)


class CorrectnessRule(_Rule):
    """The best right row counts. Without one there are no points for speed."""

    points: float = Field(ge=0)


class WorksheetRule(_Rule):
    """It earns nothing, but admits to the part's points."""

    admits_from: float = Field(
        gt=0, le=1, description="share that is right; below it a person decides"
    )
    leave_out: tuple[str, ...] = Field(default=(), description="questions that do not count")


class SpeedRule(_Rule):
    """Points for one speed."""

    threads: Literal["all"] | Annotated[int, Field(ge=1)] = Field(
        description="of each rank in part 4; all: all cores, shared out to the ranks"
    )
    n: int = Field(ge=1, description="bodies")
    points: Positive = Field(description="of the last band")
    measure: Literal["share_of_solution", "times_naive"]
    bands: tuple[tuple[Positive, Positive], ...] = Field(min_length=1, description="(from, points)")

    @pydantic.model_validator(mode="after")
    def _bands_ascend(self) -> "SpeedRule":
        for before, band in itertools.pairwise(self.bands):
            if band[0] <= before[0] or band[1] <= before[1]:
                raise ValueError(f"bands must ascend, but {band} comes after {before}")
        if (last := self.bands[-1][1]) != self.points:
            raise ValueError(f"the last band gives {last:g} points, the item has {self.points:g}")
        return self

    @property
    def item(self) -> str:
        """The item's name: "speed, 1 thread, 2000 bodies", unique within a part."""
        threads = "all threads" if self.threads == "all" else plural(int(self.threads), "thread")
        measure = ", over naive" if self.measure == "times_naive" else ""
        return f"speed, {threads}, {plural(self.n, 'body', 'bodies')}{measure}"

    def threads_of(self, cores: int, processes: int) -> int:
        """Of each process: "all" shares the cores out to the ranks, as a program does by itself."""
        if self.threads == "all":
            return max(1, cores // max(1, processes))
        return int(self.threads)

    def points_for(self, value: float) -> float:
        return max((points for begin, points in self.bands if value >= begin), default=0)


class ManualRule(_Rule):
    """Marked by people."""

    question: str = Field(description="unique in the rubric")
    points: Positive
    oral: bool = Field(default=False, description="asked aloud, and not in NOTEBOOK.md")


class PartRule(_Rule):
    """What gives points in a part."""

    correctness: CorrectnessRule | None = None
    worksheet: WorksheetRule | None = None
    speed: tuple[SpeedRule, ...] = ()
    manual: tuple[ManualRule, ...] = ()

    def items(self) -> list[tuple[str, float]]:
        """(name, points) of each item."""
        return [
            *([("correctness", self.correctness.points)] if self.correctness else []),
            *((speed.item, speed.points) for speed in self.speed),
            *((one.question, one.points) for one in self.manual),
        ]

    @property
    def points(self) -> float:
        return sum(points for _, points in self.items())

    @pydantic.model_validator(mode="after")
    def _names_differ(self) -> "PartRule":
        names = [name for name, _ in self.items()]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two items are called '{name}': join or reword them")
        return self


class LateRule(_Rule):
    per_day_percent: float = Field(
        default=0, ge=0, le=100, description="of the points, for each day in `late.csv`"
    )


class Rubric(_Rule):
    version: Literal[1]
    title: str = Field(description="the course")
    maximum: float = Field(description="the sum of all its points")
    parts: dict[str, PartRule] = Field(min_length=1, description="those that are graded")
    late: LateRule = LateRule()

    @pydantic.model_validator(mode="after")
    def _points_add_up(self) -> "Rubric":
        total = sum(part.points for part in self.parts.values())
        if abs(total - self.maximum) > 1e-9:
            raise ValueError(f"the items add up to {total:g} points, not to {self.maximum:g}")
        return self


def read_rubric(file: Path) -> Rubric:
    """Raises LabError: the file, the place in it, and what is wrong."""
    rubric = load(Rubric, file)
    for name, rule in rubric.parts.items():
        if name not in known_parts():
            raise LabError(f"{file}: parts.{name} is no part{nearest(name, known_parts())}")
        questions = load_questions(next(ROOT.glob(f"{name}_*"))).questions
        asked = {"0", *(one.number for one in questions)}
        for number in rule.worksheet.leave_out if rule.worksheet else ():
            if number not in asked:
                where = f"parts.{name}.worksheet.leave_out"
                raise LabError(f"{file}: {where}: the worksheet has no question {number}")
    return rubric
