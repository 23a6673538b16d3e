"""Paths of bodies, from one side or three, and in space. Many bodies are drawn at the start and the end only: as dots, or
by their number in each cell."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from nbody_lab.core.body_text import PLACE
from nbody_lab.core.words import plural
from nbody_lab.draw import theme
from nbody_lab.draw.runs import Array, Run, vectors
from nbody_lab.draw.sheet import Sheet
from nbody_lab.draw.space import (
    Box,
    Columns,
    Mask,
    box_around,
    distances,
    neighbours,
    panels,
    staying,
)

_MOST_PATHS = 40
_MOST_IN_TITLE, _LONGEST_NAMES = 4, 50  # bodies, letters
_AZIMUTH, _ELEVATION = -60, 24  # degrees: from where a box is seen
_MOST_DOTS = 1500
_CELLS = 72  # along the longest side of the box
_MIDDLE = 0.98  # this share of the bodies is always shown


def pictures_of_orbits(run: Run, around: str | None = None) -> list[Sheet]:
    """From one side or three and, unless the bodies lie in a plane, in space; one of a crowd. `around`: name or number
    from 1 of the body that rests in the middle. Raises BadFile."""
    centre = None if around is None else run.find_body(around)
    if run.n > _MOST_PATHS:
        return [_draw_crowd(run, centre)]
    paths = _find_paths(run, centre)
    in_space = [_draw_in_space(paths)] if len(paths.box.axes) == 3 else []
    return [_draw_from_sides(paths), *in_space]


# --- paths of few bodies -------------------------------------------------------------------------


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


def _list(words: Iterable[str], most: int) -> str:
    """'Sun, Earth and Moon'; 'a, b and 7 more'."""
    words = list(words)
    if len(words) > most:
        words[most - 1 :] = [f"{len(words) - most + 1} more"]
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def _find_paths(run: Run, centre: int | None) -> Paths:
    ways = np.array([vectors(state, PLACE) for state in run.states("reading")])
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
        look |= {"linewidth": 1.8, "marker": "o", "markersize": 5}
        axes.plot([], [], label=label, **look)
    columns = 1 if len(shown) <= 20 else 2
    sheet.legend_beside(axes, bbox_to_anchor=(beside, 1), ncols=columns)


def _draw_from_sides(paths: Paths) -> Sheet:
    """A plane, or x-y with the other two views beside and below it."""
    box = paths.box
    views: Columns = [[(0, 1), (0, 2)], [(2, 1), None]]
    if len(box.axes) == 2:
        views = [[(box.axes[0], box.axes[1])]]
    sheet, columns = panels(box, views, paths.words("arrow: {} left the picture"))
    for axes, across, up in [column[0] for column in columns] + columns[0][1:]:
        for body in paths.inside:
            path = paths.places[:, body]
            gid = f"{body + 1}-{'xyz'[across]}{'xyz'[up]}"
            _draw_path(axes, path[:, [across, up]].T, body, gid)
            _draw_exit(axes, box, path, [across, up], body, f"left-{gid}")
    _add_key(sheet, columns[-1][0][0], paths)
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
        look = theme.line(theme.QUIET, 0.8) | {"zorder": 1.5}
        axes.plot(path[0], path[1], box.low[2], gid=f"shadow-{gid}", **look)
        _draw_path(axes, path, body, gid)
    _add_key(sheet, axes, paths, 1.16)
    return sheet


# --- many bodies: a crowd ------------------------------------------------------------------------


def _draw_crowd(run: Run, centre: int | None) -> Sheet:
    """`centre`: the body that rests in the middle."""
    ends = np.array([vectors(state, PLACE) for state in (run.first, run.last)])
    if centre is not None:
        ends = ends - ends[:, centre : centre + 1]
    box = box_around(ends[_near(ends)], run.setting.is_si())
    ends = ends / box.unit
    about = "" if centre is None else f" relative to {run.name_of(centre)}"
    outside = (~box.holds(ends)).sum(axis=1)
    note = f"; outside the picture: {outside[0]} at the start, {outside[1]} at the end"
    words = {
        "name": run.picture_name(centre),
        "title": f"{run.name}: {run.n} bodies{about}, start and end",
        "subtitle": run.about(),
        "footnote": run.source() + (note if outside.any() else ""),
    }
    views = [(0, 1), (0, 2)] if len(box.axes) == 3 else [(box.axes[0], box.axes[1])]
    sheet, columns = panels(box, [views, views], words)
    grids = [count_bodies(box, bodies, box.axes[:2]) for bodies in ends]
    levels = _levels_for(max(grid.max() for grid in grids))
    unit, unit_name = run.time_unit()
    for word, state, bodies, column in zip(("start", "end"), (run.first, run.last), ends, columns):
        title = f"{word}, time {state.time / unit:.4g} {unit_name}".strip()
        column[0][0].set_title(title)
        for axes, across, up in column:
            gid = f"{word}-{'xyz'[across]}{'xyz'[up]}"
            if run.n <= _MOST_DOTS:
                look = theme.point(theme.FILL, 2.6) | {"markeredgewidth": 0, "alpha": 0.7}
                axes.plot(bodies[:, across], bodies[:, up], gid=f"dots-{gid}", **look)
            else:
                _draw_cells(axes, box, bodies, (across, up), levels, gid)
    if run.n > _MOST_DOTS:
        _add_key_of_cells(sheet, columns[1][0][0], levels)
    return sheet


def _near(ends: Array) -> Mask:
    """The bodies that are not far outside, as a mask of (state, body)."""
    away = distances(ends, np.median(ends, axis=(0, 1)))
    reach = np.quantile(away, _MIDDLE)
    near: Mask = away <= (np.inf if away.max() <= 1.5 * reach else 1.2 * reach)
    return near


def _cell_size(box: Box) -> float:
    return float(box.size.max()) / _CELLS


def count_bodies(box: Box, bodies: Array, sides: tuple[int, ...]) -> Array:
    """The number of bodies in each cell of a plane, as (across, up)."""
    cell = _cell_size(box)
    edges = [
        box.low[side] + cell * np.arange(int(np.ceil(box.size[side] / cell)) + 1) for side in sides
    ]
    grid: Array = np.histogram2d(bodies[:, sides[0]], bodies[:, sides[1]], bins=edges)[0]
    return grid


def _levels_for(most: float) -> int:
    """The number of shades. Each stands for twice as many bodies as the one before: 1, 2 to 3, 4 to 7, ..."""
    return int(np.clip(np.floor(np.log2(max(most, 1))) + 1, 2, 8))


def _strength(level: int, levels: int) -> float:
    return 0.14 + 0.86 * level / (levels - 1)


def _draw_cells(
    axes: Axes, box: Box, bodies: Array, sides: tuple[int, int], levels: int, gid: str
) -> None:
    """One path per level. Adjacent cells of a row merge into one rectangle, so that no seams show."""
    grid, cell = count_bodies(box, bodies, sides), _cell_size(box)
    level_of = np.clip(np.floor(np.log2(np.where(grid > 0, grid, 0.5))), -1, levels - 1)
    for level in range(levels):
        corners: list[tuple[int, int]] = []
        for row in range(grid.shape[1]):
            line = np.concatenate(([False], level_of[:, row] == level, [False]))
            for a, b in np.flatnonzero(line[1:] != line[:-1]).reshape(-1, 2):
                corners += [(a, row), (b, row), (b, row + 1), (a, row + 1), (a, row)]
        if corners:
            codes = [Path.MOVETO, *[Path.LINETO] * 3, Path.CLOSEPOLY] * (len(corners) // 5)
            path = Path(np.array(corners) * cell + box.low[list(sides)], codes)
            patch = PathPatch(path, facecolor=theme.FILL, alpha=_strength(level, levels))
            patch.set(linewidth=0, antialiased=False, gid=f"cells-{2**level}-{gid}")
            axes.add_patch(patch)


def _add_key_of_cells(sheet: Sheet, axes: Axes, levels: int) -> None:
    for level in range(levels):
        words = f"{2**level} to {2 ** (level + 1) - 1}" if level else "1"
        if level == levels - 1:
            words = f"{2**level} or more"
        look = {"facecolor": theme.FILL, "alpha": _strength(level, levels), "linewidth": 0}
        axes.fill([], [], label=words, **look)
    sheet.legend_beside(axes, title="bodies in a cell", alignment="left")
