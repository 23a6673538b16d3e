"""Line pictures along one axis: bodies, threads, ranks, block size, unroll factor."""

from collections.abc import Callable
from typing import Any

from nbody_lab.core.bench_file import BenchResult, BenchRow
from nbody_lab.draw import theme
from nbody_lab.draw.bench_rows import (
    about,
    footnote,
    in_words,
    lines_of,
    pieces,
    short,
    values,
    whisker,
    with_rows,
)
from nbody_lab.draw.sheet import Sheet, Ticks
from nbody_lab.draw.theme import FLOPS

_Height = Callable[[BenchRow, float], float]  # (row, interactions/s) -> what is drawn


def _fastest(rows: Any) -> BenchRow:
    fastest: BenchRow = max(rows, key=lambda row: row.speed)
    return fastest


def _draw_lines(sheet: Sheet, result: BenchResult, axis: str, height: _Height) -> None:
    for k, (label, rows) in enumerate(lines_of(result, axis)):
        for j, run in enumerate(pieces(rows, axis, values(result, axis))):
            heights = [height(row, row.speed) for row in run]
            ends = [sorted(height(row, rate) for rate in whisker(row)) for row in run]
            whiskers = [(h - low, high - h) for h, (low, high) in zip(heights, ends)]
            drawn = sheet.axes.errorbar(
                [getattr(row, axis) for row in run],
                heights,
                yerr=list(zip(*whiskers)),
                **theme.series(k),
                elinewidth=1.4,
                label="_more" if j else label,
            )
            drawn.lines[0].set_gid(f"line-{label}-{j + 1}")


def _along_bodies(sheet: Sheet, result: BenchResult) -> None:
    axes, sizes = sheet.axes, values(result, "n")
    axes.set_xscale("log")
    rotation = 45 if len(sizes) > (6 if theme.is_slide() else 8) else 0
    axes.set_xticks(sizes, [short(n) for n in sizes], rotation=rotation)
    axes.minorticks_off()
    axes.set_xlim(sizes[0] * 0.9, sizes[-1] * 1.1)
    axes.set_xlabel("bodies N")


def _scale_of(most: float, *units: tuple[float, str]) -> tuple[float, str]:
    """The first unit that is not larger, else the last."""
    return next((unit for unit in units if most >= unit[0]), units[-1])


def _ends(result: BenchResult) -> tuple[BenchRow, BenchRow]:
    """Of the first program and the fastest, for the most bodies that the first was given."""
    first = max((row for row in result.summary if row.name == result.names[0]), key=lambda r: r.n)
    return first, _fastest(row for row in result.summary if row.n == first.n)


def time_by_bodies(result: BenchResult) -> Sheet:
    anchor = lines_of(result, "n")[0][1][-1]
    unit, name = _scale_of(anchor.n**2 / anchor.speed, (1, "s"), (1e-3, "ms"), (1e-6, "us"))

    def time(row: BenchRow, rate: float) -> float:
        return float(row.n**2 / rate / unit)

    first, best = _ends(result)
    spent = [
        f"{row.name} {time(row, row.speed):.3g} {name}" for row in dict.fromkeys([best, first])
    ]
    sheet = Sheet(
        "time",
        f"{result.context.part}, {short(first.n)} bodies: {', '.join(spent)} for an iteration",
        about(result),
        footnote(result),
    )
    axes, ends = sheet.axes, [values(result, "n")[0], values(result, "n")[-1]]
    _draw_lines(sheet, result, "n", time)
    guide = [2 * time(anchor, anchor.speed) * (n / anchor.n) ** 2 for n in ends]
    axes.plot(ends, guide, color=theme.QUIET, linestyle=":", label="as N squared", gid="guide")
    axes.set_yscale("log")
    axes.set_ylim(bottom=min(time(row, row.speed) for row in result.summary) / 2)
    axes.yaxis.set_major_formatter(Ticks())
    axes.set_ylabel(f"time of one iteration ({name})")
    _along_bodies(sheet, result)
    sheet.legend_beside()
    return sheet


def _on_threads(result: BenchResult, row: BenchRow) -> str:
    if result.context.device:
        return ""
    axis = "ranks" if row.ranks else "threads"
    return f" on {in_words(axis, getattr(row, axis))}"


def ratio_by_bodies(result: BenchResult) -> Sheet:
    """The speed-up over the first program."""
    first = result.names[0]
    base = {(r.n, r.precision): r.speed for r in reversed(result.summary) if r.name == first}
    rows = [row for row in result.summary if (row.n, row.precision) in base]
    kept = with_rows(result, rows)

    def ratio(row: BenchRow, rate: float) -> float:
        return rate / base[row.n, row.precision]

    best = max(rows, key=lambda row: ratio(row, row.speed))
    gain = theme.times(ratio(best, best.speed))
    sheet = Sheet(
        "ratio",
        f"{result.context.part}: {best.name} is up to {gain} as fast as {first}{_on_threads(result, best)}",
        about(result, "at the same number of bodies"),
        footnote(result),
    )
    _draw_lines(sheet, kept, "n", ratio)
    heights = [ratio(row, row.speed) for row in rows]
    low, high = min(heights) / 1.3, max(heights) * 1.3
    if high < 8 * low:
        sheet.axes.set_ylim(0, high)
    else:
        ticks = [float(f"{step}e{k}") for k in range(-9, 10) for step in (1, 2, 5)]
        shown = [tick for tick in ticks if low <= tick <= high]
        if theme.is_slide() and len(shown) > 7:
            shown = [tick for tick in shown if f"{tick:e}"[0] == "1"]
        sheet.axes.set_yscale("log")
        sheet.axes.set_ylim(low, high)
        sheet.axes.set_yticks(shown, [f"{tick:g}" for tick in shown])
    sheet.axes.set_ylabel(f"x {first}")
    _along_bodies(sheet, kept)
    sheet.legend_beside()
    return sheet


def flops_by_bodies(result: BenchResult) -> Sheet:
    """Where the peak is known, how near to it."""
    peak, best = result.context.device_peak_flops_per_s, _fastest(result.summary)
    most = max(peak, *(FLOPS * whisker(row)[1] for row in result.summary))
    unit, name = _scale_of(most, (1e12, "Tflop/s"), (1e9, "Gflop/s"), (1, "flop/s"))
    reached = theme.three_digits(FLOPS * best.speed / unit)
    share = f", {100 * FLOPS * best.speed / peak:.0f} % of the peak" if peak else ""
    sheet = Sheet(
        "flops",
        f"{result.context.part}: {best.name} reaches {reached} {name}{share}",
        about(result, f"by {FLOPS} flops per interaction"),
        footnote(result),
    )
    axes = sheet.axes
    _draw_lines(sheet, result, "n", lambda row, rate: FLOPS * rate / unit)
    if peak:
        look = theme.line(theme.QUIET, 1.8, ":")
        axes.axhline(peak / unit, label="peak of the device", gid="peak", **look)
        percent = 100 * unit / peak
        scales = (lambda height: height * percent, lambda share: share / percent)
        axes.secondary_yaxis("right", functions=scales).set_ylabel("percent of the peak")
    axes.set_ylim(0, 1.08 * most / unit)
    axes.set_ylabel(name)
    _along_bodies(sheet, result)
    beside = 1.18 if theme.is_slide() else 1.12
    sheet.legend_beside(bbox_to_anchor=(beside if peak else 1.01, 1))
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

    # What other programs disturbed is drawn, but it is no finding.
    disturbed = {row.name for row in largest.summary if row.busy_machine}
    sure = [row for row in largest.summary if row.name not in disturbed]
    best = max(sure or largest.summary, key=lambda row: gain(row, row.speed))
    gained = theme.times(gain(best, best.speed))
    more, fewer = in_words(axis, getattr(best, axis)), in_words(axis, fewest)
    sheet = Sheet(
        axis,
        f"{result.context.part}: {best.name} with {more} is {gained} as fast as with {fewer}",
        about(largest),
        footnote(result),
    )
    axes = sheet.axes
    look = theme.line(width=2.2, dashes=":")
    axes.plot(counts, ideal, zorder=4, label="ideal", gid="ideal", **look)
    _draw_lines(sheet, largest, axis, gain)
    margin = 0.08 * (counts[-1] - counts[0])
    axes.set_xticks(counts)
    axes.set_xlim(counts[0] - margin, counts[-1] + margin)
    highest = [gain(row, whisker(row)[1]) for row in largest.summary]
    axes.set_ylim(0, 1.12 * max(ideal[-1], *highest))
    axes.set_xlabel(axis)
    axes.set_ylabel(f"x the same with {fewer}")
    sheet.legend_beside()
    return sheet


_TUNING = {"block": "threads per block", "unroll": "interactions per pass of the loop"}


def by_tuning(result: BenchResult, axis: str) -> Sheet:
    best = _fastest(result.summary)
    # What is fastest depends on how many bodies there are to share out.
    where = f"{result.context.part}, {short(best.n)} bodies"
    sheet = Sheet(
        axis,
        f"{where}: {best.name} is fastest {in_words(axis, getattr(best, axis)).replace('blocks', 'with blocks')}",
        about(result),
        footnote(result),
    )
    axes = sheet.axes
    _draw_lines(sheet, result, axis, lambda row, rate: rate / 1e9)
    axes.set_xscale("log", base=2)
    axes.set_xticks(values(result, axis), values(result, axis))
    axes.minorticks_off()
    most = max(whisker(row)[1] for row in result.summary)
    axes.set_ylim(0, 1.08 * most / 1e9)
    axes.set_xlabel(_TUNING[axis])
    axes.set_ylabel("10⁹ interactions/s")
    sheet.legend_beside()
    return sheet
