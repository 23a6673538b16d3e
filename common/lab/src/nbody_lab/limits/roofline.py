"""The roofline: the limits of a program, where it lies, the roof above it, and which limit it reaches. Pure functions,
no files. Speeds are interactions/s. docs/measuring.md states the rule.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from nbody_lab.core.errors import LabError
from nbody_lab.measure.results import Ceiling, Limit, Point, Work

# Results per interaction in the machine code: {("div", "sse2"): 4}, with the operations of a Ceiling and "arithmetic".
Units = Mapping[tuple[str, str], float]
Times = dict[str, float]  # {limit: seconds per interaction}; NaN: its rate was not measured

BUSY = 0.6  # below this share of its lowest limit, something else holds a program up
ABOVE = 1.05  # a point may exceed its roof by this factor: ceilings vary by some percent
WAITING = "waiting (latency, branches, calls)"
_NUMBERS_OF_A_BODY = 7  # per call, each once: mass and coordinates in, accelerations out
_HAVE_FMA = ("avx2", "avx512f", "neon")


def issued_level(where: str) -> str:
    """The memory level that serves the core's loads and stores. On a GPU, shared memory and L1 are the same memory."""
    return "L1" if where == "cpu" else "shared"


@dataclass(frozen=True)
class Place:
    """The ceilings of the processor or of one GPU, as they count for one precision and number of threads. Rates are 0
    where nothing was measured."""

    rows: Sequence[Ceiling]
    precision: str
    threads: int  # 0 on a GPU

    @property
    def number_bytes(self) -> int:
        return 8 if self.precision == "double" else 4

    def matching(self, **wanted: str) -> list[Ceiling]:
        """The rows of this many threads with these values."""
        rows = [row for row in self.rows if row.threads == self.threads]
        return [row for row in rows if all(getattr(row, one) == wanted[one] for one in wanted)]

    def rate(self, kind: str, operation: str, instruction_set: str) -> float:
        """Flops, or square roots, divisions or approximations per second."""
        wanted = {"kind": kind, "operation": operation, "instruction_set": instruction_set}
        rows = self.matching(**wanted, precision=self.precision)
        return max((row.best for row in rows), default=0.0)

    def peak(self, instruction_set: str, fma: bool) -> float:
        """In flop/s. Without fma it is half as high on most processors."""
        apart = self.rate("flops", "mul_add", instruction_set)
        return max(apart, self.rate("flops", "fma", instruction_set)) if fma or not apart else apart

    def arithmetic(self, instruction_set: str) -> float:
        """Additions, multiplications or fma per second; an fma counts once."""
        fused = self.rate("flops", "fma", instruction_set)
        return max(self.rate("flops", "mul_add", instruction_set), fused / 2)

    def bandwidth(self, instruction_set: str, operation: str = "load") -> float:
        """In byte/s, between core and L1, with loads as wide as the program's own. A scalar load of a double moves twice as
        much, so it has its own row."""
        level = issued_level("cpu" if self.threads else "gpu")
        wanted = {"level": level, "operation": operation, "instruction_set": instruction_set}
        rows = self.matching(**wanted, precision=self.precision)
        return max((row.best for row in rows or self.matching(**wanted, precision="")), default=0.0)


@dataclass(frozen=True)
class Code:
    """What the source cannot tell."""

    instruction_set: str
    fma: bool  # does the compiler fuse?
    units: Units | None = None  # None: as in the source


def plain_code(instruction_set: str) -> Code:
    """Defaults for a program whose machine code is not examined."""
    return Code(instruction_set, instruction_set in _HAVE_FMA)


@dataclass(frozen=True)
class Program:
    """What was counted, measured and found of one implementation."""

    name: str
    kind: str
    work: Work
    code: Code
    interactions_per_s: float


def _seconds(amount: float, rate: float) -> float:
    """0 without work; NaN, which sums keep, if the rate was not measured."""
    if not amount:
        return 0.0
    return amount / rate if rate else math.nan


def _fewest_instructions(work: Work, fused: bool) -> float:
    """The fewest instructions for additions and multiplications. At best, fusing saves the smaller of the two
    counts."""
    multiplied = work.mul + work.pow
    apart = max(work.add, multiplied) if fused else work.add + multiplied
    return apart + work.fma


def _units_s(place: Place, work: Work, code: Code, operations: Collection[str]) -> float:
    """Square roots and divisions share a unit, so their times add up."""
    as_written = {(one, code.instruction_set): getattr(work, one) for one in operations}
    units = as_written if code.units is None else code.units
    return sum(
        _seconds(amount, place.rate("unit", operation, instruction_set))
        for (operation, instruction_set), amount in units.items()
        if operation in operations
    )


def _arithmetic_s(place: Place, work: Work, code: Code) -> float:
    """Additions, multiplications and fma are one instruction each, on the same ports. If the hot loop does less than half
    of the source's arithmetic, other loops do the rest: then the source counts."""
    needed = _fewest_instructions(work, code.fma)
    in_loop = {
        instruction_set: amount
        for (operation, instruction_set), amount in (code.units or {}).items()
        if operation == "arithmetic"
    }
    if sum(in_loop.values()) < needed / 2:
        in_loop = {code.instruction_set: needed}
    return sum(_seconds(amount, place.arithmetic(one)) for one, amount in in_loop.items())


def _processor_times(place: Place, work: Work, code: Code) -> Times:
    """Loads or stores of L1, whichever take longer: they have separate ports. Half of a copy's bytes are stores."""
    loads, stores = work.loads * place.number_bytes, work.stores * place.number_bytes
    copied = place.bandwidth(code.instruction_set, "copy")
    return {
        "square root and division": _units_s(place, work, code, ("sqrt", "div")),
        "adding and multiplying": _arithmetic_s(place, work, code),
        "approximate 1/sqrt": _units_s(place, work, code, ("rsqrt",)),
        # max() passes over a NaN that comes second: stores without a rate.
        "loads from L1": max(
            _seconds(loads, place.bandwidth(code.instruction_set)), _seconds(stores, copied / 2)
        ),
    }


def _gpu_times(place: Place, work: Work) -> Times:
    """On a GPU, square root and division are routines of a dozen instructions, measured as a whole; each uses the
    special function unit at least once. Global memory is at best served by L1, the same memory as shared memory."""
    special = work.sqrt + work.div + work.rsqrt
    shared = (work.shared_loads + work.shared_stores) * place.number_bytes
    issued = (work.loads + work.stores) * place.number_bytes
    return {
        "square root and division": _units_s(place, work, plain_code(""), ("sqrt", "div")),
        "adding and multiplying": _seconds(_fewest_instructions(work, True), place.arithmetic("")),
        "special functions (MUFU)": _seconds(special, place.rate("unit", "rsqrt", "")),
        "loads from shared memory": _seconds(shared, place.bandwidth("")),
        "loads from global memory": _seconds(issued, place.bandwidth("")),
    }


def limits_of(place: Place, work: Work, code: Code) -> list[Limit]:
    """Without limits that take no time or were not measured."""
    times = _processor_times(place, work, code) if place.threads else _gpu_times(place, work)
    return [
        Limit(name=name, interactions_per_s=1 / time) for name, time in times.items() if time > 0
    ]


def make_point(number: int, place: Place, program: Program, n: int) -> Point:
    """The point of a program, and the roof above it. Raises LabError."""
    work, code, speed = program.work, program.code, program.interactions_per_s
    issued = work.loads + work.stores + work.shared_loads + work.shared_stores
    moved = issued * place.number_bytes
    compulsory = _NUMBERS_OF_A_BODY * place.number_bytes / n
    intensity = work.flops / moved if moved else None
    peak = place.peak(code.instruction_set, code.fma)
    slope = place.bandwidth(code.instruction_set)
    if not peak or not slope:
        where = code.instruction_set or "the GPU"
        raise LabError(f"no ceiling for {where} in {place.precision} was measured")
    roof = peak if intensity is None else min(peak, intensity * slope)
    limits = limits_of(place, work, code)
    lowest = min(limits, key=lambda limit: limit.interactions_per_s, default=None)
    share = speed / lowest.interactions_per_s if lowest else 0.0
    flops = speed * work.flops
    return Point(
        number=number,
        name=program.name,
        kind=program.kind,
        precision=place.precision,
        threads=place.threads,
        instruction_set=code.instruction_set,
        interactions_per_s=speed,
        flops_per_interaction=work.flops,
        bytes_per_interaction=moved,
        compulsory_bytes_per_interaction=compulsory,
        flops_per_s=flops,
        intensity=intensity,
        compulsory_intensity=work.flops / compulsory,
        roof_flops_per_s=roof,
        share_of_roof=flops / roof,
        bound_by="computing" if roof == peak else "memory",
        above_roof=flops > ABOVE * roof,
        limits=tuple(limits),
        limiter=(lowest.name if share >= BUSY else WAITING) if lowest else "",
        share_of_limit=share,
    )


def lowest_limit(point: Point) -> float | None:
    """The flop/s at a point's lowest limit; None without limits."""
    return point.flops_per_s / point.share_of_limit if point.share_of_limit else None
