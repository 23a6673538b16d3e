"""The loop of ./lab watch: saves, keys, and the one check that runs at a time."""

import datetime
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from nbody_lab.core.messages import UserError, say
from nbody_lab.watching.changes import (
    changes_of_check,
    changes_of_sheet,
    headline_of_check,
    headline_of_sheet,
)
from nbody_lab.watching.jobs import Job
from nbody_lab.watching.results import CheckOutcome, SheetOutcome, read_check, read_sheet
from nbody_lab.watching.saves import WORKSHEET, Saves, concerns_check
from nbody_lab.watching.terminal import ENDING, Screen, Terminal, ctrl_c_for_others

CHECK, SHEET = "check", "worksheet"  # the commands that run beside the keys
KEYS = "h hint  t try  n next  w worksheet  q quit"


@dataclass(frozen=True)
class Watched:
    """What is watched, and how ./lab is started."""

    part: str
    name: str
    folder: Path
    source: str  # the student's file, from the root
    warnings: Path  # build/release/warnings.json
    lab: tuple[str, ...]  # words that start ./lab
    options: tuple[str, ...] = ()  # of check

    @property
    def title(self) -> str:
        return f"{self.part}/{self.name}"


def _clock() -> str:
    return f"{datetime.datetime.now():%H:%M:%S}"


class Watch:
    """One job at a time; what is saved or pressed meanwhile comes after it."""

    def __init__(self, watched: Watched, keys: bool) -> None:
        self.watched = watched
        self.screen, self.terminal = Screen(keys), Terminal(keys)
        self._due = {CHECK}
        self._job: Job | None = None
        self._key = ""  # pressed while a job ran
        self._check: CheckOutcome | None = None
        self._sheet: SheetOutcome | None = None
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)

    def run(self) -> None:
        """Until q, Ctrl-C or the end of the terminal."""
        saves = Saves(self.watched.folder, self._saved)
        # A signal wakes poll() even where it arrives just before it: else Ctrl-C would wait for the next key.
        signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
        with tempfile.TemporaryDirectory(prefix="lab_watch_") as folder:
            try:
                with self.terminal.single_keys():
                    self._loop(Path(folder), saves)
            except KeyboardInterrupt:
                pass
            finally:
                if self._job:
                    self._job.stop()
                saves.stop()
                signal.set_wakeup_fd(-1)
                self.screen.bottom("")

    def _loop(self, folder: Path, saves: Saves) -> None:
        self.screen.write(f"{_clock()}  watching {self.watched.source} and {WORKSHEET}")
        while True:
            if self._job and not self._job.is_running:
                self._finish(self._job)
                self._job = None
            if saves.fault:
                raise UserError(f"{self.watched.folder} cannot be watched: {saves.fault}")
            if self._job is None and self._key:
                self._press(self._key)
                self._key = ""
            elif self._job is None and self._due:
                self._start(CHECK if CHECK in self._due else SHEET, folder)
            self._show_bottom()
            if not self._wait():
                return

    # --- what happens, from other threads and from the keyboard

    def _wake(self) -> None:
        with suppress(BlockingIOError, OSError):
            os.write(self._wake_write, b".")

    def _awake(self) -> set[int]:
        """What woke poll() since the last call: signals, by their numbers, and _wake()."""
        with suppress(BlockingIOError):
            return set(os.read(self._wake_read, 4096))
        return set()

    def _heed(self, woken: set[int]) -> None:
        """Ends it by a signal whose exception Python has dropped, as it does in a __del__."""
        if signal.SIGINT in woken:
            raise KeyboardInterrupt
        for number in woken & set(ENDING):
            raise SystemExit(128 + number)

    def _saved(self, names: set[str]) -> None:
        if any(concerns_check(name, self.watched.name) for name in names):
            self._due.add(CHECK)
        if WORKSHEET in names:
            self._due.add(SHEET)
        self._wake()

    def _poll(self) -> dict[int, int]:
        """Waits until something happens, a second at most while a job runs: {descriptor: events}."""
        poll = select.poll()
        poll.register(self._wake_read, select.POLLIN)
        if self.screen.keys:
            poll.register(sys.stdin.fileno(), select.POLLIN)
        else:
            poll.register(sys.stdout.fileno(), 0)  # POLLERR: nobody reads any more (| head)
        return dict(poll.poll(1000 if self._job else None))

    def _wait(self) -> bool:
        """Waits, and takes what was typed. False: it is over."""
        ready = self._poll()
        self._heed(self._awake())
        if not self.screen.keys:
            return sys.stdout.fileno() not in ready
        if sys.stdin.fileno() not in ready:
            return True
        typed = self.terminal.read()
        known = [key for key in typed if key in self._actions()]
        self._key = known[-1] if known else self._key
        return bool(typed) and "q" not in typed and "\x04" not in typed

    # --- jobs

    def _start(self, what: str, folder: Path) -> None:
        watched = self.watched
        self._due.discard(what)  # first: a save from now on asks for another one
        own = [watched.name, *watched.options] if what == CHECK else []
        self._job = Job(what, [*watched.lab, what, watched.part, *own], folder, self._wake)

    def _finish(self, job: Job) -> None:
        if job.what == CHECK:
            source = self.watched.source
            check = read_check(job.file, job.printed(), self.watched.warnings, source)
            headline = f"{self.watched.title} {headline_of_check(self._check, check)}"
            lines = changes_of_check(self._check, check)
            self._check = check
        else:
            sheet = read_sheet(job.file, job.printed())
            headline = f"worksheet of {self.watched.part}: {headline_of_sheet(sheet)}"
            lines = changes_of_sheet(self._sheet, sheet)
            self._sheet = sheet
        self.screen.write(
            f"{_clock()}  {headline} ({job.seconds:.0f} s)",
            *(f"          {line}" for line in lines),
        )

    def _show_bottom(self) -> None:
        if self._job:
            doing = f"{self._job.what} of {self.watched.title} ... {self._job.seconds:.0f} s"
            after = f"  then {self._key}" if self._key else "  q quit"
            self.screen.bottom(f"{_clock()}  {doing}{after}")
        else:
            verdict = self._check.verdict if self._check else ""
            self.screen.bottom(f"{self.watched.title} {verdict}   {KEYS}")

    # --- keys

    def _actions(self) -> dict[str, Callable[[], Sequence[str]]]:
        """For each key the words of the command; none if the student goes back."""
        part = self.watched.part
        return {
            "h": self._hint,
            "t": self._try,
            "n": lambda: ["next", part],
            "w": lambda: ["worksheet", part],
        }

    def _ask(self, question: str) -> str:
        """The line that was typed; empty to go back."""
        try:
            print(question, end="", flush=True)
            while sys.stdin.fileno() not in self._poll():
                self._heed(self._awake())
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            line = ""
        if not line.endswith("\n"):
            print()
        return line.strip()

    def _hint(self) -> Sequence[str]:
        task = self._ask("hint for which task? ")
        return ["hint", self.watched.part, task] if task else []

    def _try(self) -> Sequence[str]:
        idea = self._ask("your idea, in a few words: ")
        expected = self._ask("how many times as fast do you expect it to be? ") if idea else ""
        if not expected:
            return []
        return ["try", self.watched.part, self.watched.name, idea, "--expect", expected]

    def _press(self, key: str) -> None:
        self.screen.bottom("")
        with self.terminal.lent():
            words = self._actions()[key]()
            if words:
                with ctrl_c_for_others():
                    subprocess.run([*self.watched.lab, *words], check=False)
            self._awake()  # Ctrl-C was for the question, or for the command
        self._wake()  # for what was saved meanwhile


def watch(watched: Watched, keys: bool) -> None:
    """Until the student ends it."""
    if not keys:
        say("no terminal to read keys from, so it runs without them; Ctrl-C ends it")
    Watch(watched, keys).run()
