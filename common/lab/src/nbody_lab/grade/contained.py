"""Runs a command to its end: feeds input, captures output up to a cap, watches limits, leaves no process alive.

Input and output are files without names, so no pipe can block, and the kernel's limit on files holds for the output, too."""

import contextlib
import fcntl
import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

from nbody_lab.grade.limits import Group, Limits
from nbody_lab.grade.watch import TICK_S, Watch, go_on, kill_tree, tree_below, wait_until_gone

_OF_SIGNAL = {int(signal.SIGXCPU): "cpu time", int(signal.SIGXFSZ): "files"}
# Messages of libraries and compilers. A program can print them too, so they explain but decide nothing.
_OF_WORDS = {
    b"bad_alloc": "memory",
    b"virtual memory exhausted": "memory",
    b"out of memory": "memory",
    b"Cannot allocate memory": "memory",
    b"Resource temporarily unavailable": "processes",
    b"Cannot fork": "processes",
    b"File too large": "files",
    b"No space left on device": "files",
    b"Too many open files": "files",
}


@dataclass(frozen=True)
class Ended:
    status: int  # as a shell reports it: 128 + the number of a signal
    why: str  # the limit: "wall time", "cpu time", "memory", "output", "processes", "files"; "" for none
    stdout: bytes
    stderr: bytes

    @property
    def text(self) -> str:
        return (self.stdout + b"\n" + self.stderr).decode("utf-8", "replace")


def _sealed(data: bytes) -> IO[bytes]:
    """A file without a name that nobody can change any more, also not who opens it again or owns it."""
    file = os.fdopen(os.memfd_create("input", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING), "w+b")
    file.write(data)
    file.seek(0)
    fcntl.fcntl(
        file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK
    )
    return file


class NotStarted(Exception):
    """The sandbox itself did not start; the message says why."""


class Contained:
    def __init__(
        self,
        words: Sequence[str],
        limits: Limits,
        data: bytes = b"",
        folders: Sequence[str | os.PathLike[str]] = (),
        group: Group | None = None,
        info: tuple[int, int] | None = None,
    ) -> None:
        """`info`: the two ends of a pipe; bubblewrap writes to the second."""
        self.limits, self.group, self.why = limits, group, ""
        self.start = time.monotonic()
        self.output, self.errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        with _sealed(data) as given:
            self.process = subprocess.Popen(
                words,
                stdin=given,
                stdout=self.output,
                stderr=self.errors,
                env={"PATH": "/usr/bin:/bin"},
                start_new_session=True,
                pass_fds=[info[1]] if info else [],
            )
        self.reports: IO[str] | None = None
        self.init: int | None = None  # the first process inside
        if info:
            os.close(info[1])
            self.reports = open(info[0], encoding="utf-8")
            self.init = json.loads(self.reports.readline() or "{}").get("child-pid")
        self.watch = Watch(self.process.pid, limits, folders)

    def run(self) -> Ended:
        try:
            go_on()
            self._wait()
        finally:
            self._kill()
        started = self._has_started()
        status = self.process.returncode
        number = -status if status < 0 else status - 128 if 128 < status <= 192 else 0
        said, errors = self._captured(self.output), self._captured(self.errors)
        if not started and not self.why:
            raise NotStarted(errors.decode(errors="replace").strip() or "no message")
        why = self.why or self._explain(status, number, errors)
        return Ended(128 + number if number else status, why, said, errors)

    def _has_started(self) -> bool:
        """Whether the program was started: only then does bubblewrap report an exit code."""
        if not self.reports:
            return True
        with self.reports:
            return "exit-code" in self.reports.read() or self.process.returncode < 0

    def _wait(self) -> None:
        """Until it ends or exceeds a limit."""
        while not self.why:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(TICK_S)
                return
            self.why = self._look()

    def _look(self) -> str:
        """ "memory" as well if the kernel killed one of its processes: the others may wait for it forever."""
        if time.monotonic() - self.start > self.limits.wall_s:
            return "wall time"
        if any(
            os.fstat(one.fileno()).st_size > self.limits.output_bytes
            for one in (self.output, self.errors)
        ):
            return "output"
        return self.watch.look() or (self.group.exceeded(0) if self.group else "")

    def _captured(self, file: IO[bytes]) -> bytes:
        """What it wrote, up to the limit."""
        with file:
            file.seek(0)
            text = file.read(self.limits.output_bytes + 1)
        if len(text) > self.limits.output_bytes:
            self.why = self.why or "output"
        return text[: self.limits.output_bytes]

    def _kill(self) -> None:
        """Kills all processes: the first process inside is the last of its namespace to end."""
        mine = self.process.pid
        alive = set(tree_below(mine)) | ({self.init} if self.init else set())
        if self.process.poll() is None:
            alive |= kill_tree(mine)
        if self.init:
            with contextlib.suppress(OSError):
                os.kill(self.init, signal.SIGKILL)
        self.process.wait()
        if not wait_until_gone(alive - {mine}):
            raise RuntimeError(f"process {alive} does not end")

    def _explain(self, status: int, number: int, errors: bytes) -> str:
        """The limit that made the program end by itself; "" for none."""
        why = _OF_SIGNAL.get(number) or (self.group.exceeded(status) if self.group else "")
        if why or status == 0:
            return why
        if sum(self.watch.cpu.values()) >= self.limits.cpu_s:
            return "cpu time"
        return next((meaning for words, meaning in _OF_WORDS.items() if words in errors), "")
