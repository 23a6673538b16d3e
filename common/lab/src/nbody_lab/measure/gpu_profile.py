"""Profiles a GPU program, which times every kernel and copy itself, by GPU events; or Nsight Compute reads the counters.

It uses the adaptive step, so that both searches over all pairs appear.
"""

import csv
import tempfile
from pathlib import Path

from nbody_lab.core.run import output_of

_DEFAULT_BODIES = 16384
# About one second, because the first iterations are slower and clocks rise.
_WANTED_S, _LEAST_S, _LEAST_ITERATIONS, _MOST_ITERATIONS = 1.0, 0.2, 4, 100_000


def _simulation(program: Path, bodies: int | None, double: bool) -> list[str]:
    words = [str(program), "-n", str(bodies or _DEFAULT_BODIES), "--vdt"]
    return words + (["--precision", "double"] if double else [])


def counting_command(program: Path, bodies: int | None, double: bool) -> list[str]:
    """By which ncu prints what it counts in each kernel's second launch, since the first one warms the caches up."""
    sections = ("--section", "regex:Stats|Occupancy", "--kernel-id", ":::2")
    return ["ncu", *sections, *_simulation(program, bodies, double), "-i", "3"]


def profiling_command(program: Path, bodies: int | None = None, double: bool = False) -> list[str]:
    """By which the program prints the time of its kernels and copies. Raises LabError."""
    words = _simulation(program, bodies, double)
    iterations, seconds = 2, 0.0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "log.csv")
        while seconds < _LEAST_S and iterations < _MOST_ITERATIONS:
            iterations *= 4
            options = ("-i", iterations, "--every", iterations, "--log", file)
            output_of(program.name, *words, *options)
            *_, last = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
            seconds = float(last["wall_s"])
    iterations = max(int(_WANTED_S * iterations / max(seconds, 1e-6)), _LEAST_ITERATIONS)
    return [*words, "-i", str(iterations), "--profile"]
