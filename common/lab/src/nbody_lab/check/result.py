"""What the program check writes with --json (docs/file_formats.md), as far as it is read here."""

import math
from typing import Literal

from pydantic import ConfigDict, Field

from nbody_lab.core.model import LabModel


class _Written(LabModel):
    model_config = ConfigDict(extra="ignore")


class Case(_Written):
    """One question of the check and its answer."""

    group: str
    scene: str = ""
    n: int = 0
    seed: int = 0
    error: float | None = Field(default=None, description="None: not finite")
    limit: float | None = None
    verdict: Literal["passed", "failed", "not run"]
    answer: Literal["given", "not finite", "late", "missing"] = Field(default="given", exclude=True)
    detail: str = ""
    mistake: str = Field(default="", description="its name, if the check knows it")
    diagnosis: str = ""

    @property
    def share_of_limit(self) -> float:
        if self.error == 0:
            return 0
        return self.error / self.limit if self.error and self.limit else math.inf


class CheckedProgram(_Written):
    part: str = ""
    name: str = ""
    verdict: str
    as_expected: bool
    sentence: str = ""
    worst_share_of_limit: float | None = None
    most_informative_case: int | None = Field(default=None, description="its place in cases")
    left_out: tuple[str, ...] = Field(default=(), description="what was not checked")
    cases: tuple[Case, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.part}/{self.name}"

    @property
    def most_informative(self) -> Case | None:
        """The failure that says most about what is wrong; None if all passed."""
        place = self.most_informative_case
        return None if place is None else self.cases[place]

    @property
    def failed(self) -> list[Case]:
        return [case for case in self.cases if case.verdict == "failed"]


class CheckResult(_Written):
    tolerance: str
    force_limit: float = Field(default=0, description="of sum |a_ij|")
    precision: str
    seed: int = 0
    seeds: int = Field(default=1, description="this one and those that follow it")
    implementations: tuple[CheckedProgram, ...]
