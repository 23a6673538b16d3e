"""Measures again what the documents show, on a quiet machine: data/results/*, then docs/pictures/*.

    make_results.py [--quick] [--show] [FILE...]     parts 1 and 2: six minutes on two cores
    make_results.py [--show] ceilings                this processor, and likwid-bench beside it: seven minutes
    make_results.py [--show] cores                   ranks and threads on a server of 16 cores: nine minutes
    make_results.py [--show] simulated               clusters, if SimGrid is installed: seconds, the same on every machine
    make_results.py [--show] machines                data/results/machines from the other results: seconds
    make_results.py [--show] gpu [STUDY...]          part 3, on a machine with a GPU: a quarter of an hour

FILE: selected files of data/results, without .json. --quick: few rounds and bodies, to test this script; nothing in
data/results changes. --show: only the commands. It builds first. Then: docs/make_tables.py, and read what the sentences say.
"""

import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.manifest import Manifest, ManifestError

RESULTS, PICTURES = Path("data/results"), Path("build/pictures")
MANIFEST = ROOT / "build/release/manifest.json"

LADDER, SWEEP = ["--rounds", "7"], ["--rounds", "3"]
SIZES = ["-n", "32,64,128,256,512,1024,2048,4096,8192,16384,32768"]
THREADS = ["-n", "500,2000,8000", "--threads", "1,2"]
QUICK = {"7": "1", "3": "1", SIZES[1]: "32,256,1024", THREADS[1]: "50,100"}
STUDIES = (
    "block",
    "unroll",
    "sizes",
    "ladder",
    "processor",
    "copies",
    "switch",
    "double",
    "barriers",
    "halves",
)

# Not its exhibits: one of them never answers.
RIGHT_IN_PART_4 = (
    "naive allgather ring ring_overlapped half_ring persistent one_sided batches hybrid"
)

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
    ("part1_sizes", "part1", "naive third_law split_loop", [*SIZES, *SWEEP]),
    (
        "part1_threads",
        "part1",
        "naive openmp private_blocks private_cyclic split_loop",
        [*THREADS, *SWEEP],
    ),
    ("part2_ladder_1_thread", "part2", "", LADDER),
    ("part2_ladder_2_threads", "part2", "", ["--threads", "2", *LADDER]),
    ("part2_sizes", "part2", "naive third_law openmp_third_law", [*SIZES, *SWEEP]),
    ("part2_threads", "part2", "naive openmp_direct openmp_third_law", [*THREADS, *SWEEP]),
    ("part2_blocking", "part2", "naive newton blocked_2 blocked blocked_8", LADDER),
    (
        "part2_double",
        "part2",
        "naive omp_simd blocked third_law openmp_third_law",
        ["--precision", "double", *LADDER],
    ),
    ("part4_ladder_1_rank", "part4", RIGHT_IN_PART_4, ["--ranks", "1", *LADDER]),
    ("part4_ladder_2_ranks", "part4", RIGHT_IN_PART_4, ["--ranks", "2", *LADDER]),
    (
        "part2_instruction_sets",
        "part2",
        "naive newton blocked third_law",
        ["--arch", "sse2,avx2,avx512", *LADDER],
    ),
)

# On a machine with as many cores.
BODIES, CORE_COUNTS = "1000,2000,5000,10000,20000", ["--threads", "1,2,4,8,16"]
RANKS, FEW = ["--ranks", "1,2,4,8,16"], ["--ranks", "1,2,4,8"]
CORES = tuple(
    (file, part, names, ["-n", bodies, *workers, *rounds])
    for file, part, names, workers, bodies, rounds in (
        ("part4_cores_ranks", "part4", "batches", RANKS, "20000", LADDER),
        ("part4_cores_threads", "part2", "openmp_direct", CORE_COUNTS, "20000", LADDER),
        ("part4_ranks_and_bodies", "part4", "allgather batches", RANKS, BODIES, SWEEP),
        ("part4_tree_ranks", "part4", "allgather barnes_hut", FEW, "30000,100000", SWEEP),
        (
            *("part2_threads_and_bodies", "part2", "openmp_direct openmp_third_law"),
            *(CORE_COUNTS, BODIES, SWEEP),
        ),
    )
)
SIMULATED = ("allgather", "allgather_overlapped", "ring", "ring_cartesian", "ring_overlapped")

# What `./lab bound` finds in the machine code of every program; the speeds beside it are looked up in the ladders.
BOUNDS = (("part1_bounds", "part1"), ("part2_bounds", "part2"))


# Every integrator: error against evaluations, seconds and time.
ENERGY = "part1_energy"


def of_energy(quick, files):
    if not quick and (not files or ENERGY in files):
        yield [
            "./lab",
            "bench",
            "part1",
            "--study",
            "energy",
            "--json",
            str(RESULTS / f"{ENERGY}.json"),
            "--plot",
            str(PICTURES / ENERGY),
        ]


def of_bounds(quick, files):
    for file, part in BOUNDS:
        if not files or file in files:
            yield [
                "./lab",
                "bound",
                part,
                "--all",
                *(["--no-measure"] if quick else []),
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
        yield [
            "./lab",
            "run",
            "part1",
            "naive",
            "--scene",
            "six",
            "--precision",
            "double",
            *words,
            "-w",
            str(base),
        ]
        for kind in ("orbits", "energy"):
            yield ["./lab", "plot", kind, str(base)]
        if not quick:
            yield ["cp", *(f"{base}_{kind}.svg" for kind in shown), "docs/pictures/"]


def of_cores():
    for file, part, names, options in CORES:
        yield bench(part, names.split(), options, file)


# The lab's own machines, as ./lab share writes them: only results that name the machine they were measured on.
MACHINES = {
    "intel_xeon_2_cores": ("ceilings_xeon part1_roofline part1_bounds part2_roofline part2_bounds"),
    "intel_xeon_16_cores_nvidia_h200": (
        "ceilings_h200 part3_study_processor part3_study_ladder part3_roofline"
    ),
}


def of_machines():
    for name, sources in MACHINES.items():
        words = [word for file in sources.split() for word in ("--from", f"{RESULTS}/{file}.json")]
        yield ["./lab", "share", *words, "-o", f"{RESULTS}/machines/{name}.json"]


def of_simulated():
    for name in SIMULATED:
        yield ["./lab", "simulate", "part4", name, "--rate", "10", "--ranks", "1,4,16,64"]
        yield [
            "cp",
            f"build/simulated/{name}_gbe.json",
            str(RESULTS / f"part4_simulated_{name}.json"),
        ]


def of_ceilings():
    yield ["rm", "-f", "build/ceilings.json"]
    yield ["./lab", "machine", "--json", str(RESULTS / "ceilings_xeon.json")]
    yield [sys.executable, "docs/compare_likwid.py"]


def of_gpu(studies):
    for study in studies or STUDIES:
        file = f"part3_study_{study}"
        if study == "copies":
            yield ["./lab", "bench", "part3", "--study", "copies", "--plot", str(PICTURES / file)]
            yield ["cp", str(PICTURES / file / "copies.txt"), str(RESULTS / f"{file}.txt")]
        else:
            yield bench("part3", [], ["--study", study], file)


def commands(words, manifest):
    quick, words = "--quick" in words, [word for word in words if word != "--quick"]
    if words[:1] == ["gpu"]:
        yield from of_gpu(words[1:])
    elif words[:1] == ["ceilings"]:
        yield from of_ceilings()
        return
    elif words[:1] == ["machines"]:
        yield from of_machines()
        return
    elif words[:1] == ["cores"]:
        yield from of_cores()
    elif words[:1] == ["simulated"]:
        yield from of_simulated()
    else:
        yield from of_processor(manifest, quick, words)
        yield from of_bounds(quick, words)
        yield from of_energy(quick, words)
        if not words:
            yield from of_orbits(quick)
    if not quick:
        yield [sys.executable, "docs/draw_pictures.py"]


MODES = ("gpu", "ceilings", "cores", "simulated", "machines")


def complaint(words):
    known = (
        [*STUDIES, "large"]
        if words[:1] == ["gpu"]
        else [file for file, *_ in (*MEASUREMENTS, *BOUNDS, (ENERGY,))]
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
                "machines": ["./lab", "list"],
            }.get("".join(words[:1]), ["./lab", "build", "all"])
        )
        for name in ("orbits", "part3_study_copies"):  # never mix the files of two runs
            shutil.rmtree(ROOT / PICTURES / name, ignore_errors=True)
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
