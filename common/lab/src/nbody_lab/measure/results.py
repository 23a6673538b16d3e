"""The result files that several rooms share, as models: ceilings of a machine, and rooflines (docs/file_formats.md)."""

import json
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import pydantic
from pydantic import Field

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import LabModel, Precision, fault_in

MEASURE = "./lab roofline --measure"
_VERSION = 1

# Strict: true is no number.
Count = Annotated[int, Field(ge=0, strict=True)]
Number = Annotated[float, Field(ge=0, strict=True)]
Positive = Annotated[float, Field(gt=0, strict=True)]
Yes = Annotated[bool, Field(strict=True)]


class NoInput(LabError):
    """What is wrong with a file, in one line."""


class _Record(LabModel):
    def as_json(self) -> dict[str, Any]:
        """As in the file, without what was never set."""
        return self.model_dump(mode="json", exclude_unset=True)


class Work(_Record):
    """Operations per interaction, as the source has them."""

    add: float = 0.0
    mul: float = 0.0
    fma: float = 0.0
    div: float = 0.0
    sqrt: float = 0.0
    rsqrt: float = 0.0
    pow: float = 0.0
    flops: float = 0.0
    loads: float = 0.0
    stores: float = 0.0
    shared_loads: float = 0.0
    shared_stores: float = 0.0


class Ceiling(_Record):
    """The highest rate that was measured for one kind of operation."""

    where: str = Field(description="cpu, or gpu 0")
    kind: Literal["flops", "unit", "bandwidth"]
    name: str = Field(description="for people")
    instruction_set: str = Field(description="scalar, sse2, avx2, avx512f, neon; empty on a GPU")
    lanes: Count = Field(default=1, description="numbers that an instruction handles; 0 on a GPU")
    operation: str = Field(
        description="of flops `mul_add` (as many additions as multiplications) or `fma` (counted "
        "as 2); of a unit `sqrt`, `div` or `rsqrt` (the estimate); of a bandwidth `load`, `copy` "
        "or `triad` (a = b + s c)"
    )
    level: str = Field(description="of a bandwidth: L1, L2, L3, DRAM; a GPU's shared, ...")
    precision: Literal["float", "double", ""] = Field(
        description="empty for a bandwidth, except `double` for scalar loads of 8 bytes"
    )
    threads: Count = Field(description="each bound to its own core if there are several; 0: a GPU")
    array_bytes: Count = Field(description="of the arrays of all threads")
    unit: Literal["flop/s", "operation/s", "byte/s"]
    best: Number = Field(description="of some thirty windows of 10 ms")
    median: Number | None = None
    spread: Number = Field(description="width of the middle half over the median")
    is_ceiling: Yes = True
    why_not: str = Field(
        default="",
        description="its spread is above a tenth, a farther level was faster, or the data may come "
        "from a cache",
    )
    device: str = Field(default="", description="the GPU")


class Cycles(_Record):
    """Of the core, per operation."""

    median: Number
    spread: Number | None = None


class OperationCost(_Record):
    """What a scalar operation costs, in cycles of the core."""

    operation: str
    precision: Precision
    note: str = Field(description="for people")
    there: Yes = Field(description="false: the processor has no such instruction")
    latency_cycles: Cycles | None = Field(
        default=None, description="if each waits for the previous result"
    )
    one_every_cycles: Cycles | None = Field(default=None, description="if none waits")

    @pydantic.model_validator(mode="after")
    def _complete(self) -> "OperationCost":
        if self.there and None in (self.latency_cycles, self.one_every_cycles):
            raise ValueError("has no cycles")
        return self


class MachineFacts(_Record):
    """What the system says about itself."""

    cpu: str
    virtual_machine: Yes
    cores: Count
    hardware_threads: Count
    processor_quota: Number = Field(description="processors that a container may use; 0: all")
    l1d_bytes: Count = Field(description="0: unknown, as for the others")
    l2_bytes: Count
    l3_bytes: Count
    simd: tuple[str, ...]
    compiler: str
    system: str


class Ceilings(_Record):
    """build/ceilings.json: what a machine can do."""

    what: Literal["ceilings"]
    version: Literal[1]
    date: str = Field(description="when it was measured (UTC)")
    seconds: Number | None = Field(default=None, description="how long that took")
    machine: MachineFacts
    clock_hz: Positive = Field(description="of the core during the measurement")
    prices: tuple[OperationCost, ...]
    ceilings: tuple[Ceiling, ...]

    def of_place(self, where: str) -> tuple[Ceiling, ...]:
        """The rows of the processor, or of one GPU."""
        return tuple(row for row in self.ceilings if row.where == where)

    def device(self, where: str) -> str:
        """A GPU's name; empty for a processor."""
        return next((row.device for row in self.of_place(where)), "")


class Limit(_Record):
    """The speed that one unit of the machine allows."""

    name: str
    interactions_per_s: Number


class Point(_Record):
    """A program under the roof."""

    number: Count = Field(description="in the picture")
    name: str
    kind: str = Field(description="as in the manifest")
    precision: str
    threads: Count = Field(description="as it ran: one if a program has no OpenMP; 0 on a GPU")
    instruction_set: str = Field(description="empty on a GPU")
    interactions_per_s: Number = Field(description="the median of the rounds")
    flops_per_interaction: Number = Field(description="counted")
    bytes_per_interaction: Number = Field(description="that the source loads and stores")
    compulsory_bytes_per_interaction: Number = Field(
        description="7 numbers per body, once per call"
    )
    flops_per_s: Number = Field(description="speed times counted flops")
    intensity: Number | None = Field(description="flop/byte; null if nothing is loaded")
    compulsory_intensity: Number = Field(description="flop/byte")
    roof_flops_per_s: Number = Field(description="the roof above the point")
    share_of_roof: Number
    bound_by: str = Field(description="computing or memory: the roof above it")
    above_roof: Yes = Field(description="by more than 5 %")
    disturbed: Yes = Field(
        default=False, description="its roof comes from figures with too much spread"
    )
    limits: tuple[Limit, ...]
    limiter: str = Field(description="by the rule of [reading a roofline](measuring.md#the-labs-picture)")
    share_of_limit: Number = Field(description="of the lowest limit")
    source: str = Field(default="", description="the file that was timed")
    source_sha256: str = Field(default="", description="before it was built")
    busy_machine: Yes = Field(
        default=False, description="bench timed it while something else ran: it may be faster"
    )


class LeftOut(_Record):
    """A program without a point."""

    name: str
    why: str


class Roofline(_Record):
    """build/roofline/PART.json."""

    what: Literal["roofline"]
    version: Literal[1]
    part: str
    date: str = Field(description="YYYY-MM-DD, UTC")
    machine: str = Field(description="the processor or GPU")
    where: str = Field(description="which ceilings: `cpu`, or `gpu 0`")
    precision: Precision
    threads: Count = Field(description="0 on a GPU")
    n: Count = Field(description="bodies")
    ceilings: Ceilings = Field(description="[of that machine](#ceilings)")
    points: tuple[Point, ...]
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = Field(default=(), description="sentences that belong below the table")


def shown(file: Path | str) -> Path | str:
    """The path relative to the lab's root, if it is inside."""
    return Path(file).relative_to(ROOT) if ROOT in Path(file).parents else file


def read_json(file: Path | str) -> Any:
    """Raises NoInput."""
    try:
        return json.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise NoInput(f"{shown(file)} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise NoInput(f"{shown(file)} is not JSON") from error


_Model = TypeVar("_Model", bound=_Record)


def _read_result(model: type[_Model], file: Path | str, what: str, command: str) -> _Model:
    data = read_json(file)
    if not isinstance(data, dict) or data.get("what") != what:
        raise NoInput(f"{shown(file)} was not written by {command}")
    if data.get("version") != _VERSION:
        version = f"version {data.get('version')}, not {_VERSION}"
        raise NoInput(f"{shown(file)}: {version}: measure again ({command})")
    try:
        return model.model_validate(data)
    except pydantic.ValidationError as error:
        raise NoInput(f"{shown(file)}: {fault_in(error)}: measure again ({command})") from error


def read_ceilings(file: Path | str) -> Ceilings:
    """Raises NoInput, which names the wrong field and the command to measure again."""
    return _read_result(Ceilings, file, "ceilings", MEASURE)


def read_roofline(file: Path | str) -> Roofline:
    """A roofline written by ./lab roofline. Raises NoInput."""
    return _read_result(Roofline, file, "roofline", "./lab roofline PART")


def _format_member(key: str, value: Any) -> str:
    if not isinstance(value, list):
        return f" {json.dumps(key)}: {json.dumps(value)}"
    rows = ",\n".join(f"  {json.dumps(row)}" for row in value)
    return f" {json.dumps(key)}: [\n{rows}\n ]"


def format_rows(data: dict[str, Any]) -> str:
    """JSON with a line for each row of its lists."""
    return "{\n" + ",\n".join(_format_member(*member) for member in data.items()) + "\n}\n"


def format_ceilings(ceilings: Ceilings) -> str:
    """The text of the file."""
    return format_rows(ceilings.as_json())
