"""./lab counters: the processor's hardware counters for one run of a program, read by perf stat.

counters.py PART NAME BUILD_FOLDER [-n BODIES] [-i ITERATIONS] [--threads T]
counters.py --tools      is there what it needs? status 2 and one line if not
"""

import argparse
import os
import shutil
import subprocess
import tempfile
from collections import namedtuple
from pathlib import Path

from nbody_lab.core.messages import stop

PARANOID = Path("/proc/sys/kernel/perf_event_paranoid")

# The events in table order: perf's name, and words. A `share` is also shown as a percentage of the row before it. Only the
# program is counted (:u), which perf_event_paranoid 2 allows.
Event = namedtuple("Event", "name words share")
EVENTS = (
    Event("cycles", "cycles", False),
    Event("instructions", "instructions", False),
    Event("branches", "branches", False),
    Event("branch-misses", "  mispredicted", True),
    Event("L1-dcache-loads", "loads from L1", False),
    Event("L1-dcache-load-misses", "  not in L1", True),
    Event("cache-references", "last-level cache accesses", False),
    Event("cache-misses", "  not in it", True),
    Event("LLC-loads", "last-level cache loads", False),
    Event("LLC-load-misses", "  not in it", True),
)

Count = namedtuple(
    "Count", "value running"
)  # value: a number, or why there is none; running: percent of the time


def base_name(event):
    """cycles for cycles:u, and for cpu_core/cycles:u/ on a processor with two kinds of cores."""
    name = event.strip("/").split("/")[-1]
    return name.removesuffix(":u")


def number_in(value):
    """The number, or the text if it is none: <not counted>, or another text from a newer perf."""
    try:
        return float(value)
    except ValueError:
        return value or "<not counted>"


def counts_in(text):
    """{event: Count} from the output of `perf stat -x,`: value, unit, event, run time, percent of the time, ..."""
    counts = {}
    for line in text.splitlines():
        fields = line.split(",")
        if line.startswith("#") or len(fields) < 5 or not fields[2]:
            continue
        value, name = fields[0].strip(), base_name(fields[2])
        count = Count(
            number_in(value), float(fields[4]) if fields[4].replace(".", "", 1).isdigit() else 0
        )
        # With two kinds of cores, use the one that ran the program.
        before = counts.get(name)
        if (
            before is None
            or isinstance(before.value, str)
            or (isinstance(count.value, float) and count.running > before.running)
        ):
            counts[name] = count
    return counts


def missing_in(counts):
    """{reason: names of the missing events}"""
    missing = {}
    for event in EVENTS:
        count = counts.get(event.name, Count("<not supported>", 0))
        if isinstance(count.value, str):
            missing.setdefault(count.value, []).append(event.name)
    return missing


def shown(number):
    return f"{number / 1e9:.3f} x 10^9" if number >= 1e9 else f"{number / 1e6:.3f} x 10^6"


def rows_of(counts, interactions):
    """Rows (event, total, per interaction, remark) of the counted events."""
    rows, before = [], None
    for event in EVENTS:
        count = counts.get(event.name, Count("", 0)).value
        if isinstance(count, float):
            share = f"{100 * count / before:.2f} %" if event.share and before else ""
            if event.name == "instructions" and before:
                share = f"{count / before:.2f} per cycle"
            rows.append((event.words, shown(count), f"{count / interactions:.3g}", share))
        before = count if isinstance(count, float) else None
    return rows


def table(counts, interactions):
    lines = [f"  {'':<27}{'in all':>16} {'per interaction':>15}"]
    lines += [
        f"  {what:<27}{in_all:>16}  {each:>14}  {remark}".rstrip()
        for what, in_all, each, remark in rows_of(counts, interactions)
    ]
    if any(count.running < 99 for count in counts.values() if isinstance(count.value, float)):
        lines.append(
            "  (more events than counters: each was counted part of the time and extrapolated)"
        )
    for reason, names in missing_in(counts).items():
        lines.append(f"  {reason.strip('<>')} here: {', '.join(names)}")
    return lines


# --- perf ----------------------------------------------------------------------------------------


def paranoid_level():
    try:
        return int(PARANOID.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return 0


def ask(command, names=tuple(event.name for event in EVENTS)):
    """(the counts, the process) of one run; `names`: events."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "counts.csv")
        events = ",".join(f"{name}:u" for name in names)
        done = subprocess.run(
            ["perf", "stat", "-x,", "-o", file, "-e", events, "--", *map(str, command)],
            env={**os.environ, "LC_ALL": "C"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        return counts_in(file.read_text(encoding="utf-8") if file.exists() else ""), done


def demand_counters():
    """Complains before minutes of building: one line says what is missing and how to fix it."""
    if not shutil.which("perf"):
        stop(
            "perf is missing; install the package linux-perf (Debian) or linux-tools-generic (Ubuntu)"
        )
    if paranoid_level() > 2:
        stop(
            f"the kernel forbids counting (kernel.perf_event_paranoid is {paranoid_level()}): sudo sysctl kernel.perf_event_paranoid=2"
        )
    counts, done = ask(["true"])
    if not counts:
        said = (done.stderr.strip().splitlines() or ["no message"])[0]
        stop(f"perf does not count here: {said}; try: sudo sysctl kernel.perf_event_paranoid=1")
    # `true` ends before every counter has had its turn, so a few missing counts are no error.
    if all(count.value == "<not supported>" for count in counts.values()):
        first, second, *others = counts
        stop(
            f"this machine has no hardware counters, as is usual for virtual machines (perf: <not supported> for {first}, {second} and {len(others)} more): "
            "use a physical machine"
        )


# --- command -------------------------------------------------------------------------------------


class Parser(argparse.ArgumentParser):
    def error(self, message):
        stop(f"counters: {message}; for example: ./lab counters part1 naive -n 2000")


def positive(word):
    number = int(word)
    if number < 1:
        raise ValueError
    return number


def parse(words):
    parser = Parser(prog="./lab counters", allow_abbrev=False, add_help=False)
    parser.add_argument("part")
    parser.add_argument("name")
    parser.add_argument("build", type=Path)
    parser.add_argument("-n", type=positive, default=5000)
    parser.add_argument("-i", type=positive, default=20)
    parser.add_argument("--threads", type=positive, default=1)
    return parser.parse_args(words)


def show(words):
    options = parse(words)
    label = f"{options.part}/{options.name}"
    counts, done = ask(
        [
            options.build / "bin" / options.part / options.name,
            "-n",
            options.n,
            "-i",
            options.i,
            "--threads",
            options.threads,
        ]
    )
    if done.returncode != 0:
        stop(f"{label} stopped: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    print(
        f"{label}: {options.n} bodies, {options.i} iterations, {options.threads} thread{'s' if options.threads > 1 else ''}"
    )
    print("\n".join(table(counts, options.n * options.n * options.i)))
