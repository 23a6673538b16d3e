"""./lab setup and ./lab demo."""

import os
import sys
from typing import Annotated

import typer

from nbody_lab import ROOT
from nbody_lab.building.arguments import flag
from nbody_lab.building.lab import Lab
from nbody_lab.commands import report
from nbody_lab.core.errors import say
from nbody_lab.core.run import run_program, spin_shortly
from nbody_lab.draw import pictures
from nbody_lab.handout import references
from nbody_lab.measure import demo as demonstration

_SETUP = ["bash", ROOT / "common/setup/setup.sh"]


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

    Every version in the ladder of part 1 is checked and timed.

    ./lab demo
    """
    lab = Lab("part1")
    lab.lock()
    status = 0 if "LAB_IS_SET_UP" in os.environ else run_program(_SETUP)
    if status != 0:
        raise SystemExit(status)
    lab.configure()
    lab.look_again()
    shown = [row.program for row in demonstration.ladder(lab)]
    if not lab.try_to_build("part 1", *shown, "bin/check", "bin/bench"):
        say("continuing without what did not compile")
    lab.unlock()
    spin_shortly()
    status = pictures.measured_and_drawn(
        lambda file: demonstration.show(lab, file), "demo", None, None
    )
    if status == 0:
        references.show(ROOT, "part1")
    sys.stdout.flush()  # the table, before what the report says
    report.report()
    raise SystemExit(status)
