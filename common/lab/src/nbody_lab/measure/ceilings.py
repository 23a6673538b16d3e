"""How fast this processor and this GPU can be: results of bin/machine, bin/ceilings_* and bin/devices, judged and kept
in build/ceilings.json.

docs/file_formats.md describes the file. Each instruction set has its own program, since a processor may lower its clock
for a program that uses wide vectors.
"""

import json
import subprocess
import time
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.building.cpuinfo import QUIET, busy_cores
from nbody_lab.building.lab import Lab
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.model import parse
from nbody_lab.core.run import Step
from nbody_lab.core.turns import turn
from nbody_lab.core.whole_file import why_not_writable, write_text
from nbody_lab.measure.gpu_ceilings import measure_gpu
from nbody_lab.measure.results import (
    Ceiling,
    Ceilings,
    MachineFacts,
    NotOurs,
    format_ceilings,
    read_ceilings,
    shown,
)

FILE = ROOT / "build/ceilings.json"
# Widest first: the widest available measures all levels.
_SETS = ("avx512f", "avx2", "sse2", "neon", "scalar")
LEVELS = ("L1", "L2", "L3", "DRAM")
LARGEST_SPREAD = 0.1
_DISTURBED = (
    f"it spread over more than {100 * LARGEST_SPREAD:.0f} % while it was measured: "
    "something else was running"
)

# What is a ceiling, and what is not.


def _team(row: Ceiling) -> tuple[str, ...]:
    """Rows of one team differ in nothing but their level and their threads."""
    return row.where, row.operation, row.instruction_set, row.precision


def _slower_than_farther(rows: Sequence[Ceiling]) -> Iterator[tuple[Ceiling, str]]:
    """(row, why) for a level if the next farther one was faster by more than a tenth and their spreads. What serves the
    larger array serves the smaller one, too, and nothing makes a loop faster: so the near row is the wrong one."""
    levels = sorted(
        (row for row in rows if row.level in LEVELS),
        key=lambda row: (*_team(row), row.threads, LEVELS.index(row.level)),
    )
    for _, team in groupby(levels, lambda row: (_team(row), row.threads)):
        for near, far in pairwise(team):
            if far.best > near.best * (1 + max(near.spread, far.spread, LARGEST_SPREAD)):
                slowed = f"something slowed {near.level} down"
                yield near, f"{far.level}, farther away, was faster: {slowed}"


def _beyond_their_level(rows: Sequence[Ceiling]) -> Iterator[tuple[Ceiling, str]]:
    """(row, why) for one-thread rows that all threads beat by more than their number, if they share the array out: the
    one-thread array did not fit its level. Systems, above all virtual ones, may claim more cache than they have."""
    levels = [row for row in rows if row.level in LEVELS]
    alone = {(_team(row), row.level): row for row in levels if row.threads == 1}
    for row in levels:
        one = alone.get((_team(row), row.level))
        if not one or row.array_bytes >= one.array_bytes * row.threads:
            continue
        if row.best > one.best * row.threads * (1 + LARGEST_SPREAD):
            times = f"{row.threads} threads were {row.best / one.best:.1f} times as fast"
            yield one, f"{times}: its array did not fit into {row.level}"


def judge(rows: Sequence[Ceiling]) -> list[Ceiling]:
    """The rows with is_ceiling and why_not, where the program that measured them has not found a reason itself."""
    reasons = {id(row): row.why_not for row in rows if row.why_not}
    for row in rows:
        if row.spread > LARGEST_SPREAD:
            reasons.setdefault(id(row), _DISTURBED)
    for row, why in (*_slower_than_farther(rows), *_beyond_their_level(rows)):
        reasons.setdefault(id(row), why)
    return [
        row.model_copy(
            update={"is_ceiling": id(row) not in reasons, "why_not": reasons.get(id(row), "")}
        )
        for row in rows
    ]


# Measuring.


def run_lines(*argv: object) -> Iterator[str]:
    """The output lines of a program, one by one. Raises SystemExit if it fails."""
    with subprocess.Popen(
        [str(word) for word in argv],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        yield from process.stdout or ()
    if process.returncode != 0:
        say(f"{argv[0]} ended with status {process.returncode}")
        raise SystemExit(1)


def _programs(build: Path, options: Sequence[str]) -> list[tuple[int, list[object]]]:
    """(number of rows, argv) of the programs that can measure here, widest set first."""
    programs: list[tuple[int, list[object]]] = []
    for name in _SETS:
        program = build / f"bin/ceilings_{name}"
        if program.exists():  # programs for other processors are not built
            argv = [program, *([] if programs else ["--all-levels"]), *options]
            count = int("".join(run_lines(*argv, "--count")))
            if count:
                programs.append((count, argv))
    return programs


def read_facts(build: Path) -> MachineFacts:
    """What the system says about this machine; nothing is measured."""
    facts = json.loads("".join(run_lines(build / "bin/machine", "--facts")))["machine"]
    return parse(MachineFacts, facts, "bin/machine --facts")


def measure(build: Path, options: Sequence[str] = ()) -> Ceilings:
    """`options` go to the programs: ("--seconds", "0.01") is quick but unreliable."""
    programs = _programs(build, options)
    total, done = sum(count for count, _ in programs), 0
    rows: list[Ceiling] = []
    with turn("the processor"), Step("measuring this processor") as step:
        start = time.monotonic()
        machine = json.loads("".join(run_lines(build / "bin/machine")))
        for _, argv in programs:
            of_set = []
            for line in run_lines(*argv):
                of_set.append(parse(Ceiling, json.loads(line), str(argv[0])))
                done += 1
                step.hear(f"[{done}/{total}]")
            rows = of_set + rows
    content = {
        "what": "ceilings",
        "version": 1,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "seconds": round(time.monotonic() - start, 1),
        **machine,
        "ceilings": judge(rows),
    }
    return parse(Ceilings, content, "bin/machine")


def with_gpu_rows(lab: Lab, ceilings: Ceilings) -> Ceilings:
    """With those of GPU 0, if one answers and something can be built for it. Raises LabError."""
    return ceilings.model_copy(update={"ceilings": (*ceilings.ceilings, *measure_gpu(lab))})


# The file.


def write_ceilings(ceilings: Ceilings) -> None:
    write_text(FILE, format_ceilings(ceilings))


def _prepare(lab: Lab) -> None:
    """Complains about the place before measuring starts, not a minute later; builds the programs."""
    why = why_not_writable(FILE)
    if why:
        raise LabError(f"{shown(FILE)} cannot be written: {why}")
    lab.build("the programs that measure", "ceilings")


def measure_ceilings(lab: Lab) -> Ceilings:
    """Always measures. Call lab.begin() first and keep the lock: a build at the same time would spoil the measurement."""
    _prepare(lab)
    say("measuring what this processor can do: about a minute; nothing else should run")
    with turn("the processor"):  # whose others would count as busy
        if (busy := busy_cores()) > QUIET:
            say(
                f"other programs use {busy:.1f} cores: figures that they disturb get a ?, and the worksheet does not use "
                "them; better stop this with Ctrl-C, and measure when the machine is quiet"
            )
        ceilings = measure(lab.build_dir)
    write_ceilings(ceilings)
    return ceilings


def _other_machine(kept: MachineFacts, here: MachineFacts) -> str | None:
    """How a file of another machine or compiler differs from this one."""
    for field in ("cpu", "cores", "compiler"):
        there, now = getattr(kept, field), getattr(here, field)
        if there != now:
            return (
                f"{shown(FILE)} is from another machine or compiler ({field}: {there}, here {now})"
            )
    return None


def known_ceilings(lab: Lab) -> Ceilings:
    """Measures only if the file is missing, damaged, or from another machine or compiler. Raises NoInput for a wrong
    field: somebody may have edited the file, and that is not lost. Call lab.begin() first."""
    _prepare(lab)
    if not FILE.exists():
        return measure_ceilings(lab)
    try:
        ceilings = read_ceilings(FILE)
        stale = _other_machine(ceilings.machine, read_facts(lab.build_dir))
    except NotOurs as error:
        stale = str(error).split(": measure")[0]
    if stale is None:
        return ceilings
    say(f"{stale}: measuring again")
    return measure_ceilings(lab)
