"""The axes of a roofline and the places of its labels. The axes depend on the ceilings alone, so pictures of one
machine can be laid over each other."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.text import Annotation, Text

from nbody_lab.core.results import Ceiling, Roofline
from nbody_lab.draw import theme
from nbody_lab.draw.sheet import Shape, Sheet, box_around, corners_of, overlap
from nbody_lab.roofline.ceilings import issued_level

# Times below the lowest peak, and left of the lowest ridge in float: what is slow lies there.
BELOW, LEFT = 10, 2
RIGHT = 20.0  # flop/byte: blocked loops of this problem reach ten
STEPS = (1, 2, 5, 10)

Place = tuple[float, float]
Range = tuple[float, float]


def steps_between(low: float, high: float) -> list[float]:
    """1, 2, 5, 10, 20, ... from low to high, both included."""
    first = math.floor(math.log10(low) + 1e-9)
    every = (step * 10.0**power for power in range(first, first + 40) for step in STEPS[:3])
    return [float(f"{one:.1g}") for one in every if low * 0.999 <= one <= high * 1.001]


def _rounded(value: float, upwards: bool) -> float:
    """The next 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value) + 1e-9)
    share = value / power
    step = (
        next(one for one in STEPS if one >= share * 0.999)
        if upwards
        else max(one for one in STEPS if one <= share * 1.001)
    )
    return float(f"{step * power:.1g}")


def _ridges(rows: Sequence[Ceiling]) -> Iterator[float]:
    """flop/byte at which a peak meets the loads of its own instruction set."""
    level = issued_level(rows)
    for peak in rows:
        if peak.kind == "flops" and peak.precision == "float":
            yield from (
                peak.best / load.best
                for load in rows
                if load.kind == "bandwidth"
                and load.level == level
                and load.operation == "load"
                and load.instruction_set == peak.instruction_set
                and load.threads == peak.threads
            )


def ranges(data: Roofline) -> tuple[Range, Range]:
    """((flop/byte from, to), (flop/s from, to)). Both precisions share them, and what spread too much counts as well: the axes
    stay where they are when it is measured again. Programs without threads lie below those of one thread, whatever the picture."""
    rows = data.ceilings.of_place(data.where)
    peaks = [row for row in rows if row.kind == "flops"]
    own = [row.best for row in peaks if row.threads == data.threads] or [row.best for row in peaks]
    lowest = min(_ridges(rows), default=0.2)
    return (
        (_rounded(min(lowest / LEFT, 0.1), False), RIGHT),
        (_rounded(min(row.best for row in peaks) / BELOW, False), _rounded(1.05 * max(own), True)),
    )


# Places the labels of a roofline beside their lines and points, without overlap.
MARKER = 9  # pixels, of a point
PIXELS_A_POINT = theme.PIXELS_PER_INCH / 72
GAP = 4  # pixels between two numbers, so that 2 beside 7 is not 27
EDGE = 3  # pixels between a text and the axes
CROWD = 8  # pixels: points so near to each other share a label
AWAY = (13, 20, 28, 38, 50, 64)
AROUND = (0, 180, 45, 135, 315, 225, 90, 270)  # degrees, best first


class Labels:
    """Labels of one axes, whose place on the sheet is final."""

    def __init__(self, sheet: Sheet, axes: Axes) -> None:
        sheet.settle()
        self.axes, self.renderer = axes, sheet.figure.canvas.get_renderer()
        self.taken: list[Shape] = []
        self.lines: list[Shape] = []

    def pixels(self, x: float, y: float) -> Any:
        return self.axes.transData.transform((x, y))

    def data(self, place: Place) -> Any:
        return self.axes.transData.inverted().transform(place)

    def occupy(self, x: float, y: float, size: float = MARKER) -> None:
        self.taken.append(box_around(self.pixels(x, y), size, size))

    def keep_off(self, *ends: Place) -> None:
        """Texts avoid this line if any other place is free."""
        self.lines.append(np.array([self.pixels(*end) for end in ends]))

    def crowds(self, places: Sequence[Place]) -> list[list[int]]:
        """Groups the indices of places that overlap."""
        groups: list[list[int]] = []
        for k, place in enumerate(places):
            group = next(
                (
                    group
                    for group in groups
                    if math.dist(self.pixels(*places[group[0]]), self.pixels(*place)) < CROWD
                ),
                None,
            )
            if group:
                group.append(k)
            else:
                groups.append([k])
        return groups

    def _inside(self, shape: Shape) -> bool:
        frame = self.axes.get_window_extent(self.renderer)
        (left, low), (right, high) = shape.min(axis=0), shape.max(axis=0)
        return bool(
            left >= frame.x0 + EDGE
            and low >= frame.y0 + EDGE
            and right <= frame.x1 - EDGE
            and high <= frame.y1
        )

    def _free(self, text: Text, gap: float, avoided: Iterable[Shape]) -> bool:
        shape = corners_of(text, self.renderer) + gap * np.array([(-1, 0), (1, 0), (1, 0), (-1, 0)])
        return self._inside(shape) and not any(overlap(shape, other) for other in avoided)

    def _first_free(
        self,
        text: Text,
        moves: Sequence[Callable[[], None]],
        gap: float = 0,
        strictly: bool = False,
    ) -> bool:
        """Tries one place after another, first off all lines, then, unless `strictly`, on some. Keeps the last place if none
        is free. True if one was free."""
        for avoided in ([*self.taken, *self.lines], *([] if strictly else [self.taken])):
            for move in moves:
                move()
                if self._free(text, gap, avoided):
                    return True
        return False

    def beside(self, x: float, y: float, words: str, gid: str) -> None:
        """A number beside its point; a thin line leads to it from afar."""
        middle = self.pixels(x, y)
        text = self.axes.text(
            x, y, words, fontsize=8.5, ha="center", va="center", color=theme.INK, gid=gid, zorder=8
        )

        wider = (text.get_window_extent(self.renderer).width - 8) / 2

        def to(away: float, degrees: float) -> None:
            angle = math.radians(degrees)
            text.set_position(
                self.data(
                    (
                        middle[0] + (away + wider) * math.cos(angle),
                        middle[1] + away * math.sin(angle),
                    )
                )
            )

        moves = [partial(to, away, degrees) for away in AWAY for degrees in AROUND]
        self._first_free(text, moves, GAP)
        self.taken.append(corners_of(text, self.renderer))
        nearest = self._nearest_of(text, middle)
        if math.dist(nearest, middle) > AWAY[0]:
            self.axes.plot(
                *zip((x, y), self.data(nearest)), color=theme.SOFT, linewidth=0.6, zorder=3
            )

    def _nearest_of(self, text: Text, place: Place) -> Place:
        """The pixel of an upright text's box that is nearest to a place."""
        box = text.get_window_extent(self.renderer)
        return min(max(place[0], box.x0), box.x1), min(max(place[1], box.y0), box.y1)

    def along(self, line: tuple[Place, Place], choice: Sequence[str], gid: str) -> None:
        """On a slope: `line` is ((x, y), (x, y)). From its lower end upwards, then below it; by the first words of the choice
        for which there is room."""
        (x0, y0), (x1, y1) = (self.pixels(*end) for end in line)
        degrees = math.degrees(math.atan2(y1 - y0, x1 - x0))
        text = self.axes.text(
            *line[0],
            "",
            fontsize=8,
            rotation=degrees,
            rotation_mode="anchor",
            color=theme.SOFT,
            gid=gid,
            zorder=7,
        )

        def to(share: float, side: int) -> None:
            text.set_verticalalignment("bottom" if side > 0 else "top")
            off = 2.0 * side
            text.set_position(
                self.data(
                    (
                        x0 + share * (x1 - x0) - off * math.sin(math.radians(degrees)),
                        y0 + share * (y1 - y0) + off * math.cos(math.radians(degrees)),
                    )
                )
            )

        shares = [k / 40 for k in range(1, 38)]
        moves = [partial(to, share, side) for side in (1, -1) for share in shares]
        for words in (*choice, choice[0]):
            text.set_text(words)
            if self._first_free(text, moves, strictly=words != choice[0]):
                break
        self.taken.append(corners_of(text, self.renderer))

    def at_the_edge(
        self, x: float, labelled: Sequence[tuple[Ceiling, Annotation]], gap: float
    ) -> None:
        """`labelled`: (row, its annotation to the right of the axes), in rising order: moved apart, each with a thin line."""
        heights = [self.pixels(x, row.best)[1] for row, _ in labelled]
        for (row, label), height, moved in zip(labelled, heights, spread_out(heights, gap)):
            right = label.get_position()[0]
            label.set_position((right, (moved - height) / PIXELS_A_POINT))
            end = self.data((self.pixels(x, row.best)[0] + (right - 2) * PIXELS_A_POINT, moved))
            self.axes.plot(
                [x, end[0]], [row.best, end[1]], color=theme.SOFT, linewidth=0.6, clip_on=False
            )


def spread_out(heights: Sequence[float], gap: float) -> list[float]:
    """Heights in rising order, moved so that `gap` lies between two, as little as may be."""
    groups: list[Any] = []  # [wanted middle of the group, its members]
    for height in heights:
        groups.append([[height], height])
        while (
            len(groups) > 1
            and groups[-1][1] - groups[-2][1] < gap * (len(groups[-1][0]) + len(groups[-2][0])) / 2
        ):
            members = groups[-2][0] + groups.pop()[0]
            groups[-1] = [members, sum(members) / len(members)]
    return [
        middle + gap * (k - (len(members) - 1) / 2)
        for members, middle in groups
        for k in range(len(members))
    ]
