"""The roofline: ceilings as lines, programs as numbered points with a table below; on a slide with their names. A pure
function of its JSON.

The axes depend on the ceilings alone, so pictures of one machine can be laid over each other.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.text import Annotation

from nbody_lab.core.results import Ceiling, Point, Roofline
from nbody_lab.draw import theme
from nbody_lab.draw.labels import Labels, Place
from nbody_lab.draw.sheet import Sheet
from nbody_lab.roofline.ceilings import issued_level
from nbody_lab.roofline.model import find_arrow, lowest_limit
from nbody_lab.roofline.text import (
    ceiling_name,
    ceilings_of,
    doubts,
    file_stem,
    format_ceiling,
    format_intensity,
    format_percent,
    format_roof_share,
    format_setting,
    format_significant,
    set_names,
    short_limiter,
)

_PLOT, _ROW = 470, 18  # pixels: height of the plot, of a row of the table
_LABEL = 12.5  # pixels between two labels at the right
_NEAR = 0.06  # of an axis: too near for an arrow
# Times below the lowest peak, and left of the lowest ridge in float: what is slow lies there.
_BELOW, _LEFT = 10, 2
_RIGHT = 20.0  # flop/byte: blocked loops of this problem reach ten
_COLOURS = {"naive": theme.SERIES[0], "mine": theme.ACCENT}  # by the kind of a program

Range = tuple[float, float]
_Slope = tuple[Ceiling, tuple[Place, Place]]  # and its ends
_Peak = tuple[Ceiling, Annotation]


@dataclass(frozen=True)
class _Plot:
    """The axes, with their ranges."""

    axes: Axes
    across: Range
    up: Range

    def place_of(self, point: Point) -> Place:
        """(flop/byte, flop/s); of a point outside, at the edge."""
        x, y = point.intensity or math.inf, point.flops_per_s
        (left, right), (low, high) = self.across, self.up
        return min(max(x, left), right), min(max(y, low), high)

    def limit_of(self, point: Point) -> float | None:
        """Its lowest limit in flop/s, if it is in the picture."""
        limit = lowest_limit(point)
        return limit if limit and self.up[0] <= limit <= self.up[1] else None

    def is_far(self, start: Place, end: Place) -> bool:
        return any(
            abs(math.log(b / a)) > _NEAR * math.log(high / low)
            for a, b, (low, high) in zip(start, end, (self.across, self.up))
        )


def roofline(data: Roofline, with_table: bool = True) -> Sheet:
    """`with_table` is False for pages, which have their own table."""
    with_table = with_table and not theme.is_slide()
    rows = max(len(data.points), 1) + 1 if with_table else 0
    name = file_stem(data.part, data.precision, data.where == "cpu" and data.threads > 1)
    setting = name.replace("_", ", ", 1).replace("_all", ", all").replace("_", " ")
    sheet = Sheet(
        name,
        f"{setting}: roofline",  # tells the pictures of one part apart
        f"{format_setting(data)}, {data.machine}",
        _footnote(data),
        finding=_finding(data),
        height=_PLOT + _ROW * rows + 130,
        rows=2 if with_table else 1,
        gridspec_kw={"height_ratios": [_PLOT, _ROW * rows]} if with_table else {},
    )
    plot = _Plot(sheet.axes, *ranges(data))
    _set_axes(plot, data)
    flops, loads = _lines_of(data)
    slopes = [_draw_slope(plot, row, flops) for row in loads]
    peaks = [_draw_peak(plot, row, loads) for row in flops]
    for table in sheet.all_axes[1:]:
        _draw_table(table, data.points, _scale_of(plot.up))
    for point in data.points:
        _draw_point(plot, point)
    _draw_arrow(plot, data.points)
    _place_labels(plot, Labels(sheet), slopes, peaks, loads, data.points)
    return sheet


def _finding(data: Roofline) -> str:
    if not data.points:
        return f"{data.part}: what this machine can do"
    best = max(data.points, key=lambda point: point.interactions_per_s)
    share = format_percent(best.share_of_roof)
    return f"{data.part}: {best.name} is the fastest, at {share} of its roof"


def _footnote(data: Roofline) -> str:
    level = issued_level(data.ceilings.of_place(data.where))
    level = "shared memory (and L1, which is the same memory)" if level == "shared" else "L1"
    sentences = [
        f"Flops and bytes as written in the source: their roof is {level}; dashed: memory farther away.",
        "A bar at the end of a dotted line: the lowest limit of that loop, by the cost of its operations here; the table "
        "names it. Waiting: no unit is more than 60 % busy. Compulsory: flop per byte that must come from memory once.",
        "Text colour: naive; orange: yours; blue: others. The arrow leads from naive to your best, if they differ.",
    ]
    if any(point.above_roof for point in data.points):
        sentences.append("Ringed, and ! in the table: more than 5 % over its roof.")
    sentences += [f"{words}." for words in doubts(data)]
    return " ".join([*sentences, f"Ceilings of {data.ceilings.date}, the best of each."])


# --- the axes ------------------------------------------------------------------------------------


def steps_between(low: float, high: float) -> list[float]:
    """1, 2, 5, 10, 20, ... from low to high, both included."""
    first = math.floor(math.log10(low) + 1e-9)
    every = (float(f"{step}e{power}") for power in range(first, first + 40) for step in (1, 2, 5))
    return [step for step in every if low * 0.999 <= step <= high * 1.001]


def _ridges(rows: Sequence[Ceiling]) -> Iterator[float]:
    """flop/byte at which a peak meets the loads of its own instruction set."""
    level = issued_level(rows)
    loads = [
        row for row in rows if (row.kind, row.level, row.operation) == ("bandwidth", level, "load")
    ]
    for peak in rows:
        if peak.kind == "flops" and peak.precision == "float":
            place = (peak.instruction_set, peak.threads)
            own = [load for load in loads if (load.instruction_set, load.threads) == place]
            yield from (peak.best / load.best for load in own)


def ranges(data: Roofline) -> tuple[Range, Range]:
    """((flop/byte from, to), (flop/s from, to)). Both precisions share them, and what spread too much counts as well: the axes
    stay where they are when it is measured again. Programs without threads lie below those of one thread, whatever the picture."""
    rows = data.ceilings.of_place(data.where)
    peaks = [row for row in rows if row.kind == "flops"]
    own = [row.best for row in peaks if row.threads == data.threads] or [row.best for row in peaks]
    left = min(min(_ridges(rows), default=0.2) / _LEFT, 0.1)
    low, high = min(row.best for row in peaks) / _BELOW, 1.05 * max(own)
    return (
        (steps_between(left / 10, left)[-1], _RIGHT),
        (steps_between(low / 10, low)[-1], steps_between(high, 10 * high)[0]),
    )


def _scale_of(up: Range) -> tuple[float, str]:
    return (1e12, "Tflop/s") if up[1] > 1e13 else (1e9, "Gflop/s")


def _set_axes(plot: _Plot, data: Roofline) -> None:
    unit, name = _scale_of(plot.up)
    axes = plot.axes
    axes.set(xscale="log", yscale="log", xlim=plot.across, ylim=plot.up)
    for axis, ends, by in ((axes.xaxis, plot.across, 1), (axes.yaxis, plot.up, unit)):
        ticks = steps_between(*ends)
        shown = [float(f"{tick / by:.3g}") for tick in ticks]
        axis.set_ticks(ticks, [f"{one:g}" if one < 1e5 else f"{one:.0e}" for one in shown])
    axes.minorticks_off()
    axes.set_xlabel(f"flop per byte issued by the {'core' if data.where == 'cpu' else 'threads'}")
    axes.set_ylabel(name)


# --- ceilings ------------------------------------------------------------------------------------


def _lines_of(data: Roofline) -> tuple[list[Ceiling], list[Ceiling]]:
    """The ceilings to draw; of L1 only the widest loads and those of the points' instruction sets."""
    flops, loads = ceilings_of(data)
    level = issued_level(data.ceilings.of_place(data.where))
    shown = {point.instruction_set for point in data.points}
    of_level = [row for row in loads if row.level == level]
    if of_level:
        shown.add(max(of_level, key=lambda row: row.best).instruction_set)
    return flops, [row for row in loads if row.level != level or row.instruction_set in shown]


def _of_its_set(row: Ceiling, others: Sequence[Ceiling]) -> list[float]:
    """The rates of its instruction set; of all, where it has none."""
    own = [other.best for other in others if other.instruction_set == row.instruction_set]
    return own or [other.best for other in others]


def _draw_slope(plot: _Plot, row: Ceiling, flops: Sequence[Ceiling]) -> _Slope:
    """From the left edge or from below to the highest peak of its instruction set."""
    top = max(_of_its_set(row, flops), default=plot.up[1])
    left = max(plot.across[0], plot.up[0] / row.best)
    ends = (left, left * row.best), (top / row.best, top)
    is_near = row.level in ("L1", "shared")
    look = theme.line() if is_near else theme.line(width=0.9, dashes="--")
    plot.axes.plot(*zip(*ends), gid=f"ceiling-{row.name}", zorder=2, **look)
    return row, ends


def _start_of(plot: _Plot, row: Ceiling, loads: Sequence[Ceiling]) -> float:
    """The flop/byte from which a peak can be reached."""
    return max(plot.across[0], row.best / max(_of_its_set(row, loads), default=math.inf))


def _draw_peak(plot: _Plot, row: Ceiling, loads: Sequence[Ceiling]) -> _Peak:
    """From the loads that reach it to the right edge."""
    ends = [_start_of(plot, row, loads), plot.across[1]]
    plot.axes.plot(ends, [row.best] * 2, gid=f"ceiling-{row.name}", zorder=2, **theme.line())
    words = f"{ceiling_name(row)}  {format_ceiling(row)}"
    look = theme.OFFSET | theme.text(theme.NOTE, theme.SOFT) | {"va": "center"}
    place, gid = (plot.across[1], row.best), f"label-{row.name}"
    return row, plot.axes.annotate(words, place, (10, 0), gid=gid, **look)


# --- points --------------------------------------------------------------------------------------


def _colour_of(point: Point) -> str:
    return _COLOURS.get(point.kind, theme.FILL)


def _draw_point(plot: _Plot, point: Point) -> None:
    """With its lowest limit above it. A point outside has a marker that points outwards."""
    (x, y), limit = plot.place_of(point), plot.limit_of(point)
    colour = _colour_of(point)
    if limit:
        look = theme.line(colour, 0.9, ":")
        plot.axes.plot([x, x], [y, limit], gid=f"reach-{point.name}", zorder=4, **look)
        look = theme.point(colour, 13, "_") | {"markeredgewidth": 1.8}
        plot.axes.plot([x], [limit], gid=f"limit-{point.name}", zorder=4, **look)
    wide, high = point.intensity or math.inf, point.flops_per_s
    outside = (("<", wide < x), (">", wide > x), ("v", high < y), ("^", high > y))
    marker = next((marker for marker, is_there in outside if is_there), "o")
    edge, width = (theme.SERIES[5], 2) if point.above_roof else (theme.WHITE, 0.7)
    look = theme.point(colour, 6.5, marker) | {"markeredgecolor": edge, "markeredgewidth": width}
    plot.axes.plot([x], [y], gid=f"point-{point.name}", zorder=6, clip_on=False, **look)


def _draw_arrow(plot: _Plot, points: Sequence[Point]) -> None:
    """From naive to the best of one's own, unless they are too close."""
    ends = [plot.place_of(end) for end in find_arrow(points) or ()]
    if ends and plot.is_far(*ends):
        look = {"arrowstyle": "-|>", "color": theme.SOFT, "linewidth": 1.1}
        look |= {"shrinkA": 6, "shrinkB": 6}
        # Before all points, or its head would be behind one.
        drawn = plot.axes.annotate("", xy=ends[1], xytext=ends[0], zorder=7, arrowprops=look)
        if drawn.arrow_patch:
            drawn.arrow_patch.set_gid("arrow")


# --- labels --------------------------------------------------------------------------------------


def _place_labels(
    plot: _Plot,
    labels: Labels,
    slopes: Sequence[_Slope],
    peaks: Sequence[_Peak],
    loads: Sequence[Ceiling],
    points: Sequence[Point],
) -> None:
    places = [plot.place_of(point) for point in points]
    for point, (x, y) in zip(points, places):
        labels.occupy(x, y)
        limit = plot.limit_of(point)
        if limit:
            labels.occupy(x, limit)
            labels.keep_off((x, y), (x, limit))
    for _, ends in slopes:
        labels.keep_off(*ends)
    for row, _ in peaks:
        labels.keep_off((_start_of(plot, row, loads), row.best), (plot.across[1], row.best))
    for together in labels.crowds(places):
        own = [points[k] for k in together]
        words = _words_at(own, points)
        if words:
            labels.beside(*places[together[0]], words, f"number-{own[0].name}")
    for row, ends in slopes:
        labels.along(ends, _slope_names(row, peaks), f"label-{row.name}")
    labels.at_the_edge(plot.across[1], [(row.best, label) for row, label in peaks], _LABEL)


def _words_at(points: Sequence[Point], all_points: Sequence[Point]) -> str:
    """Numbers, to look up in the table. A slide has none: it names the naive one, the fastest, and one's own."""
    if not theme.is_slide():
        return ", ".join(str(point.number) for point in points)
    fastest = max(all_points, key=lambda point: point.interactions_per_s)
    return ", ".join(one.name for one in points if one is fastest or one.kind in _COLOURS)


def _slope_names(row: Ceiling, peaks: Sequence[_Peak]) -> tuple[str, ...]:
    """The full name, then shorter ones for lack of room. L1 states the load width."""
    rate, sets = format_ceiling(row), set_names([peak for peak, _ in peaks])
    if row.where != "cpu":
        return f"{row.name}  {rate}", f"{row.level}  {rate}", row.level
    name = row.level
    if row.level == "L1" and row.instruction_set in sets:
        name = f"L1, {sets[row.instruction_set]}"
        if row.instruction_set == "scalar":  # a double brings twice as much
            name += f" {row.precision or 'float'}"
    return f"{name}  {rate}", name


# --- the table below -----------------------------------------------------------------------------

_LONGEST = 18  # letters of a name in the table
_COLUMNS = (
    (0.0, "", "left"),
    (0.06, "name", "left"),
    (0.35, "flop/byte", "right"),
    (0.48, "compulsory", "right"),
    (0.58, "", "right"),
    (0.68, "of roof", "right"),
    (0.70, "roof", "left"),
    (0.83, "limiter", "left"),
    (1.18, "of it", "right"),
)


def _draw_table(axes: Axes, points: Sequence[Point], scale: tuple[float, str]) -> None:
    """A row for each point."""
    axes.axis("off")
    axes.set(xlim=(0, 1), ylim=(max(len(points), 1) + 1, 0), xticks=[], yticks=[])
    titles = tuple(title or scale[1] if x else "" for x, title, _ in _COLUMNS)
    rows = [_cells_of(point, scale[0]) for point in points] or [("", "no point yet")]
    for k, row in enumerate([titles, *rows]):
        look = theme.text(colour=theme.INK if k else theme.SOFT) | {"va": "center"}
        for (x, _, side), words in zip(_COLUMNS, row):
            axes.text(x, k + 0.5, words, ha=side, gid=None if x else f"row-{k}", **look)
    for k, point in enumerate(points, 1):
        look = theme.point(_colour_of(point), 5.5)
        axes.plot([0.04], [k + 0.5], gid=f"key-{point.name}", **look)


def _cells_of(point: Point, unit: float) -> tuple[str, ...]:
    name = point.name
    return (
        str(point.number),
        name if len(name) <= _LONGEST else f"{name[: _LONGEST - 2]} ..",
        format_intensity(point.intensity),
        format_intensity(point.compulsory_intensity),
        format_significant(point.flops_per_s / unit),
        format_roof_share(point),
        point.bound_by,
        short_limiter(point.limiter, point.busy_machine),
        format_percent(point.share_of_limit),
    )
