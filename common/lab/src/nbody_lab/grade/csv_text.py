"""CSV tables that are harmless in a spreadsheet."""

import csv
import io
from collections.abc import Iterable, Sequence

from nbody_lab.core.clean_text import in_one_line, without_formula
from nbody_lab.grade.feedback import points_text

BOM = "\ufeff"  # tells Excel that the file is UTF-8


def neutralise(text: str) -> str:
    """The text on one line, with no formula in it."""
    return without_formula(in_one_line(text))


def _cell(value: str | float | None) -> str:
    """Numbers stay numbers, with as many digits as points have."""
    return neutralise(value) if isinstance(value, str) else points_text(value)


def csv_text(rows: Iterable[Sequence[str | float | None]], bom: bool = False) -> str:
    """RFC 4180."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerows([_cell(value) for value in row] for row in rows)
    return (BOM if bom else "") + out.getvalue()
