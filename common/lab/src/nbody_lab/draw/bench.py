"""The pictures of a result of ./lab bench: the ladder of its implementations, and those of what it swept."""

from matplotlib.axes import Axes

from nbody_lab.core.bench_file import BenchResult, BenchRow
from nbody_lab.draw import grids, sweeps, theme
from nbody_lab.draw.bench_rows import AXES, footnote, ranks, threads, values
from nbody_lab.draw.sheet import Sheet

_BAR_PIXELS = 31


def pictures_of(result: BenchResult) -> list[Sheet]:
    """The sheets, with the ladder first."""
    swept = [axis for axis in AXES if len(values(result, axis)) > 1]
    is_tuning = bool({"block", "unroll"} & set(swept))
    several = len(result.names) > 1
    sheets = [ladder(result)] if several or not is_tuning else []
    if "n" in swept and not is_tuning:
        sheets += [sweeps.time_by_bodies(result), sweeps.flops_by_bodies(result)]
        sheets += [sweeps.ratio_by_bodies(result)] if several else []
    sheets += [sweeps.by_workers(result, axis) for axis in ("threads", "ranks") if axis in swept]
    sheets += [sweeps.by_tuning(result, axis) for axis in ("block", "unroll") if axis in swept]
    if "n" in swept:
        axes = [axis for axis in ("threads", "ranks", "unroll") if axis in swept]
        sheets += [grids.by_bodies(result, name, axis) for axis in axes for name in result.names]
    if "n" in swept and "block" in swept and grids.multiprocessors(result.context.device):
        sheets += [grids.blocks_of_grid(result, name) for name in result.names]
    return sheets


def largest_setup(result: BenchResult) -> list[BenchRow]:
    """The rows that a ladder shows: largest N, then most threads and ranks, then the first precision and launch."""
    most = max((row.n, row.threads, row.ranks) for row in result.summary)
    rows = [row for row in result.summary if (row.n, row.threads, row.ranks) == most]
    first = rows[0]
    return [
        row
        for row in rows
        if (row.precision, row.block, row.unroll) == (first.precision, first.block, first.unroll)
    ]


def times(ratio: float) -> str:
    if ratio >= 100:
        return f"{ratio:.0f} x"
    return f"{ratio:.3g} x" if ratio >= 10 else f"{ratio:.2f} x"


def _ratios(row: BenchRow, rows: list[BenchRow]) -> str:
    """'4.61 x, 1.29 x fused': against the first bar, and against the parent if that is another bar."""
    first = rows[0]
    parent = next((other for other in rows if other.name == row.parent), None)
    text = times(row.speed / first.speed)
    if parent and parent is not first:
        text += f", {times(row.speed / parent.speed)} {parent.name}"
    return text


def _scale_of(most: float) -> tuple[float, str]:
    """(unit, its name) that suits rates of this size."""
    for unit, name in ((1e12, "10^12"), (1e9, "10^9"), (1e6, "10^6")):
        if most >= unit:
            return unit, f"{name} interactions/s"
    return 1, "interactions/s"


def ladder(result: BenchResult) -> Sheet:
    """Wrong results are hatched, since their speed does not count."""
    rows = largest_setup(result)
    first = rows[0]
    conditions = [f"N = {first.n}", first.precision]
    conditions += [] if result.context.device else [threads(first.threads)]
    conditions += [ranks(first.ranks)] if first.ranks else []
    subtitle = f"{', '.join(conditions)}. On the bars: x {first.name}"
    if any(row.parent and row.parent != first.name for row in rows):
        subtitle += ", then x the rung it comes from"
    if not all(row.is_right for row in rows):
        subtitle += "; hatched: wrong results"
    sheet = Sheet(
        "ladder",
        f"{result.context.part}: interactions per second",
        subtitle + ".",
        footnote(result),
        height=150 + _BAR_PIXELS * len(rows),
    )
    _draw_bars(sheet.axes, rows)
    return sheet


def set_bar_axis(axes: Axes, labels: list[str], fontsize: float = 10) -> None:
    """A label for each bar, the first one on top."""
    axes.set_yticks(range(len(labels)), labels, fontsize=fontsize)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")


def draw_bar(
    axes: Axes, k: int, length: float, colour: str, is_right: bool, gid: str, height: float = 0.72
) -> None:
    """A wrong result is an empty, hatched bar."""
    axes.barh(
        k,
        length,
        height=height,
        color=colour if is_right else theme.WHITE,
        edgecolor=theme.QUIET if is_right else theme.ACCENT,
        hatch=None if is_right else "////",
        linewidth=0.8,
        gid=gid,
    )


def _draw_bars(axes: Axes, rows: list[BenchRow]) -> None:
    most = max(max(row.speed, row.interactions_per_s.upper_quartile) for row in rows)
    unit, label = _scale_of(most)
    for k, row in enumerate(rows):
        colour = theme.BAR if k else theme.GIVEN
        draw_bar(axes, k, row.speed / unit, colour, row.is_right, f"bar-{row.name}")
        rates = row.interactions_per_s
        low, high = rates.lower_quartile / unit, rates.upper_quartile / unit
        axes.plot(
            [low, high],
            [k, k],
            color=theme.INK,
            linewidth=1.6,
            marker="|",
            markersize=9,
            gid=f"whisker-{row.name}",
        )
        axes.text(
            max(high, row.speed / unit) + 0.012 * most / unit,
            k,
            _ratios(row, rows),
            va="center",
            fontsize=9,
            gid=f"ratio-{row.name}",
        )
    set_bar_axis(axes, [row.name for row in rows])
    longest = max(len(_ratios(row, rows)) for row in rows)
    axes.set_xlim(0, (1.03 + 0.0125 * longest) * most / unit)
    axes.set_xlabel(label)
