"""Pictures of many bodies at the start and the end: dots, or the number of bodies per cell."""

import numpy as np
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from nbody_lab.draw import theme
from nbody_lab.draw.body_files import span_in_words, time_scale
from nbody_lab.draw.frame import box_around, pairs

MOST_DOTS = 1500
CELLS = 72  # along the longest side of the box
MIDDLE = 0.98  # this share of the bodies is always shown


def crowd(series, centre=None):
    """`centre` is the index of the body kept at the centre."""
    places = np.array([series.first.places, series.last.places])
    if centre is not None:
        places = places - places[:, centre : centre + 1]
    box = box_around(places[near(places)], series.first.setting.is_si())
    places = places / box.unit
    about = "" if centre is None else f" relative to {series.name_of(centre)}"
    dots = series.n <= MOST_DOTS
    sheet, columns = pairs(
        box,
        when(series),
        series.picture_name(centre),
        f"{series.name}: {series.n} bodies{about}, start and end",
        f"{span_in_words(series)}, {series.setting_in_words()}",
        footnote(series, box, places),
    )
    levels = (
        0 if dots else levels_for(max(counts(box, bodies, box.axes[:2]).max() for bodies in places))
    )
    for k, (bodies, column) in enumerate(zip(places, columns)):
        for axes, across, up in column:
            gid = f"{('start', 'end')[k]}-{'xyz'[across]}{'xyz'[up]}"
            if dots:
                axes.plot(
                    bodies[:, across],
                    bodies[:, up],
                    linestyle="",
                    marker="o",
                    markersize=2.6,
                    markeredgewidth=0,
                    color=theme.FILL,
                    alpha=0.7,
                    gid=f"dots-{gid}",
                )
            else:
                draw_cells(axes, box, bodies, (across, up), levels, gid)
    if not dots:
        add_key(columns[1][0][0], levels)
    return sheet


def near(places):
    """A mask of the bodies that are not far outside. `places` has axes (state, body, axis)."""
    away = np.abs(places - np.median(places, axis=(0, 1))).max(axis=-1)
    reach = np.quantile(away, MIDDLE)
    return away <= (np.inf if away.max() <= 1.5 * reach else 1.2 * reach)


def when(series):
    unit, unit_name = time_scale(series)
    return [
        f"{word}, time {state.time / unit:.4g} {unit_name}".strip()
        for word, state in (("start", series.first), ("end", series.last))
    ]


def footnote(series, box, places):
    outside = (~box.holds(places)).sum(axis=1)
    words = [series.footnote()]
    if outside.any():
        words.append(f"outside the picture: {outside[0]} at the start, {outside[1]} at the end")
    return "; ".join(words)


def cell_size(box):
    return box.size.max() / CELLS


def counts(box, bodies, sides):
    """The number of bodies in each cell of a plane, as an array (across, up)."""
    edges = [
        box.low[side]
        + cell_size(box) * np.arange(int(np.ceil(box.size[side] / cell_size(box))) + 1)
        for side in sides
    ]
    return np.histogram2d(bodies[:, sides[0]], bodies[:, sides[1]], bins=edges)[0]


def levels_for(most):
    """The number of shades. Each stands for twice as many bodies as the one before: 1, 2 to 3, 4 to 7, ..."""
    return int(np.clip(np.floor(np.log2(most)) + 1, 2, 8))


def strength(level, levels):
    return 0.14 + 0.86 * level / (levels - 1)


def draw_cells(axes, box, bodies, sides, levels, gid):
    """One path per level. Adjacent cells of a row merge into one rectangle, so that no seams show."""
    grid, cell = counts(box, bodies, sides), cell_size(box)
    level_of = np.clip(np.floor(np.log2(np.where(grid > 0, grid, 0.5))), -1, levels - 1)
    for level in range(levels):
        corners = []
        for row in range(grid.shape[1]):
            line = np.concatenate(([False], level_of[:, row] == level, [False]))
            ends = np.flatnonzero(line[1:] != line[:-1]).reshape(-1, 2)
            corners += [[(a, row), (b, row), (b, row + 1), (a, row + 1), (a, row)] for a, b in ends]
        if corners:
            points = np.array(corners).reshape(-1, 2) * cell + box.low[list(sides)]
            codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY] * len(
                corners
            )
            axes.add_patch(
                PathPatch(
                    Path(points, codes),
                    facecolor=theme.FILL,
                    alpha=strength(level, levels),
                    linewidth=0,
                    antialiased=False,
                    gid=f"cells-{2**level}-{gid}",
                )
            )


def add_key(axes, levels):
    for level in range(levels):
        least, last = 2**level, 2 ** (level + 1) - 1
        words = (
            f"{least} or more"
            if level == levels - 1
            else "1"
            if level == 0
            else f"{least} to {last}"
        )
        axes.fill(
            [], [], facecolor=theme.FILL, alpha=strength(level, levels), linewidth=0, label=words
        )
    axes.legend(
        loc="upper left",
        bbox_to_anchor=(1.03, 1),
        borderaxespad=0,
        title="bodies in a cell",
        title_fontsize=9,
        alignment="left",
    )
