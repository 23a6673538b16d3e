"""The region of space that a picture shows, its unit and its views, and the panels that show them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from nbody_lab.draw import theme
from nbody_lab.draw.runs import Array
from nbody_lab.draw.sheet import LINE, MARGIN, Sheet
from nbody_lab.export.body_text import BadFile

Mask = npt.NDArray[np.bool_]
Ticks = tuple[list[float], list[str]]  # positions and labels
Words = tuple[str, str, str, str]  # of a sheet: its name, title, subtitle, footnote
View = tuple[Axes, int, int]  # a panel, its axis across and its axis up

_PLANE = 0.01  # a system thinner than this part of its extent is drawn from one side
_THINNEST = 0.2  # of the widest axis: no panel is a mere line
_FAR = 5  # a body this many times farther than any was at the start has left
_GAP = 10  # times as far as the nearer bodies: does not belong to them


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

    def show(self, axes: Axes, across: int, up: int) -> None:
        """Limits, ticks and labels of one panel."""
        axes.set(
            xlim=(self.low[across], self.high[across]),
            ylim=(self.low[up], self.high[up]),
            xlabel=self.label(across),
            ylabel=self.label(up),
            aspect="equal",
        )
        axes.set_xticks(*self.ticks(across))
        axes.set_yticks(*self.ticks(up))

    def ticks(self, axis: int) -> Ticks:
        """A short axis may have a smaller step, so that it has more than one tick."""
        longest, size = float(self.size.max()), float(self.size[axis])
        coarse, fine = (nice_step(size, most + 5 * size / longest) for most in (3, 3.5))
        ticks = ticks_between(self.low[axis], self.high[axis], min(nice_step(longest, 7), coarse))
        return ticks if len(ticks[0]) > 1 else ticks_between(self.low[axis], self.high[axis], fine)


def ticks_between(low: float, high: float, step: float) -> Ticks:
    steps = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return [k * step for k in steps], [f"{k * step:.10g}" for k in steps]


def nice_step(extent: float, most: float) -> float:
    """The smallest 1, 2 or 5 times a power of ten that divides the extent into at most `most` steps."""
    power = 10.0 ** math.floor(math.log10(extent / most))
    return next(k * power for k in (1, 2, 5, 10) if extent / (k * power) <= most)


def _distances(places: Array, centre: Array | float) -> Array:
    """Largest distance along any axis; unlike squares it cannot overflow."""
    distances: Array = np.abs(places - centre).max(axis=-1)
    return distances


def staying(paths: Array) -> Mask:
    """The bodies that do not leave the others behind; all if most do. `paths`: (time, body, axis)."""
    centre = paths[0].mean(axis=0)
    reach = _distances(paths[0], centre).max()
    stays: Mask = _distances(paths, centre).max(axis=0) / _FAR <= reach
    return stays if 2 * stays.sum() >= len(stays) else np.ones_like(stays)


def neighbours(paths: Array) -> Mask:
    """The bodies near the central one, for paths relative to it; all others are much farther away."""
    reach = _distances(paths, 0).max(axis=0)
    others = np.sort(reach[reach > 0])
    gaps = np.flatnonzero(others[1:] > _GAP * others[:-1])
    near: Mask = reach <= (others[gaps[0]] if len(gaps) else np.inf)
    return near


def unit_of(extent: float, si: bool) -> tuple[float, str]:
    """(unit, name): a power of a thousand metres; without SI units only where numbers would be hard to read."""
    if not si and 0.01 <= extent < 1e4:
        return 1.0, ""
    power = 3 * math.floor(math.log10(extent) / 3)
    name = f"10^{power}" if power else ""
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


# Panels which show a box of space, all to one scale: a single plane, or x-y with the other two beside and below it.
_WIDTH = 9.0  # inches of the sheet
HIGH = 5.6  # inches that panels may take together
_AROUND = 0.62 + MARGIN + 2 * LINE  # inches above and below all panels: title, footnote
_WIDE, _HIGH_PAIRS = 5.6, 6.4
_NUMBERS = 0.7  # inches which numbers and labels take on the side of a panel, at most


def panels(box: Box, words: Words) -> tuple[Sheet, list[View]]:
    """The widest view first."""
    if len(box.axes) == 2:
        across, up = box.axes
        scale = min(_WIDE / box.size[across], HIGH / box.size[up])
        sheet = sheet_of_height(words, scale * box.size[up] + _NUMBERS)
        sheet.axes.set_anchor("NW")
        views = [(sheet.axes, across, up)]
    else:
        x, y, z = box.size
        scale = min(_WIDE / (x + z), HIGH / (y + z))
        ratios = {"width_ratios": [x, z], "height_ratios": [y, z]}
        height = scale * (y + z) + 2 * _NUMBERS
        sheet = sheet_of_height(words, height, rows=2, columns=2, gridspec_kw=ratios)
        _keep_left(sheet, scale * (x + z) + 2 * _NUMBERS + 1.4)
        first, beside, below, empty = sheet.all_axes
        empty.remove()
        for axes, anchor in zip((first, beside, below), ("SE", "SW", "NE")):
            axes.set_anchor(anchor)
        views = [(first, 0, 1), (beside, 2, 1), (below, 0, 2)]
    for view in views:
        box.show(*view)
    return sheet, views


def pairs(box: Box, titles: Sequence[str], words: Words) -> tuple[Sheet, list[list[View]]]:
    """Two columns of panels side by side, with these titles."""
    sides = [box.axes] if len(box.axes) == 2 else [(0, 1), (0, 2)]
    heights = [box.size[up] for _, up in sides]
    wide, count = box.size[sides[0][0]], len(sides)
    scale = min((_WIDTH - 2.2 - 2 * _NUMBERS) / (2 * wide), _HIGH_PAIRS / sum(heights))
    height = scale * sum(heights) + 0.3 + count * _NUMBERS
    ratios = {"height_ratios": heights}
    sheet = sheet_of_height(words, height, rows=count, columns=2, gridspec_kw=ratios)
    _keep_left(sheet, 2 * scale * wide + 2 * _NUMBERS + 2.0)
    columns = [
        [(axes, across, up) for axes, (across, up) in zip(sheet.all_axes[k::2], sides)]
        for k in (0, 1)
    ]
    for column, title in zip(columns, titles):
        column[0][0].set_title(title, fontsize=10, fontweight="normal", loc="left", color=theme.INK)
        for view in column:
            box.show(*view)
    return sheet, columns


def sheet_of_height(words: Words, inches: float, **options: Any) -> Sheet:
    """`inches`: of what lies between the title and the footnote."""
    return Sheet(
        *words, width=round(100 * _WIDTH), height=round(100 * (inches + _AROUND)), **options
    )


def _keep_left(sheet: Sheet, wide: float) -> None:
    """Keeps panels of fixed shape on the left; a wider sheet would centre them."""
    layout: Any = sheet.figure.get_layout_engine()
    left, below, width, high = layout.get()["rect"]
    layout.set(rect=(left, below, min(width, wide / _WIDTH), high))
