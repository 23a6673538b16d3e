"""The files of grading as models: a measured submission, the marks of a class, a list of what OUT keeps.

docs/fields.md has them as tables. All texts, which come from students and their programs, are harmless once
they are in a model: they can be printed and put into pages and tables.
"""

import re
from enum import Enum
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from nbody_lab.core.clean_text import harmless
from nbody_lab.core.model import LabModel
from nbody_lab.measure.bench_file import Outcome as TimedOutcome
from nbody_lab.tasks.sheet import Line


def _in_students_words(text: str) -> str:
    """Without the grader's folders: part1_.../FILE, not ../out/work/NAME/part1/tree/part1_.../FILE."""
    return re.sub(r"[^\s'\"(]*/(?:tree|taken/[^/\s]+)/(?=part[0-9]+_)", "", harmless(text))


Text = Annotated[str, AfterValidator(harmless)]
Cause = Annotated[str, AfterValidator(_in_students_words)]  # why something failed
Number = float | None  # None: unknown; a file has null also for 1e400, which a notebook may hold

# --- measured/NAME.json ---


class HandedIn(LabModel):
    """Who handed in, and what."""

    name: Text = Field(description="unique, fit for a file name")
    authors: tuple[Text, ...] = Field(
        default=(), description="all members of a group: each gets the marks"
    )
    student_id: Text = Field(default="", description="on the learning platform")
    source: Text = Field(default="", description="the file or folder")
    checksum: Text = Field(default="", description="of what is in it")
    late: bool = Field(default=False, description="the platform marked it as late")


class Machine(LabModel):
    """Where it was measured."""

    cpu: Text = ""
    cores: int = Field(default=0, description='what "all" threads share')
    compiler: Text = ""
    gpu: Text = ""


class Setup(LabModel):
    """What is timed."""

    threads: int
    n: int
    adaptive: bool = Field(default=False, description="the step, as `./lab try` measures the part")

    @property
    def key(self) -> tuple[int, int, bool]:
        """The same for a setup and for a speed in it."""
        return self.threads, self.n, self.adaptive


class Problem(LabModel):
    """What went wrong."""

    stage: Text = Field(description="unpack, build, ...")
    text: Cause


class Ignored(LabModel):
    """A file that was not used."""

    file: Text
    why: Text


class Check(LabModel):
    """What the check said."""

    verdict: Literal["passed", "failed", "not checked"] = "not checked"
    worst_share_of_limit: Number = Field(default=None, description="above 1 fails")
    cases: int = Field(default=0, description="how many")
    failed: int = Field(default=0, description="how many of them")
    mistake: Text = Field(default="", description="what the first wrong answer looks like")
    problem: Cause = Field(default="", description="why it was not checked")


class Counts(LabModel):
    """The work of an iteration."""

    flops: Text = Field(default="", description="as `20 n^2 + 3 n`")
    problem: Cause = ""


class Speed(Setup):
    """A timing of a row. What is null is not known, or was not timed beside it."""

    outcome: TimedOutcome = Field(description="as in a row of bench's file")
    verdict: Text = Field(description="the outcome in words, and what was wrong with the answers")
    noisy: bool = Field(default=False, description="the rounds differ too much to score it")
    rounds: int = 0
    interactions_per_s: Number = Field(default=None, description="median of the rounds")
    spread: Number = Field(default=None, description="middle half of the rounds / median")
    times_naive: Number = Field(default=None, description="timed in the same minute")
    naive_interactions_per_s: Number = None
    share_of_solution: Number = Field(default=None, description="timed in the same minute")
    solution: Text = Field(default="", description="the name of that rung")
    solution_interactions_per_s: Number = None
    doubt: Text = Field(
        default="",
        description="more than 1.25 cores per thread, or 1.1 times the solution: a person looks first",
    )


class Outcome(Enum):
    """Of a row. The first of this order speaks for the part."""

    RIGHT = "passed"
    NOT_CHECKED = "not checked"
    WRONG = "failed"
    NOT_BUILT = "does not compile"
    UNTOUCHED = "untouched"


class Row(LabModel):
    """A mine*.hpp."""

    name: Text
    source: Text
    flags: Text = Field(default="", description="of the compiler")
    untouched: bool = Field(
        default=False, description="the given code: at most comments and white space were changed"
    )
    built: bool = False
    build_problem: Cause = Field(default="", description="the first error")
    check: Check = Check()
    counts: Counts = Counts()
    speed: tuple[Speed, ...] = Field(
        default=(), description="for each number of threads and bodies"
    )
    not_timed: Text = Field(default="", description="why a right row lacks a speed")

    @property
    def outcome(self) -> Outcome:
        if self.untouched:
            return Outcome.UNTOUCHED
        if not self.built:
            return Outcome.NOT_BUILT
        return Outcome(self.check.verdict)


class JudgedWorksheet(LabModel):
    """With the real state of choices and counts."""

    authors: Text = ""
    lines: tuple[Line, ...] = ()
    problem: Cause = Field(default="", description="why it could not be judged")


class Tried(LabModel):
    """A row of the notebook."""

    row: int | None = Field(description="its number")
    name: Text
    idea: Text
    expected: Number = Field(description="the predicted factor")
    measured: Number = Field(description="the measured one")
    verdict: Text = Field(description="how they compare")


class Notebook(LabModel):
    rows: tuple[Tried, ...] = ()
    problem: Cause = Field(default="", description="why it could not be read")


class PartRecord(LabModel):
    """What was measured of a part."""

    state: Literal["measured", "nothing handed in", "not graded here"]
    reason: Text = Field(default="", description="why it is not graded here")
    processes: int = Field(default=1, description="of each program; 0: on a GPU")
    unclear: Cause = Field(default="", description="why a file was not used: a person decides")
    rows: tuple[Row, ...] = ()
    worksheet: JudgedWorksheet = JudgedWorksheet()
    notebook: Notebook = Notebook()

    @property
    def best(self) -> Row | None:
        return min(self.rows, key=lambda row: list(Outcome).index(row.outcome), default=None)


class Record(LabModel):
    """A measured submission."""

    version: Literal[1] = 1
    submission: HandedIn
    machine: Machine = Machine()
    seed: int = Field(default=0, description="with which `./lab check` repeats the scenes")
    date: Text = Field(default="", description="ISO 8601, with its zone")
    lab: Text = Field(default="", description="the version of the lab")
    timings: dict[str, tuple[Setup, ...]] = Field(
        default={}, description="what need not be timed again, by part"
    )
    taken: tuple[Text, ...] = Field(default=(), description="files that were used")
    ignored: tuple[Ignored, ...] = ()
    problems: tuple[Problem, ...] = ()
    parts: dict[str, PartRecord] = Field(default={}, description="by name, such as `part1`")


# --- grading.json ---


class Grading(LabModel):
    """What OUT belongs to."""

    class_folder: str = ""
    submissions: tuple[HandedIn, ...] = ()


# --- results.json ---

MarkState = Literal[
    "graded", "not graded here", "not asked for (--part)", "not timed yet", "for a person"
]


class Mark(LabModel):
    """The points for an item of the rubric, or why it has none. What could not be graded never has zero points."""

    part: Text
    item: Text = Field(description="as `speed, 1 thread, 2000 bodies`")
    points: float | None = Field(description="null unless it is graded")
    maximum: float = Field(description="the rubric's points for it")
    state: MarkState = "graded"
    why: Text = Field(description="what was measured, the band, and what the next band needs")
    asked: Literal["", "in NOTEBOOK.md", "aloud"] = Field(default="", description="empty: measured")
    by_hand: float | None = Field(default=None, description="given by a person")
    comment: Text = Field(default="", description="of that person")

    @property
    def title(self) -> str:
        return f"{self.part}: {self.item}"

    @property
    def points_or_state(self) -> float | str:
        return self.state if self.points is None else self.points

    @property
    def is_open(self) -> bool:
        """A person decides. What is worth no points is decided."""
        return self.state == "for a person" and self.maximum > 0


class Lateness(LabModel):
    days: int = Field(default=0, description="0: in time")
    taken_off: float = Field(default=0, description="points")
    why: Text = ""


class Marks(LabModel):
    """The marks of a submission."""

    name: Text = Field(pattern=r"^\w[\w.-]{0,120}$")
    authors: tuple[Text, ...]
    student_id: Text
    points: float = Field(description="of what was graded so far, less what is taken off")
    maximum: float = Field(description="the same for the whole class")
    to_decide: float = Field(description="maximum of what a person decides")
    late: Lateness
    items: tuple[Mark, ...]
    flags: tuple[Text, ...] = Field(description="what a person should check, the strongest first")
    problems: tuple[Text, ...] = Field(description="what went wrong while it was measured")

    @property
    def asked_for(self) -> list[Mark]:
        """Without parts excluded by --part: students are not told about those."""
        return [mark for mark in self.items if mark.state != "not asked for (--part)"]

    @property
    def is_final(self) -> bool:
        """Whether everything that was asked for has points, or is worth none."""
        return all(mark.points is not None or not mark.maximum for mark in self.asked_for)

    @property
    def has_points(self) -> bool:
        """False: nothing of it is graded, which is not a zero."""
        return any(mark.points is not None and mark.maximum for mark in self.items)


class Results(LabModel):
    """The marks of a class."""

    version: Literal[3] = 3
    title: Text = Field(description="of the rubric")
    maximum: float = Field(description="its points for the requested parts")
    date: Text = Field(description="when it was scored")
    machine: Machine | None = Field(description="of the first submission that was measured")
    submissions: tuple[Marks, ...] = Field(description="sorted by name")
