"""A sheet: title, what it is about, axes, footnote. And what several pictures draw alike: bars, a legend, logarithmic axes."""

import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import matplotlib.style
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from nbody_lab.core.whole_file import write_bytes
from nbody_lab.draw.theme import ACCENT, QUIET

matplotlib.style.use(Path(__file__).with_name("lab.mplstyle"))


class Sheet:
    """One picture. `name`: of its files; sizes in pixels of a page. The title is what was found; the subtitle stands above
    the first axes."""

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
        left: Any = {"x": 8 / width, "ha": "left", "wrap": True}
        self.figure.suptitle(title, **left)
        self.axes.set_title(subtitle, wrap=True)
        self.figure.supxlabel(footnote, **left)

    def legend_beside(self, axes: Axes | None = None, **options: Any) -> None:
        """To the right of the axes, where it hides nothing."""
        where = {"loc": "upper left", "bbox_to_anchor": (1.01, 1), **options}
        (axes or self.axes).legend(**where)

    def name_lines(self) -> None:
        """Beside the axes, in the order in which the lines end."""
        handles, _ = self.axes.get_legend_handles_labels()
        lines: Any = [one[0] if isinstance(one, ErrorbarContainer) else one for one in handles]
        ends = {one: line.get_ydata()[-1] for one, line in zip(handles, lines)}
        self.legend_beside(handles=sorted(handles, key=lambda one: -ends[one]))


def save(
    sheets: Iterable[Sheet], folder: Path, kinds: Sequence[str] = ("svg", "png")
) -> list[Path]:
    """Writes each sheet over its previous picture; returns the paths without ending. Raises OSError."""
    paths = []
    for sheet in sheets:
        paths.append(folder / sheet.name)
        for kind in kinds:
            stream = io.BytesIO()
            metadata = {"Date": None} if kind == "svg" else None
            sheet.figure.savefig(stream, format=kind, metadata=metadata)
            write_bytes(folder / f"{sheet.name}.{kind}", stream.getvalue())
    return paths


def set_log_ticks(
    axes: Axes, values: Sequence[Any], labels: Sequence[str] | None = None, **options: Any
) -> None:
    """A logarithmic axis across with a tick at each value; without labels it is called by its value."""
    axes.set_xscale("log")
    axes.set_xticks(values, labels or [str(value) for value in values], **options)
    axes.minorticks_off()


def set_round_ticks(axis: Axis, unit: float = 1) -> None:
    """Of a logarithmic axis: at 1, 2, 5, 10, ..., in the unit."""
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(lambda value, _: f"{value / unit:g}")


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
