"""Progress through a class and the remaining time: one moving line on a terminal, elsewhere an occasional line."""

import sys
import threading
import time
from typing import TextIO

ERASE = "\r\033[K"


class Progress:
    def __init__(self, what: str, count: int, out: TextIO | None = None) -> None:
        self.what, self.count, self.out = what, count, out or sys.stderr
        self.done, self.start, self.shown = 0, time.monotonic(), 0.0
        self.guard = threading.Lock()

    def _line(self, about: str) -> str:
        seconds = time.monotonic() - self.start
        left = ""
        if 0 < self.done < self.count:
            minutes = seconds * (self.count - self.done) / self.done / 60
            left = f", about {minutes:.0f} min left"
            left = left if minutes >= 1 else ", less than a minute left"
        return f"{self.what} {self.done}/{self.count}{left}: {about}"[:99]

    def at(self, about: str) -> None:
        """Shows what is being worked on."""
        with self.guard:
            now = time.monotonic()
            if self.out.isatty():
                self.out.write(ERASE + self._line(about))
            elif now - self.shown >= 10:
                self.out.write(self._line(about) + "\n")
                self.shown = now
            self.out.flush()

    def finished(self, text: str) -> None:
        """Counts one as done; `text` stays on the screen."""
        with self.guard:
            self.done += 1
            erase = ERASE if self.out.isatty() else ""
            self.out.write(erase + f"  {self.done}/{self.count} {text}"[:100] + "\n")
            self.out.flush()
