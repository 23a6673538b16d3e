"""The table in NOTEBOOK.md, between its marks: as much Markdown as a notebook needs.

    <!-- table notebook.csv: ... -->
    | # | date | ...
    <!-- end of table 1a2b3c4d -->

The number after the table is a checksum of its cells. It tells a table edited by hand from one that is only older than
notebook.csv.
"""

import re
import zlib
from collections.abc import Sequence

BEGIN = (
    "<!-- table notebook.csv: ./lab try writes it from that file; change or delete rows there -->"
)
_FIRST = r"<!-- table notebook\.csv"
_LAST = r"<!-- end of table ?(?:[0-9a-f]{8})? -->"
_LINES = rf"(?:(?!{_FIRST}|{_LAST})[^\n]*\n)*"
_ROW = r"[ \t]*\|[^\n]*"
# A whole table, then what is left of one that lost its last or its first mark.
_WHOLE = rf"^{_FIRST}[^\n]*\n(?P<whole>{_LINES}){_LAST}[^\n]*\n?"
_WITHOUT_LAST = rf"^{_FIRST}[^\n]*\n?(?:[ \t\r]*\n)*(?P<begun>(?:{_ROW}\n?)*)"
_WITHOUT_FIRST = rf"^(?P<ended>(?:{_ROW}\n)*){_LAST}[^\n]*\n?"
_TABLE = re.compile(f"{_WHOLE}|{_WITHOUT_LAST}|{_WITHOUT_FIRST}", re.MULTILINE)


def lines_of(text: str) -> list[str]:
    """The lines with their line endings, so that joining them restores the text."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def line_ending_of(line: str) -> str:
    return "\r\n" if line.endswith("\r\n") else "\n"


def one_line(text: str) -> str:
    """The text with control characters replaced by blanks."""
    return re.sub(r"[\x00-\x1f\x7f]", " ", text).strip()


def split_row(line: str) -> list[str]:
    """The cells of a table row, [] for any other line. A `|` in a cell is written as \\|."""
    row = line.strip()
    if not row.startswith("|"):
        return []
    cells = re.split(r"(?<!\\)\|", row)[1:]
    if not cells[-1].strip():  # the last `|` may be missing
        cells.pop()
    return [cell.strip().replace("\\|", "|") for cell in cells]


def join_row(cells: Sequence[str]) -> str:
    """A table row, "| a | b |"."""
    shown = [one_line(cell).replace("|", "\\|") for cell in cells]
    return f"| {' | '.join(shown)} |"


def _is_rule(cells: Sequence[str]) -> bool:
    return bool(cells) and all(re.fullmatch(r":?-+:?", cell) for cell in cells)


def _rows(lines: Sequence[str]) -> list[list[str]]:
    """The cells of every line, without the rule. Words between rows are a cell, too."""
    rows = [split_row(line) or [line.strip()] for line in lines if line.strip()]
    return [cells for cells in rows if not _is_rule(cells)]


def checksum(lines: Sequence[str]) -> str:
    """Of the cells. It ignores blanks and dashes, which table formatters change."""
    text = "\n".join("|".join(cells) for cells in _rows(lines))
    return f"{zlib.crc32(text.encode('utf-8', 'surrogateescape')):08x}"


def _body(found: re.Match[str] | None) -> list[str]:
    """The lines between the marks."""
    return lines_of(found["whole"] or found["begun"] or found["ended"] or "") if found else []


def was_changed(text: str) -> bool:
    """Whether the table was edited by hand."""
    found = _TABLE.search(text)
    return found is not None and f"table {checksum(_body(found))} -->" not in found[0]


def has_rows(text: str) -> bool:
    """Whether there is a table with more than its titles."""
    return len(_rows(_body(_TABLE.search(text)))) > 1


def replace_table(text: str, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The text with this table in place of its old one, or at its end."""
    lines = lines_of(text)
    ending = line_ending_of(lines[0]) if lines else "\n"
    table = [join_row(titles), "|" + "---|" * len(titles), *map(join_row, rows)]
    block = [BEGIN, *table, f"<!-- end of table {checksum(table)} -->"]
    new = "".join(line + ending for line in block)
    found = _TABLE.search(text)
    if found:
        return text[: found.start()] + new + text[found.end() :]
    text = text or "# Notebook"
    return text + ("" if text.endswith("\n") else ending) + ending + new
