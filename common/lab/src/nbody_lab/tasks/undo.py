"""Keeps the last version of a student's file that passed its check, and restores it: ./lab undo.

The folder of kept versions also holds the text that is replaced, so undoing twice changes nothing. What is judged is
read before the check and kept in memory, so that two checks at once, or a file saved meanwhile, do no harm.
"""

import time
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.messages import UserError
from nbody_lab.core.whole_file import write_bytes
from nbody_lab.tasks.replaces_nothing import replaces_nothing, text_of_naive


def read_version(file: Path) -> bytes:
    """The text that a check is going to judge. Raises UserError if the file is gone."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        part = file.parent.name.split("_")[0]
        undo = f"./lab undo {part} {file.stem}"
        raise UserError(
            f"{file.name} is missing; {undo} restores the version that last passed its check"
        ) from None


def computes_as_naive(text: bytes, folder: Path) -> bool:
    """Whether the class overrides nothing, for example because a function's name is misspelt."""
    try:
        naive = text_of_naive(next(folder.glob("naive.*")), ROOT / "common")
        return bool(replaces_nothing(text.decode("utf-8"), naive))
    except (OSError, StopIteration, UnicodeDecodeError):
        return False


def keep_passed(file: Path, text: bytes, folder: Path) -> None:
    """Keeps the text of the file that has passed its check."""
    if not computes_as_naive(text, file.parent):
        write_bytes(folder / file.name, text)


def restore(file: Path, folder: Path) -> str:
    """Restores the file and says so in one line. Raises UserError if no version has passed."""
    kept, replaced = folder / file.name, folder / (file.name + ".replaced")
    if not kept.exists():
        raise UserError(
            f"no version of {file.name} has passed ./lab check yet, so there is none to restore"
        )
    passed = kept.read_bytes()
    now = file.read_bytes() if file.exists() else b""
    if now == passed and not replaced.exists():
        return f"{file.name} is already the version that last passed"
    if now == passed:
        write_bytes(file, replaced.read_bytes())
        replaced.unlink()
        return f"{file.name}: restored to the text before undo"
    when = time.strftime("%d %B, %H:%M", time.localtime(kept.stat().st_mtime))
    write_bytes(replaced, now)
    write_bytes(file, passed)
    return f"{file.name}: restored as it passed on {when}; ./lab undo again reverses that"
