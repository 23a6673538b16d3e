"""Runs every rung of part 3 under the four tools of compute-sanitizer and writes a line for each run.

    make_sanitizer_report.py [FILE [RUNG...]]     default: data/results/part3_sanitizer.txt, all rungs

Needs a GPU and part 3 built in float and double; minutes. Status 1 if a rung has errors, but for the race that second_barrier is there
for, and if that is not found.
"""

import datetime
import os
import re
import shutil
import subprocess
import sys
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.building.gpus import read_gpus
from nbody_lab.core.errors import LabError

BIN = ROOT / "build/release/bin"
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
NO_RUNG = re.compile(r"\.|_count$|_double$|^worksheet|^mine")
SUMMARY = re.compile("(?:ERROR|RACECHECK) SUMMARY.*")
ERRORS_FOUND = 9  # exit status requested from compute-sanitizer
PATIENCE = 100  # seconds

# 3001 bodies: more than one block of every shape, and no multiple of any. 130 steps: a graph, and two more. 2000: the
# shape of exchange between 1024 and 2048. 10501: a thread block of third_law has more than one unit, on 132 multiprocessors.
# 32769: matrix and matrix_mma compute by matrices.
FLOAT, DOUBLE = ((3001, 1), (1021, 2), (129, 2), (1, 2)), ((3001, 1),)
OF_EXCHANGE = ((6, 130), (129, 130), (2000, 3), (3001, 3))
BESIDES = {
    "many_steps": {"float": ((129, 130),), "double": ((129, 130),)},
    "exchange": {"float": OF_EXCHANGE},
    "third_law": {"float": ((10501, 1),), "double": ((10501, 1),)},
    "matrix": {"float": ((32769, 1),)},
    "matrix_mma": {"float": ((32769, 1),)},
}
FLOAT_ALONE = ("half_distances", "exchange", "matrix", "matrix_mma")

Run = namedtuple("Run", "name tool precision step n steps")
THE_RACE = Run("second_barrier", "racecheck", "float", "fixed", 3001, 1)


def plan(names):
    for name in names:
        for step in ("fixed", "adaptive"):
            for precision, cases in (
                ("float", FLOAT),
                ("double", () if name in FLOAT_ALONE else DOUBLE),
            ):
                for n, steps in (*cases, *BESIDES.get(name, {}).get(precision, ())):
                    for tool in TOOLS:
                        yield Run(name, tool, precision, step, n, steps)


def command(run):
    return [
        "compute-sanitizer",
        "--tool",
        run.tool,
        "--error-exitcode",
        str(ERRORS_FOUND),
        str(BIN / "part3" / run.name),
        "-n",
        str(run.n),
        "-i",
        str(run.steps),
        "--precision",
        run.precision,
        *(["--vdt"] if run.step == "adaptive" else []),
    ]


def what_was_found(status, output):
    summary = SUMMARY.search(output)
    if status in (0, ERRORS_FOUND) and summary:
        return ("errors: " if status else "") + summary[0]
    return f"status {status}: {(output.strip().splitlines() or ['no output'])[-1]}"


def made(run):
    """(what was found, the whole output)"""
    try:
        done = subprocess.run(
            command(run),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"no answer in {PATIENCE} s", ""
    return what_was_found(done.returncode, done.stdout), done.stdout


def line(run, found):
    return f"{run.name:<20} {run.tool:<10} {run.precision:<7} {run.step:<9} {run.n:>5} {run.steps:>5}  {found}"


def report(found, machine, race):
    """The file's text; `found` maps runs to findings."""
    ordered = sorted(
        found,
        key=lambda run: (run.name, run.tool, run.precision != "float", run.step, run.n, run.steps),
    )
    lines = [
        "# compute-sanitizer on every rung of part 3: docs/make_sanitizer_report.py",
        f"# {machine}",
        line(Run("# rung", "tool", "type", "step", "n", "steps"), "found"),
        *(line(run, found[run]) for run in ordered),
    ]
    if race:
        lines += [
            "",
            "# What racecheck says of second_barrier, the rung that leaves a barrier out:",
            *(f"# {one}" for one in race.splitlines()),
        ]
    return "\n".join(lines) + "\n"


def is_clean(what):
    return bool(re.match(r"(ERROR|RACECHECK) SUMMARY: 0 (errors|hazards)", what))


def verdict(found):
    """(status, sentence)"""
    race = [
        run
        for run, what in found.items()
        if (run.name, run.tool) == THE_RACE[:2] and what.startswith("errors: ")
    ]
    clean = sum(map(is_clean, found.values()))
    words = (
        f"{len(found)} runs, {clean} without errors, {len(race)} times the race of second_barrier"
    )
    if THE_RACE in found and not race:
        return 1, words + ", which was not found"
    return int(clean + len(race) != len(found)), words


def said_by(*words):
    done = subprocess.run(
        [str(word) for word in words], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False
    )
    return done.stdout.strip() if done.returncode == 0 else ""


def machine(device):
    version = re.search("Version (.*)", said_by("compute-sanitizer", "--version"))
    revision = said_by("git", "describe", "--always", "--dirty")
    return f"{device}; compute-sanitizer {version[1] if version else ''}; {datetime.date.today()}; {revision}"


def show_progress(done, all_runs):
    if sys.stderr.isatty():
        print(
            f"\r{done} of {all_runs} runs",
            end="" if done < all_runs else "\n",
            file=sys.stderr,
            flush=True,
        )
    elif done * 4 % all_runs < 4:  # in a log a few lines are enough
        print(f"{done} of {all_runs} runs", file=sys.stderr, flush=True)


def complain(words):
    print(f"make_sanitizer_report: {words}", file=sys.stderr)
    return 2


def main(words):
    file, names = Path(words[0] if words else ROOT / "data/results/part3_sanitizer.txt"), words[1:]
    if not shutil.which("compute-sanitizer"):
        return complain("no compute-sanitizer here; it comes with CUDA")
    programs = BIN / "part3"
    names = names or sorted(one.name for one in programs.glob("*") if not NO_RUNG.search(one.name))
    wanted = [
        one
        for name in names
        for one in (name, *([] if name in FLOAT_ALONE else [f"{name}_double"]))
    ]
    missing = [one for one in wanted if not (programs / one).is_file()]
    if missing or not names:
        return complain(
            f"there is no {programs / (missing[0] if missing else '')}; cmake --build --preset release "
            "--target part3 part3_in_double devices"
        )
    try:
        device = read_gpus(BIN.parent)[0].description
    except (OSError, LabError) as fault:
        return complain(str(fault))
    found, race = {}, ""
    runs = list(plan(names))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = {pool.submit(made, run): run for run in runs}
        for k, done in enumerate(as_completed(waiting), 1):
            run = waiting[done]
            found[run], output = done.result()
            race = output if run == THE_RACE else race
            show_progress(k, len(runs))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(report(found, machine(device), race), encoding="utf-8")
    status, sentence = verdict(found)
    print(f"{sentence}: {file}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
