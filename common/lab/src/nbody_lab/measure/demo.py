"""The lab at a glance: part 1's ladder is checked and timed. Its exhibits, which teach by losing, would take as long again."""

import os
from collections.abc import Iterator
from pathlib import Path

from nbody_lab.building.lab import Lab
from nbody_lab.building.manifest import Implementation, Manifest
from nbody_lab.check import plan as questions
from nbody_lab.check.result import CheckedProgram
from nbody_lab.check.run import run as check
from nbody_lab.core.console import LabTable, wrapped
from nbody_lab.core.console import show as show_on_screen
from nbody_lab.core.errors import LabError
from nbody_lab.measure.bench import bench_result
from nbody_lab.measure.bench_file import BenchRow, ratio_left_out
from nbody_lab.measure.bench_plan import QUICK, Asked

_BODIES = 2000
_LARGEST_CHECKED = 300  # a first look; ./lab check asks the rest
_COLUMNS = (
    *("implementation", ">10^9/s", ">spread", ">x naive"),
    *(">worst error", ">limit", "verdict"),
)
_ABOUT = """
  Median and middle half of interleaved repeats at N = {bodies} (Plummer sphere, float), on
  {cpu}.
  10^9/s        interactions per second
  worst error   |a - a_ref| / sum |a_ij| at the end of timed requests, beside its limit
  verdict       of {cases} cases of up to {largest} bodies: forces, steps, adaptive step, threads, ...

What to do first:
  1. ./lab view part1 naive                                  watch it work, in your browser
  2. read part1_standard_opti/README.md                      the exercise
  3. edit part1_standard_opti/mine.hpp                       your version
  4. ./lab check part1 mine                                  is it still right?"""


def ladder(lab: Lab) -> list[Implementation]:
    """What the demo shows of part 1: naive, the student's versions, the rungs."""
    return [row for row in lab.rows(part="part1") if row.kind != "exhibit"]


def cells_of(
    name: str, checked: CheckedProgram | None, timed: BenchRow | None, naive: BenchRow | None
) -> list[str]:
    """The row of the table. None: the program is not built, or was not timed."""
    if not checked:
        return [name, *[""] * 5, "not built"]
    if not timed or not timed.speed:
        return [name, *[""] * 5, f"{checked.verdict}; not timed"]
    failed = checked.as_expected and not timed.as_expected
    ratio = timed.shown_ratio(naive) if naive else None
    return [
        name,
        f"{timed.speed / 1e9:.3f}",
        f"{100 * timed.spread:.0f} %",
        f"{ratio:.2f}" if ratio else "",
        "nan" if timed.error is None else f"{timed.error:.1e}",
        f"{timed.limit:.0e}",
        "FAILED while timed" if failed else checked.verdict,
    ]


def notes_on(
    checked: dict[str, CheckedProgram], timed: dict[str, BenchRow], naive: BenchRow | None
) -> Iterator[str]:
    """What is to be said below the table."""
    without = [name for name, row in timed.items() if naive and row.leaves_out_ratio(naive)]
    if without:
        yield ratio_left_out(", ".join(without))
    yield from (f"{name} not timed: {row.verdict}" for name, row in timed.items() if not row.speed)
    if any(row.busy_machine for row in timed.values()):
        yield "the machine is busy: ratios mean little now; run again when it is quiet"
    yield from (f"{name}: {one.sentence}" for name, one in checked.items() if one.sentence)


def show(lab: Lab, json_file: Path) -> int:
    """The demo's status: 1 if something is wrong that should be right. The others still run if a student's header did not
    compile."""
    rows = ladder(lab)
    names = [row.name for row in rows if (lab.build_dir / row.program).exists()]
    if "naive" not in names:
        raise LabError("the naive simulator of part 1 is not built: run ./lab build part1")
    extent = questions.Asked(no_double=True, largest=_LARGEST_CHECKED)
    judged = check(
        lab.build_dir / "bin/check",
        questions.plan_of(Manifest(lab.manifest), "part1", names, extent),
    )
    threads = len(os.sched_getaffinity(0))
    asked = Asked(names, (_BODIES,), (threads,), clock=QUICK)
    bench = bench_result(lab, asked, "timing part 1", json_file)
    checked = {one.name: one for one in judged.implementations}
    timed = {row.name: row for row in bench.summary}
    naive = timed.get("naive")
    table = [cells_of(row.name, checked.get(row.name), timed.get(row.name), naive) for row in rows]
    notes = [wrapped(f"  {note}", "    ") for note in notes_on(checked, timed, naive)]
    show_on_screen(
        "All-pairs gravity, part 1\n",
        LabTable(_COLUMNS, table, indent=2),
        *("\n".join(lines) for lines in notes),
        _ABOUT.format(
            bodies=_BODIES,
            cpu=bench.context.cpu,
            cases=len(checked["naive"].cases),
            largest=_LARGEST_CHECKED,
        ),
    )
    return 0 if all(one.as_expected for one in checked.values()) else 1
