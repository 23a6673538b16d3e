"""Tables as comma-separated values (RFC 4180) that do nothing in the spreadsheet which opens them."""

import csv
import io
import re

from grade.harmless import in_one_line

BOM = "\ufeff"  # tells Excel that the file is UTF-8
# Where a spreadsheet may begin a cell: at the start, and after what separates cells in other countries' settings.
FORMULA = re.compile(r"(^\s*|[;|])(?=[=+\-@\uff0b\uff0d\uff1d\uff20])")


def neutral(text):
    """One line in which no formula begins."""
    return FORMULA.sub(r"\1'", in_one_line(text))


def cell(value):
    """Numbers stay numbers, in as many digits as points have."""
    if value is None:
        return ""
    if isinstance(value, str):
        return neutral(value)
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def csv_text(rows, bom=False):
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([cell(value) for value in row] for row in rows)
    return (BOM if bom else "") + out.getvalue()
