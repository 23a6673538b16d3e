"""Reads /proc/cpuinfo, and chooses by it which program of an implementation runs here; and how busy the processor is."""

import os
import time
from collections.abc import Sequence
from pathlib import Path

from nbody_lab.building.manifest import Program


def fields() -> dict[str, str]:
    """{key: value} of the first processor; {} if the system has no such file."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    first = text.strip().split("\n\n")[0]
    return {
        key.strip(): value.strip()
        for key, _, value in (line.partition(":") for line in first.splitlines())
    }


# What programs for an instruction set need, in the words of /proc/cpuinfo; worst first.
FEATURES = {
    "sse2": "sse2",
    "avx2": "avx2 fma",
    "avx512": "avx512f avx512cd avx512dq avx512bw avx512vl fma",
    "neon": "asimd",
}


def features_of_processor() -> set[str]:
    told = fields()
    return set((told.get("flags") or told.get("Features", "")).split())


def best_program(
    programs: Sequence[Program],
    precision: str = "float",
    instruction_set: str = "",
    features: set[str] | None = None,
) -> Program | None:
    """The row of `programs` (from the manifest) that runs for a precision, or the one for the given instruction set; None if
    there is none."""
    features = features_of_processor() if features is None else features
    of_precision = [row for row in programs if row.precision == precision]
    if instruction_set:
        return next((row for row in of_precision if row.instruction_set == instruction_set), None)
    runs = [
        row
        for row in of_precision
        if set(FEATURES.get(row.instruction_set, "").split()) <= features
    ]
    return runs[-1] if runs else None


def _busy_seconds() -> float:
    """Of all cores since the system started; guests count as users. 0 if it does not tell."""
    try:
        first = Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0]
    except OSError:
        return 0
    user, nice, system, _idle, _disk, interrupts, soft, stolen = map(int, first.split()[1:9])
    return (user + nice + system + interrupts + soft + stolen) / os.sysconf("SC_CLK_TCK")


QUIET = 0.3  # cores that what always runs may use


def busy_cores(seconds: float = 0.5) -> float:
    """That all programs together use now, watched for so long while this one waits."""
    start, before = time.monotonic(), _busy_seconds()
    time.sleep(seconds)
    return (_busy_seconds() - before) / (time.monotonic() - start)
