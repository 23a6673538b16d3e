"""A result of ./lab bench --json (docs/fields.md), as far as it is read here, and how two rows compare: one
definition for all that print or draw speeds.

The speed is the median of the rounds. All programs are timed in turn, so two of them are compared round by round, and
only in rounds beside about the same neighbours.
"""

from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from statistics import median, quantiles
from typing import Literal, NamedTuple

from pydantic import ConfigDict, Field

from nbody_lab.core.errors import LabError
from nbody_lab.core.model import LabModel, load

WIDEST_SPREAD = 0.3  # of a speed that another run can be compared with, and of rounds' ratios
_MOST_CHANGE_OF_NEIGHBOURS = 0.5  # cores


def middle_half(values: Sequence[float]) -> tuple[float, float]:
    lower, _, upper = quantiles(values, n=4, method="inclusive")
    return lower, upper


def rounds_differ(ratios: Sequence[float]) -> bool:
    """Whether they differ so much that their median says nothing. Speeds may be wider: noise that slows both programs
    of a round leaves its ratio as it is."""
    lower, upper = middle_half(ratios)
    return upper - lower > WIDEST_SPREAD * median(ratios)


class _Written(LabModel):
    model_config = ConfigDict(extra="ignore")


TUNED = ("block", "unroll", "grid")  # the fields below that say how a kernel is launched


class Setup(NamedTuple):
    """What a program is measured under. 0: the launch was left to the program."""

    n: int
    threads: int
    precision: str
    block: int = 0
    unroll: int = 0
    ranks: int = 0
    grid: int = 0


# Of a program that was timed. late: no answer in time; busy: other programs had the cores; failed: no numbers for
# another reason.
Outcome = Literal["right", "wrong", "wrong as expected", "late", "busy", "failed"]


class Rates(_Written):
    """Over the rounds; 0: no speed."""

    median: float = 0
    minimum: float = 0
    maximum: float = 0
    lower_quartile: float = 0
    upper_quartile: float = 0


class BenchRow(_Written):
    """One program, timed in rounds with the others."""

    name: str = Field(default="", description="with its part if several parts were measured")
    kind: str = Field(
        default="rung",
        description="naive, mine, rung, exhibit, solution or guest; as in the manifest",
    )
    flags: str = Field(default="", description="of the compiler")
    n: int = Field(default=0, description="bodies")
    threads: int = 1
    precision: str = "float"
    block: int = Field(
        default=0, description="threads per block; 0: not set, as for the next three"
    )
    unroll: int = 0
    ranks: int = 0
    grid: int = Field(default=0, description="blocks at most")
    parent: str = Field(default="", description="the row it differs from by one idea")
    rounds: int = Field(default=0, description="that count")
    interactions_per_s: Rates = Rates()
    seconds_per_iteration: Rates = Rates()
    seconds_of_rounds: tuple[float, ...] = Field(
        default=(), description="of one iteration; 0: this round does not count"
    )
    cores_of_others_in_rounds: tuple[float, ...] = Field(
        default=(), description="that other programs used"
    )
    flops_per_interaction: float = 20
    flops_counted: bool = Field(default=False, description="false: the literature's 20")
    cores_used: float = Field(default=0, description="processor time over wall time")
    busy_machine: bool = Field(default=False, description="the speed depends on other programs")
    about_cores: str = Field(default="", description="why, in words")
    writes: bool = Field(
        default=False, description="to standard output or error while it is timed, which takes time"
    )
    step_count_verified: bool = Field(
        default=True, description="joined steps would have been noticed"
    )
    error: float | None = Field(
        default=None, description="the largest of the forces after timed requests"
    )
    limit: float | None = Field(default=None, description="of that error")
    outcome: Outcome = Field(
        default="right",
        description="of the timed answers: right within the limit, wrong, wrong as an exhibit should be, not in time, not timed because other programs had the cores, or the program stopped",
    )
    verdict: str = Field(default="right", description="the outcome in words, and what is wrong")

    @property
    def setup(self) -> Setup:
        launch = (self.block, self.unroll, self.ranks, self.grid)
        return Setup(self.n, self.threads, self.precision, *launch)

    @property
    def is_right(self) -> bool:
        return self.outcome == "right"

    @property
    def as_expected(self) -> bool:
        return self.outcome in ("right", "wrong as expected")

    @property
    def too_busy(self) -> bool:
        return self.outcome == "busy"

    @property
    def speed(self) -> float:
        """Interactions/s; 0: it has none."""
        return self.interactions_per_s.median

    @property
    def spread(self) -> float:
        """The interquartile range of the rounds, relative to the median; 1 without a speed."""
        rates = self.interactions_per_s
        return (rates.upper_quartile - rates.lower_quartile) / rates.median if rates.median else 1

    @property
    def is_wide(self) -> bool:
        """Whether its speed varies too much to be compared with that of another run."""
        return self.rounds > 1 and self.spread > WIDEST_SPREAD

    def ratios(self, other: "BenchRow") -> list[float]:
        """Its speed over the other's, in each round that counts for both with the same neighbours."""
        rounds = zip_longest(
            self.seconds_of_rounds,
            other.seconds_of_rounds,
            self.cores_of_others_in_rounds,
            other.cores_of_others_in_rounds,
            fillvalue=0.0,
        )
        return [
            theirs / ours
            for ours, theirs, beside_us, beside_them in rounds
            if min(ours, theirs) > 0 and abs(beside_us - beside_them) <= _MOST_CHANGE_OF_NEIGHBOURS
        ]

    def ratio(self, other: "BenchRow") -> float | None:
        """Its speed over the other's; None if a speed is missing or too few rounds can be compared."""
        if not self.speed or not other.speed:
            return None
        rounds = min(len(self.seconds_of_rounds), len(other.seconds_of_rounds))
        if not rounds:  # stored without them
            return self.speed / other.speed
        ratios = self.ratios(other)
        return median(ratios) if 2 * len(ratios) > rounds else None

    def shown_ratio(self, other: "BenchRow") -> float | None:
        """For tables, whose readers compare: None also if the rounds do not agree on it."""
        ratio, found = self.ratio(other), self.ratios(other)
        if ratio is None or len(found) < 2:
            return ratio
        return None if rounds_differ(found) else ratio

    def leaves_out_ratio(self, other: "BenchRow") -> bool:
        """Whether there is one that no table shows, since the rounds do not agree on it."""
        return bool(self.ratio(other)) and not self.shown_ratio(other)


class BenchContext(_Written):
    """Where, when and of what."""

    part: str = ""
    cpu: str = ""
    compiler: str = ""
    day: str = ""
    scene: str = Field(default="", description="what was simulated")
    adaptive: bool = Field(default=False, description="the time step")
    device: str = Field(default="", description="the GPU")
    device_peak_flops_per_s: float = 0
    clock_hz: float | None = None
    stopped: bool = Field(default=False, description="before all rounds were measured")

    @property
    def step(self) -> str:
        return "adaptive" if self.adaptive else "fixed"


class BenchResult(_Written):
    context: BenchContext = BenchContext()
    summary: tuple[BenchRow, ...]

    @property
    def names(self) -> list[str]:
        """In the order of their first row; the others are compared with the first."""
        return list(dict.fromkeys(row.name for row in self.summary))

    @property
    def setups(self) -> list[Setup]:
        return list(dict.fromkeys(row.setup for row in self.summary))

    def find(self, name: str, setup: Setup) -> BenchRow | None:
        rows = (row for row in self.summary if (row.name, row.setup) == (name, setup))
        return next(rows, None)

    def first_beside(self, row: BenchRow) -> BenchRow | None:
        """The first program under the same setup, launched as in the first row."""
        first = self.summary[0]
        launch = (first.block, first.unroll, first.ranks, first.grid)
        return self.find(first.name, Setup(row.n, row.threads, row.precision, *launch))

    def ratio_to_first(self, row: BenchRow) -> float | None:
        beside = self.first_beside(row)
        return row.shown_ratio(beside) if beside else None

    def parent_of(self, row: BenchRow) -> BenchRow | None:
        return self.find(row.parent, row.setup) if row.parent else None

    def ratio_to_parent(self, row: BenchRow) -> float | None:
        parent = self.parent_of(row)
        return row.shown_ratio(parent) if parent else None


def read_result(file: Path) -> BenchResult:
    """Raises LabError."""
    result = load(BenchResult, file)
    if not result.summary or not result.context.part:
        raise LabError(f"{file}: not a result of ./lab bench: write one with --json")
    return result
