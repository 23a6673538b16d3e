"""Keeps the last version of a student's file that passed its check, and restores it.

    undo.py checked FILE FOLDER   called before a check: keeps the text that it judges
    undo.py passed FILE FOLDER    called once it has passed
    undo.py back FILE FOLDER      ./lab undo PART [NAME]: restores the file as it last passed

FOLDER holds the kept versions, also of the text that is replaced, so undoing twice changes nothing.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders  # noqa: E402, F401
from messages import ended, stop  # noqa: E402
from replaces_nothing import replaces_nothing, text_of_naive  # noqa: E402


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
    if not file.exists():
        raise FileNotFoundError(f"{file.name} is missing; ./lab undo PART {file.stem} restores the version that last passed its check")
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / (file.name + ".checked"), file.read_bytes())


def computes_as_naive(text, folder):
    """Whether the class overrides nothing, for example because a function's name is misspelt."""
    try:
        naive = text_of_naive(next(folder.glob("naive.*")), Path(__file__).resolve().parents[2])
        return bool(replaces_nothing(text.decode("utf-8"), naive))
    except (OSError, StopIteration, UnicodeDecodeError):
        return False


def passed(file, folder):
    if computes_as_naive((folder / (file.name + ".checked")).read_bytes(), file.parent):
        return
    os.replace(folder / (file.name + ".checked"), folder / file.name)


def back(file, folder):
    """Restores the file and says so in one line. Raises FileNotFoundError if no version has passed."""
    kept, replaced = folder / file.name, folder / (file.name + ".replaced")
    if not kept.exists():
        raise FileNotFoundError(f"no version of {file.name} has passed ./lab check yet, so there is none to restore")
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


def run(what, file, folder):
    try:
        if what == "checked":
            checked(file, folder)
        elif what == "passed":
            passed(file, folder)
        else:
            print(back(file, folder))
    except FileNotFoundError as fault:
        stop(str(fault))


def main(arguments):
    return ended(run, arguments[0], Path(arguments[1]), Path(arguments[2]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
