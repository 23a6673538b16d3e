"""Which integrator keeps the energy, and at what cost?

    study_energy.py PART NAME PROGRAM PROGRAM_FOR_DOUBLE --json FILE

Runs the same bodies with every scheme and several time steps: the largest energy error against force evaluations,
and against seconds. Each run calls a simulator with --log, so you can repeat it by hand.
"""

import csv
import datetime
import json
import math
import subprocess
import sys
import tempfile
import time
from collections import namedtuple
from pathlib import Path

from nbody_lab.core.cpuinfo import fields
from nbody_lab.core.whole_file import write_text

TURN = 2 * math.pi  # a period of scene two-body
PER_STEP = {"yoshida4": 3, "rk4": 4}  # force evaluations; 1 for the others
SCHEMES = ["euler", "eq45", "semi-implicit", "kdk", "dkd", "yoshida4", "rk4", "hermite4"]
GOOD = ["kdk", "yoshida4", "rk4", "hermite4"]

# evaluations: over the whole span, one run for each; series: keeps the error over time.
Experiment = namedtuple(
    "Experiment", "name scene span schemes precisions evaluations adaptive series"
)
EXPERIMENTS = [
    Experiment(
        "two bodies, 10 turns",
        ["--scene", "two-body"],
        10 * TURN,
        SCHEMES,
        ["float", "double"],
        [3000, 6000, 12000, 24000, 48000],
        False,
        False,
    ),
    Experiment(
        "six bodies, softened by 0.5, to t = 20",
        ["--scene", "six", "--soft", "0.5"],
        20,
        SCHEMES,
        ["float", "double"],
        [3000, 6000, 12000, 24000, 48000],
        False,
        False,
    ),
    Experiment(
        "Lagrange's triangle, 2 turns",
        ["--scene", "lagrange"],
        2 * TURN * 3**0.25,
        SCHEMES,
        ["float", "double"],
        [600, 1200, 2400, 4800],
        False,
        False,
    ),
    Experiment(
        "256 stars of a Plummer sphere, softened by 0.05, to t = 1",
        ["--scene", "plummer", "-n", "256", "--soft", "0.05"],
        1,
        SCHEMES,
        ["double"],
        [96, 192, 384, 768, 1536],
        False,
        False,
    ),
    Experiment(
        "six bodies, not softened, to t = 50",
        ["--scene", "six"],
        50,
        ["eq45", *GOOD],
        ["double"],
        [50000, 500000, 5000000],
        False,
        False,
    ),
    Experiment(
        "two bodies, 1000 turns, fixed step",
        ["--scene", "two-body"],
        1000 * TURN,
        GOOD,
        ["double"],
        [200000],
        False,
        True,
    ),
    Experiment(
        "two bodies, 1000 turns, adaptive step",
        ["--scene", "two-body", "--mdt", "0"],
        1000 * TURN,
        ["kdk", "kdk-symmetric", "yoshida4", "rk4", "hermite4"],
        ["double"],
        [51000],
        True,
        True,
    ),
]
ROWS_OF_A_LOG = 211  # a prime, so that the rows do not fall on the same place of every turn


def words_of(experiment, scheme, evaluations):
    """The options of this run."""
    # With an adaptive step every scheme makes the same number of steps, and the cost follows.
    steps = max(1, round(evaluations / (1 if experiment.adaptive else PER_STEP.get(scheme, 1))))
    dt = experiment.span / steps
    how = ["--vdt"] if experiment.adaptive else ["--dt", repr(dt)]
    every = max(1, steps // ROWS_OF_A_LOG)
    return [
        *experiment.scene,
        "--integrator",
        scheme,
        *how,
        "-i",
        str(steps),
        "--every",
        str(every),
    ]


def run(program, words):
    """The rows of the log: dicts of numbers. Raises CalledProcessError."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.csv"
        subprocess.run(
            [str(program), *words, "--log", str(log), "--nv"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=True,
        )
        with open(log, encoding="utf-8", newline="") as file:
            return [
                {key: float(value) for key, value in row.items()} for row in csv.DictReader(file)
            ]


def result_of(experiment, scheme, precision, words, log):
    start, errors = log[0]["energy"], []
    for row in log[1:]:
        error = (row["energy"] - start) / abs(start)
        errors.append(error if math.isfinite(error) else math.inf)
    largest = max(map(abs, errors))
    row = {
        "experiment": experiment.name,
        "scheme": scheme,
        "precision": precision,
        "options": " ".join(words),
        "dt": None if experiment.adaptive else experiment.span / log[-1]["iteration"],
        "evaluations": int(log[-1]["force_evaluations"]),
        "seconds": log[-1]["wall_s"],
        "largest_error": largest if math.isfinite(largest) else None,
    }  # null: no finite number
    if experiment.series:
        row["times"] = [one["time"] for one in log[1:]]
        row["errors"] = [error if math.isfinite(error) else None for error in errors]
    return row


def plan(experiments):
    return [
        (experiment, scheme, precision, evaluations)
        for experiment in experiments
        for precision in experiment.precisions
        for scheme in experiment.schemes
        for evaluations in experiment.evaluations
    ]


def measure(programs, experiments, offered):
    """The rows of all runs; `offered(scheme)`: can the implementation run it?"""
    runs = [one for one in plan(experiments) if offered(one[1])]
    begin, rows = time.monotonic(), []
    for k, (experiment, scheme, precision, evaluations) in enumerate(runs):
        if sys.stderr.isatty():
            passed = time.monotonic() - begin
            left = f", about {passed / k * (len(runs) - k):.0f} s left" if k > 9 else ""
            print(
                f"\rrun {k + 1} of {len(runs)}: {experiment.name}, {scheme}{left}\x1b[K",
                end="",
                file=sys.stderr,
                flush=True,
            )
        words = words_of(experiment, scheme, evaluations)
        rows.append(
            result_of(experiment, scheme, precision, words, run(programs[precision], words))
        )
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    return rows


def error_text(value):
    return "not finite" if value is None else f"{value:.1e}"


def order_of(rows):
    """The order: how the error falls with the step, as the slope between the two runs with most evaluations. '' where
    rounding dominates."""
    if (
        len(rows) < 2
        or None in (rows[-1]["largest_error"], rows[-2]["largest_error"])
        or rows[-1]["largest_error"] < 1e-11
    ):
        return ""
    slope = math.log(rows[-2]["largest_error"] / rows[-1]["largest_error"]) / math.log(
        rows[-1]["evaluations"] / rows[-2]["evaluations"]
    )
    return f"{slope:.1f}"


def table(rows):
    """The printed text: a block for each experiment and precision."""
    lines, blocks = [], []
    for row in rows:
        block = (row["experiment"], row["precision"])
        if block not in blocks:
            blocks.append(block)
    for name, precision in blocks:
        own = [row for row in rows if (row["experiment"], row["precision"]) == (name, precision)]
        lines += [
            "",
            f"{name}, {precision}: largest |E - E0| / |E0|",
            "",
            f"  {'integrator':14}  {'evaluations':>12}  {'error':>10}  {'evaluations':>12}  {'error':>10}  {'order':>5}  {'seconds':>8}",
        ]
        for scheme in dict.fromkeys(row["scheme"] for row in own):
            of_it = [row for row in own if row["scheme"] == scheme]
            first, last = of_it[0], of_it[-1]
            begin = (
                f"{first['evaluations']:>12}  {error_text(first['largest_error']):>10}"
                if len(of_it) > 1
                else f"{'':>24}"
            )
            lines.append(
                f"  {scheme:14}  {begin}  {last['evaluations']:>12}  {error_text(last['largest_error']):>10}  "
                f"{order_of(of_it):>5}  {last['seconds']:>8.2g}"
            )
    return "\n".join(line.rstrip() for line in lines[1:]) + "\n"


def has_jerk(program):
    """Tries a short run: a program without jerk refuses it."""
    done = subprocess.run(
        [str(program), "--scene", "two-body", "-i", "1", "--integrator", "hermite4", "--nv"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    return done.returncode == 0


def main(words):
    part, name, in_float, in_double, *options = words
    if len(options) != 2 or options[0] != "--json":
        print("study energy: takes only --json FILE and --plot FOLDER", file=sys.stderr)
        return 2
    file, programs = options[1], {"float": in_float, "double": in_double}
    jerk = has_jerk(programs["float"])
    try:
        rows = measure(programs, EXPERIMENTS, lambda scheme: scheme != "hermite4" or jerk)
    except subprocess.CalledProcessError as fault:
        print(f"study energy: {fault.stderr.strip()}", file=sys.stderr)
        return fault.returncode
    result = {
        "what": "energy study",
        "version": 1,
        "date": f"{datetime.date.today()}",
        "part": part,
        "name": name,
        "cpu": fields().get("model name", ""),
        "rows": rows,
    }
    write_text(file, json.dumps(result, indent=1) + "\n")
    print(table(rows))
    print(f"written: {file}")
    return 0
