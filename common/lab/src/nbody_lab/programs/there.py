"""What ./lab on runs on the other machine, by the python3 there: without packages. An older one,
from 3.6 on, gets as far as ./lab, which says what it needs; so annotations that it lacks are text.

look             which of the files (JSON from the standard input) are to be sent
run FOLDER ...   a command; it is interrupted when the one who called it is gone
results FOLDER   an archive of what that command wrote
"""

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_SENT, _STARTED, _LOCK = "build/on_files.json", "build/on_started", "build/on_lock"
# A shell may greet before it.
ARCHIVE_FOLLOWS = b"\n./lab on: an archive follows\n"
IS_TAKEN = 75  # a status: try again later
# In build/, all else is programs, tools and copies.
_RESULTS = (
    *("report.html", "ceilings.json", "pictures", "verdicts", "roofline", "bound", "study"),
    *("simulated", "worksheets"),
)


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else ""


def _lock(folder: Path) -> "int | None":
    """A descriptor that keeps others out until it is closed, also by processes that inherit it; None if another has it."""
    lock = os.open(str(folder / _LOCK), os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    except OSError:  # some file systems of clusters have no locks
        pass
    return lock


def is_taken(folder: Path) -> str:
    return f"another ./lab on is running in {folder}: wait, or name another folder, --folder"


def look(order: "dict[str, Any]") -> "dict[str, Any]":
    """Removes what was sent before and is no longer wanted."""
    folder, files = Path(order["folder"]).expanduser(), order["files"]
    sent = folder / _SENT
    for tool in order["tools"]:
        if not shutil.which(tool):
            return {"error": f"there is no {tool}"}
    if folder.is_dir() and any(folder.iterdir()) and not sent.exists():
        return {"error": f"{folder} has files of others: name another folder, --folder"}
    sent.parent.mkdir(parents=True, exist_ok=True)
    if _lock(folder) is None:
        return {"error": is_taken(folder)}
    before = json.loads(sent.read_text()) if sent.exists() else []
    for path in set(before) - set(files):
        with contextlib.suppress(FileNotFoundError):
            (folder / path).unlink()
    sent.write_text(json.dumps(sorted(files)))
    wanted = [path for path, digest in files.items() if _digest(folder / path) != digest]
    return {"folder": str(folder), "wanted": wanted}


def run(folder: Path, argv: "list[str]") -> int:
    lock = _lock(folder)
    if lock is None:
        return IS_TAKEN
    (folder / _STARTED).write_text("")
    os.chdir(str(folder))
    if os.isatty(0):  # Ctrl-C comes through the terminal
        os.set_inheritable(lock, True)
        os.execvp(argv[0], argv)
    process = subprocess.Popen(
        argv, stdin=subprocess.DEVNULL, start_new_session=True, pass_fds=[lock]
    )

    def wait_for_the_end() -> None:
        while os.read(0, 1):
            pass
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)

    threading.Thread(target=wait_for_the_end, daemon=True).start()
    status = process.wait()
    return status if status >= 0 else 128 - status


def _new_files(folder: Path) -> "Iterator[Path]":
    since = (folder / _STARTED).stat().st_mtime
    tops = [one for one in sorted(folder.iterdir()) if one.name != "build"]
    for top in [*tops, *(folder / "build" / name for name in _RESULTS)]:
        for file in [top] if top.is_file() else sorted(top.rglob("*")):
            if file.is_file() and file.stat().st_mtime >= since and file.suffix != ".pyc":
                yield file


def results(folder: Path) -> None:
    sys.stdout.buffer.write(ARCHIVE_FOLLOWS)
    with tarfile.open(fileobj=sys.stdout.buffer, mode="w|gz", dereference=True) as archive:
        for file in _new_files(folder):
            archive.add(str(file), str(file.relative_to(folder)))


def main(action: str, *words: str) -> int:
    if action == "run":
        return run(Path(words[0]), list(words[1:]))
    if action == "results":
        results(Path(words[0]))
    else:
        try:
            print(json.dumps(look(json.load(sys.stdin))))
        except OSError as error:
            print(json.dumps({"error": f"{error.filename}: {error.strerror}"}))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
