"""How fast the solution is, for a lab without solutions: the sentences of data/references.json (docs/fields.md).

./lab handout makes that file from the ladders in data/results; a tree with solutions measures them instead.
"""

from collections.abc import Iterable
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


class References(LabModel):
    """data/references.json."""

    what: str = "how fast the solution is against naive"
    version: Literal[2] = 2
    parts: dict[str, list[str]] = Field(description="a sentence for each measured ladder")


def _sentence(bench: BenchResult) -> str:
    """Does not name the solution's program."""
    context = bench.context
    solutions = (row for row in bench.summary if row.kind == "solution")
    solution = next(row for row in solutions if row.precision == "float")
    naive = next(row for row in bench.summary if (row.name, row.setup) == ("naive", solution.setup))
    ratio = solution.interactions_per_s.median / naive.interactions_per_s.median
    threads = "" if context.device else f" with {plural(solution.threads, 'thread')}"
    step = "adaptive" if context.adaptive else "fixed"
    machine = context.device.split(" (")[0] or context.cpu
    return (
        f"the solution reaches {ratio:.3g} x naive{threads} "
        f"({solution.n} bodies, {step} step; {machine}, {context.day})"
    )


def read_ladders(results: Path, parts: Iterable[str]) -> References:
    """References from data/results; parts without a ladder there get none."""
    found = {}
    for part in parts:
        files = [results / f"{name}.json" for name in _LADDERS.get(part, ())]
        found[part] = [_sentence(load(BenchResult, file)) for file in files if file.exists()]
    return References(parts=found)


def show(root: Path, part: str) -> None:
    """Prints the solution's speeds, unless the solution is here to be measured."""
    if not (root / "solutions").is_dir() and (root / FILE).exists():
        for sentence in load(References, root / FILE).parts.get(part, []):
            console.show("\n".join(console.wrapped(f"reference: {sentence}", "  ")))
