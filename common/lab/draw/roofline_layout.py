"""The axes of a roofline: whole decades by the ceilings alone, so that pictures of one machine lie over each other."""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from roofline_ceilings import here, level_of_issued  # noqa: E402

BELOW = 1  # decades below the lowest peak: what is slow lies there
LEFT = 4  # times below the lowest ridge in float


def decade(value, upwards):
    power = math.log10(value)
    return 10.0 ** (math.ceil(power - 1e-9) if upwards else math.floor(power + 1e-9))


def ridges(rows):
    """flop/byte at which a peak meets the loads of its own instruction set."""
    level = level_of_issued(rows)
    for peak in rows:
        if peak["kind"] == "flops" and peak["precision"] == "float":
            yield from (peak["best"] / load["best"] for load in rows if load["kind"] == "bandwidth" and load["level"] == level
                        and load["operation"] == "load" and load["instruction_set"] == peak["instruction_set"]
                        and load["threads"] == peak["threads"])


def ranges(data):
    """((flop/byte from, to), (flop/s from, to)). Both precisions and all thread counts share them, and what spread too much
    to be drawn counts as well: the axes stay where they are when it is measured again."""
    rows = here(data["ceilings"]["ceilings"], data["where"])
    peaks = [row["best"] for row in rows if row["kind"] == "flops"]
    slow = min((row["best"] for row in rows if row["kind"] == "bandwidth" and row["operation"] == "load" and "host" not in row["level"]),
               default=1e10)
    lowest = min(ridges(rows), default=1.0)
    across = decade(lowest / LEFT, False), max(decade(max(peaks) / slow, True), 100.0)
    up = decade(min(peaks), False) / 10 ** BELOW, decade(max(peaks), True)
    return across, up
