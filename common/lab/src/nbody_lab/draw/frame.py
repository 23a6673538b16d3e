"""The region of space that a picture shows, its unit and its views, and the panels that show them."""

import math
from dataclasses import dataclass

import numpy as np

from nbody_lab.draw import theme
from nbody_lab.draw.sheet import LINE, MARGIN, Sheet
from nbody_lab.export.body_text import BadFile

PLANE = 0.01  # a system thinner than this part of its extent is drawn from one side
THINNEST = 0.2  # of the widest axis: no panel is a mere line
FAR = 5  # a body this many times farther than any was at the start has left
GAP = 10  # times as far as the nearer bodies: does not belong to them


@dataclass(frozen=True)
class Box:
    """Ranges of x, y and z in `unit`, whose name is `unit_name`. `axes` are those worth showing."""

    low: np.ndarray
    high: np.ndarray
    axes: tuple
    unit: float
    unit_name: str

    @property
    def size(self):
        return self.high - self.low

    def holds(self, points, axes=(0, 1, 2)):
        axes = list(axes)
        return ((points[..., axes] >= self.low[axes]) & (points[..., axes] <= self.high[axes])).all(
            axis=-1
        )

    def label(self, axis):
        return f"{'xyz'[axis]} ({self.unit_name})" if self.unit_name else "xyz"[axis]

    def show(self, axes, across, up):
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

    def ticks(self, axis):
        """Tick positions and labels. A short axis may have a smaller step, so that it has more than one tick."""
        longest, size = self.size.max(), self.size[axis]
        coarse, fine = (nice_step(size, most + 5 * size / longest) for most in (3, 3.5))
        ticks = ticks_between(self.low[axis], self.high[axis], min(nice_step(longest, 7), coarse))
        return ticks if len(ticks[0]) > 1 else ticks_between(self.low[axis], self.high[axis], fine)


def ticks_between(low, high, step):
    """Tick positions and labels."""
    steps = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return [k * step for k in steps], [f"{k * step:.10g}" for k in steps]


def nice_step(extent, most):
    """The smallest 1, 2 or 5 times a power of ten that divides the extent into at most `most` steps."""
    power = 10.0 ** math.floor(math.log10(extent / most))
    return next(k * power for k in (1, 2, 5, 10) if extent / (k * power) <= most)


def distances(places, centre):
    """Largest distance along any axis; unlike squares it cannot overflow."""
    return np.abs(places - centre).max(axis=-1)


def staying(paths):
    """A mask of the bodies that do not leave the others behind; all if most do. `paths` has axes (time, body, axis)."""
    centre = paths[0].mean(axis=0)
    stays = distances(paths, centre).max(axis=0) / FAR <= distances(paths[0], centre).max()
    return stays if 2 * stays.sum() >= len(stays) else np.ones_like(stays)


def neighbours(paths):
    """A mask of the bodies near the central one, for paths relative to it; all others are much farther away."""
    reach = distances(paths, 0).max(axis=0)
    others = np.sort(reach[reach > 0])
    gaps = np.flatnonzero(others[1:] > GAP * others[:-1])
    return reach <= (others[gaps[0]] if len(gaps) else np.inf)


def unit_of(extent, si):
    """(unit, name): a power of a thousand metres; without SI units only where numbers would be hard to read."""
    if not si and 0.01 <= extent < 1e4:
        return 1.0, ""
    power = 3 * math.floor(math.log10(extent) / 3)
    name = f"10^{power}" if power else ""
    return 10.0**power, f"{name}{' m' if si else ''}".strip()


def box_around(points, si):
    """`points`: (..., 3)."""
    points = points.reshape(-1, 3)
    low, high = points.min(axis=0), points.max(axis=0)
    with np.errstate(over="ignore"):
        extent = (high - low).max()
    if not extent < 1e300:
        raise BadFile("the bodies are too far apart for a picture")
    if extent == 0:
        extent = np.abs(points).max() or 1.0
    thin = [axis for axis in (2, 1, 0) if (high - low)[axis] < PLANE * extent]
    axes = tuple(axis for axis in range(3) if axis not in thin[:1])
    half = np.maximum((high - low) / 2 + 0.05 * extent, THINNEST * extent / 2)
    middle = low + (high - low) / 2
    unit, name = unit_of(np.abs([middle - half, middle + half])[:, list(axes)].max(), si)
    return Box((middle - half) / unit, (middle + half) / unit, axes, unit, name)


# Panels which show a box of space, all to one scale: a single plane, or x-y with the other two beside and below it.
WIDE, HIGH = 5.6, 5.6  # inches that panels may take together
HIGH_PAIRS = 6.4
WIDTH = 9.0  # inches of the sheet
NUMBERS = 0.7  # inches which numbers and labels take on the side of a panel, at most
AROUND = 0.62 + MARGIN + 2 * LINE  # inches above and below all panels: title, footnote


def panels(box, *words):
    """(sheet, [(axes, axis across, axis up)]): the widest view first. `words`: of the sheet."""
    if len(box.axes) == 2:
        return one_panel(box, *words)
    x, y, z = box.size
    scale = min(WIDE / (x + z), HIGH / (y + z))
    sheet = sheet_for(
        words,
        scale * (y + z),
        2,
        columns=2,
        gridspec_kw={"width_ratios": [x, z], "height_ratios": [y, z]},
    )
    keep_left(sheet, scale * (x + z) + 2 * NUMBERS + 1.4)
    first, beside, below, empty = sheet.all_axes
    empty.remove()
    for axes, anchor in zip((first, beside, below), ("SE", "SW", "NE")):
        axes.set_anchor(anchor)
    views = [(first, 0, 1), (beside, 2, 1), (below, 0, 2)]
    for view in views:
        box.show(*view)
    return sheet, views


def one_panel(box, *words):
    across, up = box.axes
    scale = min(WIDE / box.size[across], HIGH / box.size[up])
    sheet = sheet_for(words, scale * box.size[up], 1)
    sheet.axes.set_anchor("NW")
    box.show(sheet.axes, across, up)
    return sheet, [(sheet.axes, across, up)]


def pairs(box, titles, *words):
    """(sheet, [[(axes, across, up), ...], ...]): two columns of panels side by side, with these titles."""
    sides = [box.axes] if len(box.axes) == 2 else [(0, 1), (0, 2)]
    heights = [box.size[up] for _, up in sides]
    wide = box.size[sides[0][0]]
    scale = min((WIDTH - 2.2 - 2 * NUMBERS) / (2 * wide), HIGH_PAIRS / sum(heights))
    sheet = sheet_for(
        words,
        scale * sum(heights) + 0.3,
        len(sides),
        columns=2,
        gridspec_kw={"height_ratios": heights},
    )
    keep_left(sheet, 2 * scale * wide + 2 * NUMBERS + 2.0)
    columns = [[(axes, *side) for axes, side in zip(sheet.all_axes[k::2], sides)] for k in (0, 1)]
    for column, title in zip(columns, titles):
        column[0][0].set_title(title, fontsize=10, fontweight="normal", loc="left", color=theme.INK)
        for view in column:
            box.show(*view)
    return sheet, columns


def sheet_for(words, high, rows, **options):
    return Sheet(
        *words,
        round(100 * WIDTH),
        round(100 * (high + AROUND + NUMBERS * rows)),
        rows=rows,
        **options,
    )


def keep_left(sheet, wide):
    """Keeps panels of fixed shape on the left; a wider sheet would centre them."""
    left, below, width, high = sheet.figure.get_layout_engine().get()["rect"]
    sheet.figure.get_layout_engine().set(rect=(left, below, min(width, wide / WIDTH), high))
