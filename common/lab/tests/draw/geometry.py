"""What lies where in a picture: its figures, texts on one another or beyond the edge, and lines through texts."""

from matplotlib.patches import Rectangle
from matplotlib.path import Path
from matplotlib.text import Text

from nbody_lab.draw.labels import outline, overlap


def visible_texts(figure):
    """Ticks beyond the ends of an axis exist, but are not shown."""
    texts = list(figure.texts)
    for axes in figure.axes:
        legend = axes.get_legend()
        texts += [axes.title, *axes.texts, *(legend.get_texts() if legend else [])]
        for one in (axes, *axes.child_axes):
            for axis in one._axis_map.values():
                low, high = sorted(axis.get_view_interval())
                ticks = zip(axis.get_majorticklocs(), axis.majorTicks)
                shown = [tick for at, tick in ticks if low <= at <= high]
                texts += [axis.label, *(t for tick in shown for t in (tick.label1, tick.label2))]
    texts += [text for axes in figure.axes for text in (axes._left_title, axes._right_title)]
    return [text for text in texts if text.get_visible() and text.get_text().strip()]


def collisions(sheet):
    """Texts that overlap or leave the sheet, as pairs of words; empty for a good picture."""
    figure = sheet.figure
    sheet.canvas.draw()
    edge = figure.bbox.padded(1)
    renderer = sheet.canvas.get_renderer()
    shapes = [(text.get_text(), outline(text, renderer)) for text in visible_texts(figure)]
    found = [
        (words, "the edge")
        for words, shape in shapes
        if not all(edge.contains(*corner) for corner in shape.vertices)
    ]
    for k, (words, shape) in enumerate(shapes):
        found += [(words, other) for other, there in shapes[k + 1 :] if overlap(shape, there)]
    return found


def crossings(sheet, *gids):
    """Texts of the first axes crossed by a line whose gid starts with one of `gids`, as pairs (text, gid)."""
    sheet.canvas.draw()
    renderer, axes = sheet.canvas.get_renderer(), sheet.axes
    lines = [
        (str(line.get_gid()), Path(axes.transData.transform(line.get_xydata())))
        for line in axes.lines
        if str(line.get_gid()).startswith(gids)
    ]
    return [
        (text.get_text(), gid)
        for text in axes.texts
        if text.get_text()
        for gid, line in lines
        if overlap(outline(text, renderer), line)
    ]


def drawn(sheet):
    """{gid: (places, heights) of a line, (start, length) of a bar, the words of a text, else the artist}"""
    found = {}
    for axes in sheet.all_axes:
        for artist in axes.get_children():
            if artist.get_gid():
                found[artist.get_gid()] = artist
                if hasattr(artist, "get_xdata"):
                    found[artist.get_gid()] = (list(artist.get_xdata()), list(artist.get_ydata()))
                elif isinstance(artist, Rectangle):
                    found[artist.get_gid()] = (artist.get_x(), artist.get_width())
                elif isinstance(artist, Text):
                    found[artist.get_gid()] = artist.get_text()
    return found


def said(sheet, kind=""):
    """The words around the axes, or those of one kind: title, subtitle, footnote."""
    texts = [text for text in sheet.figure.texts if text.get_gid().startswith(kind)]
    return " ".join(text.get_text() for text in texts)


def of_axes(sheet, *kinds):
    artists = [artist for artist in sheet.axes.get_children() if artist.get_gid()]
    return {one.get_gid(): one for one in artists if one.get_gid().startswith(kinds)}
