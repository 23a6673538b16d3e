"""Fits printed text to the screen."""

import textwrap
from collections.abc import Iterable, Sequence

from nbody_lab.core.console import format_table

SCREEN, GAP = 100, 2  # columns; blanks between the columns of a table


def wrapped(text: str, indent: str = "", width: int = SCREEN) -> list[str]:
    """Lines that fit; all but the first begin with `indent`."""
    return textwrap.wrap(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def table(titles: Sequence[str], rows: Iterable[Sequence[object]], indent: str = "") -> str:
    """The table as text; a column whose title begins with > is aligned to the right."""
    return format_table(titles, rows, len(indent))
