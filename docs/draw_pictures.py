"""Draws the documents' pictures of measurements, data/results, into docs/pictures.

    draw_pictures.py [FOLDER]     into docs/pictures, replacing older ones

It needs what ./lab setup --pictures installs.
"""

import json
import sys
from pathlib import Path

import compare_integrators
import profile_copies
from nbody_lab import ROOT
from nbody_lab.core.bench_file import BenchResult
from nbody_lab.core.model import load

RESULTS = ROOT / "data/results"

# Result file -> those of its pictures that a document shows.
SHOWN = {
    "part1_ladder_1_thread": ["ladder"],
    "part1_ladder_2_threads": ["ladder"],
    "part1_sizes": ["time", "flops"],
    "part1_threads": ["threads"],
    "part2_ladder_1_thread": ["ladder"],
    "part2_ladder_2_threads": ["ladder"],
    "part2_sizes": ["ratio"],
    "part2_threads": ["threads"],
    "part2_threads_and_bodies": ["threads_by_n_openmp_third_law"],
    "part2_blocking": ["ladder"],
    "part2_instruction_sets": ["ladder"],
    "part2_double": ["ladder"],
    "part3_study_ladder": ["ladder"],
    "part3_study_sizes": ["flops", "time"],
    "part3_study_block": ["block", "blocks_of_grid_tiles"],
    "part3_study_unroll": ["unroll"],
    "part3_study_processor": ["time"],
    "part4_ranks_and_bodies": ["ranks_by_n_batches"],
}


def of_result(name, kinds):
    from nbody_lab.draw.bench import read_measured
    from nbody_lab.draw.sweeps import pictures_of

    for sheet in pictures_of(read_measured(RESULTS / f"{name}.json")):
        if sheet.name in kinds:
            sheet.name = f"{name.replace('_study', '')}_{sheet.name}"
            yield sheet


def of_copies():
    yield profile_copies.sheet(profile_copies.RESULT.read_text(encoding="utf-8"))


def of_integrators():
    file = compare_integrators.RESULT
    yield from compare_integrators.sheets(json.loads(file.read_text(encoding="utf-8")))


def of_rooflines():
    """From ./lab roofline on the machines of the results."""
    from nbody_lab.core.results import read_roofline
    from nbody_lab.draw.roofline import roofline

    for file in sorted(RESULTS.glob("part*_roofline.json")):
        sheet = roofline(read_roofline(file))
        sheet.name = file.stem
        yield sheet


def machine(name):
    """The machine, compiler and date of a measurement."""
    result = load(BenchResult, RESULTS / f"{name}.json")
    context = result.context
    where = context.device or f"{context.cpu}, {context.compiler}"
    return f"{result.summary[0].n} bodies, {where.split(', driver')[0]}, {context.day}"


def of_scaling():
    from nbody_lab.core.study_results import Simulated

    of_ranks, of_threads = (
        load(BenchResult, RESULTS / f"part4_cores_{kind}.json").summary
        for kind in ("ranks", "threads")
    )
    ranks = {row.ranks: row.speed / 1e9 for row in of_ranks}
    threads = {row.threads: row.speed / 1e9 for row in of_threads}
    yield measured_scaling(ranks, threads, machine("part4_cores_ranks"))
    names = ("allgather", "ring", "ring_overlapped")
    files = [RESULTS / f"part4_simulated_{name}.json" for name in names]
    yield simulated_scaling([load(Simulated, file) for file in files])


# Of common/mpi/clusters/gbe.xml: two links of 25 us, Gigabit Ethernet
MESSAGE_S, BYTES_PER_S = 5e-5, 125e6


def measured_scaling(ranks, threads, subtitle):
    """Ranks and threads of the same loop on the cores of one host."""
    from nbody_lab.draw import theme
    from nbody_lab.draw.studies import scaling

    reached = ", ".join(
        f"{(most := max(speeds))} {what} reach {100 * speeds[most] / most / ranks[1]:.0f} %"
        for what, speeds in (("ranks", ranks), ("threads", threads))
    )
    return scaling(
        "part4_measured_scaling",
        f"measured on one host: {reached} of the ideal",
        subtitle,
        "Seven rounds: their median, of one rank or thread the fastest. Ideal: P times the speed of one rank.",
        [
            ("ranks: part4/batches", ranks, theme.series(1)),
            ("threads: part2/openmp_direct", threads, theme.series(2)),
        ],
        ranks[1],
        "ranks or threads",
    )


def simulated_scaling(results):
    """Rungs on Gigabit Ethernet, and the line that the worksheet's model gives."""
    from nbody_lab.draw import theme
    from nbody_lab.draw.studies import about, scaling, speeds_of

    first = results[0]
    best = max((one.rows[-1].efficiency, one.name) for one in results)
    share = f"{best[1]} reaches {100 * best[0]:.0f} % of the ideal"
    lines = [(one.name, speeds_of(one), theme.series(k)) for k, one in enumerate(results, 1)]
    by_hand = {
        row.ranks: predict_ring(row.n, 1e9 * first.rate, row.ranks) / 1e9 for row in first.rows
    }
    lines.append(("overlapped, predicted", by_hand, {"color": theme.SOFT, "linestyle": "--"}))
    return scaling(
        "part4_simulated_scaling",
        f"simulated: with {first.rows[-1].ranks} ranks {share}, the most",
        f"Gigabit Ethernet; {about(first)}",
        "All lines are simulated by SimGrid except the dashed one: LogGP by hand, L + 2 o = 50 us, 125 MB/s.",
        lines,
        first.rate,
        "ranks",
    )


def predict_ring(n, rate, ranks):
    """Interactions/s of the overlapped ring by LogGP: hops that take the longer of computing and sending a block, and
    the last block."""
    block_s = n * n / ranks**2 / rate
    hop_s = max(block_s, MESSAGE_S + 16 * n / ranks / BYTES_PER_S)
    return n * n / ((ranks - 1) * hop_s + block_s)


def of_matrix_units():
    from nbody_lab.draw.document_pictures import MatrixUnits, beyond_the_peak

    yield beyond_the_peak(load(MatrixUnits, RESULTS / "part3_matrix.json"))


def of_two_gpus():
    from nbody_lab.draw.document_pictures import two_gpus

    yield two_gpus(load(BenchResult, RESULTS / "two_gpus.json"))


def of_journey():
    """The first table of docs/results.md, as bars; without other people's programs, each timed in a run of its own: the
    table compares them with the lab's version in that run."""
    from figures import rate
    from nbody_lab.draw.document_pictures import Bar, MatrixUnits, journey

    bars, part = [], ""
    tables = json.loads((ROOT / "docs/tables.json").read_text(encoding="utf-8"))
    for row in tables["docs/results.md"]["journey"]["rows"]:
        if row["file"] == "beside":
            continue
        of_lab = "part" in row
        part = row.get("part", part)
        label = row["name"] if of_lab else row["what"].replace("*", "").replace("`", "")
        label += ", 2 threads" if "2_threads" in row["file"] else ""
        given = row["name"] == "naive"
        bars.append(Bar(part, label, rate(row), is_given=given, is_bound=not of_lab))
    cpu, gpu = machine("part1_ladder_1_thread"), machine("part3_study_ladder")
    of_matrix = load(MatrixUnits, RESULTS / "part3_matrix.json").about.device
    yield journey(bars, f"Parts 1 and 2: {cpu}. Part 3: {gpu}; its matrix versions: {of_matrix}.")


def sheets():
    for name, kinds in SHOWN.items():
        yield from of_result(name, kinds)
    yield from of_copies()
    yield from of_integrators()
    yield from of_journey()
    yield from of_rooflines()
    yield from of_scaling()
    yield from of_matrix_units()
    yield from of_two_gpus()


def main(arguments):
    if len(arguments) > 1 or arguments[:1] in (["-h"], ["--help"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    from nbody_lab.draw.sheet import save

    folder = Path(arguments[0]) if arguments else ROOT / "docs/pictures"
    for sheet in sheets():
        save([sheet], folder, again=True, kinds=["svg"])
        print(f"{sheet.name}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
