"""The result files that several rooms share, as models: ceilings of a machine, and rooflines (docs/fields.md)."""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from nbody_lab.core.model import LabModel, Precision

LARGEST_SPREAD = 0.1
_DISTURBED = "it spread over more than 10 % while it was measured: something else was running"
_ALIKE = ("operation", "instruction_set", "precision", "threads")  # in rows that are compared


class Work(LabModel):
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


class Ceiling(LabModel):
    """The highest rate that was measured for one kind of operation."""

    where: str = Field(description="cpu, or gpu 0")
    kind: Literal["flops", "unit", "bandwidth"]
    name: str = Field(description="for people")
    instruction_set: str = Field(description="scalar, sse2, avx2, avx512f, neon; empty on a GPU")
    lanes: int = Field(default=1, description="numbers that an instruction handles; 0 on a GPU")
    operation: str = Field(
        description="of flops `mul_add` (as many additions as multiplications) or `fma` (counted "
        "as 2); of a unit `sqrt`, `div` or `rsqrt` (the approximation); of a bandwidth `load`, `copy` "
        "or `triad` (a = b + s c)"
    )
    level: str = Field(description="of a bandwidth: L1, L2, L3, DRAM; a GPU's shared, ...")
    precision: Literal["float", "double", ""] = Field(
        description="empty for a bandwidth, except `double` for scalar loads of 8 bytes"
    )
    threads: int = Field(description="each bound to its own core if there are several; 0: a GPU")
    array_bytes: int = Field(description="of the arrays of all threads")
    unit: Literal["flop/s", "operation/s", "byte/s"]
    best: float = Field(description="of some thirty windows of 10 ms")
    median: float | None = None
    spread: float = Field(description="width of the middle half over the median")
    is_ceiling: bool = True
    why_not: str = Field(
        default="",
        description="its spread is above a tenth, a farther level was faster, or the data may come "
        "from a cache",
    )
    device: str = Field(default="", description="the GPU")


def judged(rows: Sequence[Ceiling], *chains: Sequence[str]) -> list[Ceiling]:
    """The rows with is_ceiling and why_not, which a program may have set itself. `chains`: levels, from near to far."""

    def why_not(row: Ceiling) -> str:
        if row.why_not or not row.spread <= LARGEST_SPREAD:
            return row.why_not or _DISTURBED
        # What serves the larger array serves the smaller one, too, and nothing makes a loop faster: so of two levels of
        # which the farther one is faster, by more than a tenth and their spreads, the near row is the wrong one.
        for chain in chains:
            farther = chain[chain.index(row.level) + 1 :] if row.level in chain else ()
            for far in rows:
                alike = all(getattr(row, one) == getattr(far, one) for one in _ALIKE)
                least = row.best * (1 + max(row.spread, far.spread, LARGEST_SPREAD))
                if far.level in farther and alike and far.best > least:
                    return (
                        f"{far.level}, farther away, was faster: something slowed {row.level} down"
                    )
        return ""

    reasons = [why_not(row) for row in rows]
    return [
        row.model_copy(update={"is_ceiling": not why, "why_not": why})
        for row, why in zip(rows, reasons)
    ]


class Cycles(LabModel):
    """Of the core, per operation."""

    median: float
    spread: float | None = None


class OperationCost(LabModel):
    """What a scalar operation costs, in cycles of the core."""

    operation: str
    precision: Precision
    note: str = Field(description="for people")
    there: bool = Field(description="false: the processor has no such instruction")
    latency_cycles: Cycles | None = Field(
        default=None, description="if each waits for the previous result"
    )
    one_every_cycles: Cycles | None = Field(default=None, description="if none waits")


class MachineFacts(LabModel):
    """What the system says about itself."""

    cpu: str
    virtual_machine: bool
    cores: int
    hardware_threads: int
    processor_quota: float = Field(description="processors that a container may use; 0: all")
    l1d_bytes: int = Field(description="0: unknown, as for the others")
    l2_bytes: int
    l3_bytes: int
    simd: tuple[str, ...]
    compiler: str
    system: str


class Ceilings(LabModel):
    """build/ceilings.json: what a machine can do."""

    what: Literal["ceilings"] = "ceilings"
    version: Literal[1] = 1
    date: str = Field(description="when it was measured (UTC)")
    seconds: float | None = Field(default=None, description="how long that took")
    machine: MachineFacts
    clock_hz: float = Field(description="of the core during the measurement")
    prices: tuple[OperationCost, ...]
    ceilings: tuple[Ceiling, ...]

    def of_place(self, where: str) -> tuple[Ceiling, ...]:
        """The rows of the processor, or of one GPU."""
        return tuple(row for row in self.ceilings if row.where == where)

    def device(self, where: str) -> str:
        """A GPU's name; empty for a processor."""
        return next((row.device for row in self.of_place(where)), "")


class Limit(LabModel):
    """The speed that one unit of the machine allows."""

    name: str
    interactions_per_s: float


class Point(LabModel):
    """A program under the roof."""

    number: int = Field(description="in the picture")
    name: str
    kind: str = Field(description="as in the manifest")
    precision: str
    threads: int = Field(description="as it ran: one if a program has no OpenMP; 0 on a GPU")
    instruction_set: str = Field(description="empty on a GPU")
    interactions_per_s: float = Field(description="the median of the rounds")
    flops_per_interaction: float = Field(description="counted")
    bytes_per_interaction: float = Field(description="that the source loads and stores")
    compulsory_bytes_per_interaction: float = Field(description="7 numbers per body, once per call")
    flops_per_s: float = Field(description="speed times counted flops")
    intensity: float | None = Field(description="flop/byte; null if nothing is loaded")
    compulsory_intensity: float = Field(description="flop/byte")
    roof_flops_per_s: float = Field(description="the roof above the point")
    share_of_roof: float
    bound_by: str = Field(description="computing or memory: the roof above it")
    above_roof: bool = Field(description="by more than 5 %")
    limits: tuple[Limit, ...]
    limiter: str = Field(
        description="by the rule of [the lab's picture](measuring.md#the-labs-picture)"
    )
    share_of_limit: float = Field(description="of the lowest limit")
    source: str = Field(default="", description="the file that was timed")
    source_sha256: str = Field(default="", description="before it was built")
    busy_machine: bool = Field(
        default=False, description="bench timed it while something else ran: it may be faster"
    )


class Roofline(LabModel):
    """build/roofline/PART.json."""

    what: Literal["roofline"] = "roofline"
    version: Literal[1] = 1
    part: str
    date: str = Field(description="YYYY-MM-DD, UTC")
    machine: str = Field(description="the processor or GPU")
    where: str = Field(description="which ceilings: `cpu`, or `gpu 0`")
    precision: Precision
    threads: int = Field(description="0 on a GPU")
    n: int = Field(description="bodies")
    ceilings: Ceilings = Field(description="[of that machine](#ceilings)")
    points: tuple[Point, ...]
    left_out: dict[str, str] = Field(default={}, description="programs without a point, and why")
