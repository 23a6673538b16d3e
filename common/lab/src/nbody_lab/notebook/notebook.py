"""The notebook of a part: one row for each ./lab try.

The rows are in notebook.csv (docs/fields.md). The table in NOTEBOOK.md is written from it; everything else there is
the student's. The source of each row is kept beside them, in notebook/, and the program of each right one in the build
folder, so that later ones can be timed beside it. Whoever writes must hold the lock of ./lab.
"""

import csv
import io
import re
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from nbody_lab.core.clean_text import in_one_line, printable, shown
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import LabModel, parse
from nbody_lab.core.whole_file import read_text, write_text
from nbody_lab.core.words import nearest

CSV, MARKDOWN = "notebook.csv", "NOTEBOOK.md"

BEGIN = "<!-- table notebook.csv: ./lab try writes it anew from that file; change or delete rows there -->"
END = "<!-- end of table -->"
# From one mark to the next: a table whose end was deleted is the student's.
_TABLE = re.compile(
    r"^<!-- table notebook\.csv[^\n]*\n"
    r"(?:(?!<!-- (?:table notebook\.csv|end of table))[^\n]*\n)*"
    r"<!-- end of table[^\n]*\n?",
    re.MULTILINE,
)


def _none_if_empty(cell: Any) -> Any:
    return None if cell == "" else cell


Number = Annotated[
    Annotated[float, Field(ge=0, allow_inf_nan=False)] | None, BeforeValidator(_none_if_empty)
]
Count = Annotated[Annotated[int, Field(ge=0)] | None, BeforeValidator(_none_if_empty)]


class Row(LabModel):
    """One ./lab try. Null, an empty cell: not known, or no result."""

    row: int = Field(
        default=0, description="its number, with which the name of the kept copy begins"
    )
    date: str = Field(default="", description="YYYY-MM-DD, UTC")
    name: str = Field(default="", description="the implementation")
    idea: str = Field(default="", description="as it was typed, on one line")
    expected: Number = Field(
        default=None, description="the prediction: its speed over that of `against`"
    )
    measured: Number = Field(
        default=None, description="the measured factor: median of the ratios of the rounds"
    )
    against: str = Field(default="", description="naive, or the number of a row")
    times_naive: Number = Field(default=None, description="as fast as naive, in the same minute")
    interactions_per_s: Number = Field(default=None, description="median speed")
    spread: Number = Field(
        default=None, description="width of the middle half of the rounds over the median"
    )
    n: Count = Field(default=None, description="bodies")
    threads: Count = Field(default=None, description="the most that it could use; empty on a GPU")
    verdict: str = Field(
        default="",
        description="`as expected` within 15 % and half of the predicted change, `less than expected`, `more than expected`, "
        "`no difference beyond the spread`, `too noisy to tell`, `no verdict: the machine was busy`, or `wrong: ` and why",
    )
    lower: Number = Field(default=None, description="of the middle half of `measured`")
    upper: Number = Field(default=None, description="of the middle half of `measured`")
    step: str = Field(default="", description="fixed or adaptive")
    scene: str = Field(
        default="", description="what was simulated ([scenes](../data/README.md#scenes))"
    )
    precision: str = ""
    device: str = Field(default="", description="the GPU; empty on the processor")
    flags: str = Field(default="", description="of the compiler")
    source: str = Field(default="", description="the kept copy, from the part's folder")

    @property
    def is_right(self) -> bool:
        """Measured and not wrong."""
        return bool(self.times_naive) and not self.verdict.startswith("wrong")

    def cells(self) -> dict[str, str]:
        """As they are written in the file, numbers in six digits."""
        return {
            name: "" if cell is None else f"{cell:.6g}" if isinstance(cell, float) else str(cell)
            for name, cell in self.model_dump().items()
        }


NAMES = list(Row.model_fields)


@dataclass(frozen=True)
class Notebook:
    """The rows in the order of the file."""

    rows: tuple[Row, ...] = ()

    def row_before(self, name: str, against: str | None) -> Row | None:
        """The row to compare a new one of `name` with: the last right one with the number or name `against`, or, if that is
        None, of the same name, else the last right one. None: naive. Raises LabError."""
        right = [row for row in self.rows if row.is_right]
        if against is None:
            same = [row for row in right if row.name == name]
            return (same or right)[-1] if right else None
        if against == "naive":
            return None
        named = [row for row in right if against in (str(row.row), row.name)]
        if not named:
            near = nearest(against, ["naive", *(printable(row.name) for row in right)])
            raise LabError(
                f"--against '{printable(against)}': the notebook has no right row with that number or name{near}"
            )
        return named[-1]


# --- the files -----------------------------------------------------------------------------------


def parse_csv(text: str, file: str) -> Notebook:
    """Raises LabError, which names the malformed line."""
    reader = csv.reader(io.StringIO(text.lstrip("\ufeff"), newline=""), strict=True)
    rows = []
    try:
        titles = next(reader, [])
        if sorted(titles) != sorted(NAMES):
            wrong = sorted(set(titles) ^ set(NAMES)) or titles
            raise LabError(
                f"{file}:1: its columns must be those that ./lab try wrote; look at: {printable(', '.join(wrong))}"
            )
        for cells in filter(None, reader):
            line = f"{file}:{reader.line_num}"
            if len(cells) != len(titles):
                raise LabError(
                    f"{line}: it has {len(cells)} cells, but there are {len(titles)} columns: correct it"
                )
            rows.append(parse(Row, dict(zip(titles, cells)), line))
    except csv.Error as error:
        raise LabError(f"{file}:{reader.line_num}: {error}: correct the line") from error
    return Notebook(tuple(rows))


def load(folder: Path) -> Notebook:
    """The notebook of a part, empty if there is none. Raises LabError, OSError."""
    file = folder / CSV
    text = read_text(file) if file.exists() else ""
    return parse_csv(text, shown(file)) if text else Notebook()


def right_rows(folder: Path) -> tuple[Row, ...]:
    """What the worksheet compares answers with. Raises LabError."""
    return tuple(row for row in load(folder).rows if row.is_right)


def best_on_one_thread(root: Path, part: str) -> float | None:
    """Interactions/s of the best right row of a part on one thread."""
    rows = [row for folder in root.glob(f"{part}_*") for row in right_rows(folder)]
    speeds = [row.interactions_per_s or 0 for row in rows if row.threads == 1]
    return max(speeds, default=0) or None


def save(folder: Path, book: Notebook) -> None:
    """Writes the CSV, and the table of NOTEBOOK.md from it."""
    out = io.StringIO()
    writer = csv.DictWriter(out, NAMES, lineterminator="\n")
    writer.writeheader()
    writer.writerows(row.cells() for row in book.rows)
    write_text(folder / CSV, out.getvalue())
    file = folder / MARKDOWN
    write_text(file, with_table(read_text(file) if file.exists() else "# Notebook\n", book.rows))


def with_table(text: str, rows: Sequence[Row]) -> str:
    """The text of NOTEBOOK.md with these rows in place of those between the marks, or at its end."""
    titles = "# date name idea expected measured against x_naive 10^9_interactions/s spread bodies threads verdict"
    table = [title.replace("_", " ") for title in titles.split()], *map(_shown_cells, rows)
    titles_row, *lines = [f"| {' | '.join(cells)} |\n" for cells in table]
    new = f"{BEGIN}\n{titles_row}|{'---|' * len(table[0])}\n{''.join(lines)}{END}\n"
    if found := _TABLE.search(text):
        return text[: found.start()] + new + text[found.end() :]
    return text + ("\n" if text.endswith("\n") else "\n\n") + new


def _shown_cells(row: Row) -> list[str]:
    def number(value: float | None, form: str = ".2f") -> str:
        return "-" if value is None else format(value, form)

    speed = row.interactions_per_s and row.interactions_per_s / 1e9
    spread = "-" if row.spread is None else f"{100 * row.spread:.0f} %"
    cells = [
        *(str(row.row), row.date, row.name, row.idea, number(row.expected), number(row.measured)),
        *(row.against, number(row.times_naive), number(speed, ".3f"), spread),
        *(number(row.n, "d"), number(row.threads, "d"), row.verdict),
    ]
    return [in_one_line(cell).replace("|", "\\|") for cell in cells]


# --- what is kept for each row -------------------------------------------------------------------


def add(
    folder: Path, row: Row, source: str, suffix: str, about: str, programs: Path, program: Path
) -> Row:
    """Adds a row to the notebook of a folder, with the next number, today's date, its source below a line `about` it and,
    if it is right, its program. Returns it."""
    book = load(folder)  # again, since the student may have edited it meanwhile
    # A kept source is never replaced, even if its row is deleted.
    kept = [re.match(r"\d+", file.name) for file in (folder / "notebook").glob("*_*")]
    number = 1 + max([0, *(row.row for row in book.rows), *(int(one[0]) for one in kept if one)])
    file = f"notebook/{number:03}_{row.name}{suffix}"
    today = time.strftime("%Y-%m-%d", time.gmtime())
    row = row.model_copy(update={"row": number, "date": today, "source": file})
    write_text(folder / file, f"// Row {number}, {today}: {about}\n{source}")
    if row.is_right:
        programs.mkdir(parents=True, exist_ok=True)
        shutil.copy2(program, _program_file(programs, row))
    save(folder, Notebook((*book.rows, row)))
    return row


def _program_file(programs: Path, row: Row) -> Path:
    return programs / f"{row.row}_{row.date}_{row.name}"


def kept_program(programs: Path, row: Row) -> Path:
    """Raises LabError if it is gone: a prediction is about the program that it was made for."""
    file = _program_file(programs, row)
    if not file.is_file():
        raise LabError(
            f"the program of row {row.row} is not in this build folder: predict the factor over naive, with --against naive"
        )
    return file
