"""Runs the built program long enough for ./lab profile, calls gprof (or perf), and shows the functions
that took the time.

It uses the adaptive step, which gives two hotspots: forces, and the search for the nearest neighbour.
It uses one thread, since gprof counts calls without locks, and waiting for other threads is not work.
"""

import os
import re
import resource
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.manifest import Manifest, ManifestError
from nbody_lab.core.messages import stop
from nbody_lab.notebook.kept_results import keep, seal_of
from nbody_lab.profiles.text import (
    MOST_ROWS,
    has_annotation,
    hottest_lines,
    local_symbols,
    meaning,
    rows_of,
    table,
)

HELP = """usage: ./lab profile PART [NAME] [--debug] [--annotate] [-n N]

  NAME        an implementation of the part (default: naive)
  --debug     the program without optimisation
  --annotate  lines and instructions of the hottest function, by perf
  -n N        bodies (default: 1500; with --debug 500)

Optimised means -O2 here, whatever flags.txt says: -O3 merges and copies more functions, and gprof
can name only those that are left."""
LEAST_S, MOST_ITERATIONS = 0.3, 100000
BODIES = re.compile(r"[1-9][0-9]{0,5}")


@dataclass
class Options:
    debug: bool = False
    annotate: bool = False
    only_tools: bool = False
    help: bool = False
    bodies: int = 0
    words: list = field(default_factory=list)


def parse(arguments):
    options, rest = Options(), list(arguments)
    while rest and not options.help:
        word = rest.pop(0)
        if word == "--debug":
            options.debug = True
        elif word == "--annotate":
            options.annotate = True
        elif word == "--tools":
            options.only_tools = True
        elif word in ("-h", "--help"):
            options.help = True
        elif word == "-n":
            options.bodies = number_of_bodies(rest.pop(0) if rest else "")
        elif word.startswith("-"):
            stop(f"profile has no option '{word}'; there are --debug, --annotate and -n N")
        else:
            options.words.append(word)
    return options


def number_of_bodies(word):
    if not BODIES.fullmatch(word):
        stop(f"-n needs a number of bodies from 1 to 999999, not '{word}'")
    return int(word)


def demand_tools(annotate):
    for tool in ("gprof", "objcopy", "nm"):
        if not shutil.which(tool):
            stop(f"{tool} is missing; install the package binutils")
    if annotate and not shutil.which("perf"):
        stop(
            "perf is missing; install the package linux-perf (Debian) or linux-tools-generic (Ubuntu)"
        )


def last_line(text):
    return (text.splitlines() or [""])[-1]


def show_step(text):
    """Overwrites one line; only on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def folder_of(debug):
    """The folder in bin/ of programs for gprof (common/cmake/gprof.cmake)."""
    return "gprof_debug" if debug else "gprof"


class ProfiledProgram:
    """The program, and the folder for its files and the tools' files."""

    def __init__(self, part, name, build, debug, bodies):
        self.label = f"{part}/{name}"
        self.program = build / "bin" / folder_of(debug) / part / name
        self.work = build / "gprof_work"
        self.bodies, self.iterations = bodies, 4
        self.environment = {**os.environ, "LC_ALL": "C"}
        self.environment.pop("GMON_OUT_PREFIX", None)

    def call(self, *words):
        return subprocess.run(
            list(map(str, words)),
            cwd=self.work,
            env=self.environment,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )

    def command(self):
        return [self.program, "-n", self.bodies, "-i", self.iterations, "--vdt", "--threads", "1"]

    def timed_run(self):
        """Processor seconds, since wall-clock time also counts other processes' work."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = self.call(*self.command())
        if done.returncode != 0:
            stop(f"{self.label} stopped: {last_line(done.stderr)}")
        return max(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 1e-3)

    def run_long_enough(self, wanted_s):
        """gprof samples a hundred times per second: below two seconds its shares are noise."""
        show_step(f"running {self.label} to see how fast it is")
        seconds = self.timed_run()
        while self.iterations < MOST_ITERATIONS and seconds < LEAST_S:
            self.iterations *= 3
            seconds = self.timed_run()
        self.iterations = int(1 + wanted_s * self.iterations / seconds)
        show_step(f"running {self.label}: {self.iterations} iterations, about {wanted_s} s")
        self.timed_run()
        show_step("")
        if not (self.work / "gmon.out").exists():
            stop(f"{self.label} left no gmon.out: it was not built with -pg, or it was killed")

    def tool(self, *words):
        """A tool's output; stops if it fails."""
        done = self.call(*words)
        sys.stderr.write(done.stderr)
        if done.returncode != 0:
            stop(f"{words[0]} stopped with status {done.returncode}")
        return done.stdout

    def flat_profile(self):
        """The flat profile of all functions. The compiler moves the body of an OpenMP loop into its own function,
        f._omp_fn.0, and splits others (f.part.0, f.isra.0). gprof ignores local symbols with a dot in their name and gives
        their time to the function before them, such as update_bodies(). It accepts global ones, so it gets a copy of the
        program in which they are global; addresses stay the same."""
        names = local_symbols(self.tool("nm", self.program))
        (self.work / "local_names").write_text(
            "".join(name + "\n" for name in names), encoding="utf-8"
        )
        self.tool("objcopy", "--globalize-symbols=local_names", self.program, "readable_program")
        return self.tool("gprof", "-p", "-b", "readable_program", "gmon.out")

    def annotated(self):
        """The hottest functions line by line, as perf prints them."""
        done = self.call("perf", "record", "-q", "-o", "perf.data", *self.command())
        if done.returncode != 0:
            reason = next(filter(None, done.stderr.split("\n")), "")
            stop(
                f"perf may not measure here: {reason}; try: sudo sysctl kernel.perf_event_paranoid=1"
            )
        done = self.call("perf", "annotate", "-q", "--stdio", "-i", "perf.data")
        if not has_annotation(done.stdout):
            stop(f"perf found nothing to show: {done.stderr.partition(chr(10))[0]}")
        return done.stdout


def keep_lines(run, part, name, build, rows):
    """Stores the shares of the optimised program for the page of ./lab report."""
    try:
        source = Manifest(build / "manifest.json").row(part, name)["source"]
    except ManifestError:
        source = ""
    total = sum(row.seconds for row in rows)
    shown = [
        {
            "function": row.function,
            "share": row.seconds / total,
            "seconds": row.seconds,
            "calls_per_iteration": row.calls / run.iterations,
        }
        for row in rows[:MOST_ROWS]
    ]
    keep(
        build.parent / "profile_lines" / f"{part}_{name}.json",
        "profile",
        source,
        seal_of(ROOT / source) if source else "",
        part=part,
        name=name,
        bodies=run.bodies,
        iterations=run.iterations,
        rows=shown,
    )


def show_profile(run, flat_profile, build, again, debug):
    """The lines of the report; also writes the whole profile to a file."""
    copy = build / folder_of(debug) / f"{run.label.replace('/', '_')}.txt"
    copy.parent.mkdir(exist_ok=True)
    copy.write_text(flat_profile, encoding="utf-8")
    rows = rows_of(flat_profile)
    if sum(row.seconds for row in rows) < 0.1:
        stop(f"gprof took no samples of {run.label}: use more bodies (-n)")
    if not debug:
        keep_lines(run, *run.label.split("/"), build, rows)
    optimised = "not optimised (-O0)" if debug else "optimised (-O2)"
    where = copy.relative_to(ROOT) if ROOT in copy.parents else copy
    return [
        f"{run.label}: {run.bodies} bodies, {run.iterations} iterations with the adaptive step, one thread, {optimised}",
        "",
        *table(rows, run.iterations),
        *meaning(rows, again, debug),
        f"The whole profile: {where}",
    ]


def profile(options):
    """Runs the program and returns the lines of the report."""
    part, name, build = options.words[:3]
    build = Path(os.path.abspath(build))
    # Unoptimised code takes twenty times as long, and gprof does not see the time of its own call counting.
    wanted_s, bodies = (6, 500) if options.debug else (3, 1500)
    run = ProfiledProgram(part, name, build, options.debug, options.bodies or bodies)
    shutil.rmtree(run.work, ignore_errors=True)
    run.work.mkdir(parents=True)
    try:
        run.run_long_enough(wanted_s)
        if options.annotate:
            return hottest_lines(run.annotated())
        return show_profile(
            run, run.flat_profile(), build, f"./lab profile {part} {name}", options.debug
        )
    finally:
        shutil.rmtree(run.work, ignore_errors=True)


def run(arguments):
    options = parse(arguments)
    if options.help:
        print(HELP)
        return 0
    demand_tools(options.annotate)
    if options.only_tools:
        return 0
    if len(options.words) < 3:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    print("\n".join(profile(options)))
    return 0
