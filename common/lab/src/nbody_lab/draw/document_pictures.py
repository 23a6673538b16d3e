"""Pictures that only documents show, of what was measured: docs/draw_pictures.py draws them."""

from collections.abc import Sequence
from dataclasses import dataclass

import pydantic

from nbody_lab.core.bench_file import BenchRow
from nbody_lab.core.study_results import Simulated
from nbody_lab.draw import theme
from nbody_lab.draw.bench import set_bar_axis
from nbody_lab.draw.sheet import Sheet, Ticks
from nbody_lab.draw.simulated import Speeds, about, draw_speeds, speeds_of

_SLOWEST, _FASTEST = 10**8, 1.2e13  # ends of the axis of the journey


@dataclass(frozen=True)
class Bar:
    """A program of the journey, or a ceiling."""

    part: str
    label: str
    interactions_per_s: float
    is_given: bool = False  # what a part starts from
    is_bound: bool = False


def journey(bars: Sequence[Bar], footnote: str) -> Sheet:
    """The whole lab, from the slow program to a GPU; on a logarithmic axis equal gains have equal widths."""
    rates = [bar.interactions_per_s for bar in bars if not bar.is_bound]
    slowest, best = (theme.three_digits(rate / 1e9) for rate in (min(rates), max(rates)))
    sheet = Sheet(
        "journey",
        f"From {slowest} to {best} × 10⁹ interactions per second",
        "Interactions per second, float; each line is a factor of ten; dashed: ceilings",
        footnote,
        height=150 + 27 * len(bars),
    )
    axes = sheet.axes
    parts = list(dict.fromkeys(bar.part for bar in bars))
    places = [number + 0.5 * parts.index(bar.part) for number, bar in enumerate(bars)]
    set_bar_axis(axes, dict(zip(places, (bar.label for bar in bars))))
    for place, bar in zip(places, bars):
        colour = theme.GIVEN if bar.is_given else theme.BAR
        axes.barh(
            place,
            bar.interactions_per_s - _SLOWEST,
            left=_SLOWEST,
            height=0.74,
            color=theme.WHITE if bar.is_bound else colour,
            edgecolor=theme.SOFT if bar.is_bound else theme.QUIET,
            linestyle="--" if bar.is_bound else "-",
            linewidth=0.9,
            gid=f"bar-{bar.part}-{bar.label}",
        )
        words = theme.three_digits(bar.interactions_per_s / 1e9)
        end = bar.interactions_per_s * 1.08
        axes.text(end, place, words, va="center", **theme.text())
    axes.set_xscale("log")
    axes.set_xlim(_SLOWEST, _FASTEST)
    axes.set_xticks([10.0**k for k in range(8, 14)], [theme.power(k) for k in range(8, 14)])
    axes.minorticks_off()
    axes.set_xlabel("interactions per second; beside the bars in 10⁹")
    return sheet


class _MatrixLimit(pydantic.BaseModel):
    name: str
    interactions_per_s: float


class _About(pydantic.BaseModel):
    device: str
    day: str


class MatrixUnits(pydantic.BaseModel):
    """data/results/part3_matrix.json, as far as it is drawn."""

    about: _About
    summary: tuple[BenchRow, ...]
    limits: tuple[_MatrixLimit, ...]


def beyond_the_peak(result: MatrixUnits) -> Sheet:
    """Speed over the number of bodies, with the limits that solutions/part3_cuda/beyond_the_peak/README.md explains."""
    device = result.about.device.split(", CUDA")[0]
    best = max(result.summary, key=lambda row: row.speed)
    lowest = min(result.limits, key=lambda limit: limit.interactions_per_s)
    reached = theme.times(best.speed / lowest.interactions_per_s)
    sheet = Sheet(
        "part3_beyond_the_peak",
        f"part3: {best.name} reaches {reached} {lowest.name}",
        f"Plummer, float, whole steps, {device}, {result.about.day}",
        "Dotted: the limit of one kind of unit alone. The peak of the float units assumes 20 flops per interaction.",
    )
    axes = sheet.axes
    for number, name in enumerate(dict.fromkeys(row.name for row in result.summary), 1):
        points = [(row.n, row.speed / 1e9) for row in result.summary if row.name == name]
        axes.plot(*zip(*points), **theme.series(number), label=name, gid=f"line-{number}")
    bodies = sorted({row.n for row in result.summary})
    for limit in result.limits:
        height = limit.interactions_per_s / 1e9
        axes.axhline(height, color=theme.SOFT, linestyle=":")
        look = theme.OFFSET | theme.text(theme.TEXT, theme.SOFT) | {"ha": "right"}
        axes.annotate(limit.name, (bodies[-1], height), (0, 3), **look)
    axes.set_xscale("log", base=2)
    axes.set_xticks(bodies, [str(count) for count in bodies])
    axes.minorticks_off()
    axes.set_ylim(0, 1.1 * max(limit.interactions_per_s for limit in result.limits) / 1e9)
    axes.yaxis.set_major_formatter(Ticks())
    axes.set_xlabel("bodies")
    axes.set_ylabel("10⁹ interactions/s")
    sheet.legend_beside()
    return sheet


# Speed over ranks for docs/reading_scaling.md: measured on the cores of one host, and simulated on a cluster beside
# what LogGP predicts.
_MESSAGE_S, _BYTES_PER_S = 5e-5, 125e6  # of clusters/gbe.xml: two links of 25 us, Gigabit Ethernet


def measured_scaling(ranks: Speeds, threads: Speeds, subtitle: str) -> Sheet:
    """Ranks and threads of the same loop on the cores of one host."""
    reached = ", ".join(
        f"{(most := max(speeds))} {what} reach {100 * speeds[most] / most / ranks[1]:.0f} %"
        for what, speeds in (("ranks", ranks), ("threads", threads))
    )
    sheet = Sheet(
        "part4_measured_scaling",
        f"measured on one host: {reached} of the ideal",
        subtitle,
        "Seven rounds: their median, of one rank or thread the fastest. Ideal: P times the speed of one rank.",
    )
    lines = [
        ("ranks: part4/batches", ranks, theme.series(1)),
        ("threads: part2/openmp_direct", threads, theme.series(2)),
    ]
    draw_speeds(sheet, lines, ranks[1], "ranks or threads")
    return sheet


def simulated_scaling(results: Sequence[Simulated]) -> Sheet:
    """Three rungs on Gigabit Ethernet, and the line that the worksheet's model gives."""
    first = results[0]
    best = max((one.rows[-1].efficiency, one.name) for one in results)
    share = f"{best[1]} reaches {100 * best[0]:.0f} % of the ideal"
    sheet = Sheet(
        "part4_simulated_scaling",
        f"simulated: with {first.rows[-1].ranks} ranks {share}, the most",
        f"Gigabit Ethernet; {about(first)}",
        "All lines are simulated by SimGrid except the dashed one: LogGP by hand, L + 2 o = 50 us, 125 MB/s.",
    )
    lines = [(one.name, speeds_of(one), theme.series(k)) for k, one in enumerate(results, 1)]
    by_hand = {
        row.ranks: predict_ring(row.n, 1e9 * first.rate, row.ranks) / 1e9 for row in first.rows
    }
    lines.append(("overlapped, predicted", by_hand, {"color": theme.SOFT, "linestyle": "--"}))
    draw_speeds(sheet, lines, first.rate, "ranks")
    return sheet


def predict_ring(n: int, rate: float, ranks: int) -> float:
    """Interactions/s of the overlapped ring by LogGP: hops that take the longer of computing and sending a block, and
    the last block."""
    block_s = n * n / ranks**2 / rate
    hop_s = max(block_s, _MESSAGE_S + 16 * n / ranks / _BYTES_PER_S)
    return n * n / ((ranks - 1) * hop_s + block_s)
