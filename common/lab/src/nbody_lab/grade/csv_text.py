"""CSV tables (RFC 4180): written so that they are harmless in a spreadsheet, read as people save them."""

import csv
import io
import math
import re

from nbody_lab.core.clean_text import in_one_line
from nbody_lab.core.words import nearest
from nbody_lab.notebook.file import InputError, printable, shown

BOM = "\ufeff"  # tells Excel that the file is UTF-8
# Where a formula may begin: at the start of a cell, and after the separators of other locales.
FORMULA = re.compile(r"(^\s*|[;|])(?=[=+\-@\uff0b\uff0d\uff1d\uff20])")


def neutral(text):
    """The text on one line, with no formula in it."""
    return FORMULA.sub(r"\1'", in_one_line(text))


def cell(value):
    """One cell. Numbers stay numbers, with as many digits as points have."""
    if value is None:
        return ""
    if isinstance(value, str):
        return neutral(value)
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def csv_text(rows, bom=False):
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([cell(value) for value in row] for row in rows)
    return (BOM if bom else "") + out.getvalue()


# Reads CSV files that people edit in a spreadsheet: semicolons, byte order mark, old encodings, decimal commas.
SEPARATORS = ",;\t"


class Bad(Exception):
    """What is wrong with a row."""


def decoded(content):
    """The text. Windows spreadsheets write UTF-16 as "Unicode text", and their own code page as plain CSV."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def number_in(word):
    """The number in 7.5 or 7,5; None if there is none."""
    if not re.fullmatch(r"[-+]?(\d+([.,]\d*)?|[.,]\d+)", word):
        return None
    value = float(word.replace(",", "."))
    return value if math.isfinite(value) else None


def separator_of(line):
    return max(SEPARATORS, key=line.count)


def rows_in(text, file):
    """Yields (first line, cells) of each non-empty row; a cell may contain line breaks. Raises InputError."""
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=separator_of(text.split("\n", 1)[0]), strict=True
    )
    line = 1
    try:
        for cells in reader:
            cells = [cell.strip() for cell in cells]
            if any(cells):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as fault:
        raise InputError(f"{shown(file)}:{line}: {fault}: correct the line") from None


def titles_in(cells, columns):
    """Raises Bad."""
    titles = [cell.lower() for cell in cells]
    while titles and not titles[-1]:
        titles.pop()
    for title in titles:
        if title not in columns:
            raise Bad(
                f"there is no column '{printable(title)}'{nearest(title, columns)}; the columns are {', '.join(columns)}"
            )
    missing = [name for name, needed in columns.items() if needed and name not in titles]
    if missing or len(set(titles)) < len(titles):
        what = (
            f"the column {missing[0]} is missing" if missing else "two columns have the same name"
        )
        raise Bad(f"{what}; the first line must name the columns {', '.join(columns)}")
    return titles


def row_of(titles, cells, columns):
    if any(cells[len(titles) :]):
        raise Bad(
            f"it has {len(cells)} cells, but there are {len(titles)} columns: put text with commas into quotation marks"
        )
    row = {**dict.fromkeys(columns, ""), **dict(zip(titles, cells))}
    if not row["who"]:
        raise Bad("the name is missing")
    return row


def read_csv(file, columns, made):
    """The results of made(row, "FILE:LINE") for all rows, without None. Raises InputError, FILE:LINE: what is wrong."""
    try:
        text = decoded(file.read_bytes())
    except OSError as fault:
        raise InputError(
            f"{printable(str(file))}: cannot be read ({fault.strerror}): check the name"
        ) from None
    found, titles = [], None
    for line, cells in rows_in(text, file):
        try:
            if titles is None:
                titles = titles_in(cells, columns)
            else:
                found.append(made(row_of(titles, cells, columns), f"{shown(file)}:{line}"))
        except Bad as fault:
            raise InputError(f"{shown(file)}:{line}: {fault}") from None
    return [one for one in found if one is not None]
