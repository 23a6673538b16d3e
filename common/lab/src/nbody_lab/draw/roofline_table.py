"""The table below a roofline: a row for each of its numbered points."""

from collections.abc import Sequence

from matplotlib.axes import Axes

from nbody_lab.core.results import Point
from nbody_lab.draw import theme
from nbody_lab.roofline.text import (
    format_intensity,
    format_percent,
    format_roof_share,
    format_significant,
    short_limiter,
)

_COLOURS = {"naive": theme.SERIES[0], "mine": theme.ACCENT}
_OTHERS = theme.FILL
_LONGEST = 18  # letters of a name in the table
_COLUMNS = (
    (0.0, "", "left"),
    (0.06, "name", "left"),
    (0.35, "flop/byte", "right"),
    (0.48, "compulsory", "right"),
    (0.58, "", "right"),
    (0.68, "of roof", "right"),
    (0.70, "roof", "left"),
    (0.83, "limiter", "left"),
    (1.18, "of it", "right"),
)


def colour_of(one: Point) -> str:
    return _COLOURS.get(one.kind, _OTHERS)


def draw_table(axes: Axes, points: Sequence[Point], scale: tuple[float, str]) -> None:
    axes.axis("off")
    axes.set(xlim=(0, 1), ylim=(max(len(points), 1) + 1, 0), xticks=[], yticks=[])
    titles = [title or scale[1] if x else "" for x, title, _ in _COLUMNS]
    rows = [_cells_of(one, scale[0]) for one in points] or [("", "no point yet")]
    for k, row in enumerate([tuple(titles), *rows]):
        for (x, _, side), words in zip(_COLUMNS, row):
            axes.text(
                x,
                k + 0.5,
                words,
                ha=side,
                va="center",
                fontsize=9,
                color=theme.INK if k else theme.SOFT,
                gid=f"row-{k}" if x == 0 else None,
            )
    for k, one in enumerate(points, 1):
        axes.plot(
            [0.04],
            [k + 0.5],
            color=colour_of(one),
            marker="o",
            markersize=5.5,
            linestyle="",
            gid=f"key-{one.name}",
        )


def _cells_of(one: Point, unit: float) -> tuple[str, ...]:
    name = one.name if len(one.name) <= _LONGEST else f"{one.name[: _LONGEST - 2]} .."
    return (
        str(one.number),
        name,
        format_intensity(one.intensity),
        format_intensity(one.compulsory_intensity),
        format_significant(one.flops_per_s / unit),
        format_roof_share(one),
        one.bound_by,
        short_limiter(one.limiter, one.busy_machine),
        format_percent(one.share_of_limit),
    )
