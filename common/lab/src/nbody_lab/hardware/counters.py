"""The processor's hardware counters for one run of a program, read by perf stat."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from nbody_lab.core.messages import UserError

PARANOID = Path("/proc/sys/kernel/perf_event_paranoid")


class Event(NamedTuple):
    name: str  # perf's
    words: str
    share: bool = False  # also shown as a percentage of the row before it


# In table order. Only the program is counted (:u), which perf_event_paranoid 2 allows.
EVENTS = (
    Event("cycles", "cycles"),
    Event("instructions", "instructions"),
    Event("branches", "branches"),
    Event("branch-misses", "  mispredicted", True),
    Event("L1-dcache-loads", "loads from L1"),
    Event("L1-dcache-load-misses", "  not in L1", True),
    Event("cache-references", "last-level cache accesses"),
    Event("cache-misses", "  not in it", True),
    Event("LLC-loads", "last-level cache loads"),
    Event("LLC-load-misses", "  not in it", True),
)


class Count(NamedTuple):
    value: float | None
    why_none: str = ""  # perf's words, such as <not counted>
    running: float = 0  # percent of the time


Counts = Mapping[str, Count]


def _base_name(event: str) -> str:
    """cycles for cycles:u, and for cpu_core/cycles:u/ on a processor with two kinds of cores."""
    return event.strip("/").split("/")[-1].removesuffix(":u")


def _parse_count(value: str, running: str) -> Count:
    share = float(running) if running.replace(".", "", 1).isdigit() else 0
    try:
        return Count(float(value), running=share)
    except ValueError:
        return Count(None, value or "<not counted>", share)


def parse_counts(text: str) -> dict[str, Count]:
    """{event: Count} from the output of `perf stat -x,`: value, unit, event, run time, percent of the time, ..."""
    counts: dict[str, Count] = {}
    for line in text.splitlines():
        fields = line.split(",")
        if line.startswith("#") or len(fields) < 5 or not fields[2]:
            continue
        name, count = _base_name(fields[2]), _parse_count(fields[0].strip(), fields[4])
        # With two kinds of cores, use the one that ran the program.
        before = counts.get(name)
        if (
            before is None
            or before.value is None
            or (count.value is not None and count.running > before.running)
        ):
            counts[name] = count
    return counts


def _format_count(number: float) -> str:
    return f"{number / 1e9:.3f} x 10^9" if number >= 1e9 else f"{number / 1e6:.3f} x 10^6"


def _remark(event: Event, value: float, before: float | None) -> str:
    """The count in relation to the event before it."""
    if not before:
        return ""
    if event.name == "instructions":
        return f"{value / before:.2f} per cycle"
    return f"{100 * value / before:.2f} %" if event.share else ""


def counts_table(counts: Counts, interactions: int) -> list[str]:
    """The lines of the table: total, and per interaction."""
    lines = [f"  {'':<27}{'in all':>16} {'per interaction':>15}"]
    missing: dict[str, list[str]] = {}
    before = None
    for event in EVENTS:
        value, why_none, _ = counts.get(event.name, Count(None, "<not supported>"))
        if value is None:
            missing.setdefault(why_none.strip("<>"), []).append(event.name)
        else:
            cells = f"{_format_count(value):>16}  {value / interactions:>14.3g}"
            lines.append(f"  {event.words:<27}{cells}  {_remark(event, value, before)}".rstrip())
        before = value
    if any(count.value is not None and count.running < 99 for count in counts.values()):
        lines.append(
            "  (more events than counters: each was counted part of the time and extrapolated)"
        )
    return [*lines, *(f"  {why} here: {', '.join(names)}" for why, names in missing.items())]


# perf.


def _paranoid_level() -> int:
    try:
        return int(PARANOID.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return 0


def _run_perf(
    argv: Sequence[object], events: Sequence[str]
) -> tuple[dict[str, Count], subprocess.CompletedProcess[str]]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "counts.csv")
        names = ",".join(f"{name}:u" for name in events)
        done = subprocess.run(
            ["perf", "stat", "-x,", "-o", str(file), "-e", names, "--", *map(str, argv)],
            env={**os.environ, "LC_ALL": "C"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        return parse_counts(file.read_text(encoding="utf-8") if file.exists() else ""), done


_ALL = tuple(event.name for event in EVENTS)


def _said(done: subprocess.CompletedProcess[str], line: int) -> str:
    return (done.stderr.strip().splitlines() or ["no message"])[line]


def count_events(label: str, argv: Sequence[object], events: Sequence[str] = _ALL) -> Counts:
    """The counts of one run. Raises UserError if the program fails."""
    counts, done = _run_perf(argv, events)
    if done.returncode != 0:
        raise UserError(f"{label} stopped: {_said(done, -1)}")
    return counts


def require_counters() -> None:
    """Complains before minutes of building: one line says what is missing and how to fix it. Raises UserError."""
    if not shutil.which("perf"):
        raise UserError(
            "perf is missing; install the package linux-perf (Debian) or linux-tools-generic (Ubuntu)"
        )
    if _paranoid_level() > 2:
        raise UserError(
            f"the kernel forbids counting (kernel.perf_event_paranoid is {_paranoid_level()}): "
            "sudo sysctl kernel.perf_event_paranoid=2"
        )
    counts, done = _run_perf(["true"], _ALL)
    if not counts:
        raise UserError(
            f"perf does not count here: {_said(done, 0)}; try: sudo sysctl kernel.perf_event_paranoid=1"
        )
    # `true` ends before every counter has had its turn, so a few missing counts are no error.
    if all(count.why_none == "<not supported>" for count in counts.values()):
        first, second, *others = counts
        raise UserError(
            "this machine has no hardware counters, as is usual for virtual machines (perf: <not supported> "
            f"for {first}, {second} and {len(others)} more): use a physical machine"
        )
