"""CSV tables that are harmless in a spreadsheet."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from nbody_lab.core.clean_text import in_one_line

BOM = "\ufeff"  # tells Excel that the file is UTF-8
# Where a formula may begin: at the start of a cell, and after the separators of other locales.
_FORMULA = re.compile(r"(^\s*|[;|])(?=[=+\-@\uff0b\uff0d\uff1d\uff20])")


def neutralise(text: str) -> str:
    """The text on one line, with no formula in it."""
    return _FORMULA.sub(r"\1'", in_one_line(text))


def _cell(value: str | float | None) -> str:
    """Numbers stay numbers, with as many digits as points have."""
    if value is None:
        return ""
    return neutralise(value) if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")


def csv_text(rows: Iterable[Sequence[str | float | None]], bom: bool = False) -> str:
    """RFC 4180."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerows([_cell(value) for value in row] for row in rows)
    return (BOM if bom else "") + out.getvalue()
