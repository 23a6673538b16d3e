"""Paths of bodies, from one side or three, and in space; many bodies are drawn as a crowd."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from nbody_lab.core.words import plural
from nbody_lab.draw import theme
from nbody_lab.draw.crowd import draw_crowd
from nbody_lab.draw.frame import (
    HIGH,
    Box,
    Words,
    box_around,
    neighbours,
    panels,
    sheet_of_height,
    staying,
)
from nbody_lab.draw.runs import Array, Run, places
from nbody_lab.draw.sheet import Sheet

_MOST_PATHS = 40
_MOST_IN_TITLE, _LONGEST_NAMES = 4, 50  # bodies, letters


@dataclass(frozen=True)
class Paths:
    """What a picture of few bodies shows of a run."""

    run: Run
    box: Box
    places: Array  # (state, body, axis), in the unit of the box
    inside: list[int]  # the bodies that are in the box at any time
    leaving: list[int]  # those of them that go farther than the box reaches
    centre: int | None  # the body that rests in the middle

    def title(self) -> str:
        run = self.run
        if self.centre is not None:
            return f"{run.name}: orbits relative to {run.name_of(self.centre)}"
        names = _list(run.first.names.values(), run.n)
        if len(run.first.names) == run.n <= _MOST_IN_TITLE and len(names) <= _LONGEST_NAMES:
            return f"{run.name}: orbits of {names}"
        return f"{run.name}: orbits of {plural(run.n, 'body', 'bodies')}"

    def about(self) -> str:
        return f"{self.run.about()}; hollow: start, filled: end"

    def footnote(self, leaving: str) -> str:
        name_of, words = self.run.name_of, [self.run.source()]
        outside = [name_of(body) for body in range(self.run.n) if body not in self.inside]
        if self.leaving:
            words.append(leaving.format(_list(map(name_of, self.leaving), 8)))
        if outside:
            words.append(f"far outside the picture: {_list(outside, 8)}")
        return "; ".join(words)


def pictures_of_orbits(run: Run, around: str | None = None) -> list[Sheet]:
    """From one side or three and, unless the bodies lie in a plane, in space; one of a crowd. `around`: name or number
    from 1 of the body that rests in the middle. Raises BadFile."""
    centre = None if around is None else run.find_body(around)
    if run.n > _MOST_PATHS:
        return [draw_crowd(run, centre)]
    paths = _find_paths(run, centre)
    in_space = [_draw_in_space(paths)] if len(paths.box.axes) == 3 else []
    return [_draw_from_sides(paths), *in_space]


def _find_paths(run: Run, centre: int | None) -> Paths:
    ways = np.array([places(state) for state in run.states("reading")])
    if centre is None:
        stays = staying(ways)
        # Who leaves is seen to start.
        points = np.concatenate((ways[:, stays].reshape(-1, 3), ways[0]))
    else:
        ways = ways - ways[:, centre : centre + 1]
        stays = neighbours(ways)
        points = ways[:, stays]
    box = box_around(points, run.setting.is_si())
    ways = ways / box.unit
    inside = [body for body in range(run.n) if box.holds(ways[:, body]).any()]
    leaving = [body for body in inside if not stays[body]]
    return Paths(run, box, ways, inside, leaving, centre)


def _list(words: Iterable[str], most: int) -> str:
    """'Sun, Earth and Moon'; 'a, b and 7 more'."""
    words = list(words)
    if not words:
        return ""
    if len(words) > most:
        words[most - 1 :] = [f"{len(words) - most + 1} more"]
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


# --- from the sides ------------------------------------------------------------------------------


def _draw_from_sides(paths: Paths) -> Sheet:
    name, note = paths.run.picture_name(paths.centre), paths.footnote("arrow: {} left the picture")
    sheet, views = panels(paths.box, (name, paths.title(), paths.about(), note))
    for axes, across, up in views:
        for body in paths.inside:
            look, path = theme.series(body), paths.places[:, body]
            gid = f"{body + 1}-{'xyz'[across]}{'xyz'[up]}"
            _draw_path(axes, path[:, across], path[:, up], look, gid)
            _draw_exit(axes, paths.box, path, [across, up], look["color"], f"left-{gid}")
    _add_key(views[1 if len(views) == 3 else 0][0], paths)
    return sheet


def _draw_path(axes: Axes, x: Array, y: Array, look: dict[str, Any], gid: str) -> None:
    """Hollow: start, filled: end."""
    line = {"color": look["color"], "linestyle": look["linestyle"], "linewidth": 1.3}
    axes.plot(x, y, **line, zorder=3, gid=f"path-{gid}")
    mark = {"color": look["color"], "marker": "o", "linestyle": "", "zorder": 4}
    axes.plot(x[:1], y[:1], **mark, markerfacecolor=theme.WHITE, markersize=6.5, gid=f"start-{gid}")
    axes.plot(x[-1:], y[-1:], **mark, markersize=5, gid=f"end-{gid}")


def _draw_exit(axes: Axes, box: Box, path: Array, sides: list[int], colour: str, gid: str) -> None:
    """An arrow where the path leaves the panel for good."""
    inside = box.holds(path, sides)
    if inside[-1] or not inside.any():
        return
    k = np.flatnonzero(inside)[-1]
    here, way = path[k, sides], path[k + 1, sides] - path[k, sides]
    walls = np.where(way > 0, box.high[sides], box.low[sides])
    # Parts of the way, to each wall.
    parts = np.divide(walls - here, way, out=np.full(2, np.inf), where=way != 0)
    x, y = here + parts.min() * way
    angle = np.degrees(np.arctan2(way[1], way[0]))
    look: dict[str, Any] = {"marker": (3, 0, angle - 90), "markersize": 10, "color": colour}
    axes.plot(x, y, **look, clip_on=False, zorder=5, gid=gid)


def _add_key(axes: Axes, paths: Paths) -> None:
    for body in paths.inside:
        look, name = theme.series(body), paths.run.name_of(body)
        # Labels that begin with an underscore are left out of a key.
        label = f"\N{ZERO WIDTH SPACE}{name}" if name.startswith("_") else name
        line = {"color": look["color"], "linestyle": look["linestyle"], "marker": "o"}
        axes.plot([], [], **line, markersize=5, label=label)
    columns = 1 if len(paths.inside) <= 20 else 2
    axes.legend(loc="upper left", bbox_to_anchor=(1.03, 1), borderaxespad=0, ncols=columns)


# --- in space: a box seen from above one corner, with the paths' shadows on its floor --------------

_AZIMUTH, _ELEVATION = math.radians(-60), math.radians(24)  # of who looks
RIGHT = np.array([-math.sin(_AZIMUTH), math.cos(_AZIMUTH), 0])
UP = np.array(
    [
        -math.sin(_ELEVATION) * math.cos(_AZIMUTH),
        -math.sin(_ELEVATION) * math.sin(_AZIMUTH),
        math.cos(_ELEVATION),
    ]
)
_WIDE = 5.4  # inches of the box on the paper, at most
_ROOM = (0.95, 0.6, 0.65, 0.1)  # inches left, right, below and above it, for numbers and labels
# Each axis stands at an edge of the box, given by the sides (0 low, 1 high) of the other two; then where its numbers and
# its label go, in points from there.
_EDGES: tuple[tuple[int, tuple[int | None, ...], tuple[int, int], tuple[int, int]], ...] = (
    (0, (None, 0, 0), (-3, -4), (-12, -26)),
    (1, (1, None, 0), (4, -4), (22, -24)),
    (2, (0, 0, None), (-5, 0), (-44, 0)),
)
_WALLS = ((0, 0), (1, 1), (2, 0))  # (axis, side) of the three faces behind the paths


def project(points: Array) -> tuple[Any, Any]:
    """(across, up) on the paper, of points (..., 3); seen from far away, so that equal lengths stay equal."""
    return points @ RIGHT, points @ UP


def _draw_in_space(paths: Paths) -> Sheet:
    box, name = paths.box, f"{paths.run.picture_name(paths.centre)}_in_space"
    note = paths.footnote("a path ends where it leaves the box: {}")
    note += "; grey: shadows on the floor"
    sheet = _sheet_around(box, (name, f"{paths.title()}, in space", paths.about(), note))
    axes = sheet.axes
    _draw_walls(axes, box)
    for edge in _EDGES:
        _draw_edge(axes, box, *edge)
    for body in paths.inside:
        path, gid = paths.places[:, body], str(body + 1)
        path = np.where(box.holds(path)[:, None], path, np.nan)
        floor = path * (1, 1, 0) + (0, 0, box.low[2])
        axes.plot(
            *project(floor), color=theme.QUIET, linewidth=0.8, zorder=1.5, gid=f"shadow-{gid}"
        )
        _draw_path(axes, *project(path), theme.series(body), gid)
    _add_key(axes, paths)
    return sheet


def _corner(box: Box, sides: Sequence[int | None]) -> Array:
    return np.where(np.array(sides, dtype=bool), box.high, box.low)


def _sheet_around(box: Box, words: Words) -> Sheet:
    corners = [_corner(box, (x, y, z)) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    across, up = project(np.array(corners))
    scale = min(_WIDE / np.ptp(across), HIGH / np.ptp(up))  # inches for a unit of the box
    left, right, below, above = (room / scale for room in _ROOM)
    sheet = sheet_of_height(words, scale * np.ptp(up) + _ROOM[2] + _ROOM[3])
    sheet.axes.set(
        xlim=(across.min() - left, across.max() + right),
        ylim=(up.min() - below, up.max() + above),
        aspect="equal",
        xticks=[],
        yticks=[],
    )
    sheet.axes.set_anchor("NW")
    sheet.axes.axis("off")
    return sheet


def _draw_walls(axes: Axes, box: Box) -> None:
    """Outlines of the faces behind the paths, with lines at the ticks."""
    for wall, side in _WALLS:
        for at in (axis for axis in range(3) if axis != wall):
            for place in [box.low[at], *box.ticks(at)[0], box.high[at]]:
                ends = np.array([box.low, box.high])
                ends[:, wall] = (box.low, box.high)[side][wall]
                ends[:, at] = place
                gid = f"wall-{'xyz'[wall]}-{'xyz'[at]}"
                axes.plot(*project(ends), color=theme.GRID, linewidth=0.7, zorder=0, gid=gid)


def _draw_edge(
    axes: Axes,
    box: Box,
    axis: int,
    sides: Sequence[int | None],
    numbers_away: tuple[int, int],
    label_away: tuple[int, int],
) -> None:
    """Axis, numbers and label."""
    ends = np.array(
        [_corner(box, [end if side is None else side for side in sides]) for end in (0, 1)]
    )
    letter = "xyz"[axis]
    axes.plot(*project(ends), color=theme.SOFT, linewidth=0.9, zorder=1, gid=f"axis-{letter}")
    how: dict[str, Any] = {
        "textcoords": "offset points",
        "fontsize": 9,
        "annotation_clip": False,
        "ha": "left" if numbers_away[0] > 0 else "right",
        "va": "top" if numbers_away[1] < 0 else "center",
    }
    for place, words in zip(*box.ticks(axis)):
        point = ends[0].copy()
        point[axis] = place
        axes.annotate(words, project(point), numbers_away, **how, gid=f"tick-{letter}")
    middle = project(ends.mean(axis=0))
    axes.annotate(box.label(axis), middle, label_away, **how, gid=f"label-{letter}")
