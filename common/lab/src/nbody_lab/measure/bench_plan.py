"""What bin/bench is asked (common/bench/measure.hpp): names, instruction sets and setups become rows, and it only times them."""

import itertools
import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbody_lab.building.cpuinfo import FEATURES, best_program
from nbody_lab.building.lab import missing_here
from nbody_lab.building.manifest import Implementation, Manifest
from nbody_lab.building.ranks import PLACEHOLDER
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import load_if_whole
from nbody_lab.measure.bench_file import TUNED, Setup
from nbody_lab.measure.count_file import CountFile

_FLOPS_OF_LITERATURE = 20  # per interaction


@dataclass(frozen=True)
class Clock:
    """How long is measured; times in seconds."""

    rounds: int = 7
    seconds: float = 0.05  # least, between the shortest and the longest request
    starts: float = 8  # that it lasts at least, where a request starts slowly
    timeout_s: float = 60  # for one request; longer for many bodies
    longest_s: float = 60  # of all rounds of a row with long steps
    wait_s: float = 0  # for cores that other programs use, in all
    seed: int = 0  # of all random numbers; 0: unpredictable


QUICK = Clock(rounds=3, seconds=0.01, starts=3, longest_s=20)


@dataclass(frozen=True)
class Asked:
    """What is measured: every combination of what is listed. 0: each program's own default."""

    names: Sequence[str] = ()  # none: all of the part; "part2/blocked" is of another one
    n: Sequence[int] = (5000,)
    threads: Sequence[int] = (1,)
    precision: Sequence[str] = ("float",)
    block: Sequence[int] = (0,)
    unroll: Sequence[int] = (0,)
    grid: Sequence[int] = (0,)
    ranks: Sequence[int] = (0,)
    arch: Sequence[str] = ()  # none: the best that runs here
    scene: str = "plummer"
    adaptive: bool = False
    clock: Clock = Clock()
    hidden: Collection[str] = ()  # implementations whose counts are not shown
    device: str = ""  # the GPU, its clock and software
    device_peak: float = 0  # flop/s in float; 0: not known
    revision: str = ""  # of the sources

    def setups(self) -> Iterator[Setup]:
        launches = list(itertools.product(self.block, self.unroll, self.grid, self.ranks))
        for precision, threads in itertools.product(self.precision, self.threads):
            for (block, unroll, grid, ranks), n in itertools.product(launches, self.n):
                yield Setup(n, threads, precision, block, unroll, ranks, grid)


@dataclass(frozen=True)
class PlannedRow:
    """One implementation under one setup."""

    name: str  # direct, part1/direct of another part, or direct_avx2
    row: Implementation
    setup: Setup
    instruction_set: str  # of its program
    program: Path
    launcher: Sequence[str]
    flops: float | None  # per interaction, counted

    @property
    def has_ranks(self) -> bool:
        return PLACEHOLDER in self.launcher

    @property
    def title(self) -> str:
        setup = self.setup
        words = [self.name, f"n:{setup.n}", f"threads:{setup.threads}", setup.precision]
        launch = {word: getattr(setup, word) for word in (*TUNED, "ranks")}
        return "/".join([*words, *(f"{word}:{launch[word]}" for word in launch if launch[word])])

    def as_asked(self) -> dict[str, Any]:
        """As the program reads it."""
        row, setup = self.row, self.setup
        tuned = {word: getattr(setup, word) for word in TUNED}
        options = [[f"--{word}", str(value)] for word, value in tuned.items() if value]
        # A program that is made from a header states whose it is, so that no old or mixed-up file is timed in its place.
        return {
            "name": self.title,
            "program": str(self.program),
            "arguments": [*row.arguments, *itertools.chain(*options)],
            "launcher": list(self.launcher),
            "ranks": max(1, setup.ranks),
            "hello": [row.part, row.name, self.instruction_set] if row.class_name else [],
            "n": setup.n,
            "threads": setup.threads,
            "precision": setup.precision,
            "flops": self.flops or _FLOPS_OF_LITERATURE,
            "starts_slowly": "gpu" in row.needs,
        }


@dataclass(frozen=True)
class Plan:
    part: str
    asked: Asked
    rows: Sequence[PlannedRow]
    skipped: Sequence[str]  # what cannot run here, and why

    def as_json(self) -> str:
        clock = vars(self.asked.clock)
        scene = {"scene": self.asked.scene, "adaptive": self.asked.adaptive}
        return json.dumps({**scene, **clock, "rows": [row.as_asked() for row in self.rows]})


def _candidates(
    manifest: Manifest, part: str, asked: Asked
) -> Iterator[tuple[str, Implementation, str]]:
    """(name, implementation, instruction set or "" for the best). An implementation that has no instruction sets is one
    program, whatever --arch says."""
    rows = {one.name: one for one in manifest.of_part(part)} if not asked.names else {}
    for name in asked.names:
        elsewhere, _, own_name = name.rpartition("/")
        rows[name] = manifest.row(elsewhere or part, own_name)
    sets = {name: {one.instruction_set for one in row.programs} for name, row in rows.items()}
    for arch in asked.arch:
        if not any(arch in of_row for of_row in sets.values()):
            choice = ", ".join(FEATURES)
            raise LabError(f"--arch: none of these is built for '{arch}' ({choice})")
    for name, row in rows.items():
        if not asked.arch or sets[name] == {""}:
            yield name, row, ""
        yield from ((f"{name}_{arch}", row, arch) for arch in asked.arch if arch in sets[name])


def counted_flops(file: Path, n: int, adaptive: bool) -> float | None:
    """Per interaction, if they are a polynomial; a file of another version counts as missing."""
    counts = load_if_whole(CountFile, file)
    iteration = counts.work.get("adaptive_step" if adaptive else "fixed_step", {}) if counts else {}
    polynomial = iteration["flops"].polynomial if "flops" in iteration else None
    return polynomial.at(n) / n**2 if polynomial else None


def plan_of(manifest: Manifest, part: str, asked: Asked) -> Plan:
    """What is not built has no row. Raises LabError if nothing is left to be measured."""
    folder, runs, skipped = manifest.file.parent, [], []
    for name, row, arch in _candidates(manifest, part, asked):
        if missing := missing_here([*row.needs, *FEATURES.get(arch, "").split()]):
            skipped.append(f"{name} skipped: needs {missing}")
        else:
            runs.append((name, row, arch))
    if not runs:
        raise LabError(f"nothing of {part} can run on this machine")
    rows = []
    for setup, (name, row, arch) in itertools.product(asked.setups(), runs):
        of_part = manifest.part(row.part)
        launcher = row.launcher if row.launcher is not None else of_part.launcher if of_part else ()
        if PLACEHOLDER not in launcher and setup.ranks > 1:
            raise LabError(f"--ranks: {name} runs as one process; part 4 runs as several")
        ranks = setup.ranks or (of_part.ranks if of_part else 1)
        setup = setup._replace(ranks=ranks if PLACEHOLDER in launcher else 0)
        counted = None
        if row.count and row.name not in asked.hidden:
            file = folder / f"{row.count.program}.json"
            counted = counted_flops(file, setup.n, asked.adaptive)
        best = best_program(row.programs, setup.precision, arch)
        if best and (folder / best.program).exists():
            program, own_set = folder / best.program, best.instruction_set
            rows.append(PlannedRow(name, row, setup, own_set, program, launcher, counted))
    if not rows:
        raise LabError(f"nothing is built: run ./lab build {part}")
    return Plan(part, asked, rows, skipped)
