"""Rows that ./lab try writes into the notebook."""

import time
from pathlib import Path

from nbody_lab.core.errors import LabError
from nbody_lab.notebook import notebook
from nbody_lab.notebook.columns import Row
from nbody_lab.notebook.file import shown
from nbody_lab.notebook.kept import free_number, keep_source
from nbody_lab.notebook.notebook import MARKDOWN
from nbody_lab.notebook.trial import Trial


def row_before(folder: Path, name: str, against: str | None) -> Row | None:
    """The row to compare with; None: naive. Raises LabError, also for a notebook that cannot be written."""
    book = notebook.load(folder)
    return book.latest(name) if against is None else book.find(against)


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
    compared = f"{trial.conditions}; compared with {trial.question.before_in_words}"
    row = row.model_copy(update={"source": keep_source(folder, row, source, compared)})
    try:
        notebook.save(folder, book.with_row(row))
    except LabError:
        (folder / row.source).unlink()
        raise
    print(f"\nrow {row.row} is in {shown(folder / MARKDOWN)}, its source in {row.source} beside it")
    if not trial.wrong and not trial.over_before:
        print("  note      try again when the machine is quiet, or with --wait 120")
    return row
