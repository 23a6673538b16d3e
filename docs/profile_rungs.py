"""What do the warps of each rung of part 3 wait for? Measures data/results/part3_profiler.json and, as a student reads them,
data/results/part3_profiler.txt: Nsight Compute's own pages of some rungs.

    ./lab build part3
    profile_rungs.py     on a machine with a GPU whose counters may be read; some minutes

Of each program the longest kernel of its first launches counts: the one that computes accelerations.
"""

import csv
import datetime
import io
import json
import subprocess
import sys

from nbody_lab import ROOT
from nbody_lab.building.gpus import read_gpus

RESULT, PAGES = ROOT / "data/results/part3_profiler.json", ROOT / "data/results/part3_profiler.txt"
BUILD = ROOT / "build/release"
BODIES, BYTES_OF_BODY, BYTES_OF_SECTOR = 131072, 16, 32
KERNELS = "regex:accelerations|add_"  # those that visit all pairs
RUNGS = "naive resident rsqrt float4 tiles several_bodies split third_law shuffles tile_of_arrays matrix_mma"
SHOWN = "naive float4 tiles third_law"
SECTIONS = "SchedulerStats WarpStateStats Occupancy MemoryWorkloadAnalysis"
METRICS = {
    "seconds": "gpu__time_duration.sum",
    "registers": "launch__registers_per_thread",
    "instructions": "smsp__inst_executed.sum",
    "issue_slots": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "warps_resident": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "warps_possible": "sm__maximum_warps_per_active_cycle_pct",
    "l2_sectors": "lts__t_sectors_op_read.sum",
    "l1_hits": "l1tex__t_sector_hit_rate.pct",
}
# Warps that wait for this, on average, whenever an instruction is issued: NVIDIA's names.
REASONS = """barrier branch_resolving dispatch_stall imc_miss lg_throttle long_scoreboard math_pipe_throttle membar mio_throttle
no_instruction not_selected short_scoreboard wait""".split()
STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"


def ncu(name, *words):
    """Without its clock control: the GPU's settings stay as they are."""
    program = [BUILD / f"bin/part3/{name}", "-n", BODIES, "-i", "2"]
    command = ["ncu", "--clock-control", "none", "-k", KERNELS, *words, *program]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"profile_rungs: ncu of {name}: {(done.stderr or done.stdout)[-500:]}")
    return done.stdout


def longest_kernel(report):
    """The row of ncu's table, whose second line has the units."""
    _, *kernels = csv.DictReader(io.StringIO(report[report.index('"ID"') :]))
    return max(kernels, key=lambda kernel: number_of(kernel[METRICS["seconds"]]))


def number_of(text):
    return float(text.replace(",", ""))


def row_of(name, report):
    kernel = longest_kernel(report)
    found = {short: number_of(kernel[metric]) for short, metric in METRICS.items()}
    waits = {reason: number_of(kernel[STALL.format(reason)]) for reason in REASONS}
    stalls = {reason: wait for reason, wait in waits.items() if reason != "not_selected"}
    most = max(stalls, key=stalls.__getitem__)
    return {
        "name": name,
        "kernel": kernel["Kernel Name"].split("(")[0].removeprefix("void "),
        **found,
        "seconds": found["seconds"] / 1e9,
        "per_interaction": 32 * found["instructions"] / BODIES**2,
        "l2_reads": found["l2_sectors"] * BYTES_OF_SECTOR / (BODIES * BYTES_OF_BODY),
        "waits": waits,
        "ready": waits["not_selected"],
        "most": f"{most.replace('_', ' ')} {stalls[most]:.1f}",
    }


def page_of(name, report):
    """The kernel's sections, without what ncu and the program say before and remarks on the clock."""
    lines = [line.rstrip() for line in report[report.index("    Section:") :].splitlines()]
    return "\n".join([f"{name}, {BODIES} bodies", *lines]) + "\n\n"


def main():
    gpu = read_gpus(BUILD)[0].description
    day = datetime.date.today().isoformat()
    metrics = ",".join([*METRICS.values(), *map(STALL.format, REASONS)])
    as_table = "--csv", "--page", "raw", "--print-units", "base", "--metrics", metrics
    rows = []
    for name in RUNGS.split():
        rows.append(row_of(name, ncu(name, "-c", 4, *as_table)))
        print(f"{name}: {rows[-1]['most']}", flush=True)
    context = {"what": "profiler", "day": day, "gpu": gpu, "n": BODIES}
    RESULT.write_text(json.dumps({"context": context, "summary": rows}, indent=1) + "\n")
    sections = [word for name in SECTIONS.split() for word in ("--section", name)]
    PAGES.write_text(
        "".join(page_of(name, ncu(name, "-c", 1, *sections)) for name in SHOWN.split())
    )


if __name__ == "__main__":
    sys.exit(main())
