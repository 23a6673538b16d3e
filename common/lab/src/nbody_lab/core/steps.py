"""Shows one line per step of ./lab, with Ninja's progress: rewritten in place on a terminal, elsewhere a line every ten
seconds. The step's own output goes to a log.

    building part1 ... 12/40, about 20 s left
"""

import os
import re
import select
import subprocess
import sys
import time

ERASE = "\r\033[K"
# As Ninja, CTest, pytest and ./lab itself show them: [3/40], 3/40 Test, [ 37%], ... 3/40.
COUNTS = re.compile(r"\[(\d+)/(\d+)\]|^ *(\d+)/(\d+) Test|\.\.\. (\d+)/(\d+)|\[ *(\d+)%\]$", re.M)


def words_of(counts, seconds):
    """The progress so far; the time left is extrapolated."""
    if counts is None:
        return f"{seconds:.0f} s so far"
    done, of = counts
    if 10 * done < of or seconds <= 1:  # too early to say
        return f"{done}/{of}"
    left = seconds * (of - done) / done + 1
    return (
        f"{done}/{of}, about {left:.0f} s left"
        if left < 120
        else f"{done}/{of}, about {left / 60:.0f} min left"
    )


def counts_in(text):
    """The last counts in `text` as (done, of), or None."""
    found = COUNTS.findall(text)
    if not found:
        return None
    *of_two, percent = found[-1]
    return (int(percent), 100) if percent else tuple(int(number) for number in of_two if number)


class Step:
    """The progress line of a step. `between`: seconds between updates; None: depends on `out`."""

    def __init__(self, label, out=None, between=None):
        self.label, self.out = label, out or sys.stderr
        self.terminal = self.out.isatty()
        self.between = between or (1 if self.terminal else 10)
        self.start = self.shown = self.since = time.monotonic()  # since: when what is counted began
        self.counts = None
        if self.terminal:
            self.write(f"{label} ...")

    def write(self, text):
        self.out.write(text)
        self.out.flush()

    def heard(self, text):
        now, counts = time.monotonic(), counts_in(text)
        if counts:
            if self.counts and counts[1] != self.counts[1]:  # it began to count something else
                self.since = now
            self.counts = counts
        if not self.terminal and now - self.shown < self.between:
            return
        self.shown = now
        line = f"{self.label} ... {self.progress(now)}"
        self.write(ERASE + line if self.terminal else line + "\n")

    def progress(self, now):
        """The counts, unless all that was counted is done and something else goes on."""
        if self.counts and self.counts[0] < self.counts[1]:
            return words_of(self.counts, now - self.since)
        return words_of(None, now - self.start)

    def ended(self, status, nothing_done):
        erase = ERASE if self.terminal else ""
        if status != 0:
            self.write(f"{erase}{self.label} ... failed\n")
        elif nothing_done:
            self.write(erase)
        else:
            self.write(f"{erase}{self.label} ... {time.monotonic() - self.start:.0f} s\n")


def listen(process, log, step):
    """Copies the process's output to the log until it ends, even if something that it started holds the output open."""
    descriptor, has_ended = process.stdout.fileno(), False
    while True:
        ready, _, _ = select.select([descriptor], [], [], min(step.between, 1))
        said = os.read(descriptor, 65536) if ready else None
        if said == b"" or (said is None and has_ended):
            return
        has_ended = process.poll() is not None  # once more: it may have said something last
        log.write(said or b"")
        step.heard((said or b"").decode(errors="replace"))


def run_step(label, command, log, folder, step=None):
    """Runs `command` (a list of words) in `folder`, with its output in `log` (a path); returns its status."""
    step = step or Step(label)
    environment = {**os.environ, "NINJA_STATUS": "[%f/%t] "}
    log.parent.mkdir(parents=True, exist_ok=True)
    with (
        open(log, "wb") as kept,
        subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        try:
            listen(process, kept, step)
            status = process.wait()
        except KeyboardInterrupt:  # the process gets it too, and ends by itself
            process.wait()
            raise
    step.ended(status, b"ninja: no work to do" in log.read_bytes())
    return status
