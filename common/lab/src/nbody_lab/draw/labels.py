"""Places texts beside points and along lines, so that none lies on another.

By own code: the libraries that place labels know upright texts only, so that a name along a slope would take the room of
the box around it; none lets two points share a label, or chooses a shorter name for lack of room.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.container import ErrorbarContainer
from matplotlib.path import Path
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Affine2D

from nbody_lab.draw import theme
from nbody_lab.draw.sheet import Sheet

Place = tuple[float, float]

_LEAD = theme.line(width=0.6)  # from a point to its words
_MARKER = 9  # pixels, of a point
_PIXELS_A_POINT = theme.PIXELS_PER_INCH / 72
_GAP = 4  # pixels between two numbers, so that 2 beside 7 is not 27
_EDGE = 3  # pixels between a text and the axes
_CROWD = 8  # pixels: points so near to each other share a label
_AWAY = (13, 20, 28, 38, 50, 64)  # pixels from a point, best first
_FROM_EDGE = 16  # points from the axes to the name of a line
_LINE_OF_NAMES = 15  # pixels between the names of two lines
_NAME: theme.Look = theme.OFFSET | {"fontsize": theme.SMALL, "va": "center"}
_AROUND = (0, 180, 45, 135, 315, 225, 90, 270)  # degrees, best first


class EdgeLabel(NamedTuple):
    """A text to the right of the axes."""

    place: Place  # of what it names
    text: Annotation
    lead: theme.Look = _LEAD


def outline(text: Text, renderer: Any, beside: float = 0) -> Path:
    """The four corners of a text in pixels, also of one that is rotated about its anchor. Letters may touch: half a
    pixel at each side does not count. `beside`: how much more it takes to the left and right."""
    angle = text.get_rotation() if text.get_rotation_mode() == "anchor" else 0
    if angle:
        text.set_rotation(0)
    box = text.get_window_extent(renderer).padded(beside - 0.5, -0.5)
    if not angle:
        return Path(box.corners()[[0, 1, 3, 2, 0]])
    text.set_rotation(angle)
    anchor = text.get_transform().transform(text.get_unitless_position())
    turn = Affine2D().rotate_deg_around(anchor[0], anchor[1], angle)
    return Path(turn.transform(box.corners()[[0, 1, 3, 2, 0]]))


def _square(x: float, y: float) -> Path:
    """What a marker takes."""
    corners = Path([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)])
    return Affine2D().scale(_MARKER / 2).translate(x, y).transform_path(corners)


def overlap(one: Path, other: Path) -> bool:
    return bool(one.intersects_path(other, filled=True))


def spread_out(heights: Sequence[float], gap: float) -> list[float]:
    """Heights in rising order, moved so that `gap` lies between two, as little as may be."""
    groups: list[list[float]] = []  # of heights whose places touch
    for height in heights:
        groups.append([height])
        while len(groups) > 1:
            low, high = groups[-2:]
            if np.mean(high) - np.mean(low) >= gap * (len(low) + len(high)) / 2:
                break
            groups[-2:] = [low + high]
    return [
        float(np.mean(group)) + gap * (k - (len(group) - 1) / 2)
        for group in groups
        for k in range(len(group))
    ]


class Labels:
    """Labels of the first axes of a sheet, whose place is final from now on. None lies on a marker that is drawn there, and
    lines without markers are avoided if any other place is free."""

    def __init__(self, sheet: Sheet) -> None:
        sheet.settle()
        self._axes: Axes = sheet.axes
        self._renderer = sheet.canvas.get_renderer()
        self._frame = self._axes.get_window_extent(self._renderer).padded(-_EDGE)
        self._taken: list[Path] = []
        self._lines: list[Path] = []
        for line in self._axes.lines:
            pixels = line.get_transform().transform(line.get_xydata())
            if line.get_marker() == "None":
                self._lines.append(Path(pixels))
            else:
                self._taken += [_square(*place) for place in pixels]

    def _pixels(self, x: float, y: float) -> Any:
        return self._axes.transData.transform((x, y))

    def _data(self, pixels: Any) -> Any:
        return self._axes.transData.inverted().transform(pixels)

    def crowds(self, places: Sequence[Place]) -> list[list[int]]:
        """Groups the indices of places that overlap."""
        groups: list[list[int]] = []
        for k, place in enumerate(places):
            here = self._pixels(*place)
            near = [g for g in groups if math.dist(self._pixels(*places[g[0]]), here) < _CROWD]
            if near:
                near[0].append(k)
            else:
                groups.append([k])
        return groups

    def _is_free(self, text: Text, beside: float, avoided: Iterable[Path]) -> bool:
        shape = outline(text, self._renderer, beside)
        inside = all(self._frame.contains(x, y) for x, y in np.asarray(shape.vertices))
        return inside and not any(overlap(shape, other) for other in avoided)

    def _place(
        self, text: Text, moves: Sequence[Callable[[], None]], beside: float, strictly: bool
    ) -> bool:
        """Tries one place after another, first off all lines, then, unless `strictly`, on some. Keeps the last place if none
        is free. True if one was free."""
        for avoided in ([*self._taken, *self._lines], *([] if strictly else [self._taken])):
            for move in moves:
                move()
                if self._is_free(text, beside, avoided):
                    return True
        return False

    def beside(self, x: float, y: float, words: str, gid: str) -> None:
        """Beside its point; a thin line leads to it from afar."""
        middle = self._pixels(x, y)
        text = self._axes.text(x, y, words, gid=gid, zorder=8, fontsize=8.5)
        text.set(ha="center", va="center")
        wider = (text.get_window_extent(self._renderer).width - 8) / 2

        def move(away: float, degrees: float) -> None:
            cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
            text.set_position(self._data(middle + np.array([(away + wider) * cos, away * sin])))

        moves = [partial(move, away, degrees) for away in _AWAY for degrees in _AROUND]
        self._place(text, moves, _GAP, strictly=False)
        self._taken.append(outline(text, self._renderer))
        box = text.get_window_extent(self._renderer)
        nearest = np.clip(middle, (box.x0, box.y0), (box.x1, box.y1))
        if math.dist(nearest, middle) > _AWAY[0]:
            ends = zip((x, y), self._data(nearest))
            self._axes.plot(*ends, zorder=3, **_LEAD)

    def along(self, line: tuple[Place, Place], choice: Sequence[str], gid: str) -> None:
        """On a slope, from its lower end upwards, then below it; by the first words of the choice for which there is room."""
        start, end = (self._pixels(*place) for place in line)
        angle = math.atan2(*(end - start)[::-1])
        off = 2 * np.array([-math.sin(angle), math.cos(angle)])
        look = theme.ASIDE | {"rotation": math.degrees(angle), "rotation_mode": "anchor"}
        text = self._axes.text(*line[0], "", gid=gid, zorder=7, **look)

        def move(share: float, side: int) -> None:
            text.set_verticalalignment("bottom" if side > 0 else "top")
            text.set_position(self._data(start + share * (end - start) + side * off))

        moves = [partial(move, k / 40, side) for side in (1, -1) for k in range(1, 38)]
        for words in (*choice, choice[0]):
            text.set_text(words)
            if self._place(text, moves, 0, strictly=words != choice[0]):
                break
        self._taken.append(outline(text, self._renderer))

    def at_the_edge(self, labels: Sequence[EdgeLabel], gap: float) -> None:
        """Moved apart, from below, each with a thin line to its place."""
        labels = sorted(labels, key=lambda label: label.place[1])
        heights = [self._pixels(*label.place)[1] for label in labels]
        edge = self._axes.bbox.x1
        for label, height, moved in zip(labels, heights, spread_out(heights, gap)):
            right = label.text.get_position()[0]
            label.text.set_position((right, (moved - height) / _PIXELS_A_POINT))
            end = self._data((edge + (right - 2) * _PIXELS_A_POINT, moved))
            ends = zip(label.place, end)
            self._axes.plot(*ends, clip_on=False, **label.lead)


def _end_of(axes: Axes, handle: Any, words: str) -> tuple[Place, str]:
    """Of a line with a label, or of the last of its pieces; and its colour."""
    whole = handle.lines[0] if isinstance(handle, ErrorbarContainer) else handle
    pieces = [one for one in axes.lines if (one.get_gid() or "").startswith(f"line-{words}-")]
    line: Any = (pieces or [whole])[-1]
    x, y = line.get_xydata()[-1]
    return (x, y), line.get_color()


def name_lines(sheet: Sheet) -> None:
    """Each line's name to the right of its end, in place of a legend."""
    axes, labels = sheet.axes, []
    axes.autoscale(False)  # the thin lines leave the axes
    right = axes.get_xlim()[1]
    for handle, words in zip(*axes.get_legend_handles_labels()):
        place, colour = _end_of(axes, handle, words)
        look = _NAME | {"gid": f"label-{words}"}
        text = axes.annotate(words, (right, place[1]), (_FROM_EDGE, 0), **look)
        labels.append(EdgeLabel(place, text, theme.line(colour, 0.9)))
    Labels(sheet).at_the_edge(labels, _LINE_OF_NAMES)
