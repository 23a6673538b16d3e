"""The axes of a roofline. They depend on the ceilings alone, so pictures of one machine can be laid over each other."""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders  # noqa: E402, F401
from roofline_ceilings import here, level_of_issued  # noqa: E402

BELOW, LEFT = 10, 2  # times below the lowest peak, and left of the lowest ridge in float: what is slow lies there
RIGHT = 20.0  # flop/byte: blocked loops of this problem reach ten
STEPS = (1, 2, 5, 10)


def steps_between(low, high):
    """1, 2, 5, 10, 20, ... from low to high, both included."""
    first = math.floor(math.log10(low) + 1e-9)
    every = (step * 10.0 ** power for power in range(first, first + 40) for step in STEPS[:3])
    return [float(f"{one:.1g}") for one in every if low * 0.999 <= one <= high * 1.001]


def rounded(value, upwards):
    """The next 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value) + 1e-9)
    share = value / power
    step = next(one for one in STEPS if one >= share * 0.999) if upwards else max(one for one in STEPS if one <= share * 1.001)
    return float(f"{step * power:.1g}")


def ridges(rows):
    """flop/byte at which a peak meets the loads of its own instruction set."""
    level = level_of_issued(rows)
    for peak in rows:
        if peak["kind"] == "flops" and peak["precision"] == "float":
            yield from (peak["best"] / load["best"] for load in rows if load["kind"] == "bandwidth" and load["level"] == level
                        and load["operation"] == "load" and load["instruction_set"] == peak["instruction_set"]
                        and load["threads"] == peak["threads"])


def ranges(data):
    """((flop/byte from, to), (flop/s from, to)). Both precisions share them, and what spread too much counts as well: the axes
    stay where they are when it is measured again. Programs without threads lie below those of one thread, whatever the picture."""
    rows = here(data["ceilings"]["ceilings"], data["where"])
    peaks = [row for row in rows if row["kind"] == "flops"]
    own = [row["best"] for row in peaks if row["threads"] == data["threads"]] or [row["best"] for row in peaks]
    lowest = min(ridges(rows), default=0.2)
    return ((rounded(min(lowest / LEFT, 0.1), False), RIGHT),
            (rounded(min(row["best"] for row in peaks) / BELOW, False), rounded(1.05 * max(own), True)))
