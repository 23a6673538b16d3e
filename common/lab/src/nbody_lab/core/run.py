"""Runs programs for ./lab: tools whose output it reads, long steps with a log, and what a person started.

What ends ./lab ends its child: Ctrl-C reaches both, and a kill is passed on.
"""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from nbody_lab.core.errors import LabError, say

# The signals of a program's own mistakes; others come from outside.
_FAULTS = (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT)

# Idle OpenMP threads of the checker and of checked programs would spin for milliseconds while the other side works, and
# take half of the processor. With a policy "passive" they would never spin, and each region would start so late in all
# threads but one that races hide. So they spin for some microseconds: of the libraries of g++ and clang.
SHORT_SPINS = {"GOMP_SPINCOUNT": "10000", "KMP_BLOCKTIME": "1"}

# As Ninja, CTest, pytest and the lab's programs show them: [3/40], 3/40 Test, [ 37%], ... 3/40.
_COUNTS = re.compile(r"\[(\d+)/(\d+)\]|^ *(\d+)/(\d+) Test|\.\.\. (\d+)/(\d+)|\[ *(\d+)%\]$", re.M)


class Step:
    """Shows how far a long step is while it lasts: on a terminal a line that goes at the end; elsewhere, or with TERM=dumb as
    in a notebook's cell, a line every ten seconds.

    building part1 ... 12/40, about 20 s left
    """

    between_s = 10.0

    def __init__(self, label: str) -> None:
        self._label, self._done, self._total, self._doing = label, 0, 0, ""
        self._start = self._shown = time.monotonic()
        self._status = None
        if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
            # CMake's tests, which write to a log, run without rich.
            from rich.console import Console

            console = Console(file=sys.stderr, markup=False, highlight=False)
            # Seldom: the program may be one that is timed.
            self._status = console.status(label, refresh_per_second=2)
            self._status.start()

    def hear(self, text: str, doing: str = "") -> None:
        """Takes what the step's program printed, which may be nothing, and shows how far it is, with the time left
        extrapolated. `doing`: in its own words."""
        now = time.monotonic()
        if found := _COUNTS.findall(text):
            self._done, self._total = map(int, [*filter(None, found[-1]), "100"][:2])
        seconds = now - self._start
        so_far = f"{seconds:.0f} s so far"
        # All that was counted may be done, while something else goes on.
        if self._done < self._total:
            so_far = f"{self._done}/{self._total}"
            if 10 * self._done >= self._total and seconds > 1:  # not too early to say
                left = seconds * (self._total - self._done) / self._done + 1
                time_left = f"{left:.0f} s" if left < 120 else f"{left / 60:.0f} min"
                so_far += f", about {time_left} left"
        self._doing = doing or self._doing
        so_far += f"; {self._doing}" if self._doing else ""
        line = f"{self._label} ... {so_far}"
        if self._status:
            from rich.text import Text

            self._status.update(Text(line))
        elif now - self._shown >= self.between_s:
            self._shown = now
            self.tell(line)

    def tell(self, line: str) -> None:
        """A line that stays."""
        if self._status:
            self._status.console.print(line, soft_wrap=True)
        else:
            print(line, file=sys.stderr, flush=True)

    def __enter__(self) -> "Step":
        return self

    def __exit__(self, *_: object) -> None:
        if self._status:
            self._status.stop()


def status_of(
    process: "subprocess.Popen[Any]", meanwhile: Callable[[], object] = lambda: None
) -> int:
    """Waits for the end; the status as a shell reports it. `meanwhile`: called ten times a second."""
    try:
        while process.returncode is None:
            # Without a time limit, a Ctrl-C that ends both would lose the status: subprocess then reports 0.
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.1)
            meanwhile()
    except KeyboardInterrupt:  # the program gets it, too, and ends by itself
        process.wait()
        raise
    except BaseException:
        process.terminate()
        process.wait()
        raise
    return process.returncode if process.returncode >= 0 else 128 - process.returncode


def run_step(label: str, argv: Sequence[str], log: Path, folder: Path | str) -> int:
    """Runs `argv` in `folder` as a step, with its output in `log`; returns its status."""
    start = time.monotonic()
    log.parent.mkdir(parents=True, exist_ok=True)
    with (
        open(log, "wb") as output,
        open(log, encoding="utf-8", errors="replace") as written,
        Step(label) as step,
        subprocess.Popen(
            argv,
            cwd=folder,
            env={**os.environ, "NINJA_STATUS": "[%f/%t] "},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        status = status_of(process, lambda: step.hear(written.read()))
    took = f"{time.monotonic() - start:.0f} s"
    if status != 0 or b"ninja: no work to do" not in log.read_bytes():
        step.tell(f"{label} ... {took if status == 0 else 'failed'}")
    return status


def converse(
    step: Step,
    tool: Path,
    plan: str,
    hear: Callable[[dict[str, Any]], str | None],
    may_ask: bool = False,
    **popen: Any,
) -> int:
    """Gives one of the lab's tools its plan, hears its lines of JSON, and shows what else it says. Returns its status, also
    after Ctrl-C or SIGTERM, with which a batch system ends a job: it keeps what it has. `may_ask`: what `hear` returns is
    sent as an answer, and `step` goes on showing the time."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [tool], stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, **popen
    ) as process:
        assert process.stdin and process.stdout
        stdin, stdout = process.stdin, process.stdout

        def send(text: str) -> None:
            with suppress(BrokenPipeError):  # it may have ended without reading
                stdin.write(text.encode())
                stdin.flush()

        def end() -> None:
            with suppress(BrokenPipeError):
                stdin.close()

        def listen() -> None:
            for text in stdout:
                try:
                    line = json.loads(text)
                except ValueError:
                    step.tell(text.decode(errors="replace").rstrip("\n"))
                    continue
                if answer := hear(line):
                    send(answer)

        listener = threading.Thread(target=listen, daemon=True)
        listener.start()
        send(plan)
        if not may_ask:
            end()
        try:
            # Not beside what is timed.
            status = status_of(process, (lambda: step.hear("")) if may_ask else (lambda: None))
        except (KeyboardInterrupt, SystemExit):
            status = status_of(process)
        listener.join()
        end()
    tell_fault(tool.name, status, "")
    return status


def run_program(words: Sequence[object], name: str = "", advice: str = "", **popen: Any) -> int:
    """Runs a program as a child and returns its status, also after Ctrl-C or a kill, for it keeps what it has. One line
    names the fault that killed it. `popen`: how it is started."""
    argv = [str(word) for word in words]
    sys.stdout.flush()
    with subprocess.Popen(argv, **popen) as process:
        try:
            status = status_of(process)
        except (KeyboardInterrupt, SystemExit):
            status = status_of(process)
    tell_fault(name or Path(argv[0]).name, status, advice)
    return status


def tell_fault(name: str, status: int, advice: str) -> None:
    """Names the fault that a status of a shell stands for, also where a launcher of MPI passes it on."""
    if status - 128 in _FAULTS:
        say(f"{name} {how_it_died(status - 128)}{advice}")


def how_it_died(number: int) -> str:
    """By which signal."""
    return f"died: {(signal.strsignal(number) or '').lower()} (signal {number})"


def capture(*words: object, **how: Any) -> "subprocess.CompletedProcess[str]":
    """Runs a tool and returns its status and what it writes, in English. `how`: more for subprocess.run()."""
    return subprocess.run(
        [str(word) for word in words],
        env={**os.environ, "LC_ALL": "C", **how.pop("environment", {})},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        **how,
    )


def last_line(messages: str, status: int) -> str:
    """What a program that stopped says of the reason; else its status."""
    return (messages.strip().splitlines() or [f"status {status}"])[-1]


def output_of(whose: str, *words: object, **how: Any) -> str:
    """What a program prints. Raises LabError if it stops. `how`: as for capture()."""
    done = capture(*words, **how)
    if done.returncode != 0:
        raise LabError(f"{whose} stopped: {last_line(done.stderr, done.returncode)}")
    return done.stdout


def spin_shortly() -> None:
    """For every program started from here. Not for timed programs: waking up takes longer."""
    for name, value in SHORT_SPINS.items():
        os.environ.setdefault(name, value)
