"""Line pictures along one axis: bodies, threads, ranks, block size, unroll factor."""

import math
from collections.abc import Callable
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from nbody_lab.core.bench_file import BenchResult, BenchRow
from nbody_lab.draw import theme
from nbody_lab.draw.bench_rows import (
    about,
    footnote,
    lines_of,
    pieces,
    ranks,
    short,
    threads,
    values,
    with_rows,
)
from nbody_lab.draw.sheet import Sheet
from nbody_lab.draw.theme import FLOPS

# (row, interactions/s) -> what is drawn
_Height = Callable[[BenchRow, float], float]


def _spread(row: BenchRow, height: _Height) -> tuple[float, float]:
    """How far the middle half of the rounds reaches below and above; never negative."""
    middle, rates = height(row, row.speed), row.interactions_per_s
    ends = [height(row, rates.lower_quartile), height(row, rates.upper_quartile)]
    return max(middle - min(ends), 0), max(max(ends) - middle, 0)


def _draw_lines(axes: Axes, result: BenchResult, axis: str, height: _Height) -> None:
    for k, (label, rows) in enumerate(lines_of(result, axis)):
        for j, run in enumerate(pieces(rows, axis, values(result, axis))):
            drawn = axes.errorbar(
                [getattr(row, axis) for row in run],
                [height(row, row.speed) for row in run],
                yerr=list(zip(*(_spread(row, height) for row in run))),
                **theme.series(k),
                elinewidth=1.4,
                label="_more" if j else label,
            )
            drawn.lines[0].set_gid(f"line-{label}-{j + 1}")


def _along_bodies(axes: Axes, result: BenchResult) -> None:
    sizes = values(result, "n")
    axes.set_xscale("log")
    axes.set_xticks(sizes, [short(n) for n in sizes], rotation=45 if len(sizes) > 8 else 0)
    axes.minorticks_off()
    axes.set_xlim(sizes[0] * 0.9, sizes[-1] * 1.1)
    axes.set_xlabel("bodies N")


def plain_power(value: float) -> str:
    """Short numbers as they are, longer ones as a power of ten."""
    return f"{value:g}" if 1e-3 <= value <= 1e4 else f"10^{round(math.log10(value))}"


def _scale_of(most: float, *units: tuple[float, str]) -> tuple[float, str]:
    """The first unit that is not larger, else the last."""
    return next((unit for unit in units if most >= unit[0]), units[-1])


def time_by_bodies(result: BenchResult) -> Sheet:
    sheet = Sheet(
        "time",
        f"{result.context.part}: time of one iteration",
        about(result),
        footnote(result),
    )
    axes = sheet.axes
    _, anchor_rows = lines_of(result, "n")[0]
    anchor = anchor_rows[-1]
    longest = anchor.n**2 / anchor.speed
    unit, name = _scale_of(longest, (1, "s"), (1e-3, "ms"), (1e-6, "us"))
    _draw_lines(axes, result, "n", lambda row, rate: row.n**2 / rate / unit)
    ends = [values(result, "n")[0], values(result, "n")[-1]]
    guide = [2 * anchor.n**2 / anchor.speed / unit * (n / anchor.n) ** 2 for n in ends]
    axes.plot(ends, guide, color=theme.QUIET, linestyle=":", label="as N squared", gid="guide")
    axes.set_yscale("log")
    axes.set_ylim(bottom=min(row.n**2 / row.speed for row in result.summary) / unit / 2)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: plain_power(value)))
    axes.set_ylabel(f"time of one iteration ({name})")
    _along_bodies(axes, result)
    sheet.legend_beside()
    return sheet


def ratio_by_bodies(result: BenchResult) -> Sheet:
    """The speed-up over the first program."""
    first = result.summary[0].name
    base = {
        (row.n, row.precision): row.speed for row in reversed(result.summary) if row.name == first
    }
    rows = [row for row in result.summary if (row.n, row.precision) in base]
    kept = with_rows(result, rows)

    def ratio(row: BenchRow, rate: float) -> float:
        return rate / base[row.n, row.precision]

    sheet = Sheet(
        "ratio",
        f"{result.context.part}: speed in multiples of {first}, at the same number of bodies",
        about(result),
        footnote(result),
    )
    _draw_lines(sheet.axes, kept, "n", ratio)
    _set_plain_log(sheet.axes, [ratio(row, row.speed) for row in rows])
    sheet.axes.set_ylabel(f"x {first}")
    _along_bodies(sheet.axes, kept)
    sheet.legend_beside()
    return sheet


def _set_plain_log(axes: Axes, heights: list[float]) -> None:
    """A logarithmic axis whose ticks are 1, 2, 5, 10, ...; a plain one from 0 where that shows as much."""
    low, high = min(heights) / 1.3, max(heights) * 1.3
    if high < 8 * low:
        axes.set_ylim(0, high)
        return
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [step * 10.0**k for k in decades for step in (1, 2, 5) if low <= step * 10.0**k <= high]
    axes.set_yscale("log")
    axes.set_ylim(low, high)
    axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()


def flops_by_bodies(result: BenchResult) -> Sheet:
    """Where the peak is known, how near to it."""
    peak = result.context.device_peak_flops_per_s
    most = max(peak, *(FLOPS * row.interactions_per_s.upper_quartile for row in result.summary))
    unit, name = _scale_of(most, (1e12, "Tflop/s"), (1e9, "Gflop/s"), (1, "flop/s"))
    sheet = Sheet(
        "flops",
        f"{result.context.part}: {name} against the number of bodies",
        about(result, f"by {FLOPS} flops per interaction"),
        footnote(result),
    )
    axes = sheet.axes
    _draw_lines(axes, result, "n", lambda row, rate: FLOPS * rate / unit)

    def to_percent(height: Any) -> Any:
        return 100 * height * unit / peak

    def from_percent(share: Any) -> Any:
        return share / 100 * peak / unit

    if peak:
        axes.axhline(
            peak / unit, color=theme.QUIET, linestyle=":", label="peak of the device", gid="peak"
        )
        right = axes.secondary_yaxis("right", functions=(to_percent, from_percent))
        right.set_ylabel("percent of the peak")
    axes.set_ylim(0, 1.08 * most / unit)
    axes.set_ylabel(name)
    _along_bodies(axes, result)
    axes.legend(loc="upper left", bbox_to_anchor=(1.12 if peak else 1.01, 1), borderaxespad=0)
    return sheet


def by_workers(result: BenchResult, axis: str) -> Sheet:
    """What more threads or ranks gain, for the largest N: fewer bodies tell about starting threads, which `./lab bench`
    says in words."""
    n, fewest = values(result, "n")[-1], values(result, axis)[0]
    other = "ranks" if axis == "threads" else "threads"
    beside = values(result, other)[0]  # of both, only one is looked at
    rows = [row for row in result.summary if row.n == n and getattr(row, other) == beside]
    base = {(row.name, row.precision): row.speed for row in rows if getattr(row, axis) == fewest}
    largest = with_rows(result, [row for row in rows if (row.name, row.precision) in base])
    counts = values(largest, axis)
    ideal = [count / counts[0] for count in counts]

    def gain(row: BenchRow, rate: float) -> float:
        return rate / base[row.name, row.precision]

    sheet = Sheet(
        axis,
        f"{result.context.part}: what more {axis} gain",
        about(largest),
        footnote(result),
    )
    axes = sheet.axes
    axes.plot(
        counts,
        ideal,
        color=theme.SOFT,
        linestyle=":",
        linewidth=2.2,
        zorder=4,
        label="ideal",
        gid="ideal",
    )
    _draw_lines(axes, largest, axis, gain)
    margin = 0.08 * (counts[-1] - counts[0])
    axes.set_xticks(counts)
    axes.set_xlim(counts[0] - margin, counts[-1] + margin)
    tops = [
        gain(row, max(row.speed, row.interactions_per_s.upper_quartile)) for row in largest.summary
    ]
    axes.set_ylim(0, 1.12 * max(ideal[-1], *tops))
    axes.set_xlabel(axis)
    in_words = threads if axis == "threads" else ranks
    axes.set_ylabel(f"x the same with {in_words(counts[0])}")
    sheet.legend_beside()
    return sheet


_TUNING = {
    "block": ("threads per block", "threads per block"),
    "unroll": ("unrolling", "interactions per pass of the loop"),
}


def by_tuning(result: BenchResult, axis: str) -> Sheet:
    title, label = _TUNING[axis]
    names = ", ".join(sorted(result.names))
    sheet = Sheet(
        axis,
        f"{result.context.part}, {names}: {title}",
        about(result),
        footnote(result),
    )
    axes = sheet.axes
    _draw_lines(axes, result, axis, lambda row, rate: rate / 1e9)
    axes.set_xscale("log", base=2)
    axes.set_xticks(values(result, axis), values(result, axis))
    axes.minorticks_off()
    most = max(row.interactions_per_s.upper_quartile for row in result.summary)
    axes.set_ylim(0, 1.08 * most / 1e9)
    axes.set_xlabel(label)
    axes.set_ylabel("10^9 interactions/s")
    sheet.legend_beside()
    return sheet
