"""Profiles a GPU program. The program times every kernel and copy itself, by GPU events; or NVIDIA's profiler ncu reads the
hardware counters.

It uses the adaptive step, so that both searches over all pairs appear.
"""

import csv
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbody_lab.core.errors import LabError
from nbody_lab.core.run import output_of

_DEFAULT_BODIES = 16384
# Where to find ncu, besides PATH.
_NCU_FOLDERS = (Path("/usr/local/cuda/bin"), *sorted(Path("/opt/nvidia/nsight-compute").glob("*")))
_NCU_SECTIONS = ("SpeedOfLight", "LaunchStats", "Occupancy", "WarpStateStats")
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
    seconds = time(iterations)
    while iterations < _MOST_ITERATIONS and seconds < _LEAST_S:
        iterations *= 4
        seconds = time(iterations)
    return max(int(_WANTED_S * iterations / max(seconds, 1e-6)), _LEAST_ITERATIONS)


def make_profiling_command(program: GpuProgram) -> list[str]:
    """The command by which the program prints the time of its kernels and copies."""
    return [*program.make_command(find_iterations(program.time)), "--profile"]


def make_counting_command(program: GpuProgram, folders: Sequence[Path] = _NCU_FOLDERS) -> list[str]:
    """The command by which ncu prints the counters of the second launch of each kernel, since the first one warms up the
    caches. Raises LabError: there is no ncu."""
    ncu = shutil.which("ncu") or shutil.which("ncu", path=os.pathsep.join(map(str, folders)))
    if not ncu:
        raise LabError("ncu is missing; it comes with the CUDA toolkit (package nsight-compute)")
    sections = [word for section in _NCU_SECTIONS for word in ("--section", section)]
    return [ncu, "--kernel-id", ":::2", *sections, *program.make_command(3)]
