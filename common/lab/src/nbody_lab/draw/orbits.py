"""Paths of bodies, from one side or three, and in space; many bodies are drawn as a crowd."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from nbody_lab.core.words import plural
from nbody_lab.draw import theme
from nbody_lab.draw.crowd import draw_crowd
from nbody_lab.draw.runs import Array, Run, places
from nbody_lab.draw.sheet import Sheet
from nbody_lab.draw.space import Box, box_around, neighbours, panels, staying

_MOST_PATHS = 40
_MOST_IN_TITLE, _LONGEST_NAMES = 4, 50  # bodies, letters
_AZIMUTH, _ELEVATION = -60, 24  # degrees: from where a box is seen


@dataclass(frozen=True)
class Paths:
    """What a picture of few bodies shows of a run."""

    run: Run
    box: Box
    places: Array  # (state, body, axis), in the unit of the box
    inside: list[int]  # the bodies that are in the box at any time
    leaving: list[int]  # those of them that go farther than the box reaches
    centre: int | None  # the body that rests in the middle

    def words(self, leaving: str, more: str = "") -> dict[str, Any]:
        """Of a sheet."""
        return {
            "name": self.run.picture_name(self.centre),
            "title": self._title(),
            "subtitle": f"{self.run.about()}; hollow: start, filled: end",
            "footnote": self.footnote(leaving) + more,
        }

    def _title(self) -> str:
        """Who leaves the others; whose orbits they are where nobody does."""
        run = self.run
        if self.leaving and self.centre is None:
            verb = "leaves" if len(self.leaving) == 1 else "leave"
            return f"{run.name}: {_list(map(run.name_of, self.leaving), 3)} {verb} the others"
        if self.centre is not None:
            return f"{run.name}: orbits relative to {run.name_of(self.centre)}"
        names = _list(run.first.names.values(), run.n)
        if len(run.first.names) == run.n <= _MOST_IN_TITLE and len(names) <= _LONGEST_NAMES:
            return f"{run.name}: orbits of {names}"
        return f"{run.name}: orbits of {plural(run.n, 'body', 'bodies')}"

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
    if len(words) > most:
        words[most - 1 :] = [f"{len(words) - most + 1} more"]
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def _draw_path(axes: Axes, path: Any, body: int, gid: str) -> None:
    """`path`: (axis, state). Hollow: start, filled: end."""
    look = theme.series(body)
    colour, line = look["color"], theme.line(look["color"], 1.3, look["linestyle"])
    axes.plot(*path, zorder=3, gid=f"path-{gid}", **line)
    hollow = theme.point(colour, 6.5) | {"markerfacecolor": theme.WHITE}
    axes.plot(*path[:, :1], zorder=4, gid=f"start-{gid}", **hollow)
    axes.plot(*path[:, -1:], zorder=4, gid=f"end-{gid}", **theme.point(colour, 5))


def _add_key(sheet: Sheet, axes: Axes, paths: Paths, beside: float = 1.03) -> None:
    """A slide has room for the first of them."""
    shown = paths.inside[: 12 if theme.is_slide() else None]
    for body in shown:
        look, name = theme.series(body), paths.run.name_of(body)
        # Labels that begin with an underscore are left out of a key.
        label = f"\N{ZERO WIDTH SPACE}{name}" if name.startswith("_") else name
        line = theme.line(look["color"], 1.8, look["linestyle"]) | {"marker": "o", "markersize": 5}
        axes.plot([], [], label=label, **line)
    columns = 1 if len(shown) <= 20 else 2
    sheet.legend_beside(axes, bbox_to_anchor=(beside, 1), ncols=columns)


def _draw_from_sides(paths: Paths) -> Sheet:
    sheet, views = panels(paths.box, paths.words("arrow: {} left the picture"))
    for axes, across, up in views:
        for body in paths.inside:
            path = paths.places[:, body]
            gid = f"{body + 1}-{'xyz'[across]}{'xyz'[up]}"
            _draw_path(axes, path[:, [across, up]].T, body, gid)
            _draw_exit(axes, paths.box, path, [across, up], body, f"left-{gid}")
    _add_key(sheet, views[1 if len(views) == 3 else 0][0], paths)
    return sheet


def _draw_exit(axes: Axes, box: Box, path: Array, sides: list[int], body: int, gid: str) -> None:
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
    look = theme.point(theme.series(body)["color"], 10) | {"marker": (3, 0, angle - 90)}
    axes.plot(x, y, clip_on=False, zorder=5, gid=gid, **look)


def _draw_in_space(paths: Paths) -> Sheet:
    """In a box seen from above one corner, with the paths' shadows on its floor. Equal lengths stay equal."""
    box = paths.box
    words = paths.words("a path ends where it leaves the box: {}", "; grey: shadows on the floor")
    words.update(name=f"{words['name']}_in_space", title=f"{words['title']}, in space")
    if box.unit_name:
        words["subtitle"] += f"; axes in {box.unit_name}"
    kind = {"projection": "3d", "proj_type": "ortho", "azim": _AZIMUTH, "elev": _ELEVATION}
    sheet = Sheet(**words, height=580, subplot_kw=kind)
    axes: Any = sheet.axes
    x, y, z = zip(box.low, box.high)
    axes.set(xlim=x, ylim=y, zlim=z)
    axes.set_box_aspect(box.size, zoom=0.95 if theme.is_slide() else 1.15)
    for number, axis in enumerate((axes.xaxis, axes.yaxis, axes.zaxis)):
        axis.set_label_text("xyz"[number])
        axis.set_pane_color(theme.WHITE)
        axis.line.set_color(theme.SOFT)
        box.set_ticks(axis, number)
    for body in paths.inside:
        path, gid = paths.places[:, body], str(body + 1)
        path = np.where(box.holds(path)[:, None], path, np.nan).T
        look = theme.line(theme.QUIET, 0.8)
        axes.plot(path[0], path[1], box.low[2], zorder=1.5, gid=f"shadow-{gid}", **look)
        _draw_path(axes, path, body, gid)
    _add_key(sheet, axes, paths, 1.16)
    return sheet
