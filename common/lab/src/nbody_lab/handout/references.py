"""The solution's speed for a lab without solutions: the ratios of data/references.json (docs/file_formats.md).

The handout contains that file; a tree with solutions measures them instead.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field

from nbody_lab.core.console import wrapped
from nbody_lab.core.model import LabModel, load

FILE = "data/references.json"
_WORDS_FOR_THREADS = {0: "", 1: " with one thread", 2: " with two threads"}


class Reference(LabModel):
    """One measurement; the solution's program is not named."""

    x_naive: float = Field(description="the solution's interactions/s over naive's in the same run")
    threads: int = Field(description="of both; 0 on a GPU")
    bodies: int
    step: Literal["adaptive", "fixed"]
    machine: str
    compiler: str
    day: str = Field(description="when it was measured")

    @property
    def run(self) -> str:
        return f"({self.bodies} bodies, {self.step} step; measured on {self.machine}, {self.day})"

    @property
    def speed_up(self) -> str:
        threads = _WORDS_FOR_THREADS.get(self.threads, f" with {self.threads} threads")
        return f"{self.x_naive:.3g} x naive{threads}"


class References(LabModel):
    """data/references.json."""

    what: str = "how fast the solution is against naive"
    version: Literal[1] = 1
    parts: dict[str, list[Reference]]


def read_references(root: Path, part: str) -> list[Reference]:
    file = root / FILE
    return load(References, file).parts.get(part, []) if file.exists() else []


def _sentences(rows: Sequence[Reference]) -> Iterator[str]:
    """One for each machine, day and kind of run."""
    for run in dict.fromkeys(row.run for row in rows):
        ratios = ", ".join(row.speed_up for row in rows if row.run == run)
        yield f"reference: the solution reaches {ratios} {run}"


def show(root: Path, part: str) -> None:
    """Prints the solution's speed, unless the solution is here to be measured."""
    if not (root / "solutions").is_dir():
        for sentence in _sentences(read_references(root, part)):
            print("\n".join(wrapped(sentence, "  ")), flush=True)
