"""Fits printed text to the screen."""

import textwrap

SCREEN, GAP = 100, 2  # columns; blanks between the columns of a table


def wrapped(text, indent="", width=SCREEN):
    """Lines that fit; all but the first begin with `indent`."""
    return textwrap.wrap(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def widths_of(rows):
    """The widths of the columns: the widest shrinks, down to its longest word, until all fit."""
    columns = list(zip(*rows))
    widths = [max(map(len, column)) for column in columns]
    least = [
        max(len(word) for cell in column for word in [*cell.split(), ""]) for column in columns
    ]
    while sum(widths) + GAP * (len(widths) - 1) > SCREEN:
        widest = max(range(len(widths)), key=lambda k: (widths[k] > least[k], widths[k]))
        if widths[widest] <= least[widest]:
            break
        widths[widest] -= 1
    return widths


def table(titles, rows, indent=""):
    """The table as text; long cells are wrapped. A column whose title begins with > is aligned to the right."""
    to_the_right = [title.startswith(">") for title in titles]
    titles = [title.removeprefix(">") for title in titles]
    widths = widths_of([titles, *rows])
    lines = []
    for row in [titles, ["-" * width for width in widths], *rows]:
        cells = [wrapped(cell, width=max(width, 1)) for cell, width in zip(row, widths)]
        for k in range(max(map(len, cells))):
            parts = [cell[k] if k < len(cell) else "" for cell in cells]
            line = (" " * GAP).join(
                part.rjust(width) if right else part.ljust(width)
                for part, width, right in zip(parts, widths, to_the_right)
            )
            lines.append((indent + line).rstrip())
    return "\n".join(lines)
