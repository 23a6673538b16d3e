"""The table in NOTEBOOK.md, between its marks: as much Markdown as a notebook needs.

    <!-- table notebook.csv: ... -->
    | # | date | ...
    <!-- end of table 1a2b3c4d -->

The number after the table is a checksum of its cells. It tells a table edited by hand from one that is only older than
notebook.csv.
"""

import re
import zlib
from collections import namedtuple

BEGIN = (
    "<!-- table notebook.csv: ./lab try writes it from that file; change or delete rows there -->"
)
BEGIN_MARK, END_MARK = (
    "<!-- table notebook.csv",
    re.compile(r"<!-- end of table ?([0-9a-f]{8})? -->"),
)

# Lines [begin, end) of a text; marked: they include the marks; seal: the stored checksum.
Place = namedtuple("Place", "begin end marked seal")


def lines_of(text):
    """The lines with their line endings, so that joining them restores the text."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def line_ending_of(line):
    return "\r\n" if line.endswith("\r\n") else "\n"


def cells_of(line):
    """The cells of a table row, [] for any other line. A `|` in a cell is written as \\|."""
    row = line.strip()
    if not row.startswith("|"):
        return []
    cells = re.split(r"(?<!\\)\|", row)[1:]
    if not cells[-1].strip():  # the last `|` may be missing
        cells.pop()
    return [cell.strip().replace("\\|", "|") for cell in cells]


def row_line(cells):
    """A table row, "| a | b |"; control characters become blanks."""
    return (
        "| "
        + " | ".join(
            re.sub(r"[\x00-\x1f\x7f]", " ", cell).strip().replace("|", "\\|") for cell in cells
        )
        + " |"
    )


def is_rule(cells):
    return bool(cells) and all(re.fullmatch(r":?-+:?", cell) for cell in cells)


def seal_of(lines):
    """A checksum of the cells. It ignores blanks and dashes, which table formatters change."""
    rows = [cells_of(line) or [line.strip()] for line in lines if line.strip()]
    text = "\n".join("|".join(cells) for cells in rows if not is_rule(cells))
    return f"{zlib.crc32(text.encode('utf-8', 'surrogateescape')):08x}"


def end_of_rows(lines, begin):
    while begin < len(lines) and cells_of(lines[begin]):
        begin += 1
    return begin


def bare_table(lines, titles):
    """A table that starts with these titles and has no marks, from an older lab."""
    for k in range(len(lines) - 1):
        if cells_of(lines[k])[: len(titles)] == titles and cells_of(lines[k + 1]):
            return Place(k, end_of_rows(lines, k), False, "")
    return None


def place_of_table(lines, titles):
    """The table's Place, or None."""
    for begin, line in enumerate(lines):
        if not line.startswith(BEGIN_MARK):
            continue
        for end in range(begin + 1, len(lines)):
            if lines[end].startswith(BEGIN_MARK):
                break
            found = END_MARK.match(lines[end])
            if found:
                return Place(begin, end + 1, True, found[1] or "")
        first = next(
            (k for k in range(begin + 1, len(lines)) if lines[k].strip()), begin
        )  # skips blank lines
        return Place(
            begin, max(begin + 1, end_of_rows(lines, first)), True, ""
        )  # the end mark is missing
    return table_above_end(lines) or bare_table(lines, titles)


def table_above_end(lines):
    """The Place of a table whose first mark is missing."""
    for end, line in enumerate(lines):
        found = END_MARK.match(line)
        if found:
            begin = end
            while begin and cells_of(lines[begin - 1]):
                begin -= 1
            return Place(begin, end + 1, True, found[1] or "")
    return None


def table_lines(lines, place):
    """The lines without the marks."""
    body = lines[place.begin : place.end]
    if place.marked:
        body = body[1:] if body[0].startswith(BEGIN_MARK) else body
        body = body[:-1] if body and END_MARK.match(body[-1]) else body
    return body


def was_changed(lines, place):
    """Whether the table was edited by hand. A table without marks has no checksum, so it counts as unchanged."""
    return place.marked and seal_of(table_lines(lines, place)) != place.seal


def rows_in(lines):
    """[{title: cell}] of a table's lines; surplus cells go to 'more'."""
    table = [cells for cells in map(cells_of, lines) if cells]
    if not table:
        return []
    titles, rows = table[0], table[1:]
    titles = [
        title if title not in titles[:k] else f"{title} {k + 1}" for k, title in enumerate(titles)
    ]
    if rows and is_rule(rows[0]):
        rows = rows[1:]
    return [
        {
            **dict(zip(titles, cells)),
            **({"more": " | ".join(cells[len(titles) :])} if cells[len(titles) :] else {}),
        }
        for cells in rows
    ]


def with_table(text, titles, rows, old_titles):
    """The text with this table in place of its old one, or at its end."""
    lines = lines_of(text)
    place = place_of_table(lines, old_titles)
    ending = line_ending_of(lines[0]) if lines else "\n"
    if place is None:
        if not lines:
            lines = ["# Notebook" + ending]
        lines[-1] += "" if lines[-1].endswith("\n") else ending
        lines.append(ending)
        place = Place(len(lines), len(lines), False, "")
    table = [row_line(titles), "|" + "---|" * len(titles), *map(row_line, rows)]
    block = [BEGIN, *table, f"<!-- end of table {seal_of(table)} -->"]
    return (
        "".join(lines[: place.begin])
        + "".join(line + ending for line in block)
        + "".join(lines[place.end :])
    )
