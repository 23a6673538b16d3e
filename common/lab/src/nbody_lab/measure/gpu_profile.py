"""Profiles a GPU program, which times every kernel and copy itself, by GPU events.

It uses the adaptive step, so that both searches over all pairs appear.
"""

import csv
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nbody_lab.core.run import output_of

_DEFAULT_BODIES = 16384
# About one second, because the first iterations are slower and clocks rise.
_WANTED_S, _LEAST_S, _LEAST_ITERATIONS, _MOST_ITERATIONS = 1.0, 0.2, 4, 100_000


@dataclass(frozen=True)
class GpuProgram:
    """An implementation to profile."""

    part: str
    name: str
    build: Path
    bodies: int | None = None
    in_double: bool = False

    def make_command(self, iterations: int) -> list[str]:
        program = self.build / "bin" / self.part / self.name
        size = ["-n", str(self.bodies or _DEFAULT_BODIES), "-i", str(iterations)]
        precision = ["--precision", "double"] if self.in_double else []
        return [str(program), *size, "--vdt", *precision]

    def time(self, iterations: int) -> float:
        """Seconds of the iterations. Raises LabError."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "log.csv")
            command = [*self.make_command(iterations), "--every", str(iterations)]
            output_of(f"{self.part}/{self.name}", *command, "--log", file)
            *_, last = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
            return float(last["wall_s"])


def find_iterations(time: Callable[[int], float]) -> int:
    """How many take about a second; `time`: the seconds of that many."""
    iterations = 8
    while (seconds := time(iterations)) < _LEAST_S and iterations < _MOST_ITERATIONS:
        iterations *= 4
    return max(int(_WANTED_S * iterations / max(seconds, 1e-6)), _LEAST_ITERATIONS)


def make_profiling_command(program: GpuProgram) -> list[str]:
    """The command by which the program prints the time of its kernels and copies."""
    return [*program.make_command(find_iterations(program.time)), "--profile"]
