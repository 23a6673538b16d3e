"""One ./lab grade at a time has a folder of grades, and one at a time builds and measures here."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import filelock

from nbody_lab import ROOT
from nbody_lab.core.clean_text import in_one_line, shown
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.whole_file import write_text

MEASURING = ROOT / "build/grading"


def _name_of(note: Path) -> str:
    """Who has the folder; the other may not have written its note yet."""
    try:
        return f"another ./lab grade ({in_one_line(note.read_text(encoding='utf-8'))})"
    except OSError:
        return "another ./lab grade"


@contextmanager
def _hold(folder: Path, if_taken: Callable[[str], None]) -> Iterator[None]:
    """`if_taken` is told who has it; unless it raises, this waits."""
    lock, note = filelock.FileLock(folder / ".lock"), folder / ".in_use"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        if_taken(_name_of(note))
        lock.acquire()
    except (NotImplementedError, OSError):
        pass  # the file system has no locks
    try:
        write_text(note, f"process {os.getpid()}, since {datetime.now():%H:%M}\n")
        yield
    finally:
        note.unlink(missing_ok=True)
        lock.release(force=True)


@contextmanager
def alone_in(out: Path) -> Iterator[None]:
    """Nobody else writes there meanwhile. Raises LabError if somebody does."""

    def refuse(who: str) -> None:
        raise LabError(f"{who} works in {shown(out)}: run this again once it has ended")

    with _hold(out, refuse):
        yield


@contextmanager
def alone_here() -> Iterator[None]:
    """Nobody else grades on this machine meanwhile, which would spoil both timings; waits for whoever does."""

    def tell(who: str) -> None:
        say(f"{who} measures on this machine: waiting for it to end")

    with _hold(MEASURING, tell):
        yield
