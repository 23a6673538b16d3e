"""Turns on a machine that several people use: one measurement at a time, whoever starts it and in whatever tree.

Whoever measures holds a lock on a file that everybody may write to, and has written into it who that is. A killed process
holds no lock.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from nbody_lab.core.clean_text import printable
from nbody_lab.core.errors import say
from nbody_lab.core.run import Step

FILE = Path(os.environ.get("LAB_TURNS", "/tmp/nbody_lab_turn"))
_LOOK_S = 0.5

_taken = False  # by this process, which may ask again


def _open() -> int:
    """Not with O_CREAT if it is there: in /tmp, the kernel forbids that for a file of another user."""
    with suppress(FileNotFoundError):
        return os.open(FILE, os.O_RDWR | os.O_NOFOLLOW)
    try:
        file = os.open(FILE, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
    except FileExistsError:  # somebody was faster
        return os.open(FILE, os.O_RDWR | os.O_NOFOLLOW)
    os.fchmod(file, 0o666)  # whatever the umask
    return file


@contextmanager
def turn(what: str) -> Iterator[None]:
    """Waits until nobody else measures on this machine, and says who does; `what`: for the others."""
    global _taken  # noqa: PLW0603
    if _taken:
        yield
        return
    try:
        file = _open()
    except OSError as error:
        say(f"measuring without waiting for others: {error}")
        yield
        return
    try:
        _wait(file)
        who = os.environ.get("USER") or f"user {os.getuid()}"
        os.ftruncate(file, 0)
        now = time.strftime("%H:%M")
        os.pwrite(file, f"{who} has been measuring {what} since {now}".encode(), 0)
        _taken = True
        yield
    finally:
        _taken = False
        os.close(file)


def _wait(file: int) -> None:
    said = ""
    with Step("waiting for the machine") as step:
        while True:
            with suppress(BlockingIOError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            who = printable(os.pread(file, 200, 0).decode("utf-8", "replace"))
            if who != said:
                said = who
                step.tell(f"waiting for the machine (Ctrl-C stops): {who}")
            step.hear("", who)
            time.sleep(_LOOK_S)
