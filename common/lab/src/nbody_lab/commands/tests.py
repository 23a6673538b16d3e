"""./lab test: the lab's own tests, in suites, which are sessions of nox (noxfile.py says what each is for)."""

import sys
from typing import Annotated

import typer

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.core.run import run_program, spin_shortly
from nbody_lab.core.words import nearest

# While you work: four minutes once what they need is built.
USUAL = "unit python parts".split()
# Before you commit. What passes in `bare` is not run again in the next three; from fresh to contributing they share a copy
# of the tree.
ALL = f"""style bare {" ".join(USUAL)} build slow fresh docs without-solutions contributing
mpi grader zoo sanitizers""".split()
# The same with other compilers, machines and CMakes, and searches for rare faults.
WEEKLY = f"""{" ".join(ALL)} bare-weekly zoo-weekly sanitized-tests compilers old-compiler
cmake-versions page neon cuda""".split()


def test(
    suites: Annotated[
        list[str] | None,
        typer.Argument(metavar="SUITE", help="only these"),
    ] = None,
    all_: Annotated[
        bool, typer.Option("--all", help="what is right before a commit: an hour")
    ] = False,
    weekly: Annotated[
        bool, typer.Option("--weekly", help="with other compilers and machines: two hours more")
    ] = False,
    list_: Annotated[bool, typer.Option("--list", help="the suites, and what each is for")] = False,
) -> None:
    """the lab's own tests

    Without words: those to run while one works, a few minutes.

    ./lab test --all
    """
    for name in suites or []:
        if name not in WEEKLY:
            near = nearest(name, WEEKLY) or f"; suites: {' '.join(WEEKLY)}"
            raise LabError(f"there is no suite '{name}'{near}")
    nox = [sys.executable, "-m", "nox", "--noxfile", ROOT / "noxfile.py"]
    chosen = suites or (WEEKLY if weekly else ALL if all_ else USUAL)
    spin_shortly()
    level = "--tests" if {*chosen} <= {*USUAL} else "--tests-all"
    if status := run_program(["bash", ROOT / "common/setup/setup.sh", level]):
        raise SystemExit(status)
    if list_:
        raise SystemExit(run_program([*nox, "--list"]))
    raise SystemExit(run_program([*nox, "--stop-on-first-error", "-s", *chosen]))
