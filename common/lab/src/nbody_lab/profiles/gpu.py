"""Profiles a GPU program for ./lab profile. The program times every kernel and copy itself, by GPU events;
with --ncu, NVIDIA's profiler reads the hardware counters.

It uses the adaptive step, so that both searches over all pairs appear.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from nbody_lab.core.messages import stop
from nbody_lab.core.running import replace_by

# Where to find ncu, besides PATH.
NCU_FOLDERS = [Path("/usr/local/cuda/bin"), *sorted(Path("/opt/nvidia/nsight-compute").glob("*"))]
# The second launch of each kernel, since the first one warms up the caches.
NCU_WORDS = [
    "--kernel-id",
    ":::2",
    "--section",
    "SpeedOfLight",
    "--section",
    "LaunchStats",
    "--section",
    "Occupancy",
    "--section",
    "WarpStateStats",
]
# About one second, because the first iterations are slower and clocks rise.
WANTED_S, LEAST_S, LEAST_ITERATIONS, MOST_ITERATIONS = 1.0, 0.2, 4, 100000


@dataclass
class Options:
    bodies: str = "16384"
    double: bool = False
    counters: bool = False
    words: list = field(default_factory=list)


def parse(arguments):
    options, rest = Options(), list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "-n":
            options.bodies = number_of_bodies(rest.pop(0) if rest else "")
        elif word == "--double":
            options.double = True
        elif word == "--ncu":
            options.counters = True
        elif word.startswith("-"):
            stop(f"profile has no option '{word}' on the GPU; there are -n, --double and --ncu")
        else:
            options.words.append(word)
    if options.words and len(options.words) != 3:
        stop(f"profile takes one part and one name at most, not '{' '.join(options.words[3:])}'")
    return options


def number_of_bodies(word):
    if not re.fullmatch("[0-9]+", word) or word in ("0", "1"):
        stop(f"-n needs a number of bodies, at least 2, not '{word}'")
    return word


def find_ncu():
    ncu = shutil.which("ncu") or shutil.which("ncu", path=os.pathsep.join(map(str, NCU_FOLDERS)))
    return ncu or stop(
        "ncu is missing; it comes with the CUDA toolkit (package nsight-compute); without --ncu: kernels and copies"
    )


def command(options, iterations):
    part, name, build = options.words
    program = os.path.join(build, "bin", part, name)
    return [
        program,
        "-n",
        options.bodies,
        "-i",
        str(iterations),
        "--vdt",
        *(["--precision", "double"] if options.double else []),
    ]


def timed_run(options, iterations):
    """Wall-clock seconds of the iterations, without start-up."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder, "run.json")
        done = subprocess.run(
            [*command(options, iterations), "--json", str(told)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        if done.returncode != 0:
            last = (done.stderr.splitlines() or [""])[-1]
            stop(f"{options.words[0]}/{options.words[1]} stopped: {last}")
        return max(json.loads(told.read_text(encoding="utf-8"))["wall_s"], 1e-6)


def enough_iterations(options):
    iterations = 8
    seconds = timed_run(options, iterations)
    while iterations < MOST_ITERATIONS and seconds < LEAST_S:
        iterations *= 4
        seconds = timed_run(options, iterations)
    return max(int(WANTED_S * iterations / seconds), LEAST_ITERATIONS)


def profiling_command(options):
    """The command that prints the profile: ncu, or the implementation itself."""
    if options.counters:
        return [find_ncu(), *NCU_WORDS, *command(options, 3)]
    return [*command(options, enough_iterations(options)), "--profile"]


def run(arguments):
    options = parse(arguments)
    if options.words:  # without words, this call only checks the options before minutes of building
        words = profiling_command(options)
        replace_by(words)
