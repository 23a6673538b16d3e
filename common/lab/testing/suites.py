#!/usr/bin/env python3
"""./lab test: the lab's own tests, in suites.

    suites.py [--all | --weekly] [--keep-going] [SUITE...]
    suites.py --list

A row of SUITES has one or two functions in suite_steps.py: build_NAME compiles what it needs, without a time limit;
run_NAME runs within the budget. Each suite has a log in build/test_logs.
"""

import os
import re
import resource
import signal
import sys
import time
from pathlib import Path
from typing import NamedTuple, Optional

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders  # noqa: E402, F401
import suite_steps  # noqa: E402
from budget import OVER_BUDGET, SKIPPED, run_within  # noqa: E402
from messages import LabError  # noqa: E402
from running import spin_shortly  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
TIERS = ("test", "--all", "--weekly")  # each includes those before it
OPTIONS = "--all, --weekly, --keep-going and --list"


class Suite(NamedTuple):
    name: str
    tier: str
    budget: Optional[int]  # seconds; None: it only builds
    purpose: str
    work: Optional[int] = None  # processor seconds from a clean clone; two cores need a bit more than half of that


SUITES = (
    # While you work: three minutes once what they need is built, half of everything.
    Suite("setup", "test", 600, "what the tests need is installed", 1),
    Suite("unit", "test", 600, "a fault in one room: the tests next to its code", 155),
    Suite("parts", "test", 300, "the given code of each part is right", 10),
    # Before you commit.
    Suite("build", "--all", None, "everything compiles without a warning", 350),
    # From fresh to contributing they share a copy of the tree.
    Suite("style", "--all", 60, "shellcheck and clang-format", 2),
    Suite("slow", "--all", 900, "more of them: slow tests that measure or compile a lot", 200),
    Suite("fresh", "--all", 300, "a file left out of git: the demo in a new clone", 150),
    Suite("docs", "--all", 1500, "a document that is out of date", 310),
    Suite("profile", "--all", 600, "./lab profile shows where the time goes", 40),
    Suite("without-solutions", "--all", 120, "the tree that students have", 7),
    Suite("contributing", "--all", 300, "what CONTRIBUTING.md adds: rung, part, scheme, question", 12),
    Suite("mpi", "--all", 300, "part 4 with the other MPI library: Open MPI", 130),
    Suite("grader", "--all", 900, "a third of the grader's own class, hostile ones too", 300),
    Suite("zoo", "--all", 1800, "the checker finds each known mistake, and no others", 390),
    Suite("sanitizers", "--all", 600, "memory errors: readers of outside input, and two parts", 500),
    # The same with other compilers, machines and CMakes, and searches for rare faults.
    Suite("sanitized-tests", "--weekly", 1500, "memory errors in all tests, in every instruction set"),
    Suite("fuzz", "--weekly", 200, "random input for all that reads files and messages"),
    Suite("mutation", "--weekly", None, "tests that no longer find anything: planted faults", 400),
    Suite("study", "--weekly", 1500, "compilers and their flags; loops that hit one limit"),
    Suite("old-compiler", "--weekly", None, "the oldest g++ that is supported"),
    Suite("cmake-versions", "--weekly", None, "the oldest CMake and the newest"),
    Suite("grader-class", "--weekly", 3600, "all of the grader's class", 900),
    Suite("page", "--weekly", 300, "pages in a browser: on a phone, dark, printed", 10),
    Suite("readers", "--weekly", 600, "OVITO and VTK open what ./lab export writes", 60),
    Suite("neon", "--weekly", 60, "part 2 on ARM, emulated"),
    Suite("cuda", "--weekly", 300, "part 3 holds machine code for T4, A100 and H100"),
)


class BadCommand(LabError):
    """Explains in one line what is wrong with the arguments."""


def step(steps, kind, suite):
    """The function build_NAME or run_NAME, or None."""
    return getattr(steps, f"{kind}_{suite.name.replace('-', '_')}", None)


def print_now(text, end="\n"):
    print(text, end=end, flush=True)


def seconds_since(start):
    return int(time.monotonic() - start)


def processor_seconds():
    """Processor time used so far. Unlike wall-clock time, it is the same on a busy machine."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return int(used.ru_utime + used.ru_stime)


def lines_of(log):
    """The lines of a log as grep and tail count them; splitlines() splits at more characters."""
    return log.read_bytes().decode(errors="replace").rstrip("\n").split("\n")


def show_log(log, root):
    """Prints the lines that look like errors, since the first is often far from the end, then the end of the log."""
    lines = lines_of(log)
    striking = [f"{number}:{line}" for number, line in enumerate(lines, 1) if re.search(r"FAILED|error:|CMake Error|\*\*\*", line)]
    for line in striking[:12]:
        print_now(f"  ! line {line}"[:200])
    for line in lines[-40:]:
        print_now(f"  | {line}")
    print_now(f"  the whole log: {log.relative_to(root)}")


class Run:
    """Runs suites in order and records the results. `steps` has their functions, `root` is the lab's folder."""

    def __init__(self, steps, root):
        self.steps, self.root = steps, root
        self.table, self.counts = [], {"passed": 0, "failed": 0, "skipped": 0}

    def note(self, suite, verdict, count):
        self.table.append(f"{suite.name:<20} {verdict}")
        self.counts[count] += 1

    def log_of(self, suite):
        return self.root / "build/test_logs" / f"{suite.name}.log"

    def run_steps(self, suite, log):
        """Builds and runs a suite: (status, seconds for building, seconds in all)."""
        status, built, start = 0, 0, time.monotonic()
        build, run = step(self.steps, "build", suite), step(self.steps, "run", suite)
        print_now(f"suite {suite.name}: ", end="")
        if build:
            print_now("building, ", end="")
            status = run_within(None, build, log)
            built = seconds_since(start)
            print_now(f"{built} s; ", end="")
        if status == 0 and run:
            print_now(f"running (budget {suite.budget} s): ", end="")
            status = run_within(suite.budget, run, log)
        return status, built, seconds_since(start)

    def run_suite(self, suite):
        log = self.log_of(suite)
        log.write_bytes(b"")
        before = processor_seconds()
        status, built, seconds = self.run_steps(suite, log)
        if status == 0:
            work = processor_seconds() - before
            verdict, count = f"passed in {seconds} s, {built} of them building; {work} s of processor time", "passed"
        elif status == SKIPPED:
            verdict, count = f"skipped: {lines_of(log)[-1]}", "skipped"
        elif status is OVER_BUDGET:
            verdict, count = f"failed: stopped after {seconds - built} s, over its budget", "failed"
        else:
            verdict, count = f"failed with status {status} after {seconds} s", "failed"
        print_now(verdict)
        self.note(suite, verdict, count)
        if count == "failed":
            show_log(log, self.root)

    def run(self, suites, keep_going):
        """Runs the suites; returns whether none failed."""
        start = time.monotonic()
        for suite in suites:
            self.log_of(suite).parent.mkdir(parents=True, exist_ok=True)
            if self.counts["failed"] and not keep_going:
                self.note(suite, "not run, after a failure (--keep-going runs it)", "skipped")
            else:
                self.run_suite(suite)
        print_now("\n".join(["", *self.table, "", f"{seconds_since(start)} s in all",
                             ", ".join(f"{number} {what}" for what, number in self.counts.items())]))
        return self.counts["failed"] == 0


def list_suites(suites):
    rows = [("suite", "tier", "work", "budget", "what it is for")]
    rows += [(s.name, s.tier, f"{s.work} s" if s.work else "", f"{s.budget} s" if s.budget else "none", s.purpose) for s in suites]
    for name, tier, work, budget, purpose in rows:
        print(f"{name:<18} {tier:<8} {work:>6} {budget:>7}  {purpose}")


def parse(arguments, suites):
    """(suites to run, their tier, keep_going). The suites are None if they are to be listed."""
    tier, keep_going, listed, chosen = "test", False, False, []
    names = [suite.name for suite in suites]
    for word in arguments:
        if word in TIERS[1:]:
            tier = word
        elif word == "--keep-going":
            keep_going = True
        elif word == "--list":
            listed = True
        elif word.startswith("-"):
            raise BadCommand(f"test has no option '{word}'; there are {OPTIONS}")
        elif word not in names:
            raise BadCommand(f"there is no suite '{word}'; suites: {' '.join(names)}")
        else:
            chosen.append(word)
    if listed:
        return None, tier, keep_going
    if chosen:  # a named suite runs whatever its tier
        return [suite for suite in suites if suite.name in chosen], TIERS[-1], keep_going
    return [suite for suite in suites if TIERS.index(suite.tier) <= TIERS.index(tier)], tier, keep_going


def main(arguments, suites=SUITES, steps=suite_steps, root=ROOT):
    try:
        wanted, tier, keep_going = parse(arguments, suites)
    except BadCommand as fault:
        print(f"lab: {fault}", file=sys.stderr)
        return 2
    if wanted is None:
        list_suites(suites)
        return 0
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # logs may hold characters that the terminal cannot show
    steps.setup_level = "tests" if tier == TIERS[0] else "tests-all"
    os.chdir(root)
    spin_shortly()
    os.environ["PATH"] = f"{root / 'build/tools/bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    for number in (signal.SIGTERM, signal.SIGHUP):  # like Ctrl-C: child processes run in their own session
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)
    try:
        return 0 if Run(steps, root).run(wanted, keep_going) else 1
    except KeyboardInterrupt:
        print_now("")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
