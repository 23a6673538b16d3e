"""A result of ./lab bench --json (docs/file_formats.md), as far as it is read here, and how two rows compare: one
definition for all that print or draw speeds.

The speed is the median of the rounds. All programs are timed in turn, so two of them are compared round by round, and
only in rounds beside about the same neighbours (common/bench/statistics.hpp does the same).
"""

from statistics import median

from pydantic import ConfigDict, Field

from nbody_lab.core.model import LabModel

_MOST_CHANGE_OF_NEIGHBOURS = 0.5  # cores


class _Written(LabModel):
    model_config = ConfigDict(extra="ignore")


class Rates(_Written):
    """Over the rounds; 0: no speed."""

    median: float = 0
    lower_quartile: float = 0
    upper_quartile: float = 0


class BenchRow(_Written):
    """One program, timed in rounds with the others."""

    name: str = Field(default="", description="with its part if several parts were measured")
    n: int = 0
    threads: int = 1
    precision: str = "float"
    block: int = Field(default=0, description="threads per block; 0: not set, as for the next two")
    unroll: int = 0
    ranks: int = 0
    parent: str = ""
    rounds: int = 0
    interactions_per_s: Rates = Rates()
    seconds_per_iteration: Rates = Rates()
    fastest_interactions_per_s: float = Field(
        default=0, description="of one thread, in stored files of an older bench"
    )
    seconds_of_rounds: tuple[float, ...] = Field(default=(), description="0: it does not count")
    cores_of_others_in_rounds: tuple[float, ...] = ()
    cores_used: float = 0
    too_busy: bool = False
    busy_machine: bool = False
    about_cores: str = ""
    writes: bool = False
    step_count_verified: bool = True
    error: float | None = None
    limit: float | None = None
    verdict: str = "right"

    @property
    def is_right(self) -> bool:
        return self.verdict == "right"

    @property
    def speed(self) -> float:
        """Interactions/s; 0: it has none."""
        return self.fastest_interactions_per_s or self.interactions_per_s.median

    @property
    def spread(self) -> float:
        """The interquartile range of the rounds, relative to the median; 1 without a speed."""
        rates = self.interactions_per_s
        return (rates.upper_quartile - rates.lower_quartile) / rates.median if rates.median else 1

    def _rounds(self) -> list[tuple[float, float] | None]:
        """(seconds of a step, cores that others used); None for rounds that do not count."""
        seconds, others = self.seconds_of_rounds, self.cores_of_others_in_rounds
        others = (*others, *[0.0] * (len(seconds) - len(others)))
        return [(second, other) if second > 0 else None for second, other in zip(seconds, others)]

    def ratios(self, other: "BenchRow") -> list[float]:
        """How many times as fast it is as the other, in each round that counts for both beside the same neighbours."""
        return [
            theirs[0] / ours[0]
            for ours, theirs in zip(self._rounds(), other._rounds())
            if ours and theirs and abs(ours[1] - theirs[1]) <= _MOST_CHANGE_OF_NEIGHBOURS
        ]

    def ratio(self, other: "BenchRow") -> float | None:
        """How many times as fast it is as the other; None if a speed is missing or too few rounds can be compared."""
        if not self.speed or not other.speed:
            return None
        rounds = min(len(self.seconds_of_rounds), len(other.seconds_of_rounds))
        if not rounds:  # stored without them
            return self.speed / other.speed
        ratios = self.ratios(other)
        return median(ratios) if 2 * len(ratios) > rounds else None


class BenchContext(_Written):
    part: str = ""
    cpu: str = ""
    compiler: str = ""
    day: str = ""
    scene: str = ""
    adaptive: bool = False
    device: str = Field(default="", description="the GPU")
    device_peak_flops_per_s: float = 0
    clock_hz: float | None = None


class BenchResult(_Written):
    context: BenchContext = BenchContext()
    summary: tuple[BenchRow, ...]

    def speeds(self, precision: str, threads: int) -> tuple[dict[str, float], dict[str, str]]:
        """{name: interactions/s} of right results, {name: why not} of the rest."""
        rows = [row for row in self.summary if (row.precision, row.threads) == (precision, threads)]
        meant = {"wrong, as expected": "wrong, as this exhibit is meant to be"}
        return (
            {row.name: row.speed for row in rows if row.is_right},
            {row.name: meant.get(row.verdict, row.verdict) for row in rows if not row.is_right},
        )

    def timed_beside_others(self) -> list[str]:
        """The names that bench timed on a busy machine, by its own rule (common/bench/result.hpp)."""
        return sorted({row.name for row in self.summary if row.busy_machine})
