"""./lab test: the lab's own tests, in suites. A suite is a session of nox (noxfile.py) with a row here."""

import contextlib
import io
import itertools
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, NamedTuple

import psutil
import typer

from nbody_lab import ROOT
from nbody_lab.build.lab import Lab
from nbody_lab.core.console import LabTable, show
from nbody_lab.core.errors import LabError
from nbody_lab.core.run import run_program, run_step, spin_shortly
from nbody_lab.core.words import nearest

TIERS = ("test", "--all", "--weekly")  # each includes those before it
LOGS = ROOT / "build/test_logs"
MARK = "LAB_TEST_RUN"
STRIKING = re.compile(r"^FAILED|error:|CMake Error|\*\*\*|^E  |[Ff]ailed \(")


class Suite(NamedTuple):
    name: str
    tier: str
    purpose: str
    work: int | None = (
        None  # processor seconds from a clean clone; two cores need a bit more than half of that
    )


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
    Suite("fuzz", "--weekly", "random input for all that reads files and messages"),
    Suite("mutation", "--weekly", "tests that no longer find anything: planted faults", 400),
    Suite("compilers", "--weekly", "every compiler and set of flags; loops that hit one limit"),
    Suite("old-compiler", "--weekly", "the oldest g++ that is supported"),
    Suite("cmake-versions", "--weekly", "the oldest CMake and the newest"),
    Suite("page", "--weekly", "pages in a real browser: the view and the report", 10),
    Suite("neon", "--weekly", "part 2 on ARM, emulated"),
    Suite("cuda", "--weekly", "part 3 holds machine code for T4, A100 and H100"),
)


class Outcome(NamedTuple):
    suite: Suite
    verdict: str  # passed, failed, skipped
    remark: str


# --- running -------------------------------------------------------------------------------------


def processor_seconds() -> int:
    """Used so far by what has ended. Unlike wall-clock time, it is the same on a busy machine."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return int(used.ru_utime + used.ru_stime)


def kill_marked(name: str, value: str) -> None:
    """Kills every process, in whatever session, that has this in its environment."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.pid != os.getpid() and process.environ().get(name) == value:
                process.kill()


def kill_descendants() -> None:
    """Everything that this run started and that still lives: each has the mark in its environment."""
    kill_marked(MARK, os.environ[MARK])


def stop_at_signals() -> None:
    """Makes SIGTERM and SIGHUP end the run like Ctrl-C, with everything that it started."""

    def interrupt(*_: object) -> None:
        kill_descendants()
        raise KeyboardInterrupt

    os.environ[MARK] = str(os.getpid())
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, interrupt)


def was_skipped(report: Path) -> bool:
    """By nox's report of one session, which says no reason: that stands in the log."""
    (session,) = json.loads(report.read_text(encoding="utf-8"))["sessions"]
    return bool(session["result"] == "skipped")


def run_suite(suite: Suite) -> Outcome:
    log, report = LOGS / f"{suite.name}.log", LOGS / f"{suite.name}.json"
    report.unlink(missing_ok=True)
    start, before = time.monotonic(), processor_seconds()
    command = [
        sys.executable,
        "-m",
        "nox",
        "--noxfile",
        ROOT / "noxfile.py",
        "--session",
        suite.name,
        "--report",
        report,
    ]
    status = run_step(f"suite {suite.name}", [str(word) for word in command], log, ROOT)
    kill_descendants()
    seconds, work = time.monotonic() - start, processor_seconds() - before
    if status == 0 and was_skipped(report):
        return Outcome(suite, "skipped", why_skipped(log))
    if status == 0:
        return Outcome(
            suite, "passed", f"in {seconds:.0f} s, {work} s of processor time: {suite.purpose}"
        )
    show_log(log)
    return Outcome(suite, "failed", f"after {seconds:.0f} s: {log.relative_to(ROOT)}")


def why_skipped(log: Path) -> str:
    found = re.search(
        r"Session \S+ skipped: (.*?)\.?$", log.read_text(encoding="utf-8", errors="replace"), re.M
    )
    return found[1] if found else "see its log"


def show_log(log: Path) -> None:
    """Prints the lines that look like errors, since the first is often far from the end, then the end of the log."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    striking = [
        f"{number}: {line}" for number, line in enumerate(lines, 1) if STRIKING.search(line)
    ]
    for line in striking[:12]:
        print(f"  ! line {line}"[:160])
    for line in lines[-25:]:
        print(f"  | {line}"[:160])
    print(f"  the whole log: {log.relative_to(ROOT)}", flush=True)


def run(suites: list[Suite], keep_going: bool) -> list[Outcome]:
    """Runs suites in order; returns their outcomes. What has passed inside `bare` does not run again outside."""
    outcomes: list[Outcome] = []
    for suite in suites:
        if any(one.verdict == "failed" for one in outcomes) and not keep_going:
            outcomes.append(Outcome(suite, "skipped", "after a failure (--keep-going runs it)"))
            continue
        outcomes.append(run_suite(suite))
        if suite.name == "bare" and outcomes[-1].verdict == "passed":
            os.environ["LAB_PASSED_INSIDE"] = str(ROOT / "build/bare/bookworm/srv/lab")
    return outcomes


def summary(outcomes: list[Outcome], seconds: float) -> list[str]:
    table = [f"{one.suite.name:<18} {one.verdict:<8} {one.remark}" for one in outcomes]
    counts = [
        f"{sum(one.verdict == verdict for one in outcomes)} {verdict}"
        for verdict in ("passed", "failed", "skipped")
    ]
    return ["", *table, "", f"{seconds:.0f} s in all", ", ".join(counts)]


# --- the command ---------------------------------------------------------------------------------


def suite_table() -> LabTable:
    columns: list[str] = [
        "suite",
        "tier",
        ">work",
        "what it is for",
    ]
    rows = [
        (suite.name, suite.tier, f"{suite.work} s" if suite.work else "", suite.purpose)
        for suite in SUITES
    ]
    return LabTable(columns, rows)


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


def install(tier: str) -> None:
    """What the tests need, of the system and of Python; what cannot be had skips tests."""
    level = "tests" if tier == TIERS[0] else "tests-all"
    status = run_step(
        "installing what the tests need",
        ["bash", str(ROOT / "common/setup/setup.sh"), f"--{level}"],
        LOGS / "setup.log",
        ROOT,
    )
    if status != 0:
        show_log(LOGS / "setup.log")
        raise SystemExit(status)
    if not (find_spec("nox") and find_spec("pytest")):
        show_log(LOGS / "setup.log")
        raise LabError("the tests' packages cannot be installed (all of it: build/venv.log)")


def _run_one(name: str) -> int:
    """Builds and runs the test of this name, of Python or of C++."""
    install(TIERS[0])
    patterns = (f"common/lab/tests/**/{name}.py", f"docs/{name}.py")
    file = next(itertools.chain.from_iterable(map(ROOT.glob, patterns)), None)
    if file:
        return run_program([sys.executable, "-m", "pytest", file])
    lab = Lab()
    lab.begin()
    lab.demand_targets(name, name)
    lab.unlock()
    ctest = ["ctest", "--preset", lab.preset, "--output-on-failure", "--no-tests=error"]
    return subprocess.run([*ctest, "-R", f"^{name}$"], cwd=ROOT, check=False).returncode


def complete_suite(incomplete: str) -> list[str]:
    return [suite.name for suite in SUITES if suite.name.startswith(incomplete)]


Suites = Annotated[
    list[str] | None,
    typer.Argument(metavar="SUITE", help="only these", autocompletion=complete_suite),
]


def test(
    suites: Suites = None,
    all_: Annotated[
        bool, typer.Option("--all", help="what is right before a commit: an hour")
    ] = False,
    weekly: Annotated[
        bool, typer.Option("--weekly", help="with other compilers and machines: two hours more")
    ] = False,
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="go on after a suite that failed")
    ] = False,
    only: Annotated[
        str | None, typer.Option("--only", metavar="NAME", help="build and run one test")
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="the suites, and what each is for")] = False,
) -> None:
    """the lab's own tests

    Without words: those to run while one works, a few minutes.

    ./lab test --all
    ./lab test --only bodies_test
    """
    tier = TIERS[2] if weekly else TIERS[1] if all_ else TIERS[0]
    wanted = chosen_suites(suites or [], tier)
    if list_:
        show(suite_table())
        return
    if only:
        raise SystemExit(_run_one(only))
    start = time.monotonic()
    if isinstance(sys.stdout, io.TextIOWrapper):  # logs may hold what the terminal cannot show
        sys.stdout.reconfigure(errors="replace")
    spin_shortly()
    stop_at_signals()
    install(max((suite.tier for suite in wanted), key=TIERS.index))
    try:
        outcomes = run(wanted, keep_going)
    finally:
        kill_descendants()
    print("\n".join(summary(outcomes, time.monotonic() - start)))
    if any(outcome.verdict == "failed" for outcome in outcomes):
        raise SystemExit(1)
