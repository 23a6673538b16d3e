"""./lab setup and ./lab demo."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from nbody_lab import ROOT
from nbody_lab.building.arguments import flag
from nbody_lab.building.lab import Lab, show_built
from nbody_lab.building.manifest import Manifest
from nbody_lab.check import plan as questions
from nbody_lab.check.run import as_expected, run
from nbody_lab.check.tables import check_text
from nbody_lab.commands import report
from nbody_lab.core.console import show
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.run import run_program, spin_shortly
from nbody_lab.draw import pictures
from nbody_lab.handout import references
from nbody_lab.measure.bench import bench_result
from nbody_lab.measure.bench_plan import QUICK, Asked
from nbody_lab.measure.bench_text import bench_text

_SETUP = ["bash", ROOT / "common/setup/setup.sh"]
_BODIES = 2000
_LARGEST_CHECKED = 300  # a first look; ./lab check asks the rest
_NEXT = """
What to do first:
  1. ./lab view part1 naive                                  watch it work, in your browser
  2. read part1_standard_opti/README.md                      the exercise
  3. edit part1_standard_opti/mine.hpp                       your version
  4. ./lab check part1 mine                                  is it still right?"""


def setup(
    context: typer.Context,
    no_root: Annotated[bool, flag("--no-root", "install nothing of the system")] = False,
    cuda: Annotated[bool, flag("--cuda", "for part 3: a CUDA compiler")] = False,
    mpi: Annotated[bool, flag("--mpi", "for part 4: an MPI library")] = False,
    pictures: Annotated[bool, flag("--pictures", "to draw pictures (250 MB)")] = False,
    grading: Annotated[bool, flag("--grading", "for ./lab grade")] = False,
) -> None:
    """install what is missing

    Without options: what the first two parts need. It can be run again.

    ./lab setup --pictures
    """
    Lab().lock()
    raise SystemExit(run_program([*_SETUP, *context.obj]))


def demo() -> None:
    """install what is missing, build, and show the lab at work

    Every version in the ladder of part 1 is checked and timed. Its exhibits, which teach by losing, would take as long again.

    ./lab demo
    """
    lab = Lab("part1")
    lab.lock()
    status = 0 if "LAB_IS_SET_UP" in os.environ else run_program(_SETUP)
    if status != 0:
        raise SystemExit(status)
    lab.configure()
    lab.look_again()
    ladder = [row for row in lab.rows() if row.kind != "exhibit"]
    shown = [row.program for row in ladder]
    if not show_built(lab.try_to_build("part 1", *shown, "bin/check", "bin/bench")):
        say("continuing without what did not compile")
    lab.unlock()
    spin_shortly()
    # A student's header that did not compile does not stop the others.
    names = [row.name for row in ladder if (lab.build_dir / row.program).exists()]
    status = pictures.measured_and_drawn(
        lambda file: _check_and_time(lab, names, file), "demo", None, None
    )
    if status == 0:
        references.show(ROOT, "part1")
    sys.stdout.flush()  # the table, before what the report says
    report.report()
    raise SystemExit(status)


def _check_and_time(lab: Lab, names: list[str], json_file: Path) -> int:
    """The demo's status: 1 if something is wrong that should be right."""
    if "naive" not in names:
        raise LabError("the naive simulator of part 1 is not built: run ./lab build part1")
    extent = questions.Asked(no_double=True, largest=_LARGEST_CHECKED)
    plan = questions.plan_of(Manifest(lab.manifest), "part1", names, extent)
    checked = run(lab.build_dir / "bin/check", plan)
    asked = Asked(names, (_BODIES,), (len(os.sched_getaffinity(0)),), clock=QUICK)
    timed = bench_result(lab, asked, json_file)
    show("All-pairs gravity\n", *check_text(checked), "", bench_text(timed), _NEXT)
    return 0 if as_expected(checked) else 1
