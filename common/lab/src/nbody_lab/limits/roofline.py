"""The roofline: the limits of a program, where it lies, the roof above it, and which limit it reaches. Pure functions,
no files. Speeds are interactions/s. docs/measuring.md states the rule.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from nbody_lab.core.errors import LabError
from nbody_lab.limits.ceilings import HAVE_FMA, Place
from nbody_lab.measure.results import Limit, Point, Work

# Results per interaction in the machine code: {("div", "sse2"): 4}, with the operations of a Ceiling and "arithmetic".
Units = Mapping[tuple[str, str], float]
Times = dict[str, float]  # {limit: seconds per interaction}; NaN: its rate was not measured

BUSY = 0.6  # below this share of its lowest limit, something else holds a program up
ABOVE = 1.05  # a point may exceed its roof by this factor: ceilings vary by some percent
WAITING = "waiting (latency, branches, calls)"
_NUMBERS_OF_A_BODY = 7  # per call: mass and three coordinates in, three accelerations out


@dataclass(frozen=True)
class Code:
    """What the source cannot tell."""

    instruction_set: str
    fma: bool  # does the compiler fuse?
    units: Units | None = None  # None: as in the source


def plain_code(instruction_set: str) -> Code:
    """Defaults for a program whose machine code is not examined."""
    return Code(instruction_set, instruction_set in HAVE_FMA)


@dataclass(frozen=True)
class Program:
    """What was counted, measured and found of one implementation."""

    name: str
    kind: str
    work: Work
    code: Code
    interactions_per_s: float
    loop_limits: Sequence[Limit] = ()  # found by ./lab bound in the machine code


# The limits of a program: the interactions/s that each unit allows, from counted work and measured rates.


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
    units = code.units
    if units is None:
        units = {
            (operation, code.instruction_set): getattr(work, operation)
            for operation in ("sqrt", "div", "rsqrt")
        }
    return sum(
        _seconds(amount, place.unit(operation, instruction_set))
        for (operation, instruction_set), amount in units.items()
        if operation in operations
    )


def _arithmetic(work: Work, code: Code) -> dict[str, float]:
    """{instruction set: results per interaction}. If the hot loop does less than half of the source's arithmetic, other
    loops do the rest: then the source counts."""
    needed = _fewest_instructions(work, code.fma)
    in_loop = {
        instruction_set: amount
        for (operation, instruction_set), amount in (code.units or {}).items()
        if operation == "arithmetic"
    }
    return in_loop if sum(in_loop.values()) >= needed / 2 else {code.instruction_set: needed}


def _arithmetic_s(place: Place, work: Work, code: Code) -> float:
    """Additions, multiplications and fma are one instruction each, on the same ports."""
    return sum(
        _seconds(amount, place.arithmetic(instruction_set))
        for instruction_set, amount in _arithmetic(work, code).items()
    )


def _l1_s(place: Place, work: Work, instruction_set: str) -> float:
    """Loads or stores, whichever take longer: they have separate ports. Half of a copy's bytes are stores."""
    loaded = _seconds(work.loads * place.number_bytes, place.bandwidth(instruction_set))
    stored = _seconds(
        work.stores * place.number_bytes, place.bandwidth(instruction_set, "copy") / 2
    )
    return max(loaded, stored)  # which passes over a NaN that comes second: stores without a rate


def _processor_times(place: Place, work: Work, code: Code) -> Times:
    return {
        "square root and division": _units_s(place, work, code, ("sqrt", "div")),
        "adding and multiplying": _arithmetic_s(place, work, code),
        "estimate of 1/sqrt": _units_s(place, work, code, ("rsqrt",)),
        "loads from L1": _l1_s(place, work, code.instruction_set),
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
        "special functions (MUFU)": _seconds(special, place.unit("rsqrt", "")),
        "loads from shared memory": _seconds(shared, place.bandwidth("")),
        "loads from global memory": _seconds(issued, place.bandwidth("")),
    }


def limits_of(place: Place, work: Work, code: Code) -> list[Limit]:
    """Without limits that take no time or were not measured."""
    times = _gpu_times(place, work) if place.is_gpu else _processor_times(place, work, code)
    return [
        Limit(name=name, interactions_per_s=1 / time) for name, time in times.items() if time > 0
    ]


def find_limiter(speed: float, limits: Sequence[Limit]) -> tuple[str, float]:
    """(limiter, share of the lowest limit reached), by the stated rule. ("", 0) without limits."""
    if not limits:
        return "", 0.0
    lowest = min(limits, key=lambda limit: limit.interactions_per_s)
    share = speed / lowest.interactions_per_s
    return (lowest.name if share >= BUSY else WAITING), share


# The point of a program, and the roof above it.


def compulsory_bytes(n: int, number_bytes: int) -> float:
    """Per interaction, if a call loads each input from memory once and stores each result once."""
    return _NUMBERS_OF_A_BODY * number_bytes / n


def _roof(place: Place, intensity: float | None, code: Code) -> tuple[float, str]:
    """(flop/s of the roof, its side: "computing" or "memory"). Raises LabError."""
    computing = place.peak(code.instruction_set, code.fma)
    slope = place.bandwidth(code.instruction_set)
    if not computing or not slope:
        where = code.instruction_set or "the GPU"
        raise LabError(f"no ceiling for {where} in {place.precision} was measured")
    if intensity is None or intensity * slope >= computing:
        return computing, "computing"
    return intensity * slope, "memory"


def make_point(number: int, place: Place, program: Program, n: int) -> Point:
    """Raises LabError."""
    work, code, speed = program.work, program.code, program.interactions_per_s
    issued = work.loads + work.stores + work.shared_loads + work.shared_stores
    moved, compulsory = issued * place.number_bytes, compulsory_bytes(n, place.number_bytes)
    intensity = work.flops / moved if moved else None
    roof, side = _roof(place, intensity, code)
    limits = [*limits_of(place, work, code), *program.loop_limits]
    limiter, share = find_limiter(speed, limits)
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
        bound_by=side,
        above_roof=flops > ABOVE * roof,
        disturbed=place.is_disturbed(code.instruction_set),
        limits=tuple(limits),
        limiter=limiter,
        share_of_limit=share,
    )


def lowest_limit(point: Point) -> float | None:
    """The flop/s at a point's lowest limit; None without limits."""
    speeds = [limit.interactions_per_s for limit in point.limits]
    return min(speeds) * point.flops_per_interaction if speeds else None
