"""Pictures of ranks on simulated clusters: ./lab bench --simulated."""

from collections.abc import Mapping, Sequence

from matplotlib.ticker import LogLocator

from nbody_lab.draw import theme
from nbody_lab.draw.bench import RATE
from nbody_lab.draw.sheet import Sheet, Ticks, set_log_ticks
from nbody_lab.measure.study_results import (
    Simulated,
    SimulatedRow,
)

Speeds = Mapping[int, float]  # by the number of ranks, in 10⁹ interactions/s
Line = tuple[str, Speeds, theme.Look]  # with its name


def pictures_of_simulated(result: Simulated) -> list[Sheet]:
    """Speed against ranks, and what the ranks do, for the most that have times."""
    with_times = [row for row in result.rows if row.spans and row.ranks > 1]
    sheets = [_scaling_of_one(result)] if len(result.rows) > 1 else []
    return sheets + [_timeline(result, row) for row in with_times[-1:]]


def scaling(
    name: str, found: str, subtitle: str, note: str, lines: Sequence[Line], ideal: float, label: str
) -> Sheet:
    """Lines over the number of ranks, and `ideal` times that number."""
    sheet, ranks = Sheet(name, found, subtitle, note), sorted(lines[0][1])
    axes, perfect = sheet.axes, [ideal * count for count in ranks]
    axes.plot(ranks, perfect, color=theme.SOFT, linestyle=":", label="ideal", gid="ideal")
    for number, (words, speeds, look) in enumerate(lines):
        heights = [speeds[count] for count in ranks]
        axes.plot(ranks, heights, **look, label=words, gid=f"line-{number}")
    axes.set_yscale("log")
    set_log_ticks(axes, ranks, base=2)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(Ticks())
    axes.set(xlabel=label, ylabel=RATE)
    sheet.legend_beside()
    return sheet


def speeds_of(result: Simulated) -> Speeds:
    return {row.ranks: row.interactions_per_s / 1e9 for row in result.rows}


def about(result: Simulated) -> str:
    return f"{result.bodies_in_words()}; a rank computes {result.rate:g} x {RATE}"


def _scaling_of_one(result: Simulated) -> Sheet:
    program, most = f"part4/{result.name} on {result.network}", result.rows[-1]
    sheet = scaling(
        f"{result.name}_{result.network}_scaling",
        f"simulated: {program}: {most.ranks} ranks reach {100 * most.efficiency:.0f} % of the ideal",
        about(result),
        "All figures are simulated by SimGrid, none is measured. Ideal: ranks that never wait.",
        [(result.name, speeds_of(result), theme.series(1))],
        result.rate,
        "ranks",
    )
    for row in result.rows:
        words, place = f"{100 * row.efficiency:.0f} %", (row.ranks, row.interactions_per_s / 1e9)
        sheet.axes.annotate(words, place, (6, -12), **theme.OFFSET)
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
    axes.set(xlim=(0, 1e3 * row.seconds), xlabel="ms")
    axes.grid(False, axis="y")
    return sheet
