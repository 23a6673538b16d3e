"""Runs a program that was built for gprof long enough, calls gprof, and shows what took the time.

It uses the adaptive step, which gives two hotspots: forces, and the search for the nearest neighbour.
It uses one thread, since gprof counts calls without locks, and waiting for other threads is not work.
"""

import os
import re
import resource
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from nbody_lab.core.clean_text import shown
from nbody_lab.core.console import format_table
from nbody_lab.core.errors import LabError
from nbody_lab.core.run import Step, output_of
from nbody_lab.core.whole_file import write_text

_LEAST_S, _LEAST_SAMPLED_S = 0.3, 0.1
_MOST_ROWS, _LEAST_SHARE = 12, 0.0095

# A local function with a dot in its name: a part that the compiler split off another function.
_LOCAL_SYMBOL = re.compile(r"^[0-9a-f]+ t (\S*\.\S*)", re.M)
# percent, cumulative seconds, own seconds, calls, two times per call, function. The columns about calls are empty for
# code compiled without -pg, and for the body of an OpenMP loop.
_FLAT_ROW = re.compile(
    r"^ *[0-9.]+ +[0-9.]+ +(?P<own>[0-9.]+) (?: *(?P<calls>[0-9]+) +[0-9.]+ +\S+ )? *(?P<function>.*)$",
    re.M,
)
_COPY_OF_FUNCTION = re.compile(r" \[clone [^]]*\]")
_ALLOCATOR = re.compile(r", std::allocator<[^<>]*(?:<[^<>]*>[^<>]*)?> >")


@dataclass(frozen=True)
class Profiled:
    """An implementation built for gprof (common/cmake/variants.cmake)."""

    label: str  # part1/naive
    build: Path
    debug: bool = False  # not optimised, which takes twenty times as long
    asked_bodies: int | None = None

    @property
    def program(self) -> str:
        """Its path from the build folder, and its target."""
        return f"bin/gprof{'_debug' * self.debug}/{self.label}"

    @property
    def bodies(self) -> int:
        return self.asked_bodies or (500 if self.debug else 1500)


class FunctionTime(NamedTuple):
    """A function's own time, with the number of its calls, if they were counted."""

    seconds: float
    calls: int
    function: str


def shorten_name(name: str) -> str:
    """The function's name as a student would write it: std::vector<X> without its allocator, and std::pow without its return
    type. __powf_fma is the C library's powf for this processor; _init is the stub that calls such functions."""
    if name == "_init":
        return "calling functions of the C library"
    name = _ALLOCATOR.sub(">", name).rpartition("::__type ")[2].removeprefix("void ")
    return re.sub(r"^__([a-z0-9]*)_(?:fma4?|avx2|sse2|sse4_1)$", r"\1, of the C library", name)


def read_flat_profile(text: str) -> list[FunctionTime]:
    """The rows of a flat profile, merged by function, longest time first."""
    own: dict[str, float] = {}
    calls: dict[str, int] = {}
    for match in _FLAT_ROW.finditer(text):
        name = _COPY_OF_FUNCTION.sub("", match["function"])
        own[name] = own.get(name, 0) + float(match["own"])
        calls[name] = max(calls.get(name, 0), int(match["calls"] or 0))
    rows = [FunctionTime(round(own[name], 2), calls[name], shorten_name(name)) for name in own]
    return sorted(rows, key=lambda row: (-row.seconds, -row.calls, row.function))


def _read_clock() -> float:
    """Processor seconds of ended children, since wall-clock time also counts other processes' work."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def _run_long_enough(profiled: Profiled, work: Path, read_clock: Callable[[], float]) -> int:
    """In the folder `work`, where it leaves gmon.out. The number of iterations."""

    def seconds(iterations: int) -> float:
        before = read_clock()
        options = ("-n", profiled.bodies, "-i", iterations, "--vdt", "--threads", 1)
        output_of(profiled.label, profiled.build / profiled.program, *options, cwd=work)
        return max(read_clock() - before, 1e-3)

    iterations = 4
    while (took := seconds(iterations)) < _LEAST_S:
        iterations *= 3
    # gprof samples a hundred times per second: below two seconds its shares are noise. It does not see the time of its
    # own call counting, which unoptimised code has much of.
    iterations = int(1 + (6 if profiled.debug else 3) * iterations / took)
    seconds(iterations)
    return iterations


def make_flat_profile(program: Path, work: Path) -> str:
    """The flat profile of all functions. The compiler moves the body of an OpenMP loop into its own function,
    f._omp_fn.0, and splits others (f.part.0, f.isra.0). gprof ignores local symbols with a dot in their name and gives
    their time to the function before them, such as update_bodies(). It accepts global ones, so it gets a copy of the
    program in which they are global; addresses stay the same."""
    names = _LOCAL_SYMBOL.findall(output_of("nm", "nm", program))
    (work / "local_names").write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    words = ("objcopy", "--globalize-symbols=local_names", program, "readable")
    output_of("objcopy", *words, cwd=work)
    return output_of("gprof", "gprof", "-p", "-b", "readable", "gmon.out", cwd=work)


def format_functions(rows: Sequence[FunctionTime], iterations: int) -> str:
    """The table; rows below one percent are left out, but never the first."""
    total = sum(row.seconds for row in rows)
    told = [row for row in rows[:_MOST_ROWS] if row.seconds >= _LEAST_SHARE * total]
    cells = [
        (
            f"{100 * row.seconds / total:.0f} %",
            f"{row.seconds:.2f}",
            f"{row.calls / iterations:.0f}" if row.calls else "-",
            row.function,
        )
        for row in told or rows[:1]
    ]
    columns = (">share", ">seconds", ">calls/iter.", "function")
    return format_table(columns, [*cells, ("all", f"{total:.2f}", "", "")], indent=2)


def explain_functions(rows: Sequence[FunctionTime], profiled: Profiled) -> str:
    """What the table teaches."""
    if profiled.debug:
        return """
Without optimisation each operator[] of a vector and each std::pow is a call, as costly as the
physics around it. The optimiser removes them: compare with the profile without --debug"""
    # As shown: the reader divides, too.
    share = min(round(rows[0].seconds / sum(row.seconds for row in rows), 2), 0.99)
    return f"""
If {rows[0].function}
took no time at all, the program would gain 1 / (1 - {share:.2f}) = {1 / (1 - share):.1f} x:
work on it alone cannot gain more.
gprof knows functions, not lines; inlined code counts for its caller.
For lines and instructions: docs/measuring.md"""


def profile_program(profiled: Profiled, read_clock: Callable[[], float] = _read_clock) -> str:
    """Runs the program and returns the report; also writes the whole profile to a file."""
    with (
        tempfile.TemporaryDirectory(prefix="gprof_work_", dir=profiled.build) as folder,
        Step(f"profiling {profiled.label}"),
    ):
        os.environ.pop("GMON_OUT_PREFIX", None)
        iterations = _run_long_enough(profiled, Path(folder), read_clock)
        text = make_flat_profile(profiled.build / profiled.program, Path(folder))
    copy = profiled.build / f"{profiled.program.removeprefix('bin/')}.txt"
    write_text(copy, text)
    rows = read_flat_profile(text)
    if sum(row.seconds for row in rows) < _LEAST_SAMPLED_S:
        raise LabError(f"gprof took no samples of {profiled.label}: use more bodies (-n)")
    optimised = "not optimised (-O0)" if profiled.debug else "optimised (-O2)"
    return f"""\
{profiled.label}: {profiled.bodies} bodies, {iterations} iterations with the adaptive step, one thread, {optimised}

{format_functions(rows, iterations)}
{explain_functions(rows, profiled)}
The whole profile: {shown(copy)}"""
