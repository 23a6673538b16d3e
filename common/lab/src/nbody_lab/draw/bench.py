"""The pictures of a result of ./lab bench: the ladder of its implementations, and those of what it swept."""

import math
from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes

from nbody_lab.core.bench_file import BenchResult, BenchRow
from nbody_lab.draw import grids, sweeps, theme
from nbody_lab.draw.bench_rows import AXES, footnote, in_words, values, whisker
from nbody_lab.draw.sheet import Sheet


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
    return [row for row in rows if row.setup == rows[0].setup]


def _ratios(row: BenchRow, rows: list[BenchRow]) -> str:
    """'4.61 x, 1.29 x fused': against the first bar, and against the parent if that is another bar."""
    first = rows[0]
    parent = next((other for other in rows if other.name == row.parent), None)
    text = theme.times(row.speed / first.speed)
    if parent and parent is not first:
        text += f", {theme.times(row.speed / parent.speed)} {parent.name}"
    return text


def _finding(part: str, rows: list[BenchRow]) -> str:
    first, right = rows[0], [row for row in rows if row.is_right]
    best = max(right or rows, key=lambda row: row.speed)
    if best is first:
        return f"{part}: {first.name} is the fastest"
    return f"{part}: {best.name} is {theme.times(best.speed / first.speed)} as fast as {first.name}"


def ladder(result: BenchResult) -> Sheet:
    """Wrong results are hatched, since their speed does not count."""
    rows = largest_setup(result)
    first, context = rows[0], result.context
    conditions = [f"N = {first.n}", first.precision]
    conditions += [] if context.device else [in_words("threads", first.threads)]
    conditions += [in_words("ranks", first.ranks)] if first.ranks else []
    subtitle = f"{', '.join(conditions)}. On the bars: x {first.name}"
    if any(row.parent and row.parent != first.name for row in rows):
        subtitle += ", then x the rung it comes from"
    if not all(row.is_right for row in rows):
        subtitle += "; hatched: wrong results"
    sheet = Sheet(
        "ladder",
        _finding(context.part, rows),
        f"{subtitle}.",
        footnote(result),
        height=150 + 31 * len(rows),
    )
    _draw_bars(sheet.axes, rows)
    return sheet


def set_bar_axis(axes: Axes, labels: Mapping[Any, str], fontsize: float = theme.TEXT) -> None:
    """A label at the place of each bar, the first one on top."""
    axes.set_yticks(list(labels), list(labels.values()), fontsize=fontsize)
    axes.set_ylim(max(labels) + 0.6, -0.6)
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
    most = max(whisker(row)[1] for row in rows)
    unit = next((unit for unit in (1e12, 1e9, 1e6) if most >= unit), 1)
    for k, row in enumerate(rows):
        own = row.name.rpartition("/")[2]
        is_mine = own.startswith("mine")
        colour = theme.ACCENT if is_mine else theme.GIVEN if own == "naive" else theme.BAR
        draw_bar(axes, k, row.speed / unit, colour, row.is_right, f"bar-{row.name}")
        if is_mine and row.is_right:
            look = theme.kind("mine") | {"color": theme.WHITE}
            axes.plot([0.012 * most / unit], [k], gid=f"mine-{row.name}", **look)
        low, high = (end / unit for end in whisker(row))
        look = theme.line(theme.INK, 1.6) | {"marker": "|", "markersize": 9}
        axes.plot([low, high], [k, k], gid=f"whisker-{row.name}", **look)
        end = high + 0.012 * most / unit
        words = _ratios(row, rows)
        axes.text(end, k, words, va="center", gid=f"ratio-{row.name}", **theme.text())
    set_bar_axis(axes, {k: row.name for k, row in enumerate(rows)})
    longest = max(len(_ratios(row, rows)) for row in rows)
    letter = 0.021 if theme.is_slide() else 0.0125  # of the axis
    axes.set_xlim(0, (1.03 + letter * longest) * most / unit)
    scale = "" if unit == 1 else f"{theme.power(round(math.log10(unit)))} "
    axes.set_xlabel(f"{scale}interactions/s")
