"""The roofline: ceilings as lines, programs as numbered points with a table below. A pure function of its JSON."""

import math
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.text import Annotation

from nbody_lab.core.results import Ceiling, Point, Roofline
from nbody_lab.draw import theme
from nbody_lab.draw.roofline_layout import Labels, Place, Range, ranges, steps_between
from nbody_lab.draw.roofline_table import colour_of, draw_table
from nbody_lab.draw.sheet import Sheet
from nbody_lab.roofline.ceilings import issued_level
from nbody_lab.roofline.model import find_arrow, lowest_limit
from nbody_lab.roofline.text import (
    ceiling_name,
    ceilings_of,
    doubts,
    file_stem,
    format_ceiling,
    format_setting,
    set_names,
)

_PLOT, _ROW = 470, 18  # pixels: height of the plot, of a row of the table
_LABEL = 12.5  # pixels between two labels at the right
_NEAR = 0.06  # of an axis: too near for an arrow


Slope = tuple[Ceiling, tuple[Place, Place]]  # and its ends
Peak = tuple[Ceiling, Annotation]


def roofline(data: Roofline, with_table: bool = True) -> Sheet:
    """`with_table` is False for pages, which have their own table."""
    points = data.points
    rows = max(len(points), 1) + 1 if with_table else 0
    sheet = Sheet(
        _picture_name(data),
        _title(data),
        f"{format_setting(data)}, {data.machine}",
        _footnote(data),
        height=_PLOT + _ROW * rows + 130,
        rows=2 if with_table else 1,
        gridspec_kw={"height_ratios": [_PLOT, _ROW * rows]} if with_table else {},
    )
    axes, *tables = sheet.all_axes
    across, up = ranges(data)
    _set_axes(axes, across, up, data)
    flops, loads = _lines_of(data)
    slopes = [_draw_slope(axes, row, flops, across, up) for row in loads]
    peaks = [_draw_peak(axes, row, loads, across) for row in flops]
    for table in tables:
        draw_table(table, points, _scale_of(up))
    _draw_points(axes, points, across, up)
    _place_labels(Labels(sheet, axes), slopes, peaks, loads, points, across, up)
    return sheet


def _picture_name(data: Roofline) -> str:
    return file_stem(data.part, data.precision, data.where == "cpu" and data.threads > 1)


def _title(data: Roofline) -> str:
    """Tells the pictures of one part apart."""
    return (
        _picture_name(data).replace("_", ", ", 1).replace("_all", ", all").replace("_", " ")
        + ": roofline"
    )


def _footnote(data: Roofline) -> str:
    level = issued_level(data.ceilings.of_place(data.where))
    level = "shared memory (and L1, which is the same memory)" if level == "shared" else "L1"
    above = (
        " Ringed, and ! in the table: more than 5 % over its roof."
        if any(one.above_roof for one in data.points)
        else ""
    )
    return (
        f"Flops and bytes as written in the source: their roof is {level}; dashed: memory farther away. A bar at the end of a dotted line: "
        "the lowest limit of that loop, by the cost of its operations here; the table names it. Waiting: no unit is more than 60 % busy. "
        "Compulsory: flop per byte that must come from memory once. Text colour: naive; orange: yours; blue: others. The "
        f"arrow leads from naive to your best, if they differ.{above}{''.join(f' {words}.' for words in doubts(data))} Ceilings of {data.ceilings.date}, the best of each."
    )


def _scale_of(up: Range) -> tuple[float, str]:
    return (1e12, "Tflop/s") if up[1] > 1e13 else (1e9, "Gflop/s")


def _plain(value: float) -> str:
    return f"{value:g}" if value < 1e5 else f"{value:.0e}"


def _set_axes(axes: Axes, across: Range, up: Range, data: Roofline) -> None:
    unit, name = _scale_of(up)
    axes.set(xscale="log", yscale="log", xlim=across, ylim=up)
    for axis, ends, by in ((axes.xaxis, across, 1), (axes.yaxis, up, unit)):
        ticks = steps_between(*ends)
        axis.set_ticks(ticks, [_plain(float(f"{tick / by:.3g}")) for tick in ticks])
    axes.minorticks_off()
    axes.set_xlabel(f"flop per byte issued by the {'core' if data.where == 'cpu' else 'threads'}")
    axes.set_ylabel(name)


def _lines_of(data: Roofline) -> tuple[list[Ceiling], list[Ceiling]]:
    """The ceilings to draw; of L1 only the widest loads and those of the points' instruction sets."""
    flops, loads = ceilings_of(data)
    level = issued_level(data.ceilings.of_place(data.where))
    of_points = {one.instruction_set for one in data.points}
    of_level = [row for row in loads if row.level == level]
    widest = [max(of_level, key=lambda row: row.best).instruction_set] if of_level else []
    shown = {*of_points, *widest}
    return flops, [row for row in loads if row.level != level or row.instruction_set in shown]


def _draw_slope(
    axes: Axes, row: Ceiling, flops: Sequence[Ceiling], across: Range, up: Range
) -> Slope:
    """From the left edge or from below to the highest peak of its instruction set; (row, its ends)."""
    own = [one.best for one in flops if one.instruction_set == row.instruction_set] or [
        one.best for one in flops
    ]
    top = max(own, default=up[1])
    left = max(across[0], up[0] / row.best)
    ends = (left, left * row.best), (top / row.best, top)
    is_near = row.level in ("L1", "shared")
    axes.plot(
        *zip(*ends),
        color=theme.SOFT,
        gid=f"ceiling-{row.name}",
        zorder=2,
        linewidth=1.3 if is_near else 0.9,
        linestyle="-" if is_near else "--",
    )
    return row, ends


def _start_of(row: Ceiling, loads: Sequence[Ceiling], across: Range) -> float:
    """The flop/byte from which a peak can be reached."""
    slopes = [load.best for load in loads if load.instruction_set == row.instruction_set] or [
        load.best for load in loads
    ]
    return max(across[0], row.best / max(slopes)) if slopes else across[0]


def _draw_peak(axes: Axes, row: Ceiling, loads: Sequence[Ceiling], across: Range) -> Peak:
    """From the loads that reach it to the right edge."""
    start = _start_of(row, loads, across)
    axes.plot(
        [start, across[1]],
        [row.best] * 2,
        color=theme.SOFT,
        linewidth=1.3,
        gid=f"ceiling-{row.name}",
        zorder=2,
    )
    words = f"{ceiling_name(row)}  {format_ceiling(row)}"
    return row, axes.annotate(
        words,
        (across[1], row.best),
        (10, 0),
        textcoords="offset points",
        fontsize=8,
        va="center",
        color=theme.SOFT,
        gid=f"label-{row.name}",
    )


def _shown_place(one: Point, across: Range, up: Range) -> tuple[float, float, str]:
    """(flop/byte, flop/s, marker). Points outside are drawn at the edge, with a marker that points outwards."""
    x, y = one.intensity or float("inf"), one.flops_per_s
    marker = (
        "<"
        if x < across[0]
        else ">"
        if x > across[1]
        else "v"
        if y < up[0]
        else "^"
        if y > up[1]
        else "o"
    )
    return min(max(x, across[0]), across[1]), min(max(y, up[0]), up[1]), marker


def _draw_points(axes: Axes, points: Sequence[Point], across: Range, up: Range) -> None:
    for one in points:
        x, y, marker = _shown_place(one, across, up)
        limit = lowest_limit(one)
        if limit and up[0] <= limit <= up[1]:
            axes.plot(
                [x, x],
                [y, limit],
                color=colour_of(one),
                linewidth=0.9,
                linestyle=":",
                zorder=4,
                gid=f"reach-{one.name}",
            )
            axes.plot(
                [x],
                [limit],
                color=colour_of(one),
                marker="_",
                markersize=13,
                markeredgewidth=1.8,
                linestyle="",
                zorder=4,
                gid=f"limit-{one.name}",
            )
        axes.plot(
            [x],
            [y],
            color=colour_of(one),
            marker=marker,
            markersize=6.5,
            linestyle="",
            zorder=6,
            clip_on=False,
            gid=f"point-{one.name}",
            markeredgecolor=theme.PAPER["series-6"] if one.above_roof else theme.WHITE,
            markeredgewidth=2 if one.above_roof else 0.7,
        )
    ends = _arrow_places(points, across, up)
    if ends:
        drawn = axes.annotate(
            "",
            xy=ends[1],
            xytext=ends[0],
            zorder=7,  # before all points, or its head would be behind one
            arrowprops={
                "arrowstyle": "-|>",
                "color": theme.SOFT,
                "linewidth": 1.1,
                "shrinkA": 6,
                "shrinkB": 6,
            },
        )
        if drawn.arrow_patch:
            drawn.arrow_patch.set_gid("arrow")


def _arrow_places(
    points: Sequence[Point], across: Range, up: Range
) -> list[tuple[float, float]] | None:
    """The arrow's ends; None if they are too close."""
    ends = find_arrow(points)
    if not ends:
        return None
    places = [_shown_place(end, across, up)[:2] for end in ends]
    far = max(
        abs(math.log(b / a)) / math.log(high / low)
        for a, b, (low, high) in zip(*places, (across, up))
    )
    return places if far > _NEAR else None


def _place_labels(
    labels: Labels,
    slopes: Sequence[Slope],
    peaks: Sequence[Peak],
    loads: Sequence[Ceiling],
    points: Sequence[Point],
    across: Range,
    up: Range,
) -> None:
    starts = [(_start_of(row, loads, across), row) for row, _ in peaks]
    places = [_shown_place(one, across, up)[:2] for one in points]
    for one, (x, y) in zip(points, places):
        labels.occupy(x, y)
        limit = lowest_limit(one)
        if limit and up[0] <= limit <= up[1]:
            labels.occupy(x, limit)
            labels.keep_off((x, y), (x, limit))
    for _, ends in slopes:
        labels.keep_off(*ends)
    for start, row in starts:
        labels.keep_off((start, row.best), (across[1], row.best))
    for together in labels.crowds(places):
        words = ", ".join(str(points[k].number) for k in together)
        labels.beside(*places[together[0]], words, f"number-{points[together[0]].name}")
    for row, ends in slopes:
        labels.along(ends, _slope_names(row, peaks), f"label-{row.name}")
    labels.at_the_edge(across[1], peaks, _LABEL)


def _slope_names(row: Ceiling, peaks: Sequence[Peak]) -> tuple[str, ...]:
    """The full name, then shorter ones for lack of room. L1 states the load width."""
    rate, sets = format_ceiling(row), set_names([peak for peak, _ in peaks])
    if row.where != "cpu":
        return f"{row.name}  {rate}", f"{row.level}  {rate}", row.level
    width = (
        f" {row.precision or 'float'}" if row.instruction_set == "scalar" else ""
    )  # a double brings twice as much
    name = (
        f"L1, {sets[row.instruction_set]}{width}"
        if row.level == "L1" and row.instruction_set in sets
        else row.level
    )
    return f"{name}  {rate}", name
