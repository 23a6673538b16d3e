"""What bin/check is asked (common/check/plan.hpp): names and options become programs, and it only judges them."""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbody_lab.building.cpuinfo import FEATURES, best_program
from nbody_lab.building.lab import missing_here
from nbody_lab.building.manifest import Implementation, Manifest
from nbody_lab.core.model import Precision

MOST_SEEDS = 1000
LARGEST = 10**15  # seed and number of bodies
_SEEDS_OF_THOROUGH = 5


@dataclass(frozen=True)
class Asked:
    """How programs are checked: the options of ./lab check."""

    tolerance: str = "standard"
    precision: Precision = "float"
    arch: str = ""  # the programs for an instruction set; empty: the best that run here
    seed: int | None = None  # None: drawn, so that what is asked cannot be foreseen
    seeds: int | None = None  # None: one, thorough five
    largest: int = 0  # larger cases are skipped; 0: none is
    timeout: float = 20  # s, for one answer
    no_double: bool = False
    thorough: bool = False


@dataclass(frozen=True)
class Subject:
    """An implementation, or its programs for one instruction set."""

    row: Implementation
    name: str  # direct, or direct_avx2
    why_not: str  # it is skipped; empty: it is checked
    program: Path = Path()
    asked: Mapping[str, Any] = field(default_factory=dict)  # as bin/check reads it


@dataclass(frozen=True)
class Plan:
    part: str
    asked: Asked
    seed: int
    seeds: int
    subjects: Sequence[Subject]

    @property
    def checked(self) -> list[Subject]:
        return [one for one in self.subjects if not one.why_not]

    def as_json(self, builds_double: bool = False) -> str:
        """One line. `builds_double`: the program asks for each one in double when it needs it."""
        asked = self.asked
        plan = {
            "tolerance": asked.tolerance,
            "precision": asked.precision,
            "seed": self.seed,
            "seeds": self.seeds,
            "largest_n": asked.largest,
            "timeout_s": asked.timeout,
            "thorough": asked.thorough,
            "builds_double": builds_double,
            "programs": [one.asked for one in self.checked],
        }
        return json.dumps(plan) + "\n"


def _subject(row: Implementation, manifest: Manifest, asked: Asked) -> Subject:
    name, needs, arch = row.name, list(row.needs), asked.arch
    if arch:
        if arch not in {one.instruction_set for one in row.programs}:
            return Subject(row, name, f"has no program of its own for {arch}")
        name, needs = f"{name}_{arch}", [*needs, *FEATURES[arch].split()]
    if missing := missing_here(needs):
        return Subject(row, name, f"needs {missing}")
    best = best_program(row.programs, asked.precision, arch)
    if not best:
        return Subject(row, name, f"has no program for {asked.precision}")
    folder, part = manifest.file.parent, manifest.part(row.part)
    double = best_program(row.programs, "double", arch)
    asks_double = double and asked.precision == "float" and not asked.no_double
    launcher = row.launcher if row.launcher is not None else part.launcher if part else ()
    program = {
        "file": str(folder / best.program),
        "double_file": str(folder / double.program) if double and asks_double else "",
        "arguments": row.arguments,
        "launcher": launcher,
        "ranks": max(1, part.ranks if part else 1),
        # A program in another language may use any name; one that is made from a header states whose it is, so that an
        # old or mixed-up file is not judged in its place.
        "hello": [row.part, row.name, best.instruction_set] if row.class_name else [],
        "holds_sums": row.holds_sums,
    }
    return Subject(row, name, "", folder / best.program, program)


def plan_of(manifest: Manifest, part: str, names: Sequence[str], asked: Asked) -> Plan:
    """`names`: none for all of the part. Raises LabError."""
    # No row has the name "", so this says what there is.
    names = names or [row.name for row in manifest.of_part(part)] or [""]
    rows = [manifest.row(part, name) for name in dict.fromkeys(names)]
    return Plan(
        part,
        asked,
        seed=secrets.choice(range(1000, 10**6)) if asked.seed is None else asked.seed,
        seeds=asked.seeds or (_SEEDS_OF_THOROUGH if asked.thorough else 1),
        subjects=[_subject(row, manifest, asked) for row in rows],
    )
