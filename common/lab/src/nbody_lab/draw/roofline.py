"""The roofline: the ceilings that these programs can reach, and the programs as numbered points. A pure function of its
file; the table of numbers is in the terminal."""

import math
from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes

from nbody_lab.draw.sheet import Sheet, set_round_ticks
from nbody_lab.draw.theme import KINDS, SOFT
from nbody_lab.limits.roofline import issued_level, lowest_limit
from nbody_lab.limits.roofline_text import (
    ceiling_name,
    ceilings_of,
    format_ceiling,
    format_percent,
    format_setting,
)
from nbody_lab.measure.results import Ceiling, Point, Roofline

_HALF_A_DECADE = math.sqrt(10)  # lies around what is shown


def roofline(data: Roofline) -> Sheet:
    roofs, title, ceiling = reachable(data), f"{data.part}: what this machine can do", ""
    if data.points:
        best = max(data.points, key=lambda point: point.interactions_per_s)
        share = format_percent(best.share_of_limit if best.limits else best.share_of_roof)
        title = f"{data.part}: {best.name} reaches {share} of the ceiling it can reach"
        lowest = min(best.limits, key=lambda limit: limit.interactions_per_s, default=None)
        ceiling = f"its ceiling: {lowest.name if lowest else best.bound_by}"
    footnote = "Flops and bytes as written in the source. Bar above a point: the lowest limit of its loop. "
    if not all(row.is_ceiling for loads, peaks in roofs for row in (loads, *peaks)):
        footnote += "?: varied too much while measured, or contradicts another. "
    footnote += f"Ceilings of {data.ceilings.date}, the best of each."
    about = ", ".join(filter(None, (ceiling, format_setting(data), data.machine)))
    sheet = Sheet(f"{data.part}_roofline", title, about, footnote)
    axes = sheet.axes
    # Half a decade around the points, up to their ceilings. Heights are flop/s, with ticks in Gflop/s.
    across = [point.intensity for point in data.points if point.intensity] or [1.0]
    up = [peak.best for _, peaks in roofs for peak in peaks]
    up += [point.flops_per_s for point in data.points]
    up += filter(None, map(lowest_limit, data.points))
    axes.set(xscale="log", yscale="log", ylabel="Gflop/s")
    axes.set_xlim(min(across) / _HALF_A_DECADE, max(across) * _HALF_A_DECADE)
    axes.set_ylim(min(up) / _HALF_A_DECADE, max(up) * 1.6)
    set_round_ticks(axes.xaxis)
    set_round_ticks(axes.yaxis, 1e9)
    axes.set_xlabel(f"flop per byte issued by the {'core' if data.where == 'cpu' else 'threads'}")
    for loads, peaks in roofs:
        _draw_roof(axes, loads, peaks)
    _draw_points(axes, data.points)
    if data.points:
        sheet.legend_beside(bbox_to_anchor=(0, -0.14), ncols=5)
    return sheet


def reachable(data: Roofline) -> list[tuple[Ceiling, list[Ceiling]]]:
    """(loads from L1 or shared memory, the peaks above them from the lowest) of each instruction set that the points use;
    without points of all. What loads from farther away is not compared with points, nor is the lower rate of a GPU's
    shared memory."""
    flops, loads = ceilings_of(data)
    level = issued_level(data.where)
    widest = {row.instruction_set: row for row in loads if row.level == level}  # the last is best
    used = {point.instruction_set for point in data.points} or set(widest)
    return [
        (load, peaks)
        for own, load in widest.items()
        if own in used and (peaks := [row for row in flops if row.instruction_set == own])
    ]


def _draw_roof(axes: Axes, loads: Ceiling, peaks: Sequence[Ceiling]) -> None:
    """The name of the slope stands along it; those of the peaks behind them, of the highest above its line and of the
    others below, where fma of a narrow set is as fast as the plain operations of the next."""
    (left, right), bottom = axes.get_xlim(), axes.get_ylim()[0]
    look: Any = {"color": SOFT, "linewidth": 1.3, "marker": ""}
    rate = loads.best
    start, top = max(left, bottom / rate), peaks[-1].best / rate
    axes.plot([start, top], [start * rate, top * rate], **look)
    for peak in peaks:
        axes.plot([max(start, peak.best / rate), right], [peak.best] * 2, **look)
        axes.annotate(
            f"{ceiling_name(peak)}  {format_ceiling(peak)}",
            (right, peak.best),
            (4, 0),
            textcoords="offset points",
            va="bottom" if peak is peaks[-1] else "top",
        )
    axes.text(
        math.log10(start) + 0.03,
        math.log10(start * rate) + 0.09,  # above the line
        f"{loads.level if loads.where != 'cpu' else loads.name}  {format_ceiling(loads)}",
        fontsize=8,
        color=SOFT,
        rotation=45,
        rotation_mode="anchor",
        transform_rotates_text=True,
        transform=axes.transLimits + axes.transAxes,  # of logarithms
    )


def _draw_points(axes: Axes, points: Sequence[Point]) -> None:
    """Each with its number, and with its lowest limit above it; without bytes at the right edge."""
    right = axes.get_xlim()[1]
    near: dict[tuple[int, int], list[Point]] = {}  # so close that their numbers would overlap
    for point in points:
        (marker, colour), x, y = KINDS[point.kind], point.intensity or right, point.flops_per_s
        if limit := lowest_limit(point):
            bar: Any = {"marker": "_", "markersize": 12, "markevery": [1], "linewidth": 0.9}
            axes.plot([x, x], [y, limit], color=colour, linestyle=":", **bar)
        words = f"{point.number} {point.name}" + ("" if point.intensity else " (no bytes)")
        words += ", over its roof" if point.above_roof else ""
        look: Any = {"color": colour, "linestyle": "", "markersize": 7, "clip_on": False}
        axes.plot([x], [y], marker=marker, label=words, **look)
        near.setdefault((round(11 * math.log10(x)), round(11 * math.log10(y))), []).append(point)
    for k, group in enumerate(near.values()):
        place = group[0].intensity or right, group[0].flops_per_s
        aside: Any = {"textcoords": "offset points", "ha": "right" if k % 2 else "left"}
        words = ", ".join(str(point.number) for point in group)
        axes.annotate(words, place, (-7 if k % 2 else 7, -3), **aside)
