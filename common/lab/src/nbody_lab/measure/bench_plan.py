"""What bin/bench is asked (common/bench/measure.hpp): names, instruction sets and setups become rows, and it only times them."""

import itertools
import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from nbody_lab.building.cpuinfo import FEATURES, best_program
from nbody_lab.building.lab import missing_here
from nbody_lab.building.manifest import Implementation, Manifest
from nbody_lab.building.ranks import PLACEHOLDER
from nbody_lab.core.errors import LabError
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


class Candidate(NamedTuple):
    """An implementation, for one instruction set if some were asked for."""

    name: str  # direct, part1/direct of another part, or direct_avx2
    row: Implementation
    arch: str

    def why_not(self) -> str:
        """Why it cannot run here; empty: it can."""
        missing = missing_here([*self.row.needs, *FEATURES.get(self.arch, "").split()])
        return f"needs {missing}" if missing else ""


@dataclass(frozen=True)
class PlannedRow:
    """One implementation under one setup."""

    candidate: Candidate
    setup: Setup
    program: Path
    launcher: Sequence[str]
    flops: float | None  # per interaction, counted

    @property
    def has_ranks(self) -> bool:
        return PLACEHOLDER in self.launcher

    @property
    def title(self) -> str:
        return _title(self.candidate.name, self.setup)

    def as_asked(self) -> dict[str, Any]:
        """As the program reads it."""
        row, setup = self.candidate.row, self.setup
        tuned = {word: getattr(setup, word) for word in TUNED}
        options = [[f"--{word}", str(value)] for word, value in tuned.items() if value]
        best = best_program(row.programs, setup.precision, self.candidate.arch)
        # A program in another language may use any name; one that is made from a header states whose it is, so that an
        # old or mixed-up file is not timed in its place.
        hello = [row.part, row.name, best.instruction_set] if row.class_name and best else []
        return {
            "name": self.title,
            "program": str(self.program),
            "arguments": [*row.arguments, *itertools.chain(*options)],
            "launcher": list(self.launcher),
            "ranks": max(1, setup.ranks),
            "hello": hello,
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


def _title(name: str, setup: Setup) -> str:
    launch = (f"/{word}:{value}" for word in (*TUNED, "ranks") if (value := getattr(setup, word)))
    return f"{name}/n:{setup.n}/threads:{setup.threads}/{setup.precision}{''.join(launch)}"


def _candidates(manifest: Manifest, part: str, asked: Asked) -> Iterator[Candidate]:
    """An implementation that has no instruction sets is one program, whatever --arch says."""
    known = manifest.of_part(part)
    rows = {one.name: one for one in known} if not asked.names else {}
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
            yield Candidate(name, row, "")
        for arch in asked.arch:
            if arch in sets[name]:
                yield Candidate(f"{name}_{arch}", row, arch)


def counted_flops(file: Path, n: int, adaptive: bool) -> float | None:
    """Per interaction, if they are a polynomial; a file of another version counts as missing."""
    try:
        work = CountFile.model_validate_json(file.read_bytes()).work
        polynomial = work["adaptive_step" if adaptive else "fixed_step"]["flops"].polynomial
    except (OSError, ValueError, KeyError):
        return None
    return polynomial.at(n) / n**2 if polynomial else None


def _rows_of(
    manifest: Manifest, candidate: Candidate, asked: Asked, setup: Setup
) -> Iterator[PlannedRow]:
    """At most one: none if it is not built."""
    row, part = candidate.row, manifest.part(candidate.row.part)
    launcher = row.launcher if row.launcher is not None else part.launcher if part else ()
    if PLACEHOLDER in launcher:
        setup = setup._replace(ranks=setup.ranks or (part.ranks if part else 1))
    elif setup.ranks > 1:
        raise LabError(f"--ranks: {candidate.name} runs as one process; part 4 runs as several")
    else:
        setup = setup._replace(ranks=0)
    folder, counted = manifest.file.parent, None
    if row.count and row.name not in asked.hidden:
        file = folder / f"{row.count.program}.json"
        counted = counted_flops(file, setup.n, asked.adaptive)
    best = best_program(row.programs, setup.precision, candidate.arch)
    if best and (folder / best.program).exists():
        yield PlannedRow(candidate, setup, folder / best.program, launcher, counted)


def plan_of(manifest: Manifest, part: str, asked: Asked) -> Plan:
    """Raises LabError if nothing is left to be measured."""
    candidates = list(_candidates(manifest, part, asked))
    runs = [candidate for candidate in candidates if not candidate.why_not()]
    if not runs:
        raise LabError(f"nothing of {part} can run on this machine")
    rows = [
        row
        for setup in asked.setups()
        for candidate in runs
        for row in _rows_of(manifest, candidate, asked, setup)
    ]
    if not rows:
        raise LabError(f"nothing is built: run ./lab build {part}")
    skipped = [f"{one.name} skipped: {why}" for one in candidates if (why := one.why_not())]
    return Plan(part, asked, rows, skipped)
