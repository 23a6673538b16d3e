"""Rows that ./lab try writes into the notebook: new ones, and ones that are measured again."""

import time
from pathlib import Path

from nbody_lab.core.clean_text import printable
from nbody_lab.core.errors import LabError
from nbody_lab.notebook import notebook
from nbody_lab.notebook.columns import MEASURED, Row
from nbody_lab.notebook.file import shown
from nbody_lab.notebook.kept import free_number, keep_source, kept_program
from nbody_lab.notebook.notebook import CSV, MARKDOWN, Line, Notebook
from nbody_lab.notebook.trial import Question, Trial


def row_before(folder: Path, name: str, against: str | None) -> Row | None:
    """The row to compare with; None: naive. Raises LabError, also for a notebook that cannot be written."""
    book = notebook.load(folder)
    return book.latest(name) if against is None else book.find(against)


def _part(folder: Path) -> str:
    return folder.name.split("_")[0]


def add_row(folder: Path, trial: Trial, idea: str, source: Path) -> Row:
    """Adds a row to the notebook, read again since the student may have edited it meanwhile, and says so. Returns the
    row with its number and source."""
    before, book = trial.question.before, notebook.load(folder)
    row = trial.row().model_copy(
        update={
            "row": free_number(folder, book.next_number()),
            "date": time.strftime("%Y-%m-%d", time.gmtime()),
            "name": trial.question.name,
            "idea": idea,
            "against": str(before.row) if before else "naive",
        }
    )
    conditions = "; ".join(filter(None, [str(trial.conditions), trial.conditions_before]))
    compared = f"{conditions}; compared with {trial.question.before_in_words}"
    row = row.model_copy(update={"source": keep_source(folder, row, source, compared)})
    try:
        copy = notebook.save(folder, book.with_row(row))
    except LabError:
        (folder / row.source).unlink()
        raise
    print(f"\nrow {row.row} is in {shown(folder / MARKDOWN)}, its source in {row.source} beside it")
    if copy:
        print(
            f"  note      the table there was changed by hand; it is rewritten from {CSV},\n"
            f"            and the old text is in notebook/{copy.name}"
        )
    if not trial.wrong and not trial.over_before:
        print(
            "  note      measure it again when the machine is quiet: "
            f"./lab try {_part(folder)} --again {row.row} --wait 120"
        )
    return row


def question_again(
    folder: Path, number: str, programs: Path, ranks: int | None, wait_s: int | None
) -> Question:
    """What a row of the notebook asked, with its kept program. Raises LabError."""
    book = notebook.load(folder)
    row = next((row for row in reversed(book.rows) if str(row.row) == number), None)
    if row is None:
        raise LabError(f"--again {printable(number)}: the notebook has no row with that number")
    program = kept_program(programs, row)
    if not program or not row.expected:
        missing = (
            "no kept program: it was wrong, or build/ was removed"
            if not program
            else "no prediction"
        )
        raise LabError(
            f"--again {number}: row {number} has {missing}; try its idea anew: "
            f'./lab try {_part(folder)} {printable(row.name)} "idea" --expect {row.expected or 1:g}'
        )
    before = book.find(row.against)
    return Question(
        name=row.name,
        expected=row.expected,
        before=before,
        before_program=kept_program(programs, before),
        program=program,
        threads=row.threads if 0 < (row.threads or 0) < 10_000 else None,
        ranks=ranks,
        adaptive=row.step == "adaptive",
        n=row.n,
        wait_s=wait_s,
    )


def replace_row(folder: Path, number: str, trial: Trial) -> None:
    """Replaces the numbers of a row by those of a new measurement, unless the machine was busy; says which."""
    file = shown(folder / MARKDOWN)
    if not trial.wrong and not trial.over_before:
        print(f"\nrow {number} of {file} stays as it was")
        return
    book, new = notebook.load(folder), trial.row().cells()
    measured = {name: new[name] for name in MEASURED}
    lines = tuple(
        Line({**line.cells, **measured}) if str(line.row.row) == number else line
        for line in book.lines
    )
    notebook.save(folder, Notebook(lines, book.own))
    print(
        f"\nrow {number} of {file} was measured again, compared with {trial.question.before_in_words}"
    )
