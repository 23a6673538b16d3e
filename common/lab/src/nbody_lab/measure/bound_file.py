"""The bound of a loop, as build/bound/PART_NAME.json stores it (docs/fields.md)."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from nbody_lab import ROOT
from nbody_lab.core.model import LabModel, Precision


class Bound(LabModel):
    """The cycles of one iteration, of a processor's core, or of a GPU for one warp; and the speed beside them."""

    what: Literal["bound"] = "bound"
    version: Literal[2] = 2
    date: str = ""
    part: str = ""
    name: str = ""
    precision: Precision = "float"
    program: str = Field(default="", description="path from the build folder")
    source: str = Field(default="", description="path from the lab's root")
    source_sha256: str = Field(default="", description="before the build")
    tool: str = Field(description="that counted the cycles")
    core: str = Field(description="whose cycles these are, by LLVM's name, or sm_90")
    is_this_machine: bool = Field(description="false: another one's cycles, so there is no share")
    function: str
    text: tuple[str, ...] = Field(description="the instructions; empty: hidden answers")
    instructions: int
    interactions: float = Field(description="of one iteration")
    cycles: float = Field(description="the bound: no iteration takes fewer")
    simulated_cycles: float | None = Field(default=None, description="null: on a GPU")
    busy: dict[str, float] = Field(description="cycles of an iteration by unit")
    limit: tuple[str, ...] = Field(description="the units that are full; empty: the loop waits")
    without: tuple[tuple[float, float], ...] = Field(
        default=(), description="(bound, simulated cycles) without each instruction"
    )
    units: tuple[str, ...] = Field(default=(), description="that each instruction uses most")
    at_once: int = Field(default=1, description="iterations at once: on a GPU one in each lane")
    clock_hz: float | None = Field(default=None, description="while it was measured")
    bound_interactions_per_s: float | None = Field(default=None, description="with this clock")
    measured_interactions_per_s: float | None = None
    measured_cycles: float | None = Field(default=None, description="of an iteration")
    share_of_bound: float | None = None
    why_not_measured: str = Field(default="", description="empty: measured on a quiet machine")

    @property
    def cycles_per_interaction(self) -> float:
        return self.cycles / self.interactions


class BoundSummary(LabModel):
    """What ./lab bound --json writes."""

    machine: str = Field(description="the processor's name, or the GPU's")
    compiler: str = ""
    date: str = ""
    summary: list[Bound]


def bound_file(part: str, name: str, precision: str) -> Path:
    """build/bound/PART_NAME.json, or PART_NAME_double.json."""
    suffix = "_double" if precision == "double" else ""
    return ROOT / "build/bound" / f"{part}_{name}{suffix}.json"
