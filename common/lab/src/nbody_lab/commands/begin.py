"""./lab setup and ./lab demo."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from nbody_lab import ROOT
from nbody_lab.arguments import flag
from nbody_lab.commands import report
from nbody_lab.core.command_line import forwarded
from nbody_lab.core.console import show, wrapped
from nbody_lab.core.messages import Failure, UserError, say
from nbody_lab.core.running import run_program
from nbody_lab.draw import pictures
from nbody_lab.handout import references
from nbody_lab.programs import demo as demonstration
from nbody_lab.workshop import Workshop

_SETUP = ["bash", ROOT / "common/setup/setup.sh"]


def setup(
    context: typer.Context,
    no_root: Annotated[bool, flag("--no-root", "install nothing of the system")] = False,
    cuda: Annotated[bool, flag("--cuda", "for part 3: a CUDA compiler")] = False,
    mpi: Annotated[bool, flag("--mpi", "for part 4: an MPI library")] = False,
    pictures: Annotated[bool, flag("--pictures", "to draw plots and pages (400 MB)")] = False,
    films: Annotated[bool, flag("--films", "the same, and for films of ./lab record")] = False,
    grading: Annotated[bool, flag("--grading", "for ./lab grade")] = False,
) -> None:
    """install what is missing

    Without options: what the first two parts need. It can be run again.

    ./lab setup --pictures
    """
    Workshop().lock()
    raise Failure(run_program([*_SETUP, *forwarded(context)], become=False))


def demo(
    data: Annotated[
        Path,
        typer.Option(
            metavar="FOLDER", help="where the body files are (default data/in)", show_default=False
        ),
    ] = ROOT / "data/in",
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="write the timings, as bench --json does")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="draw into this folder")
    ] = None,
) -> None:
    """install what is missing, build, and show the lab at work

    Every version in the ladder of part 1 simulates a year of the solar system, is checked, and is timed.

    ./lab demo
    """
    if not (data / "solar_system.dat").is_file():
        raise UserError(f"demo: --data {data} has no solar_system.dat")
    demonstration.earth_in(data / "solar_system.dat")
    lab = Workshop("part1")
    lab.lock()
    status = run_program(_SETUP, become=False)
    if status != 0:
        raise Failure(status)
    lab.configure()
    if lab.build_targets("part1/naive", demonstration.NAIVE, demonstration.TRUTH):
        show(*wrapped(demonstration.first_look(lab, data / "solar_system.dat")))
        sys.stdout.flush()
    shown = [row.program for row in demonstration.ladder(lab)]
    if not lab.build_targets("part 1", *shown, "bin/check", "bin/bench"):
        say("continuing without what did not compile")
    lab.unlock()
    status = pictures.measured_and_drawn(
        lambda file: demonstration.show(lab, data, file), "demo", plot, json
    )
    if status == 0:
        references.show(ROOT, "part1")
    report.after_demo()
    raise Failure(status)
