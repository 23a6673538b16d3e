"""The files kept for each row: its source beside the notebook, its program in the build folder."""

import contextlib
import hashlib
import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from nbody_lab.notebook.columns import Row
from nbody_lab.notebook.file import read_text, write_text

_PLAIN = re.compile(r"[\w-]+", re.ASCII)


def free_number(folder: Path, number: int) -> int:
    """The number, or the first larger one without a kept source, so that none is ever overwritten."""
    names = [file.name for file in (folder / "notebook").glob("*")]
    taken = [int(found[1]) for name in names if (found := re.match(r"(\d{1,6})(?!\d)", name))]
    return max([number, *(one + 1 for one in taken)])


def keep_source(folder: Path, row: Row, source: Path, conditions: str) -> str:
    """Copies the source to notebook/003_mine.hpp, with a first line that states the conditions. Returns the copy's path
    relative to the folder."""
    kept = f"notebook/{row.row:03}_{row.name}{source.suffix}"
    (folder / "notebook").mkdir(exist_ok=True)
    write_text(folder / kept, f"// Row {row.row}, {row.date}: {conditions}\n" + read_text(source))
    return kept


def versions_of(folder: Path, rows: Iterable[Row]) -> dict[str, bytes]:
    """{source of a row: what tells its version from others}, without rows whose copy is gone. The first line, which
    keep_source() wrote, is of the row."""
    versions = {}
    for row in rows:
        kept = folder / "notebook" / Path(row.source).name  # a person may have typed another folder
        with contextlib.suppress(OSError, ValueError):
            if row.source and kept.is_file() and not kept.is_symlink():
                text = kept.read_bytes().partition(b"\n")[2]
                versions[row.source] = hashlib.sha256(text).digest()
    return versions


# The programs of right rows are kept, so that later ones can be timed beside them.


def _program_file(folder: Path, row: Row) -> Path | None:
    """None if the student's edits left no valid file name."""
    name = f"{row.row}_{row.date}_{row.name}"
    return folder / name if _PLAIN.fullmatch(name) else None


def kept_program(folder: Path, row: Row | None) -> Path | None:
    """The program's path, or None if there is none."""
    file = _program_file(folder, row) if row else None
    return file if file and file.is_file() else None


def keep_program(folder: Path, row: Row, program: Path) -> None:
    file = _program_file(folder, row)
    if file is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f".{file.name}.{os.getpid()}"
    try:
        shutil.copy2(program, unfinished)
        os.replace(unfinished, file)
    finally:
        unfinished.unlink(missing_ok=True)
