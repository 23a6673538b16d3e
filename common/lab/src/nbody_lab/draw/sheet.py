"""A sheet of paper: title, what it is about, axes, footnote; saved as SVG and PNG."""

import io
import math
import re
import xml.sax.saxutils as xml
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from nbody_lab.draw import theme

Shape = np.ndarray[Any, Any]  # corners in pixels

# The place of texts in pixels, as four corners, so that a rotated text takes only the room that it needs.


def corners_of(text: Text, renderer: Any) -> Shape:
    """The actual corners of a text rotated about its anchor; for others those of the bounding box."""
    angle = text.get_rotation()
    if text.get_rotation_mode() != "anchor" or angle % 90 == 0:
        box = text.get_window_extent(renderer)
        return np.array([(box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1)])
    text.set_rotation(0)
    box = text.get_window_extent(renderer)
    text.set_rotation(angle)
    anchor = text.get_transform().transform(text.get_unitless_position())
    upright = np.array([(box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1)])
    return turned(upright, anchor, angle)


def turned(corners: Shape, anchor: Any, degrees: float) -> Shape:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    around: Shape = (corners - anchor) @ np.array([[cos, sin], [-sin, cos]])
    around += np.asarray(anchor)
    return around


def box_around(place: Any, width: float, height: float) -> Shape:
    """The corners of an upright box centred at `place`."""
    x, y = place
    return np.array(
        [
            (x - width / 2, y - height / 2),
            (x + width / 2, y - height / 2),
            (x + width / 2, y + height / 2),
            (x - width / 2, y + height / 2),
        ]
    )


def overlap(one: Shape, other: Shape, allowed: float = 1.0) -> bool:
    """True if two convex shapes overlap by more than `allowed` pixels, that is if no line separates them."""
    for shape in (one, other):
        for side in np.roll(shape, -1, axis=0) - shape:
            length = math.hypot(*side)
            if not length:
                continue
            across = np.array([-side[1], side[0]]) / length
            ours, theirs = one @ across, other @ across
            if ours.max() < theirs.min() + allowed or theirs.max() < ours.min() + allowed:
                return False
    return True


plt.rcParams.update(theme.RC)
MARGIN = 0.12  # inches
LINE = 0.165  # inches, of the footnote


class Sheet:
    """One picture. `name`: of its files; sizes in pixels of the screen."""

    def __init__(
        self,
        name: str,
        title: str,
        subtitle: str = "",
        footnote: str = "",
        width: int = 900,
        height: int = 540,
        rows: int = 1,
        columns: int = 1,
        **options: Any,
    ) -> None:
        self.name, self.title, self.subtitle = name, title, subtitle
        size = (width / theme.PIXELS_PER_INCH, height / theme.PIXELS_PER_INCH)
        self.figure, axes = plt.subplots(rows, columns, squeeze=False, figsize=size, **options)
        self.settled = False
        self.all_axes: list[Axes] = list(axes.flat)
        self.axes = self.all_axes[0]
        self._frame(footnote)

    def _frame(self, footnote: str) -> None:
        """Title and subtitle above, the footnote below, whole: long ones are wrapped."""
        wide, high = self.figure.get_size_inches()
        subtitle, footnote = self._fitting(footnote, (wide - 2 * MARGIN) * theme.PIXELS_PER_INCH)
        note = self._wrapped(footnote, (wide - 2 * MARGIN) * theme.PIXELS_PER_INCH)
        above = 0.62 if self.subtitle else 0.4
        below = MARGIN + LINE * len(note)
        self.figure.get_layout_engine().set(
            rect=(MARGIN / wide, below / high, 1 - 3 * MARGIN / wide, 1 - (above + below) / high)
        )

        def put(text: str, inches: float, gid: str, **how: Any) -> None:
            self.figure.text(MARGIN / wide, 1 - inches / high, text, va="top", gid=gid, **how)

        put(self.title, 0.1, "title", fontsize=13, fontweight="bold", color=theme.INK)
        if self.subtitle:
            put(subtitle, 0.36, "subtitle", fontsize=10, color=theme.SOFT)
        for k, line in enumerate(note):
            put(
                line,
                high - MARGIN / 2 - LINE * (len(note) - k),
                f"footnote-{k + 1}",
                fontsize=8,
                color=theme.SOFT,
            )

    def _fitting(self, footnote: str, width: float) -> tuple[str, str]:
        """(subtitle, footnote): what is too long for one line goes down, from the last semicolon on."""
        subtitle = self.subtitle
        while "; " in subtitle and self._width(subtitle, 10) > width:
            subtitle, _, rest = subtitle.rpartition("; ")
            footnote = f"{rest}; {footnote}"
        return subtitle, footnote

    def _width(self, words: str, size: float) -> float:
        """Pixels."""
        probe = self.figure.text(0, 0, words, fontsize=size)
        width = probe.get_window_extent().width
        probe.remove()
        return float(width)

    def _wrapped(self, words: str, width: float) -> list[str]:
        """Lines of the footnote, as wide as they may be."""
        lines: list[str] = []
        for word in words.split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self._width(longer, 8) <= width:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines

    def legend_beside(self, axes: Axes | None = None, **options: Any) -> None:
        """To the right of the axes, where it hides nothing."""
        (axes or self.axes).legend(
            loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0, **options
        )

    def settle(self) -> None:
        """Finds the places of the axes once, to a millionth: the layout's last digits change from call to call, and
        with them the bytes of the same picture."""
        if self.settled:
            return
        self.figure.canvas.draw()
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
        return (
            _finished_svg(stream.getvalue(), self.title, self.subtitle)
            if kind == "svg"
            else stream.getvalue()
        )

    def close(self) -> None:
        plt.close(self.figure)


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


def visible_texts(figure: Figure) -> list[Text]:
    """All visible texts; ticks beyond the ends of an axis exist, but are not shown."""
    texts = list(figure.texts)
    for axes in figure.axes:
        legend = axes.get_legend()
        texts += [axes.title, *axes.texts, *(legend.get_texts() if legend else [])]
        for axis in (
            axes.xaxis,
            axes.yaxis,
            *(one for child in axes.child_axes for one in (child.xaxis, child.yaxis)),
        ):
            low, high = sorted(axis.get_view_interval())
            texts += [
                axis.label,
                *(
                    label
                    for place, label in zip(axis.get_majorticklocs(), axis.get_majorticklabels())
                    if low <= place <= high
                ),
            ]
    return [text for text in texts if text.get_visible() and text.get_text().strip()]


def collisions(sheet: Sheet) -> list[tuple[str, str]]:
    """Texts that overlap or leave the sheet, as pairs of words; empty for a good picture."""
    figure = sheet.figure
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    edge = figure.bbox
    shapes = [(text.get_text(), corners_of(text, renderer)) for text in visible_texts(figure)]
    found = [
        (words, "the edge")
        for words, shape in shapes
        if (shape.min(axis=0) < (edge.x0 - 1, edge.y0 - 1)).any()
        or (shape.max(axis=0) > (edge.x1 + 1, edge.y1 + 1)).any()
    ]
    for k, (words, shape) in enumerate(shapes):
        found += [(words, other) for other, there in shapes[k + 1 :] if overlap(shape, there)]
    return found


def crossings(sheet: Sheet, gids: tuple[str, ...]) -> list[tuple[str, str]]:
    """Texts of the first axes crossed by a line whose gid starts with one of `gids`, as pairs (text, gid)."""
    sheet.figure.canvas.draw()
    renderer, axes = sheet.figure.canvas.get_renderer(), sheet.axes
    lines = [
        (str(line.get_gid()), axes.transData.transform(line.get_xydata()))
        for line in axes.lines
        if str(line.get_gid()).startswith(gids)
    ]
    return [
        (text.get_text(), gid)
        for text in axes.texts
        if text.get_text()
        for gid, line in lines
        if overlap(corners_of(text, renderer), line)
    ]


# A sheet as a piece of a page: the SVG of several pictures side by side in one document.
#
# A file of its own may call its parts as it likes and style whatever is in it. On a page every id begins with the
# picture's own name, and colours are those of the page's one style sheet (theme.page_sheet()).


def inline_svg(sheet: Sheet, name: str) -> str:
    """The element <svg class="picture">. `name`: the picture's own on this page; letters, digits, `-`, `_`."""
    text = sheet.bytes_of("svg").decode()
    text = text[text.index("<svg ") :]
    text = re.sub(r"<style.*?</style>|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"<defs>\s*</defs>\s*", "", text)
    text = with_own_ids(text, name)
    return text.replace("<svg ", f'<svg class="picture" id="{name}" ', 1)


def with_own_ids(text: str, name: str) -> str:
    """Prefixes every id with the picture's name. Ids stay distinct, in the picture and on the page."""
    ids: dict[str, str] = {}
    for old in re.findall(r'\bid="([^"]*)"', text):
        new = f"{name}-{re.sub(r'[^A-Za-z0-9_-]+', '_', xml.unescape(old))}"
        ids[old] = new if new not in ids.values() else f"{new}-{len(ids)}"
    text = re.sub(r'\bid="([^"]*)"', lambda found: f'id="{ids[found[1]]}"', text)
    return re.sub(
        r'(href="#|url\(#)([^")]*)', lambda found: found[1] + ids.get(found[2], found[2]), text
    )
