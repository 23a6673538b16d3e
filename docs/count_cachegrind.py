"""What cachegrind counts of an interaction in part 1: data/results/part1_counters.json, which docs/measuring.md shows.

    ./lab build part1 naive locals third_law
    count_cachegrind.py [FILE.json]     two minutes, on any machine: it simulates

A run less a shorter one leaves whole iterations. The cycles, for the IPC, are those of part1_bounds.json.
"""

import datetime
import json
import re
import sys
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.run import Step, output_of

RESULT = ROOT / "data/results/part1_counters.json"
NAMES = ("naive", "locals", "third_law")
# Bodies of 40 bytes: they fit into the first cache, and do not. The start differs by some 10^5 instructions from run to
# run, and more before the second iteration.
ITERATIONS = {500: (2, 22), 2000: (2, 4)}
# Of an Intel Xeon (Sapphire Rapids): first level, and as the last one its second.
CACHES = ("--I1=32768,8,64", "--D1=49152,12,64", "--LL=2097152,16,64")
COUNTS = {
    "instructions": r"I\s+refs:\s+([\d,]+)",
    "l1_misses": r"D1\s+misses:\s+([\d,]+)",
    "last_level_misses": r"LLd misses:\s+([\d,]+)",
    "mispredicted": r"Mispredicts:\s+([\d,]+)",
}


def counts_in(said):
    """Of what cachegrind says at the end."""
    return {
        name: int(re.search(rf"== {pattern}", said)[1].replace(",", ""))
        for name, pattern in COUNTS.items()
    }


def counted(name, n, iterations):
    options = ["--tool=cachegrind", "--cache-sim=yes", "--branch-sim=yes", *CACHES]
    program = ROOT / f"build/release/bin/part1/{name}"
    run = [program, "-n", str(n), "-i", str(iterations), "--threads", "1"]
    said = output_of(
        f"cachegrind of part1/{name}", "sh", "-c", '"$@" 2>&1', "sh", "valgrind", *options,
        "--cachegrind-out-file=/dev/null", *run,
    )  # fmt: skip
    return counts_in(said)


def summary_row(name, n, less, more, iterations, bound):
    """Of an interaction; mispredicted branches of the row of a body."""
    interactions = n * n * (iterations[1] - iterations[0])
    each = {count: (more[count] - less[count]) / interactions for count in COUNTS}
    cycles = bound["measured_cycles"] / bound["interactions"]
    return {
        "name": name,
        "n": n,
        "instructions": round(each["instructions"], 1),
        "cycles_each": round(cycles, 1),
        "ipc": round(each["instructions"] / cycles, 1),
        "l1_misses": abs(round(each["l1_misses"], 2)),
        "last_level_misses": abs(round(each["last_level_misses"], 2)),
        "mispredicted": round(each["mispredicted"] * n, 1),
    }


def main(arguments):
    file = Path(arguments[0]) if arguments else RESULT
    bounds = json.loads((ROOT / "data/results/part1_bounds.json").read_text(encoding="utf-8"))
    of_name = {row["name"]: row for row in bounds["summary"]}
    rows = []
    with Step("counting with cachegrind") as step:
        for n, iterations in ITERATIONS.items():
            for name in NAMES:
                step.hear(f"[{len(rows)}/{len(ITERATIONS) * len(NAMES)}]")
                less, more = (counted(name, n, i) for i in iterations)
                rows.append(summary_row(name, n, less, more, iterations, of_name[name]))
    study = {
        "what": "counters",
        "how": f"cachegrind with {' '.join(CACHES)} --branch-sim=yes; each interaction of the "
        "iterations that a longer run has more; "
        "mispredicted branches of a row; cycles of part1_bounds.json, 5000 bodies",
        "machine": f"simulated; cycles of {bounds['machine']}",
        "compiler": (ROOT / "build/release/compiler.txt").read_text(encoding="utf-8").strip(),
        "valgrind": output_of("valgrind", "valgrind", "--version").strip(),
        "date": datetime.date.today().isoformat(),
        "flags": "as in solutions/part1_standard_opti/CMakeLists.txt: -O3, no -march",
        "summary": rows,
    }
    file.write_text(json.dumps(study, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
