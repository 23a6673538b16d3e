"""The roofline: where a program lies, the roof above it, and what limits it. Pure functions, no files.

Work is a dict of operations per interaction: add, mul, fma, div, sqrt, rsqrt, pow, flops, loads, stores, shared_loads,
shared_stores. Speeds are interactions/s. docs/work_and_roofline.md states the rule.
"""

from messages import LabError
from roofline_ceilings import bandwidth, in_bytes, level_of_issued, matching, peak
from roofline_limits import limits_of

BUSY = 0.6  # below this share of its lowest limit, something else holds a program up
ABOVE = 1.05  # a point may exceed its roof by this factor: ceilings vary by some percent
WAITING = "waiting (latency, branches, calls)"
NUMBERS_OF_A_BODY = 7  # per call at least: mass and three coordinates in, three accelerations out


class NoCeiling(LabError):
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
    return in_bytes(precision) * sum(work[key] for key in ("loads", "stores", "shared_loads", "shared_stores"))


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
    used = [matching(ceilings, kind="flops", precision=precision, **of_set),
            matching(ceilings, kind="bandwidth", level=level_of_issued(ceilings), operation="load", **of_set)]
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
        "precision": precision, "threads": threads, "instruction_set": code.instruction_set,
        "interactions_per_s": speed, "flops_per_interaction": work["flops"], "bytes_per_interaction": moved,
        "compulsory_bytes_per_interaction": compulsory, "flops_per_s": flops, "intensity": intensity,
        "compulsory_intensity": work["flops"] / compulsory, "roof_flops_per_s": highest, "share_of_roof": flops / highest,
        "bound_by": side, "above_roof": flops > ABOVE * highest,
        "disturbed": is_disturbed(ceilings, code.instruction_set, precision, threads), "limits": limits, "limiter": name, "share_of_limit": share}


def lowest_limit(one):
    """The flop/s at a point's lowest limit; None without limits."""
    speeds = [limit["interactions_per_s"] for limit in one["limits"]]
    return min(speeds) * one["flops_per_interaction"] if speeds else None


def arrow(points):
    """(from, to): naive and the fastest mine, or the fastest other if there is no mine. None if either is missing."""
    naive = next((one for one in points if one["kind"] == "naive"), None)
    if not naive:
        return None
    others = [one for one in points if one["kind"] == "mine"] or [one for one in points if one is not naive]
    best = max(others, key=lambda one: one["interactions_per_s"], default=None)
    return (naive, best) if best else None
