"""Paths of bodies, from one side or three or in space; many bodies are drawn as a crowd."""

import math
from typing import NamedTuple

import numpy as np

from nbody_lab.draw import theme
from nbody_lab.draw.body_files import span_in_words
from nbody_lab.draw.crowd import crowd
from nbody_lab.draw.frame import AROUND, HIGH, WIDTH, Box, box_around, neighbours, panels, staying
from nbody_lab.draw.sheet import Sheet
from nbody_lab.export.body_text import BadFile

MOST_PATHS = 40
MOST_IN_TITLE = 4
MARKS = "hollow: start, filled: end"


class Paths(NamedTuple):
    """What a picture of few bodies shows."""

    box: Box
    places: np.ndarray  # (state, body, axis), in the unit of the box
    shown: np.ndarray  # for each body: does the box reach as far as it goes?
    inside: list  # numbers from 0 of the bodies that are in the box at any time
    centre: int | None  # the body that rests in the middle


def paths_of(series, around=None):
    """`around`: name of a body or its number from 1; it then rests in the middle."""
    centre = None if around is None else body_called(series, around)
    paths = np.array([state.places for state in series])
    if centre is None:
        shown = staying(paths)
        points = np.concatenate(
            (paths[:, shown].reshape(-1, 3), paths[0])
        )  # who leaves is seen to start
    else:
        paths = paths - paths[:, centre : centre + 1]
        shown = neighbours(paths)
        points = paths[:, shown]
    box = box_around(points, series.first.setting.is_si())
    paths = paths / box.unit
    inside = [body for body in range(series.n) if box.holds(paths[:, body]).any()]
    return Paths(box, paths, shown, inside, centre)


def orbits(series, around=None):
    """One view or three; a crowd if there are too many bodies for paths."""
    if series.n > MOST_PATHS:
        return crowd(series, None if around is None else body_called(series, around))
    drawn = paths_of(series, around)
    box, paths, inside = drawn.box, drawn.places, drawn.inside
    sheet, views = panels(
        box,
        series.picture_name(drawn.centre),
        title(series, drawn.centre),
        f"{subtitle(series)}; {MARKS}",
        footnote(series, drawn.shown, inside),
    )
    for axes, across, up in views:
        for body in inside:
            draw_path(
                axes,
                box,
                paths[:, body],
                (across, up),
                theme.series(body),
                f"{body + 1}-{'xyz'[across]}{'xyz'[up]}",
            )
    add_key(views[1][0] if len(views) == 3 else views[0][0], looks_of(series, inside))
    return sheet


def looks_of(series, inside):
    return [(theme.series(body), series.name_of(body)) for body in inside]


def body_called(series, word):
    """The body's index. Raises BadFile."""
    named = [body for body, name in series.first.names.items() if name.lower() == word.lower()]
    if len(named) == 1:
        return named[0]
    if word.isascii() and word.isdigit() and 1 <= int(word[:12]) <= series.n:
        return int(word) - 1
    known = ", ".join(list(series.first.names.values())[:12])
    what = "more than one body has the name" if named else "no body has the name or number"
    raise BadFile(
        f"--around {word}: {what} '{word}'; there are the numbers 1 to {series.n}{' and ' + known if known else ''}"
    )


def listed(words, most):
    """'Sun, Earth and Moon'; 'a, b and 7 more'."""
    words = list(words)
    if len(words) > most:
        words[most - 1 :] = [f"{len(words) - most + 1} more"]
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def title(series, centre):
    if centre is not None:
        return f"{series.name}: orbits relative to {series.name_of(centre)}"
    known = len(series.first.names) == series.n <= MOST_IN_TITLE
    who = (
        listed(series.first.names.values(), MOST_IN_TITLE)
        if known
        else f"{series.n} bod{'y' if series.n == 1 else 'ies'}"
    )
    return f"{series.name}: orbits of {who}"


def subtitle(series):
    return f"{span_in_words(series)}, {series.setting_in_words()}"


def footnote(series, shown, inside, leaves="arrow: {} left the picture"):
    words = [series.footnote()]
    left = [series.name_of(body) for body in inside if not shown[body]]
    never = [series.name_of(body) for body in range(series.n) if body not in inside]
    if left:
        words.append(leaves.format(listed(left, 8)))
    if never:
        words.append(f"far outside the picture: {listed(never, 8)}")
    return "; ".join(words)


def draw_path(axes, box, path, sides, look, gid):
    x, y = path[:, sides[0]], path[:, sides[1]]
    axes.plot(
        x, y, color=look["color"], linestyle=look["linestyle"], linewidth=1.3, gid=f"path-{gid}"
    )
    draw_ends(axes, x, y, look, gid)
    draw_exit(axes, box, path, sides, look["color"], f"left-{gid}")


def draw_ends(axes, x, y, look, gid):
    """Hollow: start, filled: end."""
    mark = {"color": look["color"], "marker": "o", "linestyle": "", "zorder": 4}
    axes.plot(x[:1], y[:1], **mark, markerfacecolor=theme.WHITE, markersize=6.5, gid=f"start-{gid}")
    axes.plot(x[-1:], y[-1:], **mark, markersize=5, gid=f"end-{gid}")


def draw_exit(axes, box, path, sides, colour, gid):
    """An arrow where the path leaves the panel for good."""
    inside = box.holds(path, sides)
    if inside[-1] or not inside.any():
        return
    k = np.flatnonzero(inside)[-1]
    here, way = path[k, list(sides)], path[k + 1, list(sides)] - path[k, list(sides)]
    walls = np.where(way > 0, box.high[list(sides)], box.low[list(sides)])
    parts = np.divide(
        walls - here, way, out=np.full(2, np.inf), where=way != 0
    )  # of the way, to each wall
    edge = here + parts.min() * way
    angle = np.degrees(np.arctan2(way[1], way[0]))
    axes.plot(
        *edge,
        marker=(3, 0, angle - 90),
        markersize=10,
        color=colour,
        clip_on=False,
        zorder=5,
        gid=gid,
    )


def add_key(axes, looks):
    for look, name in looks:
        axes.plot(
            [],
            [],
            color=look["color"],
            linestyle=look["linestyle"],
            marker="o",
            markersize=5,
            label=as_label(name),
        )
    axes.legend(
        loc="upper left",
        bbox_to_anchor=(1.03, 1),
        borderaxespad=0,
        ncols=1 if len(looks) <= 20 else 2,
    )


def as_label(name):
    """Labels that begin with an underscore are left out of a key."""
    return f"\N{ZERO WIDTH SPACE}{name}" if name.startswith("_") else name


# Paths of the bodies in space: a box seen from above one corner, with the paths' shadows on its floor.
AZIMUTH, ELEVATION = math.radians(-60), math.radians(24)  # of who looks
RIGHT = np.array([-math.sin(AZIMUTH), math.cos(AZIMUTH), 0])
UP = np.array(
    [
        -math.sin(ELEVATION) * math.cos(AZIMUTH),
        -math.sin(ELEVATION) * math.sin(AZIMUTH),
        math.cos(ELEVATION),
    ]
)
WIDE = 5.4  # inches of the box on the paper, at most
ROOM = (
    0.95,
    0.6,
    0.65,
    0.1,
)  # inches to its left and right, below and above, for numbers and labels
# Each axis stands at an edge of the box, given by the sides (0 low, 1 high) of the other two; then where its numbers and
# its label go, in points from there.
EDGES = (
    (0, (None, 0, 0), (-3, -4), (-12, -26)),
    (1, (1, None, 0), (4, -4), (22, -24)),
    (2, (0, 0, None), (-5, 0), (-44, 0)),
)
WALLS = ((0, 0), (1, 1), (2, 0))  # (axis, side) of the three faces behind the paths


def in_space(series, around=None):
    """A sheet; None if the system is planar or has too many bodies for paths."""
    if series.n > MOST_PATHS:
        return None
    drawn = paths_of(series, around)
    if len(drawn.box.axes) < 3:
        return None
    sheet = sheet_for(
        drawn.box,
        f"{series.picture_name(drawn.centre)}_in_space",
        f"{title(series, drawn.centre)}, in space",
        f"{subtitle(series)}; {MARKS}",
        f"{footnote(series, drawn.shown, drawn.inside, 'a path ends where it leaves the box: {}')}; grey: shadows on the floor",
    )
    axes = sheet.axes
    draw_walls(axes, drawn.box)
    for edge in EDGES:
        draw_axis(axes, drawn.box, *edge)
    for body in drawn.inside:
        draw_path_in_space(axes, drawn.box, drawn.places[:, body], theme.series(body), body + 1)
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
    sheet = Sheet(
        *words, round(100 * WIDTH), round(100 * (scale * np.ptp(up) + ROOM[2] + ROOM[3] + AROUND))
    )
    sheet.axes.set(
        xlim=(across.min() - left, across.max() + right),
        ylim=(up.min() - below, up.max() + above),
        aspect="equal",
    )
    sheet.axes.set_anchor("NW")
    sheet.axes.axis("off")
    sheet.axes.set(xticks=[], yticks=[])
    return sheet


def draw_walls(axes, box):
    """Outlines of the faces behind the paths, with lines at the ticks."""
    for wall, side in WALLS:
        others = [axis for axis in range(3) if axis != wall]
        for _along, at in (others, others[::-1]):
            for place in [box.low[at], *box.ticks(at)[0], box.high[at]]:
                ends = np.array([box.low, box.high])
                ends[:, wall] = (box.low, box.high)[side][wall]
                ends[:, at] = place
                axes.plot(
                    *seen(ends),
                    color=theme.GRID,
                    linewidth=0.7,
                    zorder=0,
                    gid=f"wall-{'xyz'[wall]}-{'xyz'[at]}",
                )


def draw_axis(axes, box, axis, sides, numbers_away, label_away):
    """Edge, numbers and label."""
    ends = np.array(
        [corner(box, [end if side is None else side for side in sides]) for end in (0, 1)]
    )
    axes.plot(*seen(ends), color=theme.SOFT, linewidth=0.9, zorder=1, gid=f"axis-{'xyz'[axis]}")
    how = {
        "textcoords": "offset points",
        "fontsize": 9,
        "annotation_clip": False,
        "ha": "left" if numbers_away[0] > 0 else "right",
        "va": "top" if numbers_away[1] < 0 else "center",
    }
    for place, words in zip(*box.ticks(axis)):
        point = ends[0].copy()
        point[axis] = place
        axes.annotate(words, seen(point), numbers_away, **how, gid=f"tick-{'xyz'[axis]}")
    axes.annotate(
        box.label(axis), seen(ends.mean(axis=0)), label_away, **how, gid=f"label-{'xyz'[axis]}"
    )


def draw_path_in_space(axes, box, path, look, number):
    inside = box.holds(path)[:, None]
    floor = path.copy()
    floor[:, 2] = box.low[2]
    axes.plot(
        *seen(np.where(inside, floor, np.nan)),
        color=theme.QUIET,
        linewidth=0.8,
        zorder=1.5,
        gid=f"shadow-{number}",
    )
    across, up = seen(np.where(inside, path, np.nan))
    axes.plot(
        across,
        up,
        color=look["color"],
        linestyle=look["linestyle"],
        linewidth=1.3,
        zorder=3,
        gid=f"path-{number}",
    )
    draw_ends(axes, across, up, look, number)
