"""The region of space that a picture shows, and its unit: panels of one scale."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.axis import Axis

from nbody_lab.core.body_text import BadFile
from nbody_lab.draw import theme
from nbody_lab.draw.runs import Array
from nbody_lab.draw.sheet import Sheet, set_round_ticks

Mask = npt.NDArray[np.bool_]
View = tuple[Axes, int, int]  # a panel, its axis across and its axis up
Columns = Sequence[Sequence[tuple[int, int] | None]]  # axes across and up; None: an empty place

_PLANE = 0.01  # a system thinner than this part of its extent is drawn from one side
_THINNEST = 0.2  # of the widest axis: no panel is a mere line
_FAR = 5  # a body this many times farther than any was at the start has left
_GAP = 10  # times as far as the nearer bodies: does not belong to them
_WIDEST, _HIGHEST = 6.4, 5.6  # inches that all panels take together, at most


@dataclass(frozen=True)
class Box:
    """Ranges of x, y and z in `unit`, whose name is `unit_name`. `axes` are those worth showing."""

    low: Array
    high: Array
    axes: tuple[int, ...]
    unit: float
    unit_name: str

    @property
    def size(self) -> Array:
        return self.high - self.low

    def holds(self, points: Array, axes: Sequence[int] = (0, 1, 2)) -> Any:
        """A mask of the points."""
        axes = list(axes)
        points = points[..., axes]
        return ((points >= self.low[axes]) & (points <= self.high[axes])).all(axis=-1)

    def label(self, axis: int) -> str:
        return f"{'xyz'[axis]} ({self.unit_name})" if self.unit_name else "xyz"[axis]

    def set_ticks(self, axis: Axis, number: int) -> None:
        """Fewer for a short axis."""
        least, most = (1, 4) if theme.is_slide() else (3, 7)
        set_round_ticks(axis, max(least, round(most * self.size[number] / self.size.max())))

    def show(self, axes: Axes, across: int, up: int) -> None:
        """Limits, ticks and labels of one panel."""
        axes.set(
            xlim=(self.low[across], self.high[across]),
            ylim=(self.low[up], self.high[up]),
            xlabel=self.label(across),
            ylabel=self.label(up),
            aspect="equal",
        )
        self.set_ticks(axes.xaxis, across)
        self.set_ticks(axes.yaxis, up)


def distances(points: Array, centre: Array | float) -> Array:
    """Largest distance along any axis; unlike squares it cannot overflow."""
    distances: Array = np.abs(points - centre).max(axis=-1)
    return distances


def staying(paths: Array) -> Mask:
    """The bodies that do not leave the others behind; all if most do. `paths`: (time, body, axis)."""
    centre = paths[0].mean(axis=0)
    reach = distances(paths[0], centre).max()
    stays: Mask = distances(paths, centre).max(axis=0) / _FAR <= reach
    return stays if 2 * stays.sum() >= len(stays) else np.ones_like(stays)


def neighbours(paths: Array) -> Mask:
    """The bodies near the central one, for paths relative to it; all others are much farther away."""
    reach = distances(paths, 0).max(axis=0)
    others = np.sort(reach[reach > 0])
    gaps = np.flatnonzero(others[1:] > _GAP * others[:-1])
    near: Mask = reach <= (others[gaps[0]] if len(gaps) else np.inf)
    return near


def unit_of(extent: float, si: bool) -> tuple[float, str]:
    """(unit, name): a power of a thousand metres; without SI units only where numbers would be hard to read."""
    if not si and 0.01 <= extent < 1e4:
        return 1.0, ""
    power = 3 * math.floor(math.log10(extent) / 3)
    name = theme.power(power) if power else ""
    return 10.0**power, f"{name}{' m' if si else ''}".strip()


def box_around(points: Array, si: bool) -> Box:
    """`points`: (..., 3). Raises BadFile."""
    points = points.reshape(-1, 3)
    low, high = points.min(axis=0), points.max(axis=0)
    with np.errstate(over="ignore"):
        extent = (high - low).max()
    if not extent < 1e300:
        raise BadFile("the bodies are too far apart for a picture")
    if extent == 0:
        extent = np.abs(points).max() or 1.0
    thin = [axis for axis in (2, 1, 0) if (high - low)[axis] < _PLANE * extent]
    axes = tuple(axis for axis in range(3) if axis not in thin[:1])
    half = np.maximum((high - low) / 2 + 0.05 * extent, _THINNEST * extent / 2)
    middle = low + (high - low) / 2
    unit, name = unit_of(np.abs([middle - half, middle + half])[:, list(axes)].max(), si)
    return Box((middle - half) / unit, (middle + half) / unit, axes, unit, name)


def panels(box: Box, columns: Columns, words: dict[str, Any]) -> tuple[Sheet, list[list[View]]]:
    """Views to one scale, as large as there is room."""
    wide = [box.size[column[0][0]] for column in columns if column[0]]
    high = [box.size[view[1]] for view in columns[0] if view]
    inches = min(_HIGHEST, _WIDEST * sum(high) / sum(wide)) + 1.1 + 0.6 * len(high)
    sheet = Sheet(
        **words,
        height=round(100 * inches),
        rows=len(high),
        columns=len(wide),
        width_ratios=wide,
        height_ratios=high,
        layout="compressed",
    )
    shown: list[list[View]] = []
    for k, column in enumerate(columns):
        pairs = list(zip(sheet.all_axes[k :: len(columns)], column))
        for axes in [axes for axes, view in pairs if not view]:
            axes.remove()
        shown.append([(axes, *view) for axes, view in pairs if view])
        for panel in shown[-1]:
            box.show(*panel)
    return sheet, shown
