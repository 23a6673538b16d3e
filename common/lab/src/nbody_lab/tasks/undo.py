"""Keeps the last version of a student's file that passed its check, and restores it: ./lab undo.

The folder of kept versions also holds the text that is replaced, so undoing twice changes nothing.
"""

import os
import tempfile
import time

from nbody_lab import ROOT
from nbody_lab.core.messages import UserError
from nbody_lab.tasks.replaces_nothing import replaces_nothing, text_of_naive


class CannotUndo(UserError):
    """Explains in one line why there is nothing to keep or restore."""


def write(path, text):
    """Writes all or nothing."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name + ".")
    with os.fdopen(descriptor, "wb") as out:
        out.write(text)
    if path.exists():
        os.chmod(name, path.stat().st_mode & 0o777)
    else:
        os.chmod(name, 0o644)
    os.replace(name, path)


def checked(file, folder):
    """Before a check: keeps the text that it judges."""
    if not file.exists():
        raise CannotUndo(
            f"{file.name} is missing; ./lab undo PART {file.stem} restores the version that last passed its check"
        )
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / (file.name + ".checked"), file.read_bytes())


def computes_as_naive(text, folder):
    """Whether the class overrides nothing, for example because a function's name is misspelt."""
    try:
        naive = text_of_naive(next(folder.glob("naive.*")), ROOT / "common")
        return bool(replaces_nothing(text.decode("utf-8"), naive))
    except (OSError, StopIteration, UnicodeDecodeError):
        return False


def passed(file, folder):
    """Once it has passed."""
    if computes_as_naive((folder / (file.name + ".checked")).read_bytes(), file.parent):
        return
    os.replace(folder / (file.name + ".checked"), folder / file.name)


def back(file, folder):
    """Restores the file and says so in one line. Raises CannotUndo if no version has passed."""
    kept, replaced = folder / file.name, folder / (file.name + ".replaced")
    if not kept.exists():
        raise CannotUndo(
            f"no version of {file.name} has passed ./lab check yet, so there is none to restore"
        )
    passed = kept.read_bytes()
    now = file.read_bytes() if file.exists() else b""
    if now == passed and not replaced.exists():
        return f"{file.name} is already the version that last passed"
    if now == passed:
        write(file, replaced.read_bytes())
        replaced.unlink()
        return f"{file.name}: restored to the text before undo"
    when = time.strftime("%d %B, %H:%M", time.localtime(kept.stat().st_mtime))
    write(replaced, now)
    write(file, passed)
    return f"{file.name}: restored as it passed on {when}; ./lab undo again reverses that"
