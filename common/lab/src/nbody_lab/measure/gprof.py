"""Runs a program that was built for gprof long enough, calls gprof, and shows what took the time.

It uses the adaptive step, which gives two hotspots: forces, and the search for the nearest neighbour.
It uses one thread, since gprof counts calls without locks, and waiting for other threads is not work.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.check.kept import FunctionShare, Profile, keep, seal_of
from nbody_lab.core.errors import LabError
from nbody_lab.core.run import last_line
from nbody_lab.measure.profile_text import (
    MOST_ROWS,
    FunctionTime,
    explain_functions,
    find_local_symbols,
    format_functions,
    read_flat_profile,
    sum_seconds,
)

_LEAST_S, _MOST_ITERATIONS = 0.3, 100_000
_LEAST_SAMPLED_S = 0.1


def require_tools() -> None:
    """Raises LabError: a tool is missing."""
    for tool in ("gprof", "objcopy", "nm"):
        if not shutil.which(tool):
            raise LabError(f"{tool} is missing; install the package binutils")


@dataclass(frozen=True)
class Profiled:
    """An implementation built for gprof (common/cmake/gprof.cmake)."""

    part: str
    name: str
    build: Path
    source: str = ""  # from the root of the lab
    debug: bool = False  # not optimised
    asked_bodies: int | None = None

    @property
    def label(self) -> str:
        return f"{self.part}/{self.name}"

    @property
    def folder(self) -> str:
        return "gprof_debug" if self.debug else "gprof"

    @property
    def program(self) -> str:
        """Its path from the build folder, and its target."""
        return f"bin/{self.folder}/{self.label}"

    # Unoptimised code takes twenty times as long, and gprof does not see the time of its own call counting.

    @property
    def bodies(self) -> int:
        return self.asked_bodies or (500 if self.debug else 1500)

    @property
    def wanted_s(self) -> int:
        """gprof samples a hundred times per second: below two seconds its shares are noise."""
        return 6 if self.debug else 3


def _show_step(text: str) -> None:
    """Overwrites one line; only on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def _read_clock() -> float:
    """Processor seconds of ended children, since wall-clock time also counts other processes' work."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


@dataclass
class _Run:
    """A run of the program; its files and the tools' files are in the folder `work`."""

    profiled: Profiled
    work: Path
    read_clock: Callable[[], float]
    iterations: int = 4

    def _call(self, *words: object) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "LC_ALL": "C"}
        environment.pop("GMON_OUT_PREFIX", None)
        return subprocess.run(
            [str(word) for word in words],
            cwd=self.work,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )

    def _call_tool(self, *words: object) -> str:
        """A tool's output. Raises LabError if it fails."""
        done = self._call(*words)
        sys.stderr.write(done.stderr)
        if done.returncode != 0:
            raise LabError(f"{words[0]} stopped with status {done.returncode}")
        return done.stdout

    def _command(self) -> list[object]:
        program = self.profiled.build / self.profiled.program
        size = ["-n", self.profiled.bodies, "-i", self.iterations]
        return [program, *size, "--vdt", "--threads", "1"]

    def _time_run(self) -> float:
        before = self.read_clock()
        done = self._call(*self._command())
        if done.returncode != 0:
            raise LabError(
                f"{self.profiled.label} stopped: {last_line(done.stderr, done.returncode)}"
            )
        return max(self.read_clock() - before, 1e-3)

    def run_long_enough(self) -> None:
        label, wanted_s = self.profiled.label, self.profiled.wanted_s
        _show_step(f"running {label} to see how fast it is")
        seconds = self._time_run()
        while self.iterations < _MOST_ITERATIONS and seconds < _LEAST_S:
            self.iterations *= 3
            seconds = self._time_run()
        self.iterations = int(1 + wanted_s * self.iterations / seconds)
        _show_step(f"running {label}: {self.iterations} iterations, about {wanted_s} s")
        self._time_run()
        _show_step("")
        if not (self.work / "gmon.out").exists():
            raise LabError(f"{label} left no gmon.out: it was not built with -pg, or it was killed")

    def make_flat_profile(self) -> str:
        """The flat profile of all functions. The compiler moves the body of an OpenMP loop into its own function,
        f._omp_fn.0, and splits others (f.part.0, f.isra.0). gprof ignores local symbols with a dot in their name and gives
        their time to the function before them, such as update_bodies(). It accepts global ones, so it gets a copy of the
        program in which they are global; addresses stay the same."""
        program = self.profiled.build / self.profiled.program
        names = find_local_symbols(self._call_tool("nm", program))
        text = "".join(f"{name}\n" for name in names)
        (self.work / "local_names").write_text(text, encoding="utf-8")
        self._call_tool("objcopy", "--globalize-symbols=local_names", program, "readable")
        return self._call_tool("gprof", "-p", "-b", "readable", "gmon.out")


def _keep_shares(profiled: Profiled, rows: Sequence[FunctionTime], iterations: int) -> None:
    """Stores the shares for the page of ./lab report."""
    total = sum_seconds(rows)
    shares = [
        FunctionShare(
            function=row.function,
            share=row.seconds / total,
            calls_per_iteration=row.calls / iterations,
        )
        for row in rows[:MOST_ROWS]
    ]
    kept = Profile(
        source=profiled.source,
        source_sha256=seal_of(ROOT / profiled.source) if profiled.source else "",
        part=profiled.part,
        name=profiled.name,
        bodies=profiled.bodies,
        rows=tuple(shares),
    )
    folder = profiled.build.parent / "profile_lines"
    keep(folder / f"{profiled.part}_{profiled.name}.json", kept)


def _report_functions(run: _Run) -> str:
    """The report; also writes the whole profile to a file, and keeps that of the optimised program."""
    profiled = run.profiled
    text = run.make_flat_profile()
    copy = profiled.build / profiled.folder / f"{profiled.part}_{profiled.name}.txt"
    copy.parent.mkdir(exist_ok=True)
    copy.write_text(text, encoding="utf-8")
    rows = read_flat_profile(text)
    if sum_seconds(rows) < _LEAST_SAMPLED_S:
        raise LabError(f"gprof took no samples of {profiled.label}: use more bodies (-n)")
    if not profiled.debug:
        _keep_shares(profiled, rows, run.iterations)
    optimised = "not optimised (-O0)" if profiled.debug else "optimised (-O2)"
    command = f"./lab profile {profiled.part} {profiled.name}"
    return f"""\
{profiled.label}: {profiled.bodies} bodies, {run.iterations} iterations with the adaptive step, one thread, {optimised}

{format_functions(rows, run.iterations)}
{explain_functions(rows, command, profiled.debug)}
The whole profile: {copy.relative_to(ROOT) if ROOT in copy.parents else copy}"""


def profile_program(profiled: Profiled, read_clock: Callable[[], float] = _read_clock) -> str:
    """Runs the program and returns the report."""
    with tempfile.TemporaryDirectory(prefix="gprof_work_", dir=profiled.build) as work:
        run = _Run(profiled, Path(work), read_clock)
        run.run_long_enough()
        return _report_functions(run)
