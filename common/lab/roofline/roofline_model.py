"""The roofline: where a program lies, what the roof above it is, and what limits it. Pure functions, no files.

Work is a dict of operations per interaction: add, mul, fma, div, sqrt, rsqrt, pow, flops, loads, stores, shared_loads,
shared_stores. Speeds are interactions/s. docs/work_and_roofline.md states the rule.
"""

from messages import LabError
from roofline_ceilings import bandwidth, in_bytes, level_of_issued, matching, peak
from roofline_limits import limits_of

BUSY = 0.6  # a program that gets less than this out of its lowest limit is held up by something else
ABOVE = 1.05  # a point may lie so far over its roof: ceilings repeat within some percent
WAITING = "waiting (latency, branches, calls)"
NUMBERS_OF_A_BODY = 7  # mass and three coordinates come, three accelerations go: once per call, whatever a program does


class NoCeiling(LabError):
    """What was not measured, in words that follow "no ceiling of"."""


def limiter(speed, limits):
    """(its name, share of the lowest limit that is reached), by the stated rule. ("", 0) without limits."""
    if not limits:
        return "", 0.0
    lowest = min(limits, key=lambda limit: limit["interactions_per_s"])
    share = speed / lowest["interactions_per_s"]
    return (lowest["name"] if share >= BUSY else WAITING), share


def compulsory_bytes(n, precision):
    """Per interaction: a call loads each number that it needs from memory once and stores each result once."""
    return NUMBERS_OF_A_BODY * in_bytes(precision) / n


def issued_bytes(work, precision):
    return in_bytes(precision) * sum(work[key] for key in ("loads", "stores", "shared_loads", "shared_stores"))


def roof(ceilings, intensity, code, precision, threads):
    """(flop/s above a point, which part of the roof that is): computing or memory. Raises NoCeiling."""
    computing = peak(ceilings, code.instruction_set, precision, threads, code.fma)
    slope = bandwidth(ceilings, code.instruction_set, precision, threads)
    if not computing or not slope:
        raise NoCeiling(f"{code.instruction_set or 'the GPU'} in {precision}".strip())
    if intensity is None or intensity * slope >= computing:
        return computing, "computing"
    return intensity * slope, "memory"


def is_disturbed(ceilings, instruction_set, precision, threads):
    """Is the roof made of figures that spread too much to be ceilings?"""
    of_set = {"instruction_set": instruction_set, "threads": threads}
    used = [matching(ceilings, kind="flops", precision=precision, **of_set),
            matching(ceilings, kind="bandwidth", level=level_of_issued(ceilings), operation="load", **of_set)]
    return not all(row["is_ceiling"] for rows in used for row in rows)


def point(ceilings, work, code, speed, n, precision, threads, of_loop=()):
    """What is said of one program. `ceilings`: rows of one place; `of_loop`: limits that ./lab bound has found
    in its machine code."""
    moved = issued_bytes(work, precision)
    compulsory = compulsory_bytes(n, precision)
    intensity = work["flops"] / moved if moved else None
    highest, side = roof(ceilings, intensity, code, precision, threads)
    limits = [*limits_of(ceilings, work, code, precision, threads), *of_loop]
    name, share = limiter(speed, limits)
    flops = speed * work["flops"]
    return {
        "precision": precision, "threads": threads, "instruction_set": code.instruction_set,
        "interactions_per_s": speed, "flops_per_interaction": work["flops"], "bytes_per_interaction": moved,
        "compulsory_bytes_per_interaction": compulsory, "flops_per_s": flops, "intensity": intensity,
        "compulsory_intensity": work["flops"] / compulsory, "roof_flops_per_s": highest, "share_of_roof": flops / highest,
        "bound_by": side, "above_roof": flops > ABOVE * highest,
        "disturbed": is_disturbed(ceilings, code.instruction_set, precision, threads), "limits": limits, "limiter": name, "share_of_limit": share}


def lowest_limit(one):
    """flop/s at which the lowest limit of a point lies: never reached by 20 flops per interaction at the peak."""
    speeds = [limit["interactions_per_s"] for limit in one["limits"]]
    return min(speeds) * one["flops_per_interaction"] if speeds else None


def arrow(points):
    """(from, to): naive and the fastest mine, or the fastest of all where there is no other mine; None without both."""
    naive = next((one for one in points if one["kind"] == "naive"), None)
    if not naive:
        return None
    others = [one for one in points if one["kind"] == "mine"] or [one for one in points if one is not naive]
    best = max(others, key=lambda one: one["interactions_per_s"], default=None)
    return (naive, best) if best else None
