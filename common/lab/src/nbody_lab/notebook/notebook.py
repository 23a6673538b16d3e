"""The notebook of a part: one row for each ./lab try.

The data are in notebook.csv (docs/file_formats.md). The table in NOTEBOOK.md is written from it; everything else there
belongs to the student. A notebook of an older lab has only the table, which is read once. Whoever writes must hold the
lock of ./lab.
"""

import csv
import io
from collections import namedtuple

from nbody_lab.core.words import nearest
from nbody_lab.notebook.columns import NAMES, OLD_TITLES, SHOWN, cell, number, row_of, typed
from nbody_lab.notebook.file import InputError, printable, read_replaceable, shown, write_text
from nbody_lab.notebook.kept import add_conditions
from nbody_lab.notebook.table import (
    lines_of,
    place_of_table,
    rows_in,
    table_lines,
    was_changed,
    with_table,
)

CSV, MARKDOWN = "notebook.csv", "NOTEBOOK.md"

# rows: {column: text}, in file order; own: columns added by the student
Notebook = namedtuple("Notebook", "rows own")


# --- reading -------------------------------------------------------------------------------------


def rows_of_csv(text, file):
    """Raises InputError, which names the malformed line."""
    reader = csv.reader(io.StringIO(text.lstrip("\ufeff"), newline=""), strict=True)
    try:
        titles = next(reader, [])
        missing = [name for name in NAMES if name not in titles]
        if missing:
            raise InputError(
                f"{file}:1: the columns {', '.join(missing)} are missing (commas between them?): restore them"
            )
        if len(set(titles)) < len(titles):
            raise InputError(f"{file}:1: two columns have the same name: rename one")
        rows = []
        for cells in reader:
            if cells and len(cells) != len(titles):
                raise InputError(
                    f"{file}:{reader.line_num}: it has {len(cells)} cells, but there are {len(titles)} columns: correct it"
                )
            rows += [dict(zip(titles, cells))] if cells else []
    except csv.Error as fault:
        raise InputError(f"{file}:{reader.line_num}: {fault}: correct the line") from fault
    return Notebook(rows, [title for title in titles if title not in NAMES])


def rows_of_table(text, folder):
    """The rows of an old notebook without a CSV."""
    lines = lines_of(text)
    place = place_of_table(lines, OLD_TITLES)
    rows = [row_of(cells) for cells in rows_in(table_lines(lines, place))] if place else []
    for row in rows:
        add_conditions(folder, row)
    own = dict.fromkeys(name for row in rows for name in row if name not in NAMES)
    return Notebook([{**dict.fromkeys(own, ""), **row} for row in rows], list(own))


def load(folder):
    """The notebook of a part, empty if there is none. Raises InputError if it is unreadable or must not be replaced."""
    text = read_replaceable(folder / MARKDOWN)
    file = folder / CSV
    stored = read_replaceable(file)
    return rows_of_csv(stored, shown(file)) if stored else rows_of_table(text, folder)


def rows(folder):
    """The student's rows in the order of their tries, as dicts, for drawing or judging.

    `expected`, `measured` and its quartiles `lower`, `upper` are speed-ups over the row `against` ("naive", or a row
    number as text); `times_naive` is over naive timed beside it; `interactions_per_s` in 1/s; `spread` is the
    interquartile range of the repeats over their median. These are floats, `row` and `n` (bodies) ints; all are None
    if there is no number. The rest is text: `date` (YYYY-MM-DD), `name`, `idea`, `verdict`, `estimated` ("yes" if
    `measured` was not measured side by side), `threads`, `step`, `scene`, `precision`, `device`, `flags`, `source`
    (the kept copy, relative to the part's folder). `right` is a bool. Raises InputError.
    """
    return [{**typed(row), "right": is_right(row)} for row in load(folder).rows]


def right_rows(folder):
    """The right rows, with threads as a number: what the worksheet compares answers with."""
    return [{**row, "threads": number(row["threads"])} for row in rows(folder) if row["right"]]


# --- which row -----------------------------------------------------------------------------------


def is_right(row):
    """Measured and not wrong."""
    return not row["verdict"].startswith("wrong") and bool(typed(row)["times_naive"])


def row_before(book, name):
    """The row to compare a new row of `name` with: the last right one of that name, else the last right one. None:
    naive."""
    right = [row for row in book.rows if is_right(row)]
    return ([row for row in right if row["name"] == name] or right or [None])[-1]


def row_against(book, asked):
    """The last right row with this number or name; None for naive. Raises InputError if there is none."""
    if asked == "naive":
        return None
    right = [row for row in book.rows if is_right(row)]
    found = [row for row in right if asked in (row["row"], row["name"])]
    if not found:
        names = ["naive", *(printable(row["name"]) for row in right)]
        raise InputError(
            f"--against '{printable(asked)}': the notebook has no right row with that number or name{nearest(asked, names)}"
        )
    return found[-1]


def next_number(book):
    return 1 + max((min(typed(row)["row"] or 0, 10**6) for row in book.rows), default=0)


# --- writing -------------------------------------------------------------------------------------


def csv_text(book):
    out = io.StringIO()
    writer = csv.DictWriter(out, [*NAMES, *book.own], lineterminator="\n")
    writer.writeheader()
    writer.writerows(book.rows)
    return out.getvalue()


def markdown_text(text, book):
    """The text of NOTEBOOK.md with these rows in its table."""
    shown = [
        [cell(row, column) for column in SHOWN] + [row[name] for name in book.own]
        for row in book.rows
    ]
    return with_table(text, [column.title for column in SHOWN] + book.own, shown, OLD_TITLES)


def would_lose_words(text, has_csv):
    """Whether the table holds anything that is missing in notebook.csv."""
    lines = lines_of(text)
    place = place_of_table(lines, OLD_TITLES)
    return place is not None and (was_changed(lines, place) or (has_csv and not place.marked))


def keep_copy(folder, text):
    """Saves a NOTEBOOK.md with a hand-edited table as notebook/NOTEBOOK_1.md, or under the next free number."""
    (folder / "notebook").mkdir(exist_ok=True)
    number = 1
    while (folder / f"notebook/NOTEBOOK_{number}.md").exists():
        number += 1
    copy = folder / f"notebook/NOTEBOOK_{number}.md"
    write_text(copy, text)
    return copy


def save(folder, book):
    """Writes both files. If the old table held words that would be lost, returns a copy of NOTEBOOK.md, else None."""
    text = read_replaceable(folder / MARKDOWN)
    copy = keep_copy(folder, text) if would_lose_words(text, (folder / CSV).exists()) else None
    file, stored = folder / CSV, read_replaceable(folder / CSV)
    write_text(file, csv_text(book))
    try:
        write_text(folder / MARKDOWN, markdown_text(text, book))
    except InputError:  # write both or neither
        write_text(file, stored) if stored else file.unlink()
        raise
    return copy
