"""./lab test: the lab's own tests, in suites. A suite is a session of nox (noxfile.py) with a row here."""

import sys
from typing import Annotated, NamedTuple

import typer

from nbody_lab import ROOT
from nbody_lab.core.console import LabTable, show
from nbody_lab.core.errors import LabError
from nbody_lab.core.run import run_program, spin_shortly
from nbody_lab.core.words import nearest

TIERS = ("test", "--all", "--weekly")  # each includes those before it


class Suite(NamedTuple):
    name: str
    tier: str
    purpose: str
    work: int | None = None  # processor seconds from a clean clone; two cores need half of that


SUITES = (
    # Before you commit. What passes in `bare` is not run again in the next three.
    Suite("style", "--all", "form and types: shellcheck, clang-format, ruff, mypy, imports", 3),
    Suite("bare", "--all", "what setup forgets: Debian 12 and 13 with nothing on them", 1338),
    # While you work: four minutes once what they need is built.
    Suite("unit", "test", "a fault in one room: the tests next to its code", 259),
    Suite("python", "test", "a fault in the lab's Python", 120),
    Suite("parts", "test", "the given code of each part is right", 41),
    # Before you commit, too.
    Suite("build", "--all", "everything compiles without a warning", 444),
    # From fresh to contributing they share a copy of the tree.
    Suite("slow", "--all", "more of them: slow tests that measure or compile a lot", 336),
    Suite("fresh", "--all", "a file left out of git: the demo in a new clone", 109),
    Suite("docs", "--all", "a document that is out of date", 358),
    Suite("profile", "--all", "./lab profile shows where the time goes", 43),
    Suite("without-solutions", "--all", "the tree that students have", 14),
    Suite("contributing", "--all", "what CONTRIBUTING.md adds: rung, part, scheme, question", 22),
    Suite("mpi", "--all", "part 4 with the other MPI library: Open MPI", 173),
    Suite("grader", "--all", "the grader's own class, hostile ones too", 271),
    Suite("zoo", "--all", "the checker finds each known mistake, and no others", 1091),
    Suite("sanitizers", "--all", "memory errors: readers of outside input, and two parts", 235),
    Suite("bare-weekly", "--weekly", "Debian 13 in full"),
    # The same with other compilers, machines and CMakes, and searches for rare faults.
    Suite("zoo-weekly", "--weekly", "the same with --thorough, more seeds, all sets in double"),
    Suite("sanitized-tests", "--weekly", "memory errors in all tests, in every instruction set"),
    Suite("compilers", "--weekly", "every compiler and set of flags; loops that hit one limit"),
    Suite("old-compiler", "--weekly", "the oldest g++ that is supported"),
    Suite("cmake-versions", "--weekly", "the oldest CMake and the newest"),
    Suite("page", "--weekly", "pages in a real browser: the view and the report", 10),
    Suite("neon", "--weekly", "part 2 on ARM, emulated"),
    Suite("cuda", "--weekly", "part 3 holds machine code for T4, A100 and H100"),
)


def chosen_suites(names: list[str], tier: str) -> list[Suite]:
    """Those of the tier; or those that are named, whatever their tier. Raises LabError."""
    known = [suite.name for suite in SUITES]
    for name in names:
        if name not in known:
            near = nearest(name, known) or f"; suites: {' '.join(known)}"
            raise LabError(f"there is no suite '{name}'{near}")
    if names:
        return [suite for suite in SUITES if suite.name in names]
    return [suite for suite in SUITES if TIERS.index(suite.tier) <= TIERS.index(tier)]


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
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="go on after a suite that failed")
    ] = False,
    list_: Annotated[bool, typer.Option("--list", help="the suites, and what each is for")] = False,
) -> None:
    """the lab's own tests

    Without words: those to run while one works, a few minutes.

    ./lab test --all
    """
    chosen = chosen_suites(suites or [], TIERS[2] if weekly else TIERS[1] if all_ else TIERS[0])
    if list_:
        rows = [
            (one.name, one.tier, f"{one.work} s" if one.work else "", one.purpose) for one in SUITES
        ]
        show(LabTable(("suite", "tier", ">work", "what it is for"), rows))
        return
    spin_shortly()
    level = "--tests" if all(one.tier == TIERS[0] for one in chosen) else "--tests-all"
    if status := run_program(["bash", ROOT / "common/setup/setup.sh", level]):
        raise SystemExit(status)
    nox = [sys.executable, "-m", "nox", "--noxfile", ROOT / "noxfile.py"]
    go_on = [] if keep_going else ["--stop-on-first-error"]
    raise SystemExit(run_program([*nox, *go_on, "-s", *(one.name for one in chosen)]))
