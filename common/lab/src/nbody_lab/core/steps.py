"""Shows one line per step of ./lab, with the progress of Ninja, CTest or pytest: on a terminal with a bar that is erased
at the end; elsewhere, or with TERM=dumb, as in a notebook's cell, a line every ten seconds. The step's own output goes to a log.

    building part1 ... 12/40, about 20 s left
"""

import os
import re
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

# As Ninja, CTest, pytest and ./lab itself show them: [3/40], 3/40 Test, [ 37%], ... 3/40.
_COUNTS = re.compile(r"\[(\d+)/(\d+)\]|^ *(\d+)/(\d+) Test|\.\.\. (\d+)/(\d+)|\[ *(\d+)%\]$", re.M)

Counts = tuple[int, int]  # done, of all


def format_progress(counts: Counts | None, seconds: float) -> str:
    """The progress so far; the time left is extrapolated."""
    if counts is None:
        return f"{seconds:.0f} s so far"
    done, total = counts
    if 10 * done < total or seconds <= 1:  # too early to say
        return f"{done}/{total}"
    left = seconds * (total - done) / done + 1
    time_left = f"{left:.0f} s" if left < 120 else f"{left / 60:.0f} min"
    return f"{done}/{total}, about {time_left} left"


def find_counts(text: str) -> Counts | None:
    """The last counts in what a tool printed."""
    found = _COUNTS.findall(text)
    if not found:
        return None
    *pairs, percent = found[-1]
    if percent:
        return int(percent), 100
    done, total = (int(number) for number in pairs if number)
    return done, total


class Step:
    """The progress line of a step. `between`: seconds between two lines of a log."""

    def __init__(self, label: str, out: TextIO | None = None, between: float = 10) -> None:
        self.label, self.out = label, out or sys.stderr
        self.start = self.shown = self.counting_since = time.monotonic()
        self.between = between
        self.counts: Counts | None = None
        self.note = ""  # what it does now
        self.progress: Progress | None = None
        if self.out.isatty() and os.environ.get("TERM") != "dumb":
            self._begin_bar()

    def _begin_bar(self) -> None:
        columns = (
            TextColumn("{task.description} ..."),
            BarColumn(20),
            TextColumn("{task.fields[so_far]}"),
        )
        self.progress = Progress(
            *columns,
            console=Console(file=self.out),
            transient=True,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self.task = self.progress.add_task(self.label, total=None, so_far="")
        self.progress.start()
        self.progress.refresh()

    def hear(self, text: str) -> None:
        """Takes what the step's program printed, which may be nothing, and shows how far it is."""
        now, counts = time.monotonic(), find_counts(text)
        if counts:
            before = self.counts or counts
            if counts[1] != before[1] or counts < before:  # it began to count something else
                self.counting_since = now
            self.counts = counts
        if self.progress:
            done, total = self.counts or (0, None)
            so_far = self._so_far(now)
            self.progress.update(self.task, completed=done, total=total, so_far=so_far)
            self.progress.refresh()
        elif now - self.shown >= self.between:
            self.shown = now
            self._print(self._so_far(now))

    def _so_far(self, now: float) -> str:
        """The counts, unless all that was counted is done and something else goes on; the note."""
        is_counting = self.counts and self.counts[0] < self.counts[1]
        since = self.counting_since if is_counting else self.start
        so_far = format_progress(self.counts if is_counting else None, now - since)
        return f"{so_far}; {self.note}" if self.note else so_far

    def _print(self, text: str) -> None:
        print(f"{self.label} ... {text}", file=self.out, flush=True)

    def tell(self, line: str) -> None:
        """A line that stays."""
        if self.progress:
            self.progress.console.print(line, markup=False, highlight=False, soft_wrap=True)
        else:
            print(line, file=self.out, flush=True)

    def end(self, status: int, nothing_done: bool = False) -> None:
        self.erase()
        if status != 0:
            self._print("failed")
        elif not nothing_done:
            self._print(f"{time.monotonic() - self.start:.0f} s")

    def erase(self) -> None:
        if self.progress:
            self.progress.stop()
            self.progress = None


def _listen(process: "subprocess.Popen[bytes]", log: IO[bytes], step: Step) -> None:
    """Copies the process's output to the log until it ends, even if something that it started holds the output open."""
    assert process.stdout is not None
    descriptor, has_ended = process.stdout.fileno(), False
    while True:
        ready, _, _ = select.select([descriptor], [], [], min(step.between, 1))
        output = os.read(descriptor, 65536) if ready else None
        if output == b"" or (output is None and has_ended):
            return
        has_ended = process.poll() is not None  # once more: it may have said something last
        log.write(output or b"")
        step.hear((output or b"").decode(errors="replace"))


def run_step(
    label: str, argv: Sequence[str], log: Path, folder: Path | str, step: Step | None = None
) -> int:
    """Runs `argv` in `folder`, with its output in `log`; returns its status."""
    step = step or Step(label)
    environment = {**os.environ, "NINJA_STATUS": "[%f/%t] "}
    log.parent.mkdir(parents=True, exist_ok=True)
    with (
        open(log, "wb") as kept,
        subprocess.Popen(
            argv,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        try:
            _listen(process, kept, step)
            status = process.wait()
        except KeyboardInterrupt:  # the process gets it too, and ends by itself
            step.erase()
            process.wait()
            raise
    step.end(status, b"ninja: no work to do" in log.read_bytes())
    return status


@contextmanager
def telling(step: Step, note: Callable[[], str], every: float = 1) -> Iterator[None]:
    """Shows the step again and again with what it does now, while the work itself says nothing."""
    ended = threading.Event()

    def follow() -> None:
        while not ended.wait(every):
            step.note = note()
            step.hear("")

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@contextmanager
def hearing(process: "subprocess.Popen[bytes]", label: str) -> Iterator[None]:
    """Shows how far a program is that says so on its standard error, in lines such as "... 3/40 naive N = 33", and passes on
    what else it says there."""
    assert process.stderr is not None
    step, messages = Step(label), process.stderr

    def listen() -> None:
        for line in (message.decode(errors="replace").rstrip("\n") for message in messages):
            if line.startswith("... "):
                step.note = _COUNTS.sub("", line).removeprefix("...").strip()
                step.hear(line)
            else:
                step.tell(line)

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    try:
        with telling(step, lambda: step.note):
            yield
    finally:
        thread.join()
        step.erase()


@contextmanager
def progress(label: str, note: Callable[[], str] | None = None) -> Iterator[Step]:
    """A line of progress that goes when the work is done; the work tells it what it has done: step.hear("[3/40]"). `note`:
    says what it does now."""
    step = Step(label)
    try:
        with telling(step, note) if note else nullcontext():
            yield step
    finally:
        step.end(0, nothing_done=True)
