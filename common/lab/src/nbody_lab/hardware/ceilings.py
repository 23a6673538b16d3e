"""How fast this processor and this GPU can be: results of bin/machine and bin/ceilings_*, judged and kept in
build/ceilings.json.

docs/file_formats.md describes the file. Each instruction set has its own program, since a processor may lower its clock
for a program that uses wide vectors.
"""

import json
import subprocess
import tempfile
import time
from itertools import groupby, pairwise
from pathlib import Path

from nbody_lab.core.messages import Failure, say, stop
from nbody_lab.core.steps import Step
from nbody_lab.core.whole_file import why_not_writable, write_text
from nbody_lab.worksheet.roofline_inputs import MEASURE, NoInput, read_ceilings, read_whole, shown
from nbody_lab.workshop import ROOT

FILE = ROOT / "build/ceilings.json"
SETS = (
    "avx512f",
    "avx2",
    "sse2",
    "neon",
    "scalar",
)  # widest first: the widest available measures all levels
LEVELS = ("L1", "L2", "L3", "DRAM")
LARGEST_SPREAD = 0.1
DISTURBED = f"it spread over more than {100 * LARGEST_SPREAD:.0f} % while it was measured: something else was running"


# --- what is a ceiling, and what is not ----------------------------------------------------------


def out_of_order(rows):
    """Yields (row, why) for two neighbouring levels if the farther one was faster by more than their spreads."""

    def team(row):
        return (
            row["where"],
            row["operation"],
            row["instruction_set"],
            row["precision"],
            row["threads"],
        )

    levels = sorted(
        (row for row in rows if row["level"] in LEVELS),
        key=lambda row: (*team(row), LEVELS.index(row["level"])),
    )
    for _, group in groupby(levels, team):
        group = list(group)
        for near, far in pairwise(group):
            if far["best"] > near["best"] * (1 + max(near["spread"], far["spread"])):
                yield near, f"{far['level']}, farther away, was faster: one of the two is wrong"
                yield (
                    far,
                    f"it was faster than {near['level']}, which is closer: one of the two is wrong",
                )


def beyond_its_level(rows):
    """Yields (row, why) for one-thread rows that all threads beat by more than their number. Each thread's array is smaller,
    so the one-thread array did not fit its level. Systems, above all virtual ones, may claim more cache than they have."""

    def team(row):
        return (
            row["where"],
            row["operation"],
            row["instruction_set"],
            row["precision"],
            row["level"],
        )

    alone = {team(row): row for row in rows if row["level"] in LEVELS and row["threads"] == 1}
    for row in rows:
        one = alone.get(team(row)) if row["level"] in LEVELS and row["threads"] > 1 else None
        if one and row["best"] > one["best"] * row["threads"] * (1 + LARGEST_SPREAD):
            yield (
                one,
                f"{row['threads']} threads were {row['best'] / one['best']:.1f} times as fast: its array did not fit into {row['level']}",
            )


def judge(rows):
    """Sets is_ceiling and why_not; keeps a why_not that is already set."""
    for row in rows:
        if not row["why_not"] and not row["spread"] <= LARGEST_SPREAD:
            row["why_not"] = DISTURBED
    for row, why in [*out_of_order(rows), *beyond_its_level(rows)]:
        row["why_not"] = row["why_not"] or why
    for row in rows:
        why = row.pop("why_not")
        row.update(is_ceiling=not why, why_not=why)
    return rows


# --- measuring -----------------------------------------------------------------------------------


def started(words):
    return subprocess.Popen(
        [str(word) for word in words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )


def lines_of(*words):
    """The output lines of a program, one by one. Raises Failure if it fails."""
    with started(words) as process:
        yield from process.stdout
    if process.returncode != 0:
        say(f"{words[0]} ended with status {process.returncode}")
        raise Failure(1)


def commands(build, options=()):
    """[(number of rows, words)] of the programs that can measure here, widest set first."""
    found = []
    for name in SETS:
        program = build / f"bin/ceilings_{name}"
        if program.exists():  # programs for other processors are not built
            words = [program, *([] if found else ["--all-levels"]), *options]
            count = int("".join(lines_of(*words, "--count")))
            if count:
                found.append((count, words))
    return found


def facts_of(build):
    return json.loads("".join(lines_of(build / "bin/machine", "--facts")))["machine"]


def measured(build, options=(), step=None):
    """The content of ceilings.json. `options` go to the programs: ("--seconds", "0.01") is quick but unreliable."""
    start, step = time.monotonic(), step or Step("measuring this processor")
    programs = commands(build, options)
    total, done, rows = sum(count for count, _ in programs), 0, []
    machine = json.loads("".join(lines_of(build / "bin/machine")))
    for _, words in programs:
        of_set = []
        for line in lines_of(*words):
            of_set.append(json.loads(line))
            done += 1
            step.hear(f"[{done}/{total}]")
        rows = of_set + rows
    step.end(0)
    return {
        "what": "ceilings",
        "version": 1,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "seconds": round(time.monotonic() - start, 1),
        **machine,
        "ceilings": judge(rows),
    }


def write(content, file):
    """Replaces the file as a whole."""
    text = json.dumps({**content, "ceilings": []}, indent=1)
    rows = ",\n".join("  " + json.dumps(row) for row in content["ceilings"])
    write_text(file, text.replace('"ceilings": []', f'"ceilings": [\n{rows}\n ]') + "\n")


# --- for commands --------------------------------------------------------------------------------


def build_programs(lab):
    """Call lab.begin() first."""
    lab.demand_targets("the programs that measure", "ceilings")


def demand_place():
    """Complains before measuring starts, not a minute later."""
    why = why_not_writable(FILE)
    if why:
        stop(f"{shown(FILE)} cannot be written: {why}")


def measure_ceilings(lab):
    """Always measures; returns the file's path. Call lab.begin() first and keep the lock: a build at the same time would
    spoil the measurement."""
    demand_place()
    build_programs(lab)
    say("measuring what this processor can do: about a minute; nothing else should run")
    write(measured(lab.build), FILE)
    return FILE


def why_measure(lab):
    """Why the stored ceilings do not fit this machine, in one sentence; '' if they do. Raises NoInput for a wrong key."""
    try:
        kept = read_whole(FILE, "ceilings", MEASURE)
    except NoInput as fault:
        return str(fault).split(": measure")[0]
    here, there = facts_of(lab.build), kept.get("machine")
    other = [
        key
        for key in ("cpu", "cores", "compiler")
        if isinstance(there, dict) and there.get(key, here[key]) != here[key]
    ]
    if other:
        return f"{shown(FILE)} is from another machine or compiler ({other[0]}: {there[other[0]]}, here {here[other[0]]})"
    read_ceilings(FILE)
    return ""


def known_ceilings(lab):
    """The path of the ceilings; measures only if the file is missing, damaged, or from another machine or compiler."""
    demand_place()
    build_programs(lab)
    why = why_measure(lab) if FILE.exists() else ""
    if why:
        say(f"{why}: measuring again")
    return measure_ceilings(lab) if why or not FILE.exists() else FILE


# The GPU's ceilings, as rows beside those of the processor.


def add_gpu_rows(lab, document):
    """Appends what bin/devices measures on GPU 0 to document["ceilings"]; takes about a dozen seconds.

    Returns the number of rows; 0 if no GPU answers or nothing can be built for it. Raises Failure if measuring fails, after
    the program has printed the reason; the document is then unchanged.
    """
    if not lab.gpu():
        return 0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "devices.json")
        words = [str(lab.build / "bin/devices"), "--measure", "--json", str(file)]
        status = subprocess.run(words, stdout=subprocess.DEVNULL, check=False).returncode
        if status != 0:
            raise Failure(status if status > 0 else 128 - status)
        rows = json.loads(file.read_text(encoding="utf-8"))["ceilings"]
    document["ceilings"] += rows
    return len(rows)
