"""The roofline: the limits of a program, where it lies, the roof above it, and which limit it reaches. Pure functions,
no files.

Work is a dict of operations per interaction: add, mul, fma, div, sqrt, rsqrt, pow, flops, loads, stores, shared_loads,
shared_stores. Speeds are interactions/s. docs/work_and_roofline.md states the rule.
"""

from collections import namedtuple

from nbody_lab.core.messages import UserError
from nbody_lab.roofline.ceilings import (
    HAVE_FMA,
    bandwidth,
    in_bytes,
    instructions,
    is_gpu,
    level_of_issued,
    matching,
    peak,
    unit,
)

# The limits of a program: the interactions/s that each unit allows, from counted work and measured rates.

# What the source cannot tell. fma: does the compiler fuse? units: {("div", "sse2"): results per interaction} in the
# machine code, with the operations of time_of_units() and "arithmetic"; None: as in the source. pow_seconds: spent in
# calls of pow per interaction; 0 without calls, since the compiler turns pow(x, 2) into a square. begin_seconds:
# needed per interaction to issue its instructions; 0: unknown.
Code = namedtuple(
    "Code", "instruction_set fma units pow_seconds begin_seconds", defaults=(None, 0.0, 0.0)
)


def plain_code(instruction_set):
    """Defaults for a program whose machine code is not examined."""
    return Code(instruction_set, instruction_set in HAVE_FMA)


def seconds(amount, rate):
    """0 without work; None if the rate was not measured."""
    if not amount:
        return 0.0
    return amount / rate if rate else None


def added(times):
    return None if None in times else sum(times)


def fewest_instructions(work, fused):
    """The fewest instructions for additions and multiplications. At best, fusing saves the smaller of the two
    counts."""
    multiplied = work["mul"] + work["pow"]
    apart = max(work["add"], multiplied) if fused else work["add"] + multiplied
    return apart + work["fma"]


def time_of_units(ceilings, work, code, operations, precision, threads):
    """Square roots and divisions share a unit, so their times add up."""
    done = code.units
    if done is None:
        done = {
            (operation, code.instruction_set): work[operation]
            for operation in ("sqrt", "div", "rsqrt")
        }
    return added(
        [
            seconds(amount, unit(ceilings, operation, width, precision, threads))
            for (operation, width), amount in done.items()
            if operation in operations
        ]
    )


def arithmetic_of(work, code):
    """{instruction set: results per interaction}. If the hot loop does less than half of the source's arithmetic, other
    loops do the rest: then the source counts."""
    asked = fewest_instructions(work, code.fma)
    done = {
        width: amount
        for (operation, width), amount in (code.units or {}).items()
        if operation == "arithmetic"
    }
    return done if sum(done.values()) >= asked / 2 else {code.instruction_set: asked}


def time_of_arithmetic(ceilings, work, code, precision, threads):
    """The time of additions, multiplications and fma, each one instruction on the same ports."""
    return added(
        [
            seconds(amount, instructions(ceilings, width, precision, threads))
            for width, amount in arithmetic_of(work, code).items()
        ]
    )


def time_in_l1(ceilings, work, instruction_set, precision, threads):
    """The time of loads or of stores, whichever is longer: they have separate ports. Half of a copy's bytes are
    stores."""
    loaded = seconds(
        work["loads"] * in_bytes(precision),
        bandwidth(ceilings, instruction_set, precision, threads),
    )
    stored = seconds(
        work["stores"] * in_bytes(precision),
        bandwidth(ceilings, instruction_set, precision, threads, "copy") / 2,
    )
    return None if loaded is None else max(loaded, stored or 0.0)


def times_of_processor(ceilings, work, code, precision, threads):
    """{limit: seconds per interaction}; None: not measured."""
    return {
        "square root and division": time_of_units(
            ceilings, work, code, ("sqrt", "div"), precision, threads
        ),
        "adding and multiplying": time_of_arithmetic(ceilings, work, code, precision, threads),
        "estimate of 1/sqrt": time_of_units(ceilings, work, code, ("rsqrt",), precision, threads),
        "loads from L1": time_in_l1(ceilings, work, code.instruction_set, precision, threads),
        "calls of pow": code.pow_seconds / threads,
        "issuing instructions": code.begin_seconds / threads,
    }


def times_of_gpu(ceilings, work, precision):
    """{limit: seconds per interaction}; None: not measured. On a GPU, square root and division are routines of a dozen
    instructions, measured as a whole; each uses the special function unit at least once. Global memory is at best
    served by L1, the same memory as shared memory."""
    special = work["sqrt"] + work["div"] + work["rsqrt"]
    issued = bandwidth(ceilings, "", precision, 0)
    return {
        "square root and division": time_of_units(
            ceilings, work, plain_code(""), ("sqrt", "div"), precision, 0
        ),
        "adding and multiplying": seconds(
            fewest_instructions(work, True), instructions(ceilings, "", precision, 0)
        ),
        "special functions (MUFU)": seconds(special, unit(ceilings, "rsqrt", "", precision, 0)),
        "loads from shared memory": seconds(
            (work["shared_loads"] + work["shared_stores"]) * in_bytes(precision), issued
        ),
        "loads from global memory": seconds(
            (work["loads"] + work["stores"]) * in_bytes(precision), issued
        ),
    }


def limits_of(ceilings, work, code, precision, threads):
    """[{"name", "interactions_per_s"}], without limits that take no time or were not measured."""
    times = (
        times_of_gpu(ceilings, work, precision)
        if is_gpu(ceilings)
        else times_of_processor(ceilings, work, code, precision, threads)
    )
    return [{"name": name, "interactions_per_s": 1 / time} for name, time in times.items() if time]


BUSY = 0.6  # below this share of its lowest limit, something else holds a program up
ABOVE = 1.05  # a point may exceed its roof by this factor: ceilings vary by some percent
WAITING = "waiting (latency, branches, calls)"
NUMBERS_OF_A_BODY = 7  # per call at least: mass and three coordinates in, three accelerations out


class NoCeiling(UserError):
    """What was not measured; completes the sentence "no ceiling for"."""


def limiter(speed, limits):
    """(limiter, share of the lowest limit reached), by the stated rule. ("", 0) without limits."""
    if not limits:
        return "", 0.0
    lowest = min(limits, key=lambda limit: limit["interactions_per_s"])
    share = speed / lowest["interactions_per_s"]
    return (lowest["name"] if share >= BUSY else WAITING), share


def compulsory_bytes(n, precision):
    """Bytes per interaction if a call loads each input from memory once and stores each result once."""
    return NUMBERS_OF_A_BODY * in_bytes(precision) / n


def issued_bytes(work, precision):
    return in_bytes(precision) * sum(
        work[key] for key in ("loads", "stores", "shared_loads", "shared_stores")
    )


def roof(ceilings, intensity, code, precision, threads):
    """(flop/s of the roof, its side: "computing" or "memory"). Raises NoCeiling."""
    computing = peak(ceilings, code.instruction_set, precision, threads, code.fma)
    slope = bandwidth(ceilings, code.instruction_set, precision, threads)
    if not computing or not slope:
        raise NoCeiling(f"{code.instruction_set or 'the GPU'} in {precision}".strip())
    if intensity is None or intensity * slope >= computing:
        return computing, "computing"
    return intensity * slope, "memory"


def is_disturbed(ceilings, instruction_set, precision, threads):
    """Whether figures under this roof vary too much to be ceilings."""
    of_set = {"instruction_set": instruction_set, "threads": threads}
    used = [
        matching(ceilings, kind="flops", precision=precision, **of_set),
        matching(
            ceilings, kind="bandwidth", level=level_of_issued(ceilings), operation="load", **of_set
        ),
    ]
    return not all(row["is_ceiling"] for rows in used for row in rows)


def point(ceilings, work, code, speed, n, precision, threads, of_loop=()):
    """The data of one point. `ceilings`: the rows of one place; `of_loop`: limits found by ./lab bound in the machine
    code."""
    moved = issued_bytes(work, precision)
    compulsory = compulsory_bytes(n, precision)
    intensity = work["flops"] / moved if moved else None
    highest, side = roof(ceilings, intensity, code, precision, threads)
    limits = [*limits_of(ceilings, work, code, precision, threads), *of_loop]
    name, share = limiter(speed, limits)
    flops = speed * work["flops"]
    return {
        "precision": precision,
        "threads": threads,
        "instruction_set": code.instruction_set,
        "interactions_per_s": speed,
        "flops_per_interaction": work["flops"],
        "bytes_per_interaction": moved,
        "compulsory_bytes_per_interaction": compulsory,
        "flops_per_s": flops,
        "intensity": intensity,
        "compulsory_intensity": work["flops"] / compulsory,
        "roof_flops_per_s": highest,
        "share_of_roof": flops / highest,
        "bound_by": side,
        "above_roof": flops > ABOVE * highest,
        "disturbed": is_disturbed(ceilings, code.instruction_set, precision, threads),
        "limits": limits,
        "limiter": name,
        "share_of_limit": share,
    }


def lowest_limit(one):
    """The flop/s at a point's lowest limit; None without limits."""
    speeds = [limit["interactions_per_s"] for limit in one["limits"]]
    return min(speeds) * one["flops_per_interaction"] if speeds else None


def arrow(points):
    """(from, to): naive and the fastest mine, or the fastest other if there is no mine. None if either is missing."""
    naive = next((one for one in points if one["kind"] == "naive"), None)
    if not naive:
        return None
    others = [one for one in points if one["kind"] == "mine"] or [
        one for one in points if one is not naive
    ]
    best = max(others, key=lambda one: one["interactions_per_s"], default=None)
    return (naive, best) if best else None
