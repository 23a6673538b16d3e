"""The lab at a glance: part 1's ladder is checked and timed. Its exhibits, which teach by losing, would take as long again."""

import os
from pathlib import Path

from nbody_lab.building.lab import Lab
from nbody_lab.building.manifest import Implementation, Manifest
from nbody_lab.check import plan as questions
from nbody_lab.check.run import as_expected, run
from nbody_lab.check.tables import check_text
from nbody_lab.core.console import show as show_on_screen
from nbody_lab.core.errors import LabError
from nbody_lab.measure.bench import bench_result
from nbody_lab.measure.bench_plan import QUICK, Asked
from nbody_lab.measure.bench_text import bench_text

_BODIES = 2000
_LARGEST_CHECKED = 300  # a first look; ./lab check asks the rest
_NEXT = """
What to do first:
  1. ./lab view part1 naive                                  watch it work, in your browser
  2. read part1_standard_opti/README.md                      the exercise
  3. edit part1_standard_opti/mine.hpp                       your version
  4. ./lab check part1 mine                                  is it still right?"""


def ladder(lab: Lab) -> list[Implementation]:
    """What the demo shows of part 1: naive, the student's versions, the rungs."""
    return [row for row in lab.rows(part="part1") if row.kind != "exhibit"]


def show(lab: Lab, json_file: Path) -> int:
    """The demo's status: 1 if something is wrong that should be right. The others still run if a student's header did not
    compile."""
    names = [row.name for row in ladder(lab) if (lab.build_dir / row.program).exists()]
    if "naive" not in names:
        raise LabError("the naive simulator of part 1 is not built: run ./lab build part1")
    extent = questions.Asked(no_double=True, largest=_LARGEST_CHECKED)
    plan = questions.plan_of(Manifest(lab.manifest), "part1", names, extent)
    checked = run(lab.build_dir / "bin/check", plan)
    asked = Asked(names, (_BODIES,), (len(os.sched_getaffinity(0)),), clock=QUICK)
    timed = bench_result(lab, asked, json_file)
    show_on_screen("All-pairs gravity\n", *check_text(checked), "", bench_text(timed), _NEXT)
    return 0 if as_expected(checked) else 1
