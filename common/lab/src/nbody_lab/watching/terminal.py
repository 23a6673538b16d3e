"""The terminal while ./lab watch runs: single keys, and one line at the bottom that is rewritten.

It is given back as it was on any way out: the end, an error, Ctrl-C, a signal, Ctrl-Z.
"""

import os
import shutil
import signal
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

_ERASE = "\r\033[K"
ENDING = (signal.SIGTERM, signal.SIGHUP)


def has_keys() -> bool:
    """Whether keys can be read: both ends are a terminal, and it is ours to read."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()  # not in the background
    except OSError:
        return False


def _end(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)


class Screen:
    """Where results go. In a pipe there is no line at the bottom."""

    def __init__(self, keys: bool) -> None:
        self.keys = keys
        self._bottom = ""

    def write(self, *lines: str) -> None:
        """Lines that stay, above the one at the bottom."""
        text = "".join(f"{line}\n" for line in lines)
        sys.stdout.write(_ERASE + text + self._bottom if self.keys else text)
        sys.stdout.flush()

    def bottom(self, line: str) -> None:
        """Replaces the line at the bottom; it never wraps."""
        if self.keys:
            room = shutil.get_terminal_size().columns - 1
            self._bottom = line[:room]
            sys.stdout.write(_ERASE + self._bottom)
            sys.stdout.flush()


class Terminal:
    """Reads single keys between start() and stop(); without a terminal it does nothing."""

    def __init__(self, keys: bool) -> None:
        self.keys = keys
        self._descriptor = sys.stdin.fileno() if keys else -1
        self._before = termios.tcgetattr(self._descriptor) if keys else None

    def start(self) -> None:
        if self.keys:
            tty.setcbreak(self._descriptor, termios.TCSANOW)

    def stop(self) -> None:
        if self._before:
            with suppress(termios.error, OSError):  # the terminal may be gone
                termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)

    def read(self) -> str:
        """What was typed; empty if the terminal is gone."""
        try:
            return os.read(self._descriptor, 64).decode(errors="replace")
        except OSError:
            return ""

    def forget_typed(self) -> None:
        """Drops what was typed for something else."""
        if self.keys:
            termios.tcflush(self._descriptor, termios.TCIFLUSH)

    def _pause(self, number: int, _: FrameType | None) -> None:
        """Ctrl-Z: the shell gets its terminal as it was."""
        self.stop()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        # Here it goes on.
        signal.signal(number, self._pause)
        self.start()

    @contextmanager
    def single_keys(self) -> Iterator[None]:
        """Ends by SystemExit where a signal would end the process without giving the terminal back."""
        handlers = {number: signal.signal(number, _end) for number in ENDING}
        if self.keys:
            handlers[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, self._pause)
        try:
            self.start()
            yield
        finally:
            self.stop()
            for number, handler in handlers.items():
                signal.signal(number, handler)

    @contextmanager
    def lent(self) -> Iterator[None]:
        """For a command that reads and writes the terminal itself."""
        self.stop()
        try:
            yield
        finally:
            self.forget_typed()
            self.start()


@contextmanager
def ctrl_c_for_others() -> Iterator[None]:
    """While a command has the terminal: it ends by Ctrl-C, and this process does not."""
    before = signal.signal(signal.SIGINT, lambda *_: None)  # not SIG_IGN, which is inherited
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
