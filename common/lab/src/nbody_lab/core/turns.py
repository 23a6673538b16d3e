"""Turns on a machine that several people use: one measurement at a time, whoever starts it and in whatever tree.

Each measurement has a ticket, a file in a folder that everybody may write to; the oldest one measures, the others wait. A
ticket counts as long as its process holds a lock on it, so one that was killed keeps nobody waiting.
"""

import fcntl
import json
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from nbody_lab.core.clean_text import printable
from nbody_lab.core.errors import say
from nbody_lab.core.run import Step

FOLDER = Path(os.environ.get("LAB_TURNS", "/tmp/nbody_lab_turns"))
_ENOUGH_CPUS = 8  # to keep one free of builds
_LOOK_S = 0.5

_taken = False  # by this process, which may ask again


class Ticket(NamedTuple):
    file: Path
    who: str
    what: str
    since: str  # "14:03"; empty: it waits


@contextmanager
def _folder_locked() -> Iterator[None]:
    """While a ticket is made, or the queue is read."""
    with suppress(FileExistsError):
        FOLDER.mkdir()
        FOLDER.chmod(0o1777)  # whatever the umask
    folder = os.open(FOLDER, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if not os.fstat(folder).st_mode & stat.S_ISVTX:
            raise PermissionError(f"{FOLDER} is not a folder of the lab's")
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _is_held(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def queue() -> list[Ticket]:
    """Whoever measures, then whoever waits."""
    found = []
    with _folder_locked():
        for file in sorted(FOLDER.iterdir()):
            with suppress(OSError), open(file, encoding="utf-8", errors="replace") as ticket:
                if not _is_held(ticket.fileno()):
                    file.unlink()  # only its owner may
                    continue
                with suppress(ValueError):
                    words = [printable(str(word)) for word in json.load(ticket)]
                    found.append(Ticket(file, *words))
    return found


@contextmanager
def turn(what: str) -> Iterator[None]:
    """Waits until nobody else measures on this machine, and says who does; `what`: for the others."""
    global _taken  # noqa: PLW0603
    if _taken:
        yield
        return
    file = FOLDER / f"{time.time_ns()}_{os.getpid()}"
    who = os.environ.get("USER") or f"user {os.getuid()}"
    try:
        with _folder_locked():
            ticket = os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)
            fcntl.flock(ticket, fcntl.LOCK_EX)
            os.write(ticket, json.dumps([who, what, ""]).encode())
    except OSError as error:
        say(f"measuring without waiting for others: {error}")
        yield
        return
    try:
        _wait(file)
        os.pwrite(ticket, json.dumps([who, what, time.strftime("%H:%M")]).encode(), 0)
        _taken = True
        yield
    finally:
        _taken = False
        file.unlink(missing_ok=True)
        os.close(ticket)


def _wait(file: Path) -> None:
    """Until this ticket is the first."""
    before: list[str] | None = None
    with Step("waiting for the machine") as step:
        while others := [one for one in queue() if one.file.name < file.name]:
            first = others[0]
            since = f", since {first.since}" if first.since else ""
            words = f"{first.who} measures {first.what}{since}"
            if before != (now := [one.file.name for one in others]):
                before = now
                step.tell(f"waiting for the machine, place {len(others)} in the queue: {words}")
            step.hear("", words)
            time.sleep(_LOOK_S)


@contextmanager
def off_the_measured_core() -> Iterator[None]:
    """For builds: what is started within leaves the last core, both its threads, to whoever measures."""
    usable = os.sched_getaffinity(0)
    others = usable - _threads_of_core(max(usable))
    if len(usable) < _ENOUGH_CPUS or not others:
        yield
        return
    os.sched_setaffinity(0, others)
    try:
        yield
    finally:
        os.sched_setaffinity(0, usable)


def _threads_of_core(cpu: int) -> set[int]:
    file = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
    found = {cpu}
    with suppress(OSError, ValueError):
        for word in file.read_text(encoding="utf-8").strip().split(","):
            first, _, last = word.partition("-")
            found |= set(range(int(first), int(last or first) + 1))
    return found
