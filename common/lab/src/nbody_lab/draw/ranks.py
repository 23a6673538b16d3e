"""Pictures of ranks on simulated clusters: ./lab bench --simulated."""

from collections.abc import Mapping

from nbody_lab.draw.sheet import Sheet, set_log_ticks, set_round_ticks
from nbody_lab.draw.theme import QUIET, RATE
from nbody_lab.measure.simulated import Simulated, SimulatedRow


def pictures_of_simulated(result: Simulated) -> list[Sheet]:
    """Speed against ranks, and what the ranks do, for the most that have times."""
    sheets, most = [], result.rows[-1]
    if len(result.rows) > 1:
        title = f"simulated: part4/{result.name} on {result.network}: "
        title += f"{most.ranks} ranks reach {100 * most.efficiency:.0f} % of the ideal"
        note = "Simulated by SimGrid, not measured. Ideal: ranks that never wait."
        sheet = Sheet(f"{result.name}_{result.network}_scaling", title, about(result), note)
        draw_scaling(sheet, {result.name: speeds_of(result)}, result.rate, "ranks")
        for row in result.rows:
            place = row.ranks, row.interactions_per_s / 1e9
            words = f"{100 * row.efficiency:.0f} %"
            sheet.axes.annotate(words, place, (6, -12), textcoords="offset points")
        sheets.append(sheet)
    with_times = [row for row in result.rows if row.spans and row.ranks > 1]
    return sheets + [_timeline(result, row) for row in with_times[-1:]]


Speeds = Mapping[int, float]  # by the number of ranks, in 10⁹ interactions/s


def draw_scaling(sheet: Sheet, lines: Mapping[str, Speeds], ideal: float, label: str) -> None:
    """Lines over the number of ranks, and `ideal` times that number."""
    axes, ranks = sheet.axes, sorted({count for speeds in lines.values() for count in speeds})
    perfect = [ideal * count for count in ranks]
    axes.plot(ranks, perfect, color=QUIET, linestyle=":", marker="", label="ideal")
    for words, speeds in lines.items():
        axes.plot(*zip(*sorted(speeds.items())), label=words)
    axes.set_yscale("log")
    set_round_ticks(axes.yaxis)
    set_log_ticks(axes, ranks)
    axes.set(xlabel=label, ylabel=RATE)
    sheet.name_lines()


def speeds_of(result: Simulated) -> Speeds:
    return {row.ranks: row.interactions_per_s / 1e9 for row in result.rows}


def about(result: Simulated) -> str:
    return f"{result.bodies_in_words()}; a rank computes {result.rate:g} x {RATE}"


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
        axes.broken_barh(bars, (rank - 0.38, 0.76), facecolors=["C1", "C6"] * len(bars))
    axes.set_yticks(range(count), [f"rank {rank}" for rank in range(count)])
    axes.invert_yaxis()
    axes.set(xlim=(0, 1e3 * row.seconds), xlabel="ms")
    axes.grid(False, axis="y")
    return sheet
