"""What the programs check and bench write with --json (docs/file_formats.md), as far as it is read here."""

from pydantic import ConfigDict

from nbody_lab.core import speeds
from nbody_lab.core.model import LabModel


class _Written(LabModel):
    model_config = ConfigDict(extra="ignore")


class Case(_Written):
    """One question of the check and its answer."""

    group: str
    scene: str = ""
    n: int = 0
    seed: int = 0
    error: float | None = None
    limit: float | None = None
    verdict: str
    detail: str = ""
    diagnosis: str = ""


class CheckedProgram(_Written):
    part: str = ""
    name: str = ""
    verdict: str
    as_expected: bool
    sentence: str = ""
    worst_share_of_limit: float | None = None
    cases: tuple[Case, ...] = ()

    @property
    def failed(self) -> list[Case]:
        return [case for case in self.cases if case.verdict == "failed"]


class CheckResult(_Written):
    tolerance: str
    precision: str
    implementations: tuple[CheckedProgram, ...]


class Speed(_Written):
    """Interactions/s over the rounds."""

    median: float = 0
    lower_quartile: float = 0
    upper_quartile: float = 0


class BenchRow(_Written):
    """One program, timed in rounds with the others."""

    verdict: str = "right"
    interactions_per_s: Speed = Speed()
    seconds_of_rounds: tuple[float, ...] = ()
    cores_of_others_in_rounds: tuple[float, ...] = ()
    cores_used: float = 0
    too_busy: bool = False
    about_cores: str = ""
    writes: bool = False
    step_count_verified: bool = True
    error: float | None = None
    limit: float | None = None

    @property
    def spread(self) -> float:
        return float(speeds.spread_of(self.model_dump()))

    def ratios(self, other: "BenchRow") -> list[float]:
        """How many times as fast it is as the other, in each round that counts for both."""
        return list(speeds.ratios_of_rounds(self.model_dump(), other.model_dump()))


class BenchResult(_Written):
    summary: tuple[BenchRow, ...]
