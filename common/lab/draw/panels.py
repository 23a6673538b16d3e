"""Panels which show a box of space, all to one scale: a single plane, or x-y with the other two beside and below it."""

import theme
from sheet import LINE, MARGIN, Sheet

WIDE, HIGH = 5.6, 5.6  # inches that panels may take together
HIGH_PAIRS = 6.4
WIDTH = 9.0  # inches of the sheet
NUMBERS = 0.7  # inches which numbers and labels take on the side of a panel, at most
AROUND = 0.62 + MARGIN + 2 * LINE  # inches above and below all panels: title, footnote


def panels(box, *words):
    """(sheet, [(axes, axis across, axis up)]): the widest view first. `words`: of the sheet."""
    if len(box.axes) == 2:
        return one_panel(box, *words)
    x, y, z = box.size
    scale = min(WIDE / (x + z), HIGH / (y + z))
    sheet = sheet_for(words, scale * (y + z), 2, columns=2, gridspec_kw={"width_ratios": [x, z], "height_ratios": [y, z]})
    keep_left(sheet, scale * (x + z) + 2 * NUMBERS + 1.4)
    first, beside, below, empty = sheet.all_axes
    empty.remove()
    for axes, anchor in zip((first, beside, below), ("SE", "SW", "NE")):
        axes.set_anchor(anchor)
    views = [(first, 0, 1), (beside, 2, 1), (below, 0, 2)]
    for view in views:
        box.show(*view)
    return sheet, views


def one_panel(box, *words):
    across, up = box.axes
    scale = min(WIDE / box.size[across], HIGH / box.size[up])
    sheet = sheet_for(words, scale * box.size[up], 1)
    sheet.axes.set_anchor("NW")
    box.show(sheet.axes, across, up)
    return sheet, [(sheet.axes, across, up)]


def pairs(box, titles, *words):
    """(sheet, [[(axes, across, up), ...], ...]): two columns of panels side by side, with these titles."""
    sides = [box.axes] if len(box.axes) == 2 else [(0, 1), (0, 2)]
    heights = [box.size[up] for _, up in sides]
    wide = box.size[sides[0][0]]
    scale = min((WIDTH - 2.2 - 2 * NUMBERS) / (2 * wide), HIGH_PAIRS / sum(heights))
    sheet = sheet_for(words, scale * sum(heights) + 0.3, len(sides), columns=2, gridspec_kw={"height_ratios": heights})
    keep_left(sheet, 2 * scale * wide + 2 * NUMBERS + 2.0)
    columns = [[(axes, *side) for axes, side in zip(sheet.all_axes[k::2], sides)] for k in (0, 1)]
    for column, title in zip(columns, titles):
        column[0][0].set_title(title, fontsize=10, fontweight="normal", loc="left", color=theme.INK)
        for view in column:
            box.show(*view)
    return sheet, columns


def sheet_for(words, high, rows, **options):
    return Sheet(*words, round(100 * WIDTH), round(100 * (high + AROUND + NUMBERS * rows)), rows=rows, **options)


def keep_left(sheet, wide):
    """Keeps panels of fixed shape on the left; a wider sheet would centre them."""
    left, below, width, high = sheet.figure.get_layout_engine().get()["rect"]
    sheet.figure.get_layout_engine().set(rect=(left, below, min(width, wide / WIDTH), high))
