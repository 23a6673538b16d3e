"""The solution's speed for a lab without solutions: the ratios of data/references.json (docs/file_formats.md).

./lab handout makes that file from the ladders in data/results; a tree with solutions measures them instead.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from pydantic import Field

from nbody_lab.core import console
from nbody_lab.core.model import LabModel, load
from nbody_lab.core.words import plural
from nbody_lab.measure.bench_file import BenchResult

FILE = "data/references.json"
_LADDERS = {
    "part1": ("part1_ladder_1_thread", "part1_ladder_2_threads", "part1_fixed_step"),
    "part2": ("part2_ladder_1_thread", "part2_ladder_2_threads"),
    "part3": ("part3_study_ladder",),
}


class Reference(LabModel):
    """One measurement; the solution's program is not named."""

    x_naive: float = Field(description="the solution's interactions/s over naive's in the same run")
    threads: int = Field(description="of both; 0 on a GPU")
    bodies: int
    step: Literal["adaptive", "fixed"]
    machine: str
    compiler: str
    day: str = Field(description="when it was measured")


class References(LabModel):
    """data/references.json."""

    what: str = "how fast the solution is against naive"
    version: Literal[1] = 1
    parts: dict[str, list[Reference]]


def _read_ratios(file: Path) -> Iterator[Reference]:
    """For each number of threads and bodies. The last row of a ladder is the solution."""
    bench = load(BenchResult, file)
    context = bench.context
    ladders: dict[tuple[int, int], dict[str, float]] = {}
    for row in bench.summary:
        if row.precision == "float" and row.interactions_per_s.median:
            speeds = ladders.setdefault((row.threads, row.n), {})
            speeds[row.name] = row.interactions_per_s.median
    for (threads, bodies), speeds in ladders.items():
        if "naive" in speeds:
            yield Reference(
                x_naive=round(list(speeds.values())[-1] / speeds["naive"], 3),
                threads=0 if context.device else threads,
                bodies=bodies,
                step="adaptive" if context.adaptive else "fixed",
                machine=context.device.split(" (")[0] if context.device else context.cpu,
                compiler=context.compiler,
                day=context.day,
            )


def read_ladders(results: Path, parts: Iterable[str]) -> References:
    """References from data/results; parts without a ladder there get none."""
    found = {}
    for part in parts:
        files = [results / f"{name}.json" for name in _LADDERS.get(part, ())]
        rows = [row for file in files if file.exists() for row in _read_ratios(file)]
        if rows:
            found[part] = rows
    return References(parts=found)


def show(root: Path, part: str) -> None:
    """Prints the solution's speeds, unless the solution is here to be measured."""
    if (root / "solutions").is_dir() or not (root / FILE).exists():
        return
    runs: dict[str, list[str]] = {}  # what was measured in one
    for row in load(References, root / FILE).parts.get(part, []):
        threads = f" with {plural(row.threads, 'thread')}" if row.threads else ""
        run = f"{row.bodies} bodies, {row.step} step; {row.machine}, {row.day}"
        runs.setdefault(run, []).append(f"{row.x_naive:.3g} x naive{threads}")
    for run, ratios in runs.items():
        sentence = f"reference: the solution reaches {', '.join(ratios)} ({run})"
        console.show("\n".join(console.wrapped(sentence, "  ")))
