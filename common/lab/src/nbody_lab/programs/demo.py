"""The whole lab at a glance: part 1's ladder simulates a year of the solar system, is checked, and is timed. Its exhibits,
which teach by losing, would take as long again."""

import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.build.lab import Lab
from nbody_lab.build.manifest import Implementation
from nbody_lab.check.result import CheckedProgram, CheckResult
from nbody_lab.core.console import LabTable, wrapped
from nbody_lab.core.console import show as show_on_screen
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import parse
from nbody_lab.core.run import SHORT_SPINS, result_of
from nbody_lab.core.words import plural
from nbody_lab.measure.bench_file import BenchResult, BenchRow, middle_half, ratio_left_out

NAIVE, TRUTH = "bin/part1/naive", "bin/part1/naive_double"
SOLAR_SYSTEM = ROOT / "data/in/solar_system.dat"

_BODIES = 2000
_LARGEST_CHECKED = 300  # a first look; ./lab check asks the rest
_EARTH = 3  # of data/in/solar_system.dat: Sun, Mercury, Venus, Earth, ...
_HOURS_OF_A_YEAR = 8766  # its steps
_COLUMNS = (
    "implementation",
    ">10^9/s",
    ">spread",
    ">x naive",
    ">worst error",
    ">limit",
    ">Earth off by",
    "verdict",
)
_ABOUT = """
  Median and middle half of interleaved repeats at N = {bodies} (Plummer sphere, float), on
  {cpu}.
  10^9/s        interactions per second
  worst error   |a - a_ref| / sum |a_ij| at the end of timed requests, beside its limit
  Earth off by  after a year of the Sun, eight planets and the Moon in steps of an hour:
                distance to where naive's Earth is in double, as part of the way it went
  verdict       of {cases} cases of up to {largest} bodies: forces, steps, adaptive step, threads, ...
{exhibits}
What to do first:
  1. ./lab view part1 naive                                  watch it work, in your browser
  2. read part1_standard_opti/README.md                      the exercise
  3. edit part1_standard_opti/mine.hpp                       your version
  4. ./lab check part1 mine                                  is it still right?"""

_EXHIBITS = "  left out      {count}, which lose or fail to teach something: ./lab list part1\n"

Place = tuple[float, float, float]


@dataclass(frozen=True)
class Row:
    """One implementation, with all that was found out about it."""

    name: str
    missing: str | None = None  # why it is neither checked nor timed
    earth_error: float = math.inf  # relative to its way; infinity without an answer
    checked: CheckedProgram | None = None
    timed: BenchRow | None = None

    @property
    def has_speed(self) -> bool:
        return self.timed is not None and bool(self.timed.speed)


def earth_in(file: Path | str) -> tuple[Place, Place]:
    """(its position, m, and its velocity, m/s) in a body file that the lab wrote: N, then eight numbers for each body."""
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    words = [word for line in lines for word in line.split("#")[0].split()]
    _, _, x, y, z, vx, vy, vz = map(float, words[1 + 8 * _EARTH : 1 + 8 * (_EARTH + 1)])
    return (x, y, z), (vx, vy, vz)


def way_of_earth() -> float:
    """How far it goes in a year, m: at its speed at the start."""
    return math.hypot(*earth_in(SOLAR_SYSTEM)[1]) * _HOURS_OF_A_YEAR * 3600


def _earth_after_a_year(program: Path) -> Place | None:
    """Where the program's Earth is after a year in steps of an hour; None: it gives no answer."""
    hours = str(_HOURS_OF_A_YEAR)
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder, "year")
        words = [str(program), "-f", str(SOLAR_SYSTEM), "-i", hours, "-w", str(base)]
        try:
            subprocess.run(
                [*words, "--every", hours, "--nv"],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=60,
                check=True,
            )
            return earth_in(f"{base}.{hours}.dat")[0]
        except (subprocess.SubprocessError, OSError, ValueError):
            return None


@contextmanager
def _told(label: str) -> Iterator[None]:
    """Says how long it took; what the programs say meanwhile stands above."""
    start = time.monotonic()
    yield
    print(f"{label} ... {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)


def _check(lab: Lab, names: Sequence[str]) -> dict[str, CheckedProgram]:
    words = [lab.build / "bin/check", "part1", *names, "--no-double"]
    words += ["--largest", _LARGEST_CHECKED, "--manifest", lab.manifest]
    with tempfile.TemporaryDirectory() as folder:
        answer = result_of(words, Path(folder) / "check.json", **SHORT_SPINS)
    return {one.name: one for one in parse(CheckResult, answer, "check --json").implementations}


def _time(lab: Lab, names: Sequence[str], json_file: Path | str | None) -> BenchResult:
    words = [lab.build / "bin/bench", "part1", *names, "-n", _BODIES, "--quick"]
    words += ["--threads", len(os.sched_getaffinity(0)), "--manifest", lab.manifest]
    with tempfile.TemporaryDirectory() as folder:
        answer = result_of(words, json_file or Path(folder) / "bench.json")
    return parse(BenchResult, answer, "bench --json")


def ladder(lab: Lab) -> list[Implementation]:
    """What the demo shows of part 1: naive, the student's versions, the rungs."""
    return [row for row in lab.rows(part="part1") if row.kind != "exhibit"]


def first_look(lab: Lab) -> str:
    """What the slow program does, to be read while the others are built; "" if it gives no answer."""
    start = time.monotonic()
    earth = _earth_after_a_year(lab.build / NAIVE)
    seconds = time.monotonic() - start
    truth = _earth_after_a_year(lab.build / TRUTH)
    if not earth or not truth:
        return ""
    off = math.dist(earth, truth) / way_of_earth()
    return (
        f"part1/naive moved the Sun, eight planets and the Moon through a year in {seconds:.2g} s; in float its Earth ends "
        f"{off:.0e} of its way off. Next: its faster versions."
    )


def measure(lab: Lab, json_file: Path | str | None) -> tuple[list[Row], str]:
    """(a row for each implementation of the ladder, the processor). The others still run if a student's header did not
    compile."""
    built = {row.name: (lab.build / row.program).exists() for row in ladder(lab)}
    if not built.get("naive"):
        raise LabError("the naive simulator of part 1 is not built: run ./lab build part1")
    names = [name for name, there in built.items() if there]
    truth, way = _earth_after_a_year(lab.build / TRUTH), way_of_earth()
    earths = {name: _earth_after_a_year(lab.build / "bin/part1" / name) for name in names}
    with _told("checking"):
        checked = _check(lab, names)
    with _told("timing"):
        bench = _time(lab, names, json_file)
    timed = {row.name: row for row in bench.summary}
    rows = []
    for name in built:
        if name not in names:
            rows.append(Row(name, "not built"))
            continue
        earth, verdict = earths[name], checked[name]
        rows.append(
            Row(
                name,
                None if verdict.cases else verdict.verdict,
                math.dist(earth, truth) / way if earth and truth else math.inf,
                verdict,
                timed.get(name),
            )
        )
    return rows, bench.context.cpu


def cells_of(row: Row, naive: Row) -> list[str]:
    """The row of the table."""
    if row.missing or not row.checked:
        return [row.name, *[""] * 6, f"skipped: {row.missing}"]
    verdict = row.checked.verdict
    if not row.timed or not row.has_speed:
        return [row.name, *[""] * 6, f"{verdict}; not timed"]
    if row.checked.as_expected and row.timed.outcome not in ("right", "wrong as expected"):
        verdict = "FAILED while timed"
    ratio = row.timed.shown_ratio(naive.timed) if naive.timed else None
    return [
        row.name,
        f"{row.timed.speed / 1e9:.3f}",
        f"{100 * row.timed.spread:.0f} %",
        f"{ratio:.2f}" if ratio else "",
        "nan" if row.timed.error is None else f"{row.timed.error:.1e}",
        f"{row.timed.limit:.0e}",
        f"{row.earth_error:.1e}",
        verdict,
    ]


def _is_as_fast(row: Row, other: Row) -> bool:
    """Whether the middle half of the rounds lies on both sides of the other's speed: a single round proves nothing."""
    if not (row.timed and other.timed and row.has_speed and other.has_speed):
        return False
    ratios = row.timed.ratios(other.timed)
    if len(ratios) < 2:
        return False
    lower, upper = middle_half(ratios)
    return lower < 1 < upper


def note_lines(rows: Sequence[Row]) -> Iterator[str]:
    """What is to be said below the table, whose first row is naive."""
    naive = rows[0].timed
    without = [
        row.name for row in rows if row.timed and naive and row.timed.leaves_out_ratio(naive)
    ]
    if without:
        yield from wrapped(f"  {ratio_left_out(', '.join(without))}", indent="    ")
    equals = [row.name for row in rows[1:] if row.name not in without and _is_as_fast(row, rows[0])]
    if equals:
        words = "as fast as naive: faster in some rounds, slower in others"
        yield from wrapped(f"  {', '.join(equals)}: {words}", indent="    ")
    for row in rows:
        if row.timed and not row.has_speed:
            yield from wrapped(f"  {row.name} not timed: {row.timed.verdict}", indent="    ")
    if any(row.timed and row.timed.busy_machine for row in rows):
        yield "  the machine is busy: ratios mean little now; run again when it is quiet"
    for row in rows:
        if row.checked and row.checked.sentence:
            yield ""
            yield from wrapped(f"  {row.name}: {row.checked.sentence}", indent="    ")


def show(lab: Lab, json_file: Path | str | None) -> int:
    """The demo's status: 1 if something is wrong that should be right."""
    rows, cpu = measure(lab, json_file)
    cases = next(len(row.checked.cases) for row in rows if row.checked)
    left_out = len(lab.rows("exhibit", "part1"))
    exhibits = _EXHIBITS.format(count=plural(left_out, "exhibit")) if left_out else ""
    show_on_screen(
        "All-pairs gravity, part 1\n",
        LabTable(_COLUMNS, [cells_of(row, rows[0]) for row in rows], indent=2),
        *note_lines(rows),
        _ABOUT.format(
            bodies=_BODIES, cpu=cpu, cases=cases, largest=_LARGEST_CHECKED, exhibits=exhibits
        ),
    )
    return 0 if all(row.missing or (row.checked and row.checked.as_expected) for row in rows) else 1
