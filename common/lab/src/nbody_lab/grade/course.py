"""What all submissions of a class share, what is timed of each, and the time and disk that each may take."""

import errno
import os
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nbody_lab.building.manifest import Manifest, Part
from nbody_lab.grade.models import Machine, Setup
from nbody_lab.grade.rubric import Rubric
from nbody_lab.grade.sandbox import MB
from nbody_lab.grade.tree import Box, Given
from nbody_lab.tasks.evidence import Ceilings

ON_GPU = 0  # threads, which a GPU does not have


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0))


@dataclass(frozen=True)
class Course:
    """`references`: this lab's manifest, with solutions; `programs`: its bin folder; `lab`: its version."""

    out: Path
    given: Given
    references: Manifest
    programs: Path
    ceilings: Ceilings
    rubric: Rubric
    parts: Sequence[str]
    machine: Machine
    lab: str
    timed: bool = True

    def timings(self) -> dict[str, tuple[Setup, ...]]:
        """The speeds that are asked for, per part."""
        return {part: self.setups(part) if self.timed else () for part in self.parts}

    def setups(self, part: str) -> tuple[Setup, ...]:
        """Without duplicates."""
        processes, adaptive = self.processes(part), self._part(part).default_step == "adaptive"
        wanted = [
            Setup(
                threads=one.threads_of(cores(), processes),
                n=one.n,
                scene=one.scene,
                adaptive=adaptive,
            )
            for one in (self.rubric.parts[part].speed if part in self.rubric.parts else ())
        ]
        return tuple(dict.fromkeys(wanted))

    def box(self, name: str, part: str) -> Box:
        """Each part is built separately, so that an error in one cannot affect another."""
        return Box(self.out / "work" / name / part, self.given, part)

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


# --- time and disk ---

# How long building and checking a part of a submission may take, and how long timing it; docs/instructor/README.md states it.
# A correct row takes ten seconds, so there is room for many. Wall time, because a program may sleep; more of it on a busy
# machine, where an honest program waits for a core.
BUDGET_S, MORE_S = 120, 15  # for the first row; for each further one
_MOST_PATIENCE = 10.0
LEAST_FREE = 200 * MB


def patience() -> float:
    """By how much time limits are longer now: runnable programs per core."""
    return min(_MOST_PATIENCE, max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)))


class Allowance:
    """The wall time of a part of a submission with so many rows."""

    def __init__(self, rows: int) -> None:
        seconds = BUDGET_S + MORE_S * max(0, rows - 1)
        self._end = time.monotonic() + seconds * patience()
        self.used_up = (
            f"it was not done in {seconds} s of wall time: is it slow, or was the machine busy?"
        )

    def left(self) -> float:
        """Seconds."""
        return max(0.0, self._end - time.monotonic())


def require_space(folder: Path) -> None:
    """Raises OSError on a full disk, where building and measuring fail whatever was handed in."""
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE:
        raise OSError(
            errno.ENOSPC, f"only {free // MB} MB are free on the disk: make room", str(folder)
        )
