"""Paths of the bodies in space: a box seen from above one corner, with the paths' shadows on its floor."""

import math

import numpy as np

import theme
from orbits import MARKS, MOST_PATHS, add_key, draw_ends, footnote, looks_of, paths_of, subtitle, title
from panels import AROUND, HIGH, WIDTH
from sheet import Sheet

AZIMUTH, ELEVATION = math.radians(-60), math.radians(24)  # of who looks
RIGHT = np.array([-math.sin(AZIMUTH), math.cos(AZIMUTH), 0])
UP = np.array([-math.sin(ELEVATION) * math.cos(AZIMUTH), -math.sin(ELEVATION) * math.sin(AZIMUTH), math.cos(ELEVATION)])
WIDE = 5.4  # inches of the box on the paper, at most
ROOM = (0.95, 0.6, 0.65, 0.1)  # inches to its left and right, below and above, for numbers and labels
# Each axis stands at an edge of the box, given by the sides (0 low, 1 high) of the other two; then where its numbers and
# its label go, in points from there.
EDGES = ((0, (None, 0, 0), (-3, -4), (-12, -26)), (1, (1, None, 0), (4, -4), (22, -24)), (2, (0, 0, None), (-5, 0), (-44, 0)))
WALLS = ((0, 0), (1, 1), (2, 0))  # (axis, side) of the three faces behind the paths


def in_space(series, around=None):
    """A sheet; None if the system is planar or has too many bodies for paths."""
    if series.n > MOST_PATHS:
        return None
    drawn = paths_of(series, around)
    if len(drawn.box.axes) < 3:
        return None
    sheet = sheet_for(drawn.box, f"{series.picture_name(drawn.centre)}_in_space", f"{title(series, drawn.centre)}, in space",
                      f"{subtitle(series)}; {MARKS}",
                      f"{footnote(series, drawn.shown, drawn.inside, 'a path ends where it leaves the box: {}')}; grey: shadows on the floor")
    axes = sheet.axes
    draw_walls(axes, drawn.box)
    for edge in EDGES:
        draw_axis(axes, drawn.box, *edge)
    for body in drawn.inside:
        draw_path(axes, drawn.box, drawn.places[:, body], theme.series(body), body + 1)
    add_key(axes, looks_of(series, drawn.inside))
    return sheet


def seen(points):
    """(across, up) on the paper, of points (..., 3); seen from far away, so that equal lengths stay equal."""
    points = np.asarray(points)
    return points @ RIGHT, points @ UP


def corner(box, sides):
    return np.where(np.array(sides, dtype=bool), box.high, box.low)


def sheet_for(box, *words):
    across, up = seen([corner(box, (x, y, z)) for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    scale = min(WIDE / np.ptp(across), HIGH / np.ptp(up))  # inches for a unit of the box
    left, right, below, above = (room / scale for room in ROOM)
    sheet = Sheet(*words, round(100 * WIDTH), round(100 * (scale * np.ptp(up) + ROOM[2] + ROOM[3] + AROUND)))
    sheet.axes.set(xlim=(across.min() - left, across.max() + right), ylim=(up.min() - below, up.max() + above), aspect="equal")
    sheet.axes.set_anchor("NW")
    sheet.axes.axis("off")
    sheet.axes.set(xticks=[], yticks=[])
    return sheet


def draw_walls(axes, box):
    """Outlines of the faces behind the paths, with lines at the ticks."""
    for wall, side in WALLS:
        others = [axis for axis in range(3) if axis != wall]
        for along, at in (others, others[::-1]):
            for place in [box.low[at], *box.ticks(at)[0], box.high[at]]:
                ends = np.array([box.low, box.high])
                ends[:, wall] = (box.low, box.high)[side][wall]
                ends[:, at] = place
                axes.plot(*seen(ends), color=theme.GRID, linewidth=0.7, zorder=0, gid=f"wall-{'xyz'[wall]}-{'xyz'[at]}")


def draw_axis(axes, box, axis, sides, numbers_away, label_away):
    """Edge, numbers and label."""
    ends = np.array([corner(box, [end if side is None else side for side in sides]) for end in (0, 1)])
    axes.plot(*seen(ends), color=theme.SOFT, linewidth=0.9, zorder=1, gid=f"axis-{'xyz'[axis]}")
    how = {"textcoords": "offset points", "fontsize": 9, "annotation_clip": False,
           "ha": "left" if numbers_away[0] > 0 else "right", "va": "top" if numbers_away[1] < 0 else "center"}
    for place, words in zip(*box.ticks(axis)):
        point = ends[0].copy()
        point[axis] = place
        axes.annotate(words, seen(point), numbers_away, **how, gid=f"tick-{'xyz'[axis]}")
    axes.annotate(box.label(axis), seen(ends.mean(axis=0)), label_away, **how, gid=f"label-{'xyz'[axis]}")


def draw_path(axes, box, path, look, number):
    inside = box.holds(path)[:, None]
    floor = path.copy()
    floor[:, 2] = box.low[2]
    axes.plot(*seen(np.where(inside, floor, np.nan)), color=theme.QUIET, linewidth=0.8, zorder=1.5, gid=f"shadow-{number}")
    across, up = seen(np.where(inside, path, np.nan))
    axes.plot(across, up, color=look["color"], linestyle=look["linestyle"], linewidth=1.3, zorder=3, gid=f"path-{number}")
    draw_ends(axes, across, up, look, number)
