"""Measures again what the documents show, on a quiet machine: data/results/*, then docs/pictures/*.

    make_results.py [--quick] [--show] [FILE...]     parts 1 and 2: six minutes on two cores
    make_results.py [--show] ceilings                this processor, and likwid-bench beside it: seven minutes
    make_results.py [--show] cores                   ranks and threads on a server of 16 cores: nine minutes
    make_results.py [--show] simulated               clusters, if SimGrid is installed: seconds, the same on every machine
    make_results.py [--show] gpu [STUDY...]          part 3, on a machine with a GPU: a quarter of an hour

FILE: selected files of data/results, without .json. --quick: few rounds and bodies, to test this script; nothing in
data/results changes. --show: only the commands. It builds first. Then: docs/make_tables.py, and read what the sentences say.
"""

import itertools
import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.building.manifest import Manifest, ManifestError

RESULTS, PICTURES = Path("data/results"), Path("build/pictures")
MANIFEST = ROOT / "build/release/manifest.json"

LADDER, SWEEP = ["--rounds", "7"], ["--rounds", "3"]
SIZES = ["-n", "32,64,128,256,512,1024,2048,4096,8192,16384,32768"]
THREADS = ["-n", "500,2000,8000", "--threads", "1,2"]
QUICK = {"7": "1", "3": "1", SIZES[1]: "32,256,1024", THREADS[1]: "50,100"}

# Part 3: file (after part3_study_), names (none: all), options.
GPU_SIZES = "1024,2048,4096,8192,16384,32768,65536,131072,262144"
FOUR_SIZES = ["-n", "4096,16384,65536,262144", *SWEEP]
STUDIES = {
    "block": ("tiles", ["--block", "16,32,64,128,256,512,1024", *FOUR_SIZES]),
    "unroll": ("unrolled", ["--unroll", "1,2,4,8,16,32", *FOUR_SIZES]),
    "sizes": (
        "naive float4 tiles several_bodies split third_law exchange matrix_mma",
        ["-n", GPU_SIZES, *SWEEP],
    ),
    "ladder": ("", ["-n", "131072", "--rounds", "5"]),
    # As `./lab grade` times them, for the bands of data/rubric_part3.json.
    "graded": (
        "naive mine resident rsqrt float4 tiles several_bodies split many_steps third_law",
        ["-n", "1024,131072", *SWEEP],
    ),
    "shuffles": (
        "naive tiles shuffles third_law matrix matrix_mma",
        ["-n", "131072", "--rounds", "5"],
    ),
    # Where one thread of the naive loop takes a second for a step, it ends.
    "processor": (
        "part1/naive part2/openmp_direct part2/openmp_third_law naive exchange third_law",
        ["--threads", str(os.cpu_count()), "-n", "32,64,128,256,512,1024,2048,4096,8192", *SWEEP],
    ),
    "switch": ("many_steps exchange third_law", ["-n", "8192,12288,16384", *SWEEP]),
    "double": (
        "naive split third_law",
        ["--precision", "double", "-n", "65536", *SWEEP],
    ),
    "barriers": (
        "split many_steps grid_sync two_buffers exchange",
        ["-n", "64,256,1024,2048,4096", *SWEEP],
    ),
}
# What copies and allocations take: a profile, not a speed.
COPIES = "copies"

# Not the wrong ones: one of them never answers.
RIGHT_IN_PART_4 = "naive allgather allgather_overlapped ring ring_overlapped batches half_ring one_sided shared_window"

# File, part, names (none: all; of these those that there are), options. The neighbour pass is one of part 1's lessons:
# its ladder takes adaptive steps. Where the slowest takes seconds for one iteration there are few names.
MEASUREMENTS = (
    (
        "part1_fixed_step",
        "part1",
        "naive flags_only algebra locals inverse_cubed fused third_law split_loop",
        LADDER,
    ),
    ("part1_ladder_1_thread", "part1", "", ["--vdt", *LADDER]),
    ("part1_ladder_2_threads", "part1", "", ["--vdt", "--threads", "2", *LADDER]),
    # As `./lab grade` times them, for the bands of data/rubric.json.
    ("part1_graded_1_thread", "part1", "", ["--vdt", "-n", "2000", *LADDER]),
    ("part1_graded_2_threads", "part1", "", ["--vdt", "-n", "2000", "--threads", "2", *LADDER]),
    ("part2_graded_1_thread", "part2", "", ["-n", "2000", *LADDER]),
    ("part2_graded_2_threads", "part2", "", ["-n", "2000", "--threads", "2", *LADDER]),
    ("part1_sizes", "part1", "naive third_law split_loop", [*SIZES, *SWEEP]),
    (
        "part1_threads",
        "part1",
        "naive openmp array_reduction private_sums split_loop",
        [*THREADS, *SWEEP],
    ),
    ("part2_ladder_1_thread", "part2", "", LADDER),
    ("part2_ladder_2_threads", "part2", "", ["--threads", "2", *LADDER]),
    ("part2_sizes", "part2", "naive third_law openmp_third_law", [*SIZES, *SWEEP]),
    ("part2_threads", "part2", "naive openmp_direct openmp_third_law", [*THREADS, *SWEEP]),
    ("part2_blocking", "part2", "blocked", ["--unroll", "2,4,8", *LADDER]),
    (
        "part2_lanes",
        "part2",
        "newton lanes_over_i array_of_batches blocked",
        ["-n", "64,256,1024,5000", *LADDER],
    ),
    (
        "part2_double",
        "part2",
        "naive omp_simd blocked third_law openmp_third_law",
        ["--precision", "double", *LADDER],
    ),
    (
        "part2_instruction_sets",
        "part2",
        "naive newton blocked third_law",
        ["--arch", "sse2,avx2,avx512", *LADDER],
    ),
)

# On a machine with as many cores.
BODIES, CORE_COUNTS = "1000,2000,5000,10000,20000", ["--threads", "1,2,4,8,16"]
RANKS = ["--ranks", "1,2,4,8,16"]
CORES = (
    ("part4_ladder", "part4", RIGHT_IN_PART_4, ["-n", "4096", "--ranks", "16", *LADDER]),
    # As `./lab grade` times them, for the bands of data/rubric_part4.json.
    ("part4_graded", "part4", f"mine {RIGHT_IN_PART_4}", ["-n", "5000", *LADDER]),
    # 16 cores: 16 ranks of one thread, 4 of four; the two others have fewer or more threads than cores.
    (
        *("part4_ranks_and_threads", "part4", "batches"),
        ["-n", "20000", "--ranks", "4,16", "--threads", "1,4", "--rounds", "5"],
    ),
    (
        "part4_two_dimensions_cores",
        "part4",
        f"{RIGHT_IN_PART_4} force_decomposition replicated",
        ["-n", "4096", "--ranks", "16", *LADDER],
    ),
    *(
        (file, part, names, ["-n", bodies, *workers, *rounds])
        for file, part, names, workers, bodies, rounds in (
            ("part4_cores_ranks", "part4", "batches", RANKS, "20000", LADDER),
            ("part4_cores_threads", "part2", "openmp_direct", CORE_COUNTS, "20000", LADDER),
            ("part4_ranks_and_bodies", "part4", "allgather batches", RANKS, BODIES, SWEEP),
            (
                *("part2_threads_and_bodies", "part2", "openmp_direct openmp_third_law"),
                *(CORE_COUNTS, BODIES, SWEEP),
            ),
        )
    ),
)
SIMULATED = (
    *("naive", "allgather", "allgather_overlapped", "ring", "ring_overlapped"),
    *("half_ring", "one_sided", "force_decomposition", "replicated"),
)
# Not allgather on the fat tree, which takes SimGrid hours on 256 ranks.
IN_TWO_DIMENSIONS = ("ring", "ring_overlapped", "force_decomposition", "replicated")

# What `./lab bound` finds in the machine code of every program, and the speed measured beside it.
BOUNDS = (("part1_bounds", "part1"), ("part2_bounds", "part2"))


# Every integrator: error against evaluations, seconds and time.
ENERGY = "part1_energy"


# By scripts of their own.
OTHERS = (("stream",), ("part1_counters",))


def of_energy(quick, files):
    if not quick and (not files or ENERGY in files):
        yield [sys.executable, "docs/compare_integrators.py", str(RESULTS / f"{ENERGY}.json")]


def of_stream(quick, files):
    if not quick and (not files or "stream" in files):
        yield [sys.executable, "docs/measure_stream.py"]


def of_counters(quick, files):
    """After the bounds, whose cycles it takes."""
    if not quick and (not files or "part1_counters" in files):
        yield [sys.executable, "docs/count_cachegrind.py"]


def of_bounds(quick, files):
    for file, part in BOUNDS:
        if not files or file in files:
            yield [
                "./lab",
                "bound",
                part,
                "naive" if quick else "--all",
                "--json",
                str((PICTURES if quick else RESULTS) / f"{file}.json"),
            ]


def bench(part, names, options, file, folder=RESULTS):
    return [
        "./lab",
        "bench",
        part,
        *names,
        *options,
        "--json",
        str(folder / f"{file}.json"),
        "--plot",
        str(PICTURES / file),
    ]


def of_processor(manifest, quick, files):
    """Commands, in order."""
    for file, part, wanted, options in MEASUREMENTS:
        there = [row.name for row in manifest.of_part(part)]
        if not there or (files and file not in files):
            continue
        if quick:
            options = (
                [QUICK.get(option, option) for option in options]
                + ["--quick"]
                + ([] if "-n" in options else ["-n", "500"])
            )
        yield bench(
            part,
            [name for name in wanted.split() if name in there],
            options,
            file,
            PICTURES if quick else RESULTS,
        )


# Six bodies: name of the files, how they are moved, and the pictures that documents show.
ORBITS = (
    ("six", "--soft 0.5 --dt 0.001 -i 6000 --every 10", ["energy"]),
    (
        "six_kdk",
        "--integrator kdk -i 5000000 --every 5000",
        ["orbits", "orbits_in_space", "energy"],
    ),
)


def of_orbits(quick):
    for name, options, shown in ORBITS:
        base = PICTURES / "orbits" / name
        words = options.split()
        if quick:
            words[words.index("-i") + 1] = "60"
        run = ["./lab", "run", "part1", "naive", "--scene", "six", "--precision", "double", *words]
        yield [*run, "-w", str(base), "--log", f"{base}.csv"]
        yield [sys.executable, "docs/draw_orbits.py", str(base)]
        yield [sys.executable, "docs/draw_energy.py", f"{base}.csv"]
        if not quick:
            yield ["cp", *(f"{base}_{kind}.svg" for kind in shown), "docs/pictures/"]


def of_cores():
    for file, part, names, options in CORES:
        yield bench(part, names.split(), options, file)


def of_simulated():
    for name in SIMULATED:
        file = f"part4_simulated_{name}"
        options = ["--simulated", "gbe", "--rate", "10", "--ranks", "1,4,16,64"]
        yield bench("part4", [name], options, file)
    for network, name in itertools.product(("gbe", "fat_tree"), IN_TWO_DIMENSIONS):
        options = ["--simulated", network, "--rate", "10", "--ranks", "16,64,256"]
        yield bench("part4", [name], options, f"part4_{network}_{name}")


def of_ceilings():
    yield ["rm", "-f", "build/ceilings.json"]
    yield ["./lab", "machine", "--json", str(RESULTS / "ceilings_xeon.json")]
    yield [sys.executable, "docs/compare_likwid.py"]


def of_gpu(studies):
    for study in studies or (*STUDIES, COPIES):
        file = f"part3_study_{study}"
        if study == COPIES:
            yield [sys.executable, "docs/profile_copies.py", str(RESULTS / f"{file}.txt")]
        else:
            names, options = STUDIES[study]
            yield bench("part3", names.split(), options, file)


def commands(words, manifest):
    quick, words = "--quick" in words, [word for word in words if word != "--quick"]
    if words[:1] == ["gpu"]:
        yield from of_gpu(words[1:])
    elif words[:1] == ["ceilings"]:
        yield from of_ceilings()
        return
    elif words[:1] == ["cores"]:
        yield from of_cores()
    elif words[:1] == ["simulated"]:
        yield from of_simulated()
    else:
        yield from of_processor(manifest, quick, words)
        yield from of_bounds(quick, words)
        yield from of_counters(quick, words)
        yield from of_energy(quick, words)
        yield from of_stream(quick, words)
        if not words:
            yield from of_orbits(quick)
    if not quick:
        yield [sys.executable, "docs/draw_pictures.py"]


MODES = ("gpu", "ceilings", "cores", "simulated")


def complaint(words):
    known = (
        [*STUDIES, COPIES]
        if words[:1] == ["gpu"]
        else [file for file, *_ in (*MEASUREMENTS, *BOUNDS, (ENERGY,), *OTHERS)]
    )
    unknown = [word for word in words if word not in (*known, *MODES, "--quick")]
    return f"there is no '{unknown[0]}'; there are {' '.join(known)}" if unknown else ""


def run(command):
    """Accepts status 1 of bench: a wrong result, which its row reports; the others count."""
    print(f"== {shlex.join(command)}", flush=True)
    status = subprocess.run(command, cwd=ROOT, check=False).returncode
    if status > (1 if "bench" in command else 0):
        sys.exit(status)


def main(words):
    show, words = "--show" in words, [word for word in words if word != "--show"]
    if complaint(words):
        print(f"make_results: {complaint(words)}", file=sys.stderr)
        return 2
    if not show:
        run(
            {
                "gpu": ["./lab", "build", "part3"],
                "ceilings": ["./lab", "list"],
            }.get("".join(words[:1]), ["./lab", "build", "all"])
        )
        shutil.rmtree(
            ROOT / PICTURES / "orbits", ignore_errors=True
        )  # never mix the files of two runs
    try:
        planned = list(commands(words, Manifest(MANIFEST)))
    except ManifestError as fault:
        print(f"make_results: {fault}", file=sys.stderr)
        return 2
    start = time.monotonic()
    for command in planned:
        print(shlex.join(command)) if show else run(command)
    if not show:
        print(f"measured for {time.monotonic() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
