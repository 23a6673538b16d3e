"""The bound of a loop, as build/bound/PART_NAME.json stores it (docs/file_formats.md)."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, PlainSerializer, PositiveFloat

from nbody_lab import ROOT
from nbody_lab.core.model import LabModel, Precision

# Text that may be unknown: "" in the file, None here.
OptionalText = Annotated[
    str | None,
    BeforeValidator(lambda text: text or None),
    PlainSerializer(lambda text: text or "", return_type=str),
]


class Loop(LabModel):
    """The instructions of one iteration."""

    function: str
    instructions: int
    by_kind: dict[str, int] = Field(description="instructions by kind")
    operations: dict[str, int] = Field(default={}, description="floating-point results, by kind")
    text: tuple[str, ...] = Field(description="the instructions")
    calls: tuple[str, ...] = Field(
        default=(), description="functions that it calls, which are not counted"
    )


class Beside(LabModel):
    """A loop beside the hot one, which does another step of the same work."""

    instructions: int
    times: float | None = Field(description="its iterations per iteration of the hot loop")
    cycles: float | None = Field(description="per iteration of its own")
    limit: str | None = Field(description="what takes them")


class Gain(LabModel):
    """What one instruction fewer on the full ports would gain."""

    words: str
    cycles_per_iteration: float
    speedup: float


class PortBound(LabModel):
    """The least time of a loop's iteration, by the ports that its instructions need."""

    core: str = Field(description="the processor whose ports count")
    instead_of: OptionalText = Field(
        default=None, description="this machine's core, if no tool knows it"
    )
    tool: str = Field(description="that knows the ports")
    loop: Loop
    instruction_set: str
    lanes: int = Field(description="numbers that an instruction handles")
    interactions_per_iteration: float = Field(description="of the loop")
    ports: dict[str, float] = Field(description="cycles per iteration")
    full_ports: tuple[str, ...]
    full_port: OptionalText = Field(description="the fullest")
    limit: str = Field(description="a port, `chain` or `front end`: whichever limits this loop")
    slot: float | None = Field(description="cycles of one instruction on the full port, unless 1")
    ports_cycles: float = Field(description="of the fullest port")
    front_end_cycles: float | None = Field(default=None, description="null: not known")
    chain_cycles: float | None = Field(default=None, description="null: not known")
    chain: tuple[str, ...] = Field(default=(), description="instructions that wait for each other")
    beside: tuple[Beside, ...] = ()
    taken_by: dict[str, float] = Field(
        default={},
        description="cycles of an iteration by limit, with the loops beside it; largest first",
    )
    borrowed: dict[str, str] = Field(
        default={}, description="instruction: the older core whose ports count"
    )
    unknown: tuple[str, ...] = Field(default=(), description="instructions that are not counted")
    cycles_per_iteration: float = Field(description="the bound")
    cycles_per_interaction: float = Field(description="the bound")
    one_slot_less: Gain | None = None
    other_kernels: tuple[str, ...] | None = Field(default=None, description="of a GPU's program")


class Bound(PortBound):
    """The bound of one program, with the speeds beside it."""

    what: Literal["bound"] = "bound"
    version: Literal[1] = 1
    date: str
    part: str
    name: str
    precision: Precision
    program: str = Field(description="path from the build folder")
    hidden: bool = Field(
        description="kinds and text are left out until the worksheet has its counts right"
    )
    why_so_many: str = Field(description="how the interactions per iteration are known")
    counted: dict[str, float] = Field(
        description="operations per interaction by kind; empty: not counted, or hidden"
    )
    machine: OptionalText = Field(
        default=None, description="the GPU with this clock and these speeds; empty: this processor"
    )
    clock_hz: PositiveFloat | None = None
    why_not_measured: OptionalText = Field(
        default=None, description="a sentence; empty: measured, or not requested"
    )
    bound_interactions_per_s: float | None = Field(default=None, description="null: no clock")
    measured_interactions_per_s: float | None = None
    share_of_bound: float | None = None
    busy_machine: bool | None = Field(
        default=None, description="bench timed it while something else ran"
    )
    source: str | None = Field(default=None, description="path from the lab's root")
    source_sha256: str | None = Field(default=None, description="before the build")

    def to_json(self) -> str:
        """The text of the file; fields that do not apply are left out."""
        optional = ("other_kernels", "busy_machine", "source", "source_sha256")
        without = {field for field in optional if getattr(self, field) is None}
        return self.model_dump_json(indent=1, exclude=without) + "\n"


class BoundRow(LabModel):
    """A row of ./lab bound --json, for the documents' tables (docs/figures.py)."""

    name: str
    precision: str
    instruction_set: str
    core: str
    instructions: int
    interactions: float
    cycles: float
    port: str
    clock_hz: float | None
    measured_interactions_per_s: float | None
    unknown: int

    @property
    def share_of_bound(self) -> float | None:
        """On a processor; None if it was not measured."""
        if not self.clock_hz or not self.measured_interactions_per_s:
            return None
        return self.measured_interactions_per_s * self.cycles / self.interactions / self.clock_hz


class BoundSummary(LabModel):
    """What ./lab bound --json writes."""

    machine: str
    summary: list[BoundRow]


def bound_file(part: str, name: str, precision: str) -> Path:
    """build/bound/PART_NAME.json, or PART_NAME_double.json."""
    suffix = "_double" if precision == "double" else ""
    return ROOT / "build/bound" / f"{part}_{name}{suffix}.json"
