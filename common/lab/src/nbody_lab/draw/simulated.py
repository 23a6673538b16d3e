"""Pictures of ./lab simulate: speed against ranks, and what each rank does in one iteration."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.ticker import LogLocator

from nbody_lab.core.study_results import Simulated, SimulatedRow
from nbody_lab.draw import theme
from nbody_lab.draw.sheet import Sheet, Ticks

Speeds = Mapping[int, float]  # by the number of ranks, in 10⁹ interactions/s


def pictures_of_simulated(result: Simulated) -> list[Sheet]:
    """Speed against ranks, and what the ranks do, for the most that have times."""
    with_times = [row for row in result.rows if row.spans and row.ranks > 1]
    sheets = [_scaling(result)] if len(result.rows) > 1 else []
    return sheets + [_timeline(result, row) for row in with_times[-1:]]


def speeds_of(result: Simulated) -> Speeds:
    return {row.ranks: row.interactions_per_s / 1e9 for row in result.rows}


def about(result: Simulated) -> str:
    return f"{result.bodies_in_words()}; a rank computes {result.rate:g} x 10⁹ interactions/s"


def draw_speeds(
    sheet: Sheet, lines: Sequence[tuple[str, Speeds, dict[str, Any]]], ideal: float, label: str
) -> None:
    """A line each, with its name and its look, and `ideal` times the number of ranks."""
    axes, ranks = sheet.axes, sorted(lines[0][1])
    perfect = [ideal * count for count in ranks]
    axes.plot(ranks, perfect, color=theme.SOFT, linestyle=":", label="ideal", gid="ideal")
    for number, (name, speeds, look) in enumerate(lines):
        heights = [speeds[count] for count in ranks]
        axes.plot(ranks, heights, **look, label=name, gid=f"line-{number}")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(ranks, [str(count) for count in ranks])
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(Ticks())
    axes.minorticks_off()
    axes.set_xlabel(label)
    axes.set_ylabel("10⁹ interactions/s")
    sheet.legend_beside()


def _scaling(result: Simulated) -> Sheet:
    program, most = f"part4/{result.name} on {result.network}", result.rows[-1]
    sheet = Sheet(
        f"{result.name}_{result.network}_scaling",
        f"simulated: {program}: {most.ranks} ranks reach {100 * most.efficiency:.0f} % of the ideal",
        about(result),
        "All figures are simulated by SimGrid, none is measured. Ideal: ranks that never wait.",
    )
    lines = [(result.name, speeds_of(result), theme.series(1))]
    draw_speeds(sheet, lines, result.rate, "ranks")
    for row in result.rows:
        words, place = f"{100 * row.efficiency:.0f} %", (row.ranks, row.interactions_per_s / 1e9)
        sheet.axes.annotate(words, place, xytext=(6, -12), **theme.OFFSET, **theme.text())
    return sheet


def _timeline(result: Simulated, row: SimulatedRow) -> Sheet:
    """A bar where a rank computes, nothing where it sends or waits."""
    program, count = f"part4/{result.name} on {result.network}", len(row.spans)
    sheet = Sheet(
        f"{result.name}_{result.network}_ranks",
        f"simulated: {program}: {count} ranks compute {100 * row.computing:.0f} % of the time",
        f"one iteration; {about(result)}",
        "A bar: the rank computes. Between the bars it sends, receives or waits.",
        height=200 + 28 * count,
    )
    axes = sheet.axes
    for rank, ends in enumerate(row.spans):
        bars = [(1e3 * begin, 1e3 * (end - begin)) for begin, end in zip(ends[::2], ends[1::2])]
        colours = [theme.SERIES[1], theme.SERIES[6]] * len(bars)
        axes.broken_barh(bars, (rank - 0.38, 0.76), facecolors=colours, gid=f"bars-{rank}")
    axes.set_yticks(range(count), [f"rank {rank}" for rank in range(count)])
    axes.invert_yaxis()
    axes.set_xlim(0, 1e3 * row.seconds)
    axes.grid(False, axis="y")
    axes.set_xlabel("ms")
    return sheet
