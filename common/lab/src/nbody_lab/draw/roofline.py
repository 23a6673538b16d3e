"""The roofline: the ceilings that these programs can reach, and the programs as points with their names. A pure function
of its JSON. The table of numbers is in the terminal and on the page.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.text import Annotation

from nbody_lab.draw import theme
from nbody_lab.draw.labels import EdgeLabel, Labels, Place
from nbody_lab.draw.sheet import Sheet
from nbody_lab.measure.results import Ceiling, Point, Roofline
from nbody_lab.roofline.ceilings import issued_level
from nbody_lab.roofline.model import find_arrow, lowest_limit
from nbody_lab.roofline.text import (
    ceiling_name,
    ceilings_of,
    file_stem,
    format_ceiling,
    format_percent,
    format_setting,
    set_names,
)

_LABEL = 12.5  # pixels between two labels at the right
_NEAR = 0.06  # of an axis: too near for an arrow
_AROUND = math.sqrt(10)  # half a decade at each side of what is shown
_MOST_NAMES = 3  # of points on one another
_DECADES_OF_STEPS = 3  # a longer axis has ticks at powers of ten only

Range = tuple[float, float]


@dataclass(frozen=True)
class _Roof:
    """Of one instruction set: the loads from L1, or from shared memory, and the peaks above them, from the lowest."""

    loads: Ceiling
    peaks: tuple[Ceiling, ...]

    def slope(self, axes: Axes) -> tuple[Place, Place]:
        """From the left edge or from below to the highest peak."""
        rate, top = self.loads.best, self.peaks[-1].best
        left = max(axes.get_xlim()[0], axes.get_ylim()[0] / rate)
        return (left, left * rate), (top / rate, top)

    def flat(self, peak: Ceiling, axes: Axes) -> tuple[Place, Place]:
        """From the loads that reach it to the right edge."""
        start, end = axes.get_xlim()
        return (max(start, peak.best / self.loads.best), peak.best), (end, peak.best)


def _place_of(axes: Axes, point: Point) -> Place:
    """(flop/byte, flop/s); without bytes at the right edge."""
    return point.intensity or axes.get_xlim()[1], point.flops_per_s


def _is_far(axes: Axes, start: Place, end: Place) -> bool:
    return any(
        abs(math.log(b / a)) > _NEAR * math.log(high / low)
        for a, b, (low, high) in zip(start, end, (axes.get_xlim(), axes.get_ylim()))
    )


def roofline(data: Roofline) -> Sheet:
    roofs, (title, ceiling) = reachable(data), _finding(data)
    sheet = Sheet(
        file_stem(data.part, data.precision, data.where == "cpu" and data.threads > 1),
        title,
        ", ".join(filter(None, (ceiling, format_setting(data), data.machine))),
        _footnote(data, roofs),
    )
    axes = sheet.axes
    _set_axes(axes, data, *ranges(data, roofs))
    for roof in roofs:
        _draw_line(axes, roof.loads, roof.slope(axes))
        for peak in roof.peaks:
            _draw_line(axes, peak, roof.flat(peak, axes))
    for point in data.points:
        _draw_point(axes, point)
    _draw_arrow(axes, data.points)
    peaks = [peak for roof in roofs for peak in roof.peaks]
    names = [
        EdgeLabel((axes.get_xlim()[1], peak.best), _name_of_peak(axes, peak)) for peak in peaks
    ]
    labels = Labels(sheet)
    _name_points(axes, labels, data.points)
    for roof in roofs:
        words = _names_of_slope(roof.loads, set_names(peaks))
        labels.along(roof.slope(axes), words, f"label-{roof.loads.name}")
    labels.at_the_edge(names, _LABEL)
    return sheet


def _finding(data: Roofline) -> tuple[str, str]:
    """The title, and which ceiling it tells of."""
    if not data.points:
        return f"{data.part}: what this machine can do", ""
    best = max(data.points, key=lambda point: point.interactions_per_s)
    share = format_percent(best.share_of_limit if best.limits else best.share_of_roof)
    title = f"{data.part}: {best.name} reaches {share} of the ceiling it can reach"
    lowest = min(best.limits, key=lambda limit: limit.interactions_per_s, default=None)
    return title, f"its ceiling: {lowest.name if lowest else best.bound_by}"


def _footnote(data: Roofline, roofs: Sequence[_Roof]) -> str:
    level = issued_level(data.ceilings.of_place(data.where))
    level = "shared memory (and L1, which is the same memory)" if level == "shared" else "L1"
    sentences = [f"Flops and bytes as written in the source, served by {level}."]
    if data.points:
        sentences.append(f"{theme.key_of_kinds(point.kind for point in data.points)}.")
    if any(point.limits for point in data.points):
        sentences.append("Bar above a point: the lowest limit of its loop.")
    if any(point.above_roof for point in data.points):
        sentences.append("Ringed: more than 5 % over its roof.")
    drawn = [row for roof in roofs for row in (roof.loads, *roof.peaks)]
    top = ceilings_of(data)[0][-1]
    if top not in drawn:
        sentences.append(f"Out of reach: {ceiling_name(top)}, {format_ceiling(top)}.")
    if not all(row.is_ceiling for row in drawn):
        sentences.append("?: varied too much while measured, or contradicts another.")
    return " ".join([*sentences, f"Ceilings of {data.ceilings.date}, the best of each."])


# --- ceilings and axes ---------------------------------------------------------------------------


def reachable(data: Roofline) -> list[_Roof]:
    """Of the points' instruction sets; without points all. What loads from farther away is not compared with points, nor
    is the lower rate of a GPU's shared memory."""
    flops, loads = ceilings_of(data)
    level = issued_level(data.ceilings.of_place(data.where))
    widest = {row.instruction_set: row for row in loads if row.level == level}  # the last is best
    used = {point.instruction_set for point in data.points} or set(widest)
    return [
        _Roof(load, peaks)
        for own, load in widest.items()
        if own in used and (peaks := tuple(row for row in flops if row.instruction_set == own))
    ]


def _around(values: Iterable[float]) -> Range:
    known = [value for value in values if value]
    return min(known) / _AROUND, max(known) * _AROUND


def ranges(data: Roofline, roofs: Sequence[_Roof]) -> tuple[Range, Range]:
    """((flop/byte from, to), (flop/s from, to)): around the points, up to their ceilings."""
    ridges = [peak.best / roof.loads.best for roof in roofs for peak in roof.peaks]
    peaks = [peak.best for roof in roofs for peak in roof.peaks]
    limits = [lowest_limit(point) or 0 for point in data.points]
    across = [point.intensity or 0 for point in data.points]
    low, high = _around([*peaks, *limits, *(point.flops_per_s for point in data.points)])
    return _around(across if any(across) else ridges), (low, high / 2)


def _set_axes(axes: Axes, data: Roofline, across: Range, up: Range) -> None:
    unit, name = (1e12, "Tflop/s") if up[1] > 1e13 else (1e9, "Gflop/s")
    axes.set(xscale="log", yscale="log", xlim=across, ylim=up)
    for axis, ends, by in ((axes.xaxis, across, 1), (axes.yaxis, up, unit)):
        is_long = math.log10(ends[1] / ends[0]) >= _DECADES_OF_STEPS
        ticks = theme.round_steps(*ends, (1,) if is_long else (1, 2, 5))
        axis.set_ticks(ticks, theme.numbers([tick / by for tick in ticks]))
    axes.minorticks_off()
    axes.set_xlabel(f"flop per byte issued by the {'core' if data.where == 'cpu' else 'threads'}")
    axes.set_ylabel(name)


def _draw_line(axes: Axes, row: Ceiling, ends: tuple[Place, Place]) -> None:
    axes.plot(*zip(*ends), gid=f"ceiling-{row.name}", zorder=2, **theme.line())


def _name_of_peak(axes: Axes, row: Ceiling) -> Annotation:
    """Right of its end."""
    words = f"{ceiling_name(row)}  {format_ceiling(row)}"
    look = theme.OFFSET | theme.ASIDE | {"va": "center", "gid": f"label-{row.name}"}
    return axes.annotate(words, (axes.get_xlim()[1], row.best), (10, 0), **look)


# --- points --------------------------------------------------------------------------------------


def _draw_point(axes: Axes, point: Point) -> None:
    """With its lowest limit above it."""
    (x, y), limit = _place_of(axes, point), lowest_limit(point)
    look = theme.kind(point.kind)
    colour = look["color"]
    if limit:
        dots = theme.line(colour, 0.9, ":")
        axes.plot([x, x], [y, limit], gid=f"reach-{point.name}", zorder=4, **dots)
        bar = theme.point(colour, 13, "_") | {"markeredgewidth": 1.8}
        axes.plot([x], [limit], gid=f"limit-{point.name}", zorder=4, **bar)
    edge, width = (theme.SERIES[5], 2) if point.above_roof else (theme.WHITE, 0.7)
    look |= {"markeredgecolor": edge, "markeredgewidth": width}
    axes.plot([x], [y], gid=f"point-{point.name}", zorder=6, clip_on=False, **look)


def _draw_arrow(axes: Axes, points: Sequence[Point]) -> None:
    """From naive to the best of one's own, unless they are too close."""
    ends = [_place_of(axes, end) for end in find_arrow(points) or ()]
    if ends and _is_far(axes, *ends):
        look = {"arrowstyle": "-|>", "color": theme.SOFT, "linewidth": 1.1}
        look |= {"shrinkA": 6, "shrinkB": 6, "mutation_scale": 10}
        # Before all points, or its head would be behind one.
        drawn = axes.annotate("", xy=ends[1], xytext=ends[0], zorder=7, arrowprops=look)
        if drawn.arrow_patch:
            drawn.arrow_patch.set_gid("arrow")


# --- labels --------------------------------------------------------------------------------------


def _name_points(axes: Axes, labels: Labels, points: Sequence[Point]) -> None:
    places = [_place_of(axes, point) for point in points]
    for together in labels.crowds(places):
        own = [points[k] for k in together]
        labels.beside(*places[together[0]], _names_of(own), f"name-{own[0].name}")


def _names_of(points: Sequence[Point]) -> str:
    """The names of points on one another, as far as there is room."""
    names = [point.name + ("" if point.intensity else " (no bytes)") for point in points]
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def _names_of_slope(row: Ceiling, sets: dict[str, str]) -> tuple[str, ...]:
    """The full name, then shorter ones for lack of room. L1 states the load width."""
    rate = format_ceiling(row)
    if row.where != "cpu":
        return f"{row.name}  {rate}", f"{row.level}  {rate}", row.level
    name = f"{row.level}, {sets[row.instruction_set]}"
    if row.instruction_set == "scalar":  # a double brings twice as much
        name += f" {row.precision or 'float'}"
    return f"{name}  {rate}", name
