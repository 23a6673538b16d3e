"""Draws the documents' pictures of measurements, data/results, into docs/pictures.

    draw_pictures.py [FOLDER]     into docs/pictures, replacing older ones

It needs what ./lab setup --pictures installs.
"""

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import pydantic

import compare_integrators
import measure_stream
import profile_copies
from figures import rate
from nbody_lab import ROOT
from nbody_lab.core.model import load
from nbody_lab.draw.bench import pictures_of, read_measured
from nbody_lab.draw.ranks import about, draw_scaling, speeds_of
from nbody_lab.draw.roofline import roofline
from nbody_lab.draw.sheet import Sheet, save, set_log_ticks
from nbody_lab.draw.theme import KINDS, QUIET, RATE, SOFT, short, times
from nbody_lab.limits.roofline_text import format_significant
from nbody_lab.measure.bench_file import BenchResult, BenchRow
from nbody_lab.measure.results import Roofline
from nbody_lab.measure.simulated import Simulated

RESULTS = ROOT / "data/results"

# Result file -> those of its pictures that a document shows.
SHOWN = {
    "part1_ladder_1_thread": ["ladder"],
    "part1_ladder_2_threads": ["ladder"],
    "part1_sizes": ["bodies"],
    "part1_threads": ["threads"],
    "part2_ladder_1_thread": ["ladder"],
    "part2_ladder_2_threads": ["ladder"],
    "part2_sizes": ["bodies"],
    "part2_threads": ["threads"],
    "part2_threads_and_bodies": ["bodies"],
    "part2_blocking": ["unroll"],
    "part2_instruction_sets": ["ladder"],
    "part2_double": ["ladder"],
    "part3_study_ladder": ["ladder"],
    "part3_study_sizes": ["bodies"],
    "part3_study_block": ["block"],
    "part3_study_unroll": ["unroll"],
    "part3_study_processor": ["bodies"],
    "part4_ranks_and_bodies": ["bodies"],
    "two_gpus": ["bodies"],
}


def of_result(name, kinds):
    result = read_measured(RESULTS / f"{name}.json")
    for sheet in pictures_of(result):
        if sheet.name in kinds:
            of_part = "" if name.startswith("part") else f"{result.context.part}_"
            sheet.name = f"{of_part}{name.replace('_study', '')}_{sheet.name}"
            yield sheet


def of_copies():
    yield profile_copies.sheet(profile_copies.RESULT.read_text(encoding="utf-8"))


def of_integrators():
    file = compare_integrators.RESULT
    yield from compare_integrators.sheets(json.loads(file.read_text(encoding="utf-8")))


def of_rooflines():
    """From ./lab roofline on the machines of the results."""
    for file in sorted(RESULTS.glob("part*_roofline.json")):
        sheet = roofline(load(Roofline, file))
        sheet.name = file.stem
        yield sheet


def machine(name):
    """The machine, compiler and date of a measurement."""
    result = load(BenchResult, RESULTS / f"{name}.json")
    context = result.context
    where = context.device or f"{context.cpu}, {context.compiler}"
    return f"{result.summary[0].n} bodies, {where.split(', driver')[0]}, {context.day}"


def of_scaling():
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
    """Ranks and threads of the same loop on the cores of one node."""
    reached = ", ".join(
        f"{(most := max(speeds))} {what} reach {100 * speeds[most] / most / ranks[1]:.0f} %"
        for what, speeds in (("ranks", ranks), ("threads", threads))
    )
    sheet = Sheet(
        "part4_measured_scaling",
        f"measured on one node: {reached} of the ideal",
        subtitle,
        "Medians of seven rounds. Ideal: P times the speed of one rank.",
    )
    lines = {"ranks: part4/batches": ranks, "threads: part2/openmp_direct": threads}
    draw_scaling(sheet, lines, ranks[1], "ranks or threads")
    return sheet


def simulated_scaling(results):
    """Rungs on Gigabit Ethernet, and the line that the worksheet's model gives."""
    first = results[0]
    best = max((one.rows[-1].efficiency, one.name) for one in results)
    share = f"{best[1]} reaches {100 * best[0]:.0f} % of the ideal"
    lines = {one.name: speeds_of(one) for one in results}
    lines["overlapped, by hand"] = {
        row.ranks: predict_ring(row.n, 1e9 * first.rate, row.ranks) / 1e9 for row in first.rows
    }
    sheet = Sheet(
        "part4_simulated_scaling",
        f"simulated: with {first.rows[-1].ranks} ranks {share}, the most",
        f"Gigabit Ethernet; {about(first)}",
        "Simulated by SimGrid; by hand: LogGP, L + 2 o = 50 us, 125 MB/s.",
    )
    draw_scaling(sheet, lines, first.rate, "ranks")
    return sheet


def predict_ring(n, rate, ranks):
    """Interactions/s of the overlapped ring by LogGP: hops that take the longer of computing and sending a block, and
    the last block."""
    block_s = n * n / ranks**2 / rate
    hop_s = max(block_s, MESSAGE_S + 16 * n / ranks / BYTES_PER_S)
    return n * n / ((ranks - 1) * hop_s + block_s)


def of_matrix_units():
    yield beyond_the_peak(load(MatrixUnits, RESULTS / "part3_matrix.json"))


def of_grid():
    yield blocks_of_grid(load(BenchResult, RESULTS / "part3_study_block.json"))


def of_stream():
    yield measure_stream.sheet(json.loads(measure_stream.RESULT.read_text(encoding="utf-8")))


def of_journey():
    """The first table of docs/results.md, as bars; without other people's programs, each timed in a run of its own: the
    table compares them with the lab's version in that run."""
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
    yield journey(bars, f"Parts 1 and 2: {cpu}. Part 3: {gpu}.")


# --- pictures that only documents show: the whole lab, beyond the peak of the float units, blocks of a grid ---

SLOWEST, FASTEST = 10**8, 1.2e13  # ends of the axis of the journey
NARROW = 430  # pixels: on a phone its type is still large enough to read


@dataclass(frozen=True)
class Bar:
    """A program of the journey, or a ceiling."""

    part: str
    label: str
    interactions_per_s: float
    is_given: bool = False  # what a part starts from
    is_bound: bool = False


def journey(bars, footnote):
    """From the slow program to a GPU; on a logarithmic axis equal gains have equal widths."""
    rates = [bar.interactions_per_s for bar in bars if not bar.is_bound]
    slowest, best = (format_significant(rate / 1e9) for rate in (min(rates), max(rates)))
    sheet = Sheet(
        "journey",
        f"From {slowest} to {best} × 10⁹ interactions per second",
        "Interactions per second, float; beside the bars in 10⁹; dashed: ceilings",
        footnote,
        width=NARROW,
        height=210 + 27 * len(bars),
    )
    axes = sheet.axes
    parts = list(dict.fromkeys(bar.part for bar in bars))
    places = [number + parts.index(bar.part) for number, bar in enumerate(bars)]
    axes.set_yticks(places, [bar.label for bar in bars])
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")
    axes.set_ylim(bottom=places[-1] + 0.6, top=-1.4)
    for part in parts:
        first = next(place for place, bar in zip(places, bars) if bar.part == part)
        words = part.replace("part", "part ")
        axes.text(1.1 * SLOWEST, first - 0.9, words, va="center", fontweight="bold")
    for place, bar in zip(places, bars):
        colour = KINDS["naive"][1] if bar.is_given else "C6"
        axes.barh(
            place,
            bar.interactions_per_s - SLOWEST,
            left=SLOWEST,
            height=0.74,
            color="white" if bar.is_bound else colour,
            edgecolor=SOFT if bar.is_bound else QUIET,
            linestyle="--" if bar.is_bound else "-",
            linewidth=0.9,
        )
        words = format_significant(bar.interactions_per_s / 1e9)
        look = {"textcoords": "offset points", "va": "center"}
        axes.annotate(words, (bar.interactions_per_s, place), (4, 0), **look)
    set_log_ticks(axes, [1e8, 1e10, 1e12], ["10⁸", "10¹⁰", "10¹²"])
    axes.set_xlim(SLOWEST, FASTEST)
    return sheet


class MatrixLimit(pydantic.BaseModel):
    name: str
    interactions_per_s: float


class About(pydantic.BaseModel):
    device: str
    day: str


class MatrixUnits(pydantic.BaseModel):
    """data/results/part3_matrix.json, as far as it is drawn."""

    about: About
    summary: tuple[BenchRow, ...]
    limits: tuple[MatrixLimit, ...]


def beyond_the_peak(result):
    """Speed over the number of bodies, with the limits that solutions/beyond/README.md explains."""
    device = result.about.device.split(", CUDA")[0]
    best = max(result.summary, key=lambda row: row.speed)
    limits = [(limit.interactions_per_s, limit.name) for limit in result.limits]
    lowest, name_of_lowest = min(limits)
    sheet = Sheet(
        "part3_beyond_the_peak",
        f"part3: {best.name} reaches {times(best.speed / lowest)} {name_of_lowest}",
        f"Plummer, float, whole steps, {device}, {result.about.day}",
        "Dotted: the limit of one kind of unit alone. The peak of the float units assumes 20 flops per interaction.",
    )
    axes = sheet.axes
    for name in dict.fromkeys(row.name for row in result.summary):
        points = [(row.n, row.speed / 1e9) for row in result.summary if row.name == name]
        axes.plot(*zip(*points), label=name)
    bodies = sorted({row.n for row in result.summary})
    for limit, name in limits:
        look = {"textcoords": "offset points", "fontsize": 10, "color": SOFT, "ha": "right"}
        axes.axhline(limit / 1e9, color=SOFT, linestyle=":")
        axes.annotate(name, (bodies[-1], limit / 1e9), (0, 3), **look)
    set_log_ticks(axes, bodies)
    axes.set(ylim=(0, 1.1 * max(limits)[0] / 1e9), xlabel="bodies", ylabel=RATE)
    sheet.name_lines()
    return sheet


def blocks_of_grid(result):
    """N/p: how many blocks of p threads the bodies fill, beside the rate; as the table of the first handout."""
    device = result.context.device.split(", built with")[0]
    units = int(re.search(r"\((\d+) SM", device)[1])
    speeds = {(row.n, row.block): row.speed for row in result.summary}
    sizes, blocks = (sorted({key[k] for key in speeds}) for k in (0, 1))
    sheet = Sheet(
        "part3_block_blocks_of_grid",
        f"{result.context.part}, {result.names[0]}: blocks in the grid, and how fast",
        f"N/p; below: {RATE}; bold: fastest in its row; shaded: at least {units} blocks, one per SM",
        f"{device}; {result.context.day}",
        height=200 + 46 * len(sizes),
    )
    axes = sheet.axes
    fills = [[n >= units * p for p in blocks] for n in sizes]
    axes.imshow(fills, cmap="Blues", vmin=0, vmax=3, aspect="auto")
    for j, n in enumerate(sizes):
        best = max(speeds[n, p] for p in blocks)
        for k, p in enumerate(blocks):
            weight = "bold" if speeds[n, p] == best else "normal"
            words = f"{n // p}\n{format_significant(speeds[n, p] / 1e9)}"
            axes.text(k, j, words, ha="center", va="center", fontweight=weight)
    axes.set_xticks(range(len(blocks)), blocks)
    axes.set_yticks(range(len(sizes)), [short(n) for n in sizes])
    axes.set(xlabel="threads per block p", ylabel="bodies N")
    axes.grid(False)
    return sheet


def sheets():
    for name, kinds in SHOWN.items():
        yield from of_result(name, kinds)
    yield from of_copies()
    yield from of_integrators()
    yield from of_stream()
    yield from of_journey()
    yield from of_rooflines()
    yield from of_scaling()
    yield from of_matrix_units()
    yield from of_grid()


def main(arguments):
    if len(arguments) > 1 or arguments[:1] in (["-h"], ["--help"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    folder = Path(arguments[0]) if arguments else ROOT / "docs/pictures"
    for sheet in sheets():
        save([sheet], folder, ["svg"])
        print(f"{sheet.name}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
