"""Pictures of many bodies at the start and the end: dots, or the number of bodies per cell."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from nbody_lab.draw import theme
from nbody_lab.draw.runs import Array, Run, places
from nbody_lab.draw.sheet import Sheet
from nbody_lab.draw.space import Box, Mask, box_around, pairs

_MOST_DOTS = 1500
_CELLS = 72  # along the longest side of the box
_MIDDLE = 0.98  # this share of the bodies is always shown


def draw_crowd(run: Run, centre: int | None) -> Sheet:
    """`centre`: the body that rests in the middle."""
    ends = np.array([places(run.first), places(run.last)])
    if centre is not None:
        ends = ends - ends[:, centre : centre + 1]
    box = box_around(ends[_near(ends)], run.setting.is_si())
    ends = ends / box.unit
    about = "" if centre is None else f" relative to {run.name_of(centre)}"
    unit, unit_name = run.time_unit()
    titles = [
        f"{word}, time {state.time / unit:.4g} {unit_name}".strip()
        for word, state in (("start", run.first), ("end", run.last))
    ]
    outside = (~box.holds(ends)).sum(axis=1)
    note = f"; outside the picture: {outside[0]} at the start, {outside[1]} at the end"
    words = {
        "name": run.picture_name(centre),
        "title": f"{run.name}: {run.n} bodies{about}, start and end",
        "subtitle": run.about(),
        "footnote": run.source() + (note if outside.any() else ""),
    }
    sheet, columns = pairs(box, titles, words)
    grids = [count_bodies(box, bodies, box.axes[:2]) for bodies in ends]
    levels = _levels_for(max(grid.max() for grid in grids))
    for word, bodies, column in zip(("start", "end"), ends, columns):
        for axes, across, up in column:
            gid = f"{word}-{'xyz'[across]}{'xyz'[up]}"
            if run.n <= _MOST_DOTS:
                look = theme.point(theme.FILL, 2.6) | {"markeredgewidth": 0, "alpha": 0.7}
                axes.plot(bodies[:, across], bodies[:, up], gid=f"dots-{gid}", **look)
            else:
                _draw_cells(axes, box, bodies, (across, up), levels, gid)
    if run.n > _MOST_DOTS:
        _add_key(sheet, columns[1][0][0], levels)
    return sheet


def _near(ends: Array) -> Mask:
    """The bodies that are not far outside, as a mask of (state, body)."""
    away: Array = np.abs(ends - np.median(ends, axis=(0, 1))).max(axis=-1)
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


def _add_key(sheet: Sheet, axes: Axes, levels: int) -> None:
    for level in range(levels):
        words = f"{2**level} to {2 ** (level + 1) - 1}" if level else "1"
        if level == levels - 1:
            words = f"{2**level} or more"
        alpha = _strength(level, levels)
        axes.fill([], [], label=words, facecolor=theme.FILL, alpha=alpha, linewidth=0)
    sheet.legend_beside(axes, title="bodies in a cell", alignment="left")
