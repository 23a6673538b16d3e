"""A sheet: title, what it is about, axes, footnote. And what several pictures draw alike: bars, the names of lines at
their ends, logarithmic axes."""

import io
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, cast

import matplotlib.style
from matplotlib.axes import Axes
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import LogLocator

from nbody_lab.core.errors import LabError
from nbody_lab.core.whole_file import write_bytes
from nbody_lab.draw.theme import ACCENT, QUIET, SOFT

matplotlib.style.use(Path(__file__).with_name("lab.mplstyle"))

_TITLE: Any = {"fontsize": 13, "fontweight": "bold"}
_SUBTITLE: Any = {"fontsize": 10, "color": SOFT}
_FOOTNOTE: Any = {"fontsize": 8, "color": SOFT}
_LINE, _LETTER = 1.9, 0.86  # pixels of a point of type: between two lines, and of a letter
_APART = 0.045  # of the height of the axes, between two names


def _wrapped(words: str, width: float, size: float) -> list[str]:
    """Lines of a sheet that is this wide."""
    return textwrap.wrap(words, int((width - 20) / (_LETTER * size)))


class Sheet:
    """One picture. `name`: of its files; sizes in pixels of a page. The title is what was found."""

    def __init__(
        self,
        name: str,
        title: str,
        subtitle: str = "",
        footnote: str = "",
        *,
        width: int = 900,
        height: int = 540,
        rows: int = 1,
        columns: int = 1,
        layout: Literal["constrained", "compressed"] = "constrained",
        **options: Any,
    ) -> None:
        self.name, self.title, self.subtitle, self.footnote = name, title, subtitle, footnote
        self.figure = Figure((width / 100, height / 100), layout=layout)
        grid: Any = self.figure.subplots(rows, columns, squeeze=False, **options)
        self.all_axes: list[Axes] = list(grid.flat)
        self.axes = self.all_axes[0]
        above, left = 10.0, 10 / width
        for words, look in ((title, _TITLE), (subtitle, _SUBTITLE)):
            lines = _wrapped(words, width, look["fontsize"])
            self.figure.text(left, 1 - above / height, "\n".join(lines), va="top", **look)
            above += len(lines) * _LINE * look["fontsize"] + 3
        below = "\n".join(_wrapped(footnote, width, _FOOTNOTE["fontsize"]))
        self.figure.supxlabel(below, x=left, ha="left", **_FOOTNOTE)
        engine = cast(ConstrainedLayoutEngine, self.figure.get_layout_engine())
        engine.set(rect=(0.01, 0, 0.98, 1 - above / height))

    def legend_beside(self, axes: Axes | None = None, **options: Any) -> None:
        """To the right of the axes, where it hides nothing."""
        where = {"loc": "upper left", "bbox_to_anchor": (1.01, 1), **options}
        (axes or self.axes).legend(**where)


def save(
    sheets: Iterable[Sheet], folder: Path, kinds: Sequence[str] = ("svg", "png")
) -> list[Path]:
    """Writes each sheet over its previous picture; returns the paths without ending. Raises LabError."""
    paths = []
    try:
        for sheet in sheets:
            paths.append(folder / sheet.name)
            for kind in kinds:
                stream = io.BytesIO()
                metadata = {"Date": None} if kind == "svg" else None
                sheet.figure.savefig(stream, format=kind, metadata=metadata)
                write_bytes(folder / f"{sheet.name}.{kind}", stream.getvalue())
    except OSError as fault:
        raise LabError(f"{folder} cannot be written: {fault.strerror}") from fault
    return paths


def set_log_ticks(
    axes: Axes, values: Sequence[Any], labels: Sequence[str] | None = None, **options: Any
) -> None:
    """A logarithmic axis across with a tick at each value; without labels it is called by its value."""
    axes.set_xscale("log")
    axes.set_xticks(values, labels or [str(value) for value in values], **options)
    axes.minorticks_off()


def set_log_heights(axes: Axes) -> None:
    """A logarithmic axis upwards with ticks at 1, 2, 5, 10, ..."""
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:g}")


def draw_bars(
    axes: Axes,
    labels: Sequence[str],
    lengths: Sequence[float],
    colours: Sequence[str],
    are_right: Sequence[bool],
    beside: Sequence[str],
    whiskers: Any = None,
) -> None:
    """From above, each with words beside its end. A wrong result is an empty, hatched bar, since its length does not
    count."""
    bars = axes.barh(
        range(len(labels)),
        lengths,
        0.72,
        xerr=whiskers,
        color=[colour if right else "white" for colour, right in zip(colours, are_right)],
        edgecolor=[QUIET if right else ACCENT for right in are_right],
        hatch=["" if right else "////" for right in are_right],
        linewidth=0.8,
    )
    axes.bar_label(bars, beside, padding=5)
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")


End = tuple[float, float, str, Any]  # x and y of a line's end, its name and colour


def name_ends(axes: Axes, ends: Iterable[End]) -> None:
    """The names of lines to the right of the axes, moved apart where lines end near to one another."""
    axes.autoscale_view()
    axes.autoscale(False)  # the ends of the axes are final
    ends = sorted(ends, key=lambda end: end[1])
    to_axes = axes.transData - axes.transAxes
    heights = [to_axes.transform(end[:2])[1] for end in ends]
    for k in range(1, len(heights)):
        heights[k] = max(heights[k], heights[k - 1] + _APART)
    above = 1.0 + _APART
    for k in reversed(range(len(heights))):
        above = heights[k] = min(heights[k], above - _APART)
    for (x, y, words, colour), height in zip(ends, heights):
        axes.annotate(
            words,
            (x, y),
            (1.03, height),
            textcoords="axes fraction",
            va="center",
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.8, "shrinkB": 0},
            annotation_clip=False,
        )


def name_lines(axes: Axes) -> None:
    """Each line that has a label, in place of a legend."""
    ends: list[End] = []
    for handle, words in zip(*axes.get_legend_handles_labels()):
        line: Any = handle[0] if isinstance(handle, ErrorbarContainer) else handle
        ends.append((line.get_xdata()[-1], line.get_ydata()[-1], words, line.get_color()))
    name_ends(axes, ends)
