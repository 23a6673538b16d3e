"""The table in NOTEBOOK.md: what stands between its two marks is written anew from notebook.csv, the rest is the student's.

<!-- table notebook.csv: ... -->
| # | date | ...
<!-- end of table -->
"""

import re
from collections.abc import Sequence

BEGIN = "<!-- table notebook.csv: ./lab try writes it anew from that file; change or delete rows there -->"
END = "<!-- end of table -->"
# The end may be lost, or carry a number, as earlier labs wrote it.
_TABLE = re.compile(
    r"^<!-- table notebook\.csv[^\n]*\n(?:(?:(?!<!-- end of table)[^\n]*\n)*<!-- end of table[^\n]*\n?|(?:[ \t]*\|[^\n]*\n?)*)",
    re.MULTILINE,
)


def one_line(text: str) -> str:
    """The text with control characters replaced by blanks."""
    return re.sub(r"[\x00-\x1f\x7f]", " ", text).strip()


def join_row(cells: Sequence[str]) -> str:
    """A table row, "| a | b |". A `|` in a cell is written as \\|."""
    shown = [one_line(cell).replace("|", "\\|") for cell in cells]
    return f"| {' | '.join(shown)} |"


def replace_table(text: str, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The text with this table in place of its old one, or at its end."""
    lines = [BEGIN, join_row(titles), "|" + "---|" * len(titles), *map(join_row, rows), END]
    ending = "\r\n" if "\r\n" in text else "\n"
    new = "".join(line + ending for line in lines)
    found = _TABLE.search(text)
    if found:
        return text[: found.start()] + new + text[found.end() :]
    text = text or "# Notebook"
    return text + ("" if text.endswith("\n") else ending) + ending + new
