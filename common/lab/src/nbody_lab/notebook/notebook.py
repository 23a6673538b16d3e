"""The notebook of a part: one row for each ./lab try.

The data are in notebook.csv (docs/file_formats.md). The table in NOTEBOOK.md is written from it; everything else there
belongs to the student. Whoever writes must hold the lock of ./lab.
"""

import csv
import io
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from nbody_lab.core.clean_text import printable
from nbody_lab.core.errors import LabError
from nbody_lab.core.words import nearest
from nbody_lab.notebook.columns import NAMES, TITLES, Row, row_from, shown_cells
from nbody_lab.notebook.file import read_replaceable, shown, write_text
from nbody_lab.notebook.table import has_rows, replace_table, was_changed

CSV, MARKDOWN = "notebook.csv", "NOTEBOOK.md"


@dataclass(frozen=True)
class Line:
    """A line of notebook.csv, with the student's own columns and spelling."""

    cells: dict[str, str]

    @cached_property
    def row(self) -> Row:
        return row_from(self.cells)


@dataclass(frozen=True)
class Notebook:
    """The lines in the order of the file, and the columns that the student added."""

    lines: tuple[Line, ...] = ()
    own: tuple[str, ...] = ()

    @property
    def rows(self) -> list[Row]:
        return [line.row for line in self.lines]

    @property
    def _comparable(self) -> list[Row]:
        return [row for row in self.rows if row.is_right and row.row is not None]

    def latest(self, name: str) -> Row | None:
        """The row to compare a new one of `name` with: the last right one of that name, else the last right one; None:
        naive."""
        right = self._comparable
        of_same_name = [row for row in right if row.name == name]
        return (of_same_name or right)[-1] if right else None

    def find(self, wanted: str) -> Row | None:
        """The last right row with this number or name; None for naive. Raises LabError if there is none."""
        if wanted == "naive":
            return None
        named = [row for row in self.rows if wanted in (str(row.row), row.name)]
        named = [row for row in named if row.row is not None and not row.is_wrong]
        measured = [row for row in named if row.is_right]
        if measured:
            return measured[-1]
        if named:
            number = named[-1].row
            raise LabError(
                f"--against '{printable(wanted)}': row {number} has no speed to compare with; measure it first, with --again {number}"
            )
        near = nearest(wanted, ["naive", *(printable(row.name) for row in self._comparable)])
        raise LabError(
            f"--against '{printable(wanted)}': the notebook has no right row with that number or name{near}"
        )

    def next_number(self) -> int:
        return 1 + max((min(row.row or 0, 10**6) for row in self.rows), default=0)

    def with_row(self, row: Row) -> "Notebook":
        line = Line({**row.cells(), **dict.fromkeys(self.own, "")})
        return Notebook((*self.lines, line), self.own)


def parse_csv(text: str, file: str) -> Notebook:
    """Raises LabError, which names the malformed line."""
    reader = csv.reader(io.StringIO(text.lstrip("\ufeff"), newline=""), strict=True)
    try:
        titles = next(reader, [])
        missing = [name for name in NAMES if name not in titles]
        if missing:
            raise LabError(
                f"{file}:1: the columns {', '.join(missing)} are missing (commas between them?): restore them"
            )
        if len(set(titles)) < len(titles):
            raise LabError(f"{file}:1: two columns have the same name: rename one")
        lines = []
        for cells in filter(None, reader):
            if len(cells) != len(titles):
                raise LabError(
                    f"{file}:{reader.line_num}: it has {len(cells)} cells, but there are {len(titles)} columns: correct it"
                )
            lines.append(Line(dict(zip(titles, cells))))
    except csv.Error as error:
        raise LabError(f"{file}:{reader.line_num}: {error}: correct the line") from error
    return Notebook(tuple(lines), tuple(title for title in titles if title not in NAMES))


def load(folder: Path) -> Notebook:
    """The notebook of a part, empty if there is none. Raises LabError if it is unreadable or must not be replaced."""
    markdown = read_replaceable(folder / MARKDOWN)
    file = folder / CSV
    stored = read_replaceable(file)
    if stored:
        return parse_csv(stored, shown(file))
    if has_rows(markdown):
        raise LabError(
            f"{shown(folder / MARKDOWN)}: its table has rows, but {CSV} beside it is missing: "
            "restore that file, or delete the rows"
        )
    return Notebook()


def right_rows(folder: Path) -> tuple[Row, ...]:
    """What the worksheet compares answers with. Raises LabError."""
    return tuple(row for row in load(folder).rows if row.is_right)


def _csv_text(book: Notebook) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, [*NAMES, *book.own], lineterminator="\n")
    writer.writeheader()
    writer.writerows(line.cells for line in book.lines)
    return out.getvalue()


def markdown_text(text: str, book: Notebook) -> str:
    """The text of NOTEBOOK.md with these rows in its table."""
    shown = [
        shown_cells(line.cells) + [line.cells[name] for name in book.own] for line in book.lines
    ]
    return replace_table(text, [*TITLES, *book.own], shown)


def _keep_copy(folder: Path, text: str) -> Path:
    """Saves a NOTEBOOK.md as notebook/NOTEBOOK_1.md, or under the next free number."""
    (folder / "notebook").mkdir(exist_ok=True)
    number = 1
    while (copy := folder / f"notebook/NOTEBOOK_{number}.md").exists():
        number += 1
    write_text(copy, text)
    return copy


def save(folder: Path, book: Notebook) -> Path | None:
    """Writes both files. If the old table was edited by hand, returns a copy of NOTEBOOK.md, else None."""
    text = read_replaceable(folder / MARKDOWN)
    copy = _keep_copy(folder, text) if was_changed(text) else None
    file = folder / CSV
    stored = read_replaceable(file)
    write_text(file, _csv_text(book))
    try:
        write_text(folder / MARKDOWN, markdown_text(text, book))
    except LabError:  # write both or neither
        write_text(file, stored) if stored else file.unlink()
        raise
    return copy
