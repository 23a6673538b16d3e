"""What the program check writes with --json (docs/file_formats.md), as far as it is read here."""

from pydantic import ConfigDict

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
