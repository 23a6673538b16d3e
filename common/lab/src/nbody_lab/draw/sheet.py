"""A sheet: title, what it is about, axes, footnote. Saved as SVG and PNG, without overwriting others and without
half-written files."""

import io
import re
import xml.sax.saxutils as xml
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import Formatter

from nbody_lab.core.errors import LabError
from nbody_lab.core.whole_file import write_bytes
from nbody_lab.draw import theme

matplotlib.rcParams.update(theme.RC)
_MARGIN = 0.12  # inches
_TITLE_LINE, _LINE, _NOTE_LINE = 0.25, 0.19, 0.165  # inches from one line to the next


class Ticks(Formatter):
    """Writes the ticks of an axis in one notation; those beyond its ends are not seen."""

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        assert self.axis, "a formatter of an axis"
        low, high = sorted(self.axis.get_view_interval())
        seen = [value for value in values if low <= value <= high]
        words = dict(zip(seen, theme.numbers(seen)))
        return [words.get(value, "") for value in values]

    def __call__(self, x: float, pos: int | None = None) -> str:
        return theme.numbers([x])[0]


def set_log_ticks(
    axes: Axes,
    values: Sequence[Any],
    labels: Sequence[str] | None = None,
    base: int = 10,
    **options: Any,
) -> None:
    """A logarithmic axis across with a tick at each value; without labels it is called by its value."""
    axes.set_xscale("log", base=base)
    axes.set_xticks(
        values, [str(value) for value in values] if labels is None else labels, **options
    )
    axes.minorticks_off()


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
        self.name = name
        self.title = title
        self.subtitle = subtitle
        size = width / theme.PIXELS_PER_INCH, height / theme.PIXELS_PER_INCH
        self.figure: Any = Figure(figsize=size, layout=layout)
        self.canvas: Any = FigureCanvasAgg(self.figure)
        axes = self.figure.subplots(rows, columns, squeeze=False, **options)
        self.settled = False
        self.all_axes: list[Axes] = list(axes.flat)
        self.axes = self.all_axes[0]
        self._frame(footnote)

    def _frame(self, footnote: str) -> None:
        """Title and subtitle above, the footnote below, whole: long ones are wrapped."""
        wide, high = self.figure.get_size_inches()
        look = {"fontsize": theme.TITLE, "fontweight": "bold"}
        above = self._put(self.title, "title", 0.1, _TITLE_LINE, look)
        look = {"fontsize": theme.TEXT, "color": theme.SOFT}
        above = self._put(self.subtitle, "subtitle", above, _LINE, look) + 0.05
        look = {"fontsize": theme.NOTE, "color": theme.SOFT}
        below = _MARGIN + _NOTE_LINE * len(self._wrapped(footnote, look))
        self._put(footnote, "footnote", high - below + _MARGIN / 2, _NOTE_LINE, look)
        self.figure.get_layout_engine().set(
            rect=(_MARGIN / wide, below / high, 1 - 3 * _MARGIN / wide, 1 - (above + below) / high)
        )

    def _put(self, words: str, kind: str, top: float, line: float, look: theme.Look) -> float:
        """Wrapped to the width, from `top` inches on; where the last line ends."""
        wide, high = self.figure.get_size_inches()
        for k, words_of_line in enumerate(self._wrapped(words, look), 1):
            place = (_MARGIN / wide, 1 - top / high)
            self.figure.text(*place, words_of_line, va="top", gid=f"{kind}-{k}", **look)
            top += line
        return top

    def _wrapped(self, words: str, look: theme.Look) -> list[str]:
        """Lines, as long as they may be."""
        width = self.figure.bbox.width - 2 * _MARGIN * theme.PIXELS_PER_INCH
        probe = self.figure.text(0, 0, "", **look)
        lines: list[str] = []
        for word in words.split():
            longer = f"{lines[-1]} {word}" if lines else word
            probe.set_text(longer)
            fits = probe.get_window_extent().width <= width
            lines[-1:] = [longer] if lines and fits else [*lines[-1:], word]
        probe.remove()
        return lines

    def legend_beside(self, axes: Axes | None = None, **options: Any) -> None:
        """To the right of the axes, where it hides nothing."""
        where = {"loc": "upper left", "bbox_to_anchor": (1.01, 1), **options}
        (axes or self.axes).legend(**where)

    def settle(self) -> None:
        """Finds the places of the axes once, to a millionth: the layout's last digits change from call to call, and
        with them the bytes of the same picture."""
        if self.settled:
            return
        self.canvas.draw()
        places = [(axes, axes.get_position(original=True).bounds) for axes in self.figure.axes]
        self.figure.set_layout_engine("none")
        for axes, place in places:
            axes.set_position([round(number, 6) for number in place])
        self.settled = True

    def bytes_of(self, kind: str) -> bytes:
        """The file's content: kind is svg or png."""
        self.settle()
        stream = io.BytesIO()
        metadata = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
        self.figure.savefig(stream, format=kind, metadata=metadata)
        data = stream.getvalue()
        return _finished_svg(data, self.title, self.subtitle) if kind == "svg" else data


def _finished_svg(data: bytes, title: str, subtitle: str) -> bytes:
    """Adds the style sheet, and a title and description for screen readers."""
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", data.decode(), flags=re.DOTALL)
    head = (
        f"<title>{xml.escape(title)}</title>\n <desc>{xml.escape(subtitle)}</desc>\n"
        f' <style type="text/css">\n{theme.style_sheet()}\n </style>\n'
    )
    start = text.index(">", text.index("<svg ")) + 1
    text = text[:start] + "\n " + head + text[start:]
    return text.replace("<svg ", '<svg role="img" ', 1).encode()


# Files.


def _free_name(folder: Path, name: str, content: bytes) -> str:
    """NAME, or NAME-2, NAME-3, ... if another picture has that name; the same picture keeps its name."""
    for k in range(1, 10000):
        candidate = name if k == 1 else f"{name}-{k}"
        file = folder / f"{candidate}.svg"
        if not file.exists() or file.read_bytes() == content:
            return candidate
    raise LabError(f"{folder} is full of pictures named {name}")


def save(
    sheets: Iterable[Sheet],
    folder: Path,
    again: bool = False,
    kinds: Sequence[str] = ("svg", "png"),
) -> list[Path]:
    """Writes each sheet, `again` over the previous ones; returns the paths without ending. Raises LabError."""
    paths = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for sheet in sheets:
            files = {kind: sheet.bytes_of(kind) for kind in kinds}
            path = folder / (sheet.name if again else _free_name(folder, sheet.name, files["svg"]))
            for kind, content in files.items():
                write_bytes(path.with_name(f"{path.name}.{kind}"), content)
            paths.append(path)
    except OSError as fault:
        raise LabError(f"{folder} cannot be written: {fault.strerror}") from fault
    return paths
