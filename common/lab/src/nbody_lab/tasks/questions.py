"""The questions of a part: what partX/questions.py is made of.

A truth is a function of the student's worksheet: lambda w: min(w.paper.peak, w.intensity * w.paper.bandwidth). Where an
answer that it needs is missing, so is the truth (NaN), and the question waits. Who may edit the handout may run code:
the file is imported, always from the lab's own tree, never from a submission.
"""

import functools
import importlib.util
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias

from nbody_lab.core.errors import LabError
from nbody_lab.measure.count_file import FORCES
from nbody_lab.tasks.evidence import Evidence, best_ceiling
from nbody_lab.tasks.hypothetical_machine import Draw, HypotheticalMachine
from nbody_lab.tasks.program import SIZES, Answers, is_answered

__all__ = ["Draw", "HypotheticalMachine"]  # for questions.py, beside what is defined here


class Missing(ArithmeticError):
    """There is no value yet."""


def is_missing(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def round_half_away_from_zero(number: float) -> float:
    return math.copysign(math.floor(abs(number) + 0.5), number)


class Paper:
    """The constants of a student's hypothetical machine, as attributes."""

    def __init__(self, constants: dict[str, float]) -> None:
        self._constants = constants

    def __getattr__(self, name: str) -> float:
        return self._constants[name]


class Worksheet:
    """What a truth may ask, for one of the two numbers of bodies: earlier answers by their names, n, the hypothetical
    machine, counts and ceilings. What is not there raises Missing."""

    def __init__(self, part: "Questions", evidence: Evidence, which: int = 0) -> None:
        self.part, self.evidence = part, evidence
        self.answers: Answers = evidence.answers[which]
        self.n = SIZES[which]

    def __getattr__(self, name: str) -> float:
        number = self.answers.number(name)
        if not is_answered(number):
            raise Missing
        return number

    def text(self, name: str) -> str:
        return self.answers.text(name)

    @property
    def paper(self) -> Paper:
        authors = self.text("authors")
        if not authors:
            raise Missing
        return Paper(self.part.machine.constants_of(authors))

    def counted(self, kind: str, function: str = FORCES, of: str = "naive") -> float:
        """counted("add"), counted("loads", "largest_time_step"), counted("flops", of=w.text("mine"))."""
        counts = self.evidence.counts
        found = counts.at(self.n, of, kind, function) if of and counts else None
        if found is None:
            raise Missing
        return found

    def ceiling(self, **columns: object) -> float:
        """ceiling(kind="flops", precision="float"): the highest value in ceilings.json of the rows with these columns."""
        found = best_ceiling(self.evidence.ceilings, columns)
        if found is None:
            raise Missing
        return found

    def value(self, truth: Callable[["Worksheet"], Any]) -> Any:
        """NaN where something is missing or undefined (1 / 0)."""
        try:
            found = truth(self)
        except (ArithmeticError, ValueError):
            return math.nan
        return math.nan if isinstance(found, complex) else found


Truth: TypeAlias = Callable[[Worksheet], float]


@dataclass(frozen=True)
class _Asked:
    """What all but counts and rows of the notebook have."""

    number: str  # several questions may share one
    text: str
    answer: str  # its name in worksheet.hpp


@dataclass(frozen=True)
class Text(_Asked):
    """Given or not."""

    kind: ClassVar[str] = "text"
    points: float = 1.0


@dataclass(frozen=True)
class Exact(_Asked):
    """A number with one right value."""

    kind: ClassVar[str] = "exact"
    truth: Truth
    tolerance: float  # relative
    waits_for: str = ""  # what the truth follows from, in words
    unit: str = "none"  # a key of SLIPS, to name known slips
    points: float = 1.0


class Follows(Exact):
    """A number that follows from earlier answers, right or wrong."""

    kind: ClassVar[str] = "follows"


@dataclass(frozen=True)
class Choice(_Asked):
    """A letter from a to d: by a truth that waits for answers, or, when it is graded, by its seal, which
    `./lab worksheet PART --seal ANSWER LETTER` prints. Handed out trees have no seals."""

    kind: ClassVar[str] = "choice"
    seal: int | None = None
    truth: Callable[[Worksheet], Literal["a", "b", "c", "d"] | str] | None = None
    waits_for: str = ""
    points: float = 1.0


@dataclass(frozen=True)
class Recorded(_Asked):
    """A number that is only recorded, or judged if its truth is known here. An answer farther than `within` from the
    `usual` one is flagged, but right."""

    kind: ClassVar[str] = "recorded"
    truth: Truth | None = None
    tolerance: float = 0.0
    unit: str = "none"
    usually: float | None = None
    within: float = 0.0
    points: float = 1.0
    waits_for: ClassVar[str] = ""


@dataclass(frozen=True)
class Counted:
    """One class of operations."""

    text: str
    answer: str
    truth: Truth


@dataclass(frozen=True)
class Count:
    """Expressions of n, judged together with n = 1000 and 4099. `sum`: the words for the classes' sum, if it is shown."""

    kind: ClassVar[str] = "exact"
    number: str
    tolerance: float
    classes: tuple[Counted, ...]
    unit: str = "none"
    sum: str = ""
    points: float = 1.0


@dataclass(frozen=True)
class NotebookRows:
    """Rows of the notebook with a prediction and a measurement."""

    kind: ClassVar[str] = "recorded"
    number: str
    wanted: int
    points: float = 1.0
    text: ClassVar[str] = "rows of the notebook"


Question: TypeAlias = Text | Exact | Choice | Recorded | Count | NotebookRows


@dataclass(frozen=True)
class HiddenCounts:
    """Counts of the given code are not shown before these questions are right; `functions`: what they are about."""

    until_right: tuple[str, ...] = ()
    functions: tuple[str, ...] = (FORCES,)


@dataclass(frozen=True)
class Questions:
    """A part's questions, in the order of its worksheet.hpp."""

    part: str
    machine: HypotheticalMachine
    questions: tuple[Question, ...]
    names: tuple[str, ...] = ()  # members of worksheet.hpp that are texts
    hidden_counts: HiddenCounts = HiddenCounts()

    def answer_names(self) -> list[str]:
        """The names that the part's worksheet.hpp must declare."""
        found = list(self.names)
        for one in self.questions:
            if isinstance(one, Count):
                found += [counted.answer for counted in one.classes]
            elif not isinstance(one, NotebookRows):
                found.append(one.answer)
        return found


@functools.cache
def load_questions(folder: Path) -> Questions:
    """Those of a part's folder, of the lab's own tree. Raises LabError if it has none."""
    file = folder / "questions.py"
    if not file.exists():
        raise LabError(f"{file}: is missing: bring it back")
    spec = importlib.util.spec_from_file_location(f"questions_of_{folder.name}", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Questions = module.QUESTIONS
    return found
