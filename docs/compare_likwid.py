"""Measures the ceilings of this processor alternately with likwid-bench.

    compare_likwid.py [--rounds R] [--only WORD] [FILE]     five minutes per round on two cores

Needs likwid-bench (Debian: apt install likwid) and what ./lab machine has built. Writes FILE, by default
data/results/ceilings_likwid.json (fields: `name`, number of threads, the best rounds of both programs). Its table, and what the ratios mean, are in
docs/measuring.md.
"""

import argparse
import json
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections import namedtuple
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError, ended, say
from nbody_lab.measure.ceilings import LEVELS, rows_of_set
from nbody_lab.measure.machine_facts import free_memory, levels_of, this_machine

RESULT = ROOT / "data/results/ceilings_likwid.json"

BUILD = ROOT / "build/release"
IN_REGISTERS = 16  # kB, of the one stream that a peakflops kernel loads beside its arithmetic
SECONDS = 0.5  # of ours; likwid-bench takes one at least

# Suffix of likwid's kernel, then our program and operation.
FLOPS = (
    ("", "scalar", "mul_add"),
    ("_sse", "sse2", "mul_add"),
    ("_avx", "avx2", "mul_add"),
    ("_avx_fma", "avx2", "fma"),
    ("_avx512", "avx512f", "mul_add"),
    ("_avx512_fma", "avx512f", "fma"),
)
TRAFFIC = (
    ("load", "load"),
    ("copy", "copy"),
    ("stream", "triad"),
)  # what STREAM calls triad, likwid calls stream
SUFFIXES = {"avx512f": "_avx512", "avx2": "_avx", "sse2": "_sse"}

# `test` is likwid's, `benchmark` that of the program of `instruction_set`.
Pair = namedtuple("Pair", "name test instruction_set benchmark threads")


def pairs_of(facts):
    """The pairs for the instruction sets of this processor."""
    known = ["scalar", *(name for name in SUFFIXES if name in facts["simd"])]
    widest = next((name for name in SUFFIXES if name in known), None)
    for threads in sorted({1, facts["cores"]}):
        for suffix, instruction_set, operation in FLOPS:
            for precision, sp in (("double", ""), ("float", "_sp")):
                if instruction_set in known:
                    yield Pair(
                        f"{instruction_set} {operation} {precision}",
                        f"peakflops{sp}{suffix}",
                        instruction_set,
                        f"{operation}/{precision}/",
                        threads,
                    )
        for level in LEVELS if widest else ():
            for test, operation in TRAFFIC:
                yield Pair(
                    f"{level} {operation}",
                    test + SUFFIXES[widest],
                    widest,
                    f"{operation}//{level}",
                    threads,
                )


def ours(pair, machine):
    """The row; None if the machine has no such level, for example no L3."""
    cpus, levels = machine.cpus[: pair.threads], levels_of(machine, pair.threads, free_memory())
    rows = rows_of_set(BUILD, pair.instruction_set, cpus, levels, SECONDS, f"^{pair.benchmark}/")
    return rows[0].model_dump() if rows else None


def said_in(text, unit):
    """The flop/s or byte/s in the output of likwid-bench."""
    found = re.search(
        r"^MFlops/s:\s+(\S+)" if unit == "flop/s" else r"^MByte/s:\s+(\S+)", text, re.MULTILINE
    )
    if not found:
        raise ValueError(text.strip().splitlines()[-1] if text.strip() else "it printed nothing")
    return float(found[1]) * 1e6


def likwid(pair, row):
    """Its rate on arrays of the same size."""
    size = f"{row['array_bytes'] // 1000 or IN_REGISTERS * pair.threads}kB"
    command = ["likwid-bench", "-t", pair.test, "-W", f"N:{size}:{pair.threads}"]
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    try:
        return said_in(done.stdout, row["unit"])
    except ValueError as fault:
        say(f"{' '.join(command)}: {fault}")
        raise SystemExit(1) from fault


def measured(pairs, rounds, machine):
    """{pair: [(our row, likwid's rate), ...]}, pair by pair in each round."""
    found, start, done = {pair: [] for pair in pairs}, time.monotonic(), 0
    for _ in range(rounds):
        for pair in pairs:
            row = ours(pair, machine)
            if row:
                found[pair].append((row, likwid(pair, row)))
            done += 1
            left = (time.monotonic() - start) / done * (rounds * len(pairs) - done)
            if done % 10 == 0:
                say(f"{done} of {rounds * len(pairs)}, about {left:.0f} s left")
    return {pair: values for pair, values in found.items() if values}


def summary_of(found):
    """The best of all rounds on both sides: on a shared machine slower rounds only show noise from neighbours."""
    rows = []
    for pair, values in found.items():
        best, beside = max(row["best"] for row, _ in values), max(rate for _, rate in values)
        rows.append(
            {
                "name": pair.name,
                "threads": pair.threads,
                "likwid_test": pair.test,
                "unit": values[0][0]["unit"],
                "array_bytes": values[0][0]["array_bytes"],
                "ours_per_s": best,
                "likwid_per_s": beside,
                "ratio": best / beside,
                "ours_median_per_s": statistics.median(row["median"] for row, _ in values),
                "likwid_median_per_s": statistics.median(rate for _, rate in values),
            }
        )
    return rows


def shown(row):
    apart = "" if abs(row["ratio"] - 1) <= 0.1 else "  more than 10 % apart"
    return (
        f"{row['name']:24}{row['threads']:3}  {row['likwid_test']:26}{row['ours_per_s'] / 1e9:9.1f}{row['likwid_per_s'] / 1e9:9.1f}"
        f"{row['ratio']:7.2f}{apart}"
    )


def compare(words):
    parser = argparse.ArgumentParser(
        prog="compare_likwid.py",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="pairs whose name has this word")
    parser.add_argument("file", nargs="?", type=Path, default=RESULT)
    options = parser.parse_args(words)
    if not shutil.which("likwid-bench"):
        raise LabError("likwid-bench is not there; on Debian: apt install likwid")
    if not (BUILD / "bin/operation_costs").exists():
        raise LabError("the programs that measure are not built: ./lab machine")
    machine = this_machine(BUILD)
    facts = machine.facts.model_dump()
    found = measured(
        [pair for pair in pairs_of(facts) if options.only in pair.name], options.rounds, machine
    )
    version = (
        subprocess.run(["likwid-bench", "-v"], capture_output=True, text=True, check=False)
        .stdout.strip()
        .split("\n")[-1]
        .strip()
    )
    content = {
        "what": "ceilings beside likwid-bench",
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "machine": facts,
        "likwid": version,
        "rounds": options.rounds,
        "summary": summary_of(found),
    }
    print(f"{'10^9 a second':24}{'':3}  {'likwid-bench -t':26}{'ours':>9}{'likwid':>9}{'ratio':>7}")
    print("\n".join(map(shown, content["summary"])))
    options.file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(ended(compare, sys.argv[1:]))
