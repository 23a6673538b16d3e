"""./lab test: the lab's own tests, in suites. A suite is a session of nox (noxfile.py) with a row here."""

import contextlib
import itertools
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from typing import NamedTuple

import psutil

from nbody_lab import ROOT
from nbody_lab.core.messages import Failure, stop
from nbody_lab.core.packages import has
from nbody_lab.core.running import run_program, spin_shortly
from nbody_lab.core.steps import run_step

TIERS = ("test", "--all", "--weekly")  # each includes those before it
OPTIONS = ("--all", "--weekly", "--keep-going", "--list", "--only")
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
    # While you work: four minutes once what they need is built.
    Suite("unit", "test", "a fault in one room: the tests next to its code", 416),
    Suite("python", "test", "a fault in the lab's Python", 197),
    Suite("parts", "test", "the given code of each part is right", 70),
    # Before you commit.
    Suite("build", "--all", "everything compiles without a warning", 494),
    # From fresh to contributing they share a copy of the tree.
    Suite("style", "--all", "form and types: shellcheck, clang-format, ruff, mypy, imports", 2),
    Suite("slow", "--all", "more of them: slow tests that measure or compile a lot", 416),
    Suite("fresh", "--all", "a file left out of git: the demo in a new clone", 245),
    Suite("docs", "--all", "a document that is out of date", 310),
    Suite("profile", "--all", "./lab profile shows where the time goes", 42),
    Suite("without-solutions", "--all", "the tree that students have", 72),
    Suite("contributing", "--all", "what CONTRIBUTING.md adds: rung, part, scheme, question", 17),
    Suite("mpi", "--all", "part 4 with the other MPI library: Open MPI", 147),
    Suite("grader", "--all", "a third of the grader's own class, hostile ones too", 242),
    Suite("zoo", "--all", "the checker finds each known mistake, and no others", 1634),
    Suite("sanitizers", "--all", "memory errors: readers of outside input, and two parts", 419),
    # The same with other compilers, machines and CMakes, and searches for rare faults.
    Suite("sanitized-tests", "--weekly", "memory errors in all tests, in every instruction set"),
    Suite("fuzz", "--weekly", "random input for all that reads files and messages"),
    Suite("mutation", "--weekly", "tests that no longer find anything: planted faults", 400),
    Suite("study", "--weekly", "compilers and their flags; loops that hit one limit"),
    Suite("old-compiler", "--weekly", "the oldest g++ that is supported"),
    Suite("cmake-versions", "--weekly", "the oldest CMake and the newest"),
    Suite("grader-class", "--weekly", "all of the grader's class", 900),
    Suite("page", "--weekly", "pages in a browser: on a phone, dark, printed", 10),
    Suite("readers", "--weekly", "OVITO and VTK open what ./lab export writes", 60),
    Suite("neon", "--weekly", "part 2 on ARM, emulated"),
    Suite("cuda", "--weekly", "part 3 holds machine code for T4, A100 and H100"),
)


class Outcome(NamedTuple):
    suite: Suite
    verdict: str  # passed, failed, skipped
    remark: str


# --- running -------------------------------------------------------------------------------------


def processor_seconds():
    """Used so far by what has ended. Unlike wall-clock time, it is the same on a busy machine."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return int(used.ru_utime + used.ru_stime)


def kill_descendants():
    """Everything that this run started and that still lives, in whatever session: each has the mark in its environment."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.pid != os.getpid() and process.environ().get(MARK) == os.environ[MARK]:
                process.kill()


def stop_at_signals():
    """Makes SIGTERM and SIGHUP end the run like Ctrl-C, with everything that it started."""

    def interrupt(*_):
        kill_descendants()
        raise KeyboardInterrupt

    os.environ[MARK] = str(os.getpid())
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, interrupt)


def was_skipped(report):
    """By nox's report of one session, which says no reason: that stands in the log."""
    (session,) = json.loads(report.read_text(encoding="utf-8"))["sessions"]
    return session["result"] == "skipped"


def run_suite(suite):
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


def why_skipped(log):
    found = re.search(
        r"Session \S+ skipped: (.*?)\.?$", log.read_text(encoding="utf-8", errors="replace"), re.M
    )
    return found[1] if found else "see its log"


def show_log(log):
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


def run(suites, keep_going):
    """Runs suites in order; returns their outcomes."""
    outcomes = []
    for suite in suites:
        if any(one.verdict == "failed" for one in outcomes) and not keep_going:
            outcomes.append(Outcome(suite, "skipped", "after a failure (--keep-going runs it)"))
        else:
            outcomes.append(run_suite(suite))
    return outcomes


def summary(outcomes, seconds):
    table = [f"{one.suite.name:<18} {one.verdict:<8} {one.remark}" for one in outcomes]
    counts = [
        f"{sum(one.verdict == verdict for one in outcomes)} {verdict}"
        for verdict in ("passed", "failed", "skipped")
    ]
    return ["", *table, "", f"{seconds:.0f} s in all", ", ".join(counts)]


# --- the command ---------------------------------------------------------------------------------


def list_suites():
    rows = [
        ("suite", "tier", "work", "what it is for"),
        *((s.name, s.tier, f"{s.work} s" if s.work else "", s.purpose) for s in SUITES),
    ]
    for name, tier, work, purpose in rows:
        print(f"{name:<18} {tier:<8} {work:>6}  {purpose}")


def chosen(words):
    """(suites to run, their tier). A named suite runs whatever its tier."""
    names = [suite.name for suite in SUITES]
    for word in words:
        if word.startswith("-") and word not in OPTIONS:
            stop(
                f"test has no option '{word}'; there are {', '.join(OPTIONS[:-1])} and {OPTIONS[-1]}"
            )
        if not word.startswith("-") and word not in names:
            stop(f"there is no suite '{word}'; suites: {' '.join(names)}")
    tier = next((tier for tier in reversed(TIERS) if tier in words), TIERS[0])
    named = [suite for suite in SUITES if suite.name in words]
    if named:
        return named, TIERS[-1]
    return [suite for suite in SUITES if TIERS.index(suite.tier) <= TIERS.index(tier)], tier


def install(tier):
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
        raise Failure(status)
    if not has("nox", "pytest"):
        stop("the tests' packages cannot be installed: see build/venv.log")


def run_one(lab, name):
    """Builds and runs the test of this name, of Python or of C++."""
    install(TIERS[0])
    files = [
        ROOT.glob(pattern) for pattern in (f"common/lab/tests/**/{name}.py", f"docs/{name}.py")
    ]
    file = next(itertools.chain(*files), None)
    if file:
        return run_program([sys.executable, "-m", "pytest", file], become=False)
    lab.begin()
    lab.demand_targets(name, name)
    lab.unlock()
    words = [
        "ctest",
        "--preset",
        lab.preset,
        "--output-on-failure",
        "--no-tests=error",
        "-R",
        f"^{name}$",
    ]
    return subprocess.run(words, cwd=ROOT, check=False).returncode


def test(lab, words):
    if words[:1] == ["--only"]:
        if len(words) != 2:
            stop("test --only takes one test, for example: ./lab test --only bodies_test")
        return run_one(lab, words[1])
    suites, tier = chosen(words)
    if "--list" in words:
        list_suites()
        return 0
    start = time.monotonic()
    sys.stdout.reconfigure(
        errors="replace"
    )  # logs may hold characters that the terminal cannot show
    spin_shortly()
    stop_at_signals()
    install(tier)
    try:
        outcomes = run(suites, "--keep-going" in words)
    finally:
        kill_descendants()
    print("\n".join(summary(outcomes, time.monotonic() - start)))
    return 1 if any(one.verdict == "failed" for one in outcomes) else 0
