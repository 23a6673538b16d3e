"""The notebook of a part: one row for each ./lab try.

The data are in notebook.csv (docs/file_formats.md). The table in NOTEBOOK.md is written from it; everything else there
belongs to the student. Whoever writes must hold the lock of ./lab.
"""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from nbody_lab.core.clean_text import printable
from nbody_lab.core.errors import LabError
from nbody_lab.core.words import nearest
from nbody_lab.notebook.columns import NAMES, TITLES, Row, row_from, shown_cells
from nbody_lab.notebook.file import read_replaceable, shown, write_text
from nbody_lab.notebook.table import replace_table

CSV, MARKDOWN = "notebook.csv", "NOTEBOOK.md"


@dataclass(frozen=True)
class Notebook:
    """The rows in the order of the file."""

    rows: tuple[Row, ...] = ()

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
        named = [row for row in self._comparable if wanted in (str(row.row), row.name)]
        if not named:
            near = nearest(wanted, ["naive", *(printable(row.name) for row in self._comparable)])
            raise LabError(
                f"--against '{printable(wanted)}': the notebook has no right row with that number or name{near}"
            )
        return named[-1]

    def next_number(self) -> int:
        return 1 + max((min(row.row or 0, 10**6) for row in self.rows), default=0)

    def with_row(self, row: Row) -> "Notebook":
        return Notebook((*self.rows, row))


def parse_csv(text: str, file: str) -> Notebook:
    """Raises LabError, which names the malformed line."""
    reader = csv.reader(io.StringIO(text.lstrip("\ufeff"), newline=""), strict=True)
    try:
        titles = next(reader, [])
        if sorted(titles) != sorted(NAMES):
            wrong = sorted(set(titles) ^ set(NAMES)) or titles
            raise LabError(
                f"{file}:1: its columns must be those that ./lab try wrote; look at: {printable(', '.join(wrong))}"
            )
        rows = []
        for cells in filter(None, reader):
            if len(cells) != len(titles):
                raise LabError(
                    f"{file}:{reader.line_num}: it has {len(cells)} cells, but there are {len(titles)} columns: correct it"
                )
            rows.append(row_from(dict(zip(titles, cells))))
    except csv.Error as error:
        raise LabError(f"{file}:{reader.line_num}: {error}: correct the line") from error
    return Notebook(tuple(rows))


def load(folder: Path) -> Notebook:
    """The notebook of a part, empty if there is none. Raises LabError if it is unreadable or must not be replaced."""
    read_replaceable(folder / MARKDOWN)
    file = folder / CSV
    stored = read_replaceable(file)
    return parse_csv(stored, shown(file)) if stored else Notebook()


def right_rows(folder: Path) -> tuple[Row, ...]:
    """What the worksheet compares answers with. Raises LabError."""
    return tuple(row for row in load(folder).rows if row.is_right)


def best_on_one_thread(root: Path, part: str) -> float | None:
    """Interactions/s of the best right row of a part on one thread."""
    rows = [row for folder in root.glob(f"{part}_*") for row in right_rows(folder)]
    speeds = [row.interactions_per_s or 0 for row in rows if row.threads == 1]
    return max(speeds, default=0) or None


def _csv_text(book: Notebook) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, NAMES, lineterminator="\n")
    writer.writeheader()
    writer.writerows(row.cells() for row in book.rows)
    return out.getvalue()


def markdown_text(text: str, book: Notebook) -> str:
    """The text of NOTEBOOK.md with these rows in its table."""
    return replace_table(text, TITLES, [shown_cells(row.cells()) for row in book.rows])


def save(folder: Path, book: Notebook) -> None:
    """Writes both files, or neither."""
    text, file = read_replaceable(folder / MARKDOWN), folder / CSV
    stored = read_replaceable(file)
    write_text(file, _csv_text(book))
    try:
        write_text(folder / MARKDOWN, markdown_text(text, book))
    except LabError:
        write_text(file, stored) if stored else file.unlink()
        raise
