"""What all submissions of a class share, and what is timed of each."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nbody_lab.building.manifest import Manifest, Part
from nbody_lab.grade.isolation import Isolation
from nbody_lab.grade.models import Machine, Setup
from nbody_lab.grade.pristine import Pristine
from nbody_lab.grade.rubric import Rubric
from nbody_lab.tasks.evidence import Ceilings

ON_GPU = 0  # threads, which a GPU does not have


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0))


@dataclass(frozen=True)
class Course:
    """What all submissions of a class share. `references`: this lab's manifest, with solutions; `programs`: its bin
    folder; `lab`: its version."""

    out: Path
    pristine: Pristine
    references: Manifest
    programs: Path
    isolation: Isolation
    ceilings: Ceilings
    rubric: Rubric
    parts: Sequence[str]
    machine: Machine
    lab: str

    def measured(self, name: str) -> Path:
        return self.out / "measured" / f"{name}.json"

    def judged(self, name: str) -> Path:
        return self.out / "work" / name / "judged.json"

    def timings(self) -> dict[str, tuple[Setup, ...]]:
        """The speeds that the rubric asks for, per part."""
        return {part: self.setups(part) for part in self.parts}

    def setups(self, part: str) -> tuple[Setup, ...]:
        """Without duplicates."""
        processes = self.processes(part)
        wanted = [
            Setup(threads=one.threads_of(cores(), processes), n=one.n, scene=one.scene)
            for one in (self.rubric.parts[part].speed if part in self.rubric.parts else ())
        ]
        return tuple(dict.fromkeys(wanted))

    def own_isolation(self) -> Isolation:
        """An isolation with its own user, so that parallel submissions are different users."""
        return Isolation(self.isolation.builder, self.isolation.groups)

    def solution(self, part: str) -> str:
        return next((row.name for row in self.references.of_part(part, "solution")), "")

    def _part(self, part: str) -> Part:
        return self.references.part(part) or Part.model_validate({"name": part})

    def on_gpu(self, part: str) -> bool:
        return self._part(part).device == "gpu"

    def launcher(self, part: str) -> tuple[str, ...]:
        """What starts a program of several processes; nothing for one."""
        return self._part(part).launcher

    def processes(self, part: str) -> int:
        """ON_GPU for a program of a GPU."""
        if self.on_gpu(part):
            return ON_GPU
        return self._part(part).ranks if self.launcher(part) else 1

    def reason_against(self, part: str) -> str:
        """Why a part is not graded here; empty if it is."""
        if not self.references.of_part(part, "mine"):
            return "it cannot be built here"
        return "needs a GPU" if self.on_gpu(part) and not self.machine.gpu else ""
