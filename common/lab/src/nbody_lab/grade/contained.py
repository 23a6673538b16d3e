"""Runs a command to its end: feeds input, captures output up to a cap, watches limits, leaves no process alive."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from nbody_lab.grade.watch import TICK_S, Watch, kill_tree, tree_below, wait_until_gone

if TYPE_CHECKING:
    from nbody_lab.grade.cgroups import Group
    from nbody_lab.grade.limits import Limits

_MOST_AT_ONCE = 1 << 16
_PIPE_READS = 32  # at most what fits into a pipe
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
    status: int
    signal: int  # 0: none
    why: str  # the limit: "wall time", "cpu time", "memory", "output", "processes", "files"; "" for none
    stdout: bytes
    stderr: bytes
    seconds: float


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
        self.data = memoryview(data)
        self.start = time.monotonic()
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PATH": "/usr/bin:/bin"},
            start_new_session=True,
            pass_fds=[info[1]] if info else [],
        )
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.stdin: IO[bytes] = self.process.stdin
        self.captured = {self.process.stdout: bytearray(), self.process.stderr: bytearray()}
        self.reports: IO[str] | None = None
        self.init: int | None = None  # the first process inside
        if info:
            os.close(info[1])
            self.reports = open(info[0], encoding="utf-8")
            self.init = json.loads(self.reports.readline() or "{}").get("child-pid")
        self.watch = Watch(self.process.pid, limits, folders)

    def run(self) -> Ended:
        try:
            self._talk()
        finally:
            self._kill()
        started = self._has_started()
        status = self.process.returncode
        number = -status if status < 0 else status - 128 if 128 < status <= 192 else 0
        said, errors = map(bytes, self.captured.values())
        if not started and not self.why:
            raise NotStarted(errors.decode(errors="replace").strip() or "no message")
        return Ended(
            status=128 + number if number else status,
            signal=number,
            why=self.why or self._explain(status, number, errors),
            stdout=said,
            stderr=errors,
            seconds=time.monotonic() - self.start,
        )

    def _has_started(self) -> bool:
        """Whether the program was started: only then does bubblewrap report an exit code."""
        if not self.reports:
            return True
        with self.reports:
            return "exit-code" in self.reports.read() or self.process.returncode < 0

    def _talk(self) -> None:
        with selectors.DefaultSelector() as ends:
            for pipe in self.captured:
                ends.register(pipe, selectors.EVENT_READ, pipe)
            ends.register(self.stdin, selectors.EVENT_WRITE, None)
            for key in list(ends.get_map().values()):
                os.set_blocking(key.fd, False)
            next_look = 0.0
            while not self.why and self.process.poll() is None:
                for key, _ in ends.select(TICK_S if ends.get_map() else 0):
                    if not (self._take(key.data) if key.data else self._feed()):
                        ends.unregister(key.fileobj)
                        if not key.data:
                            self.stdin.close()  # the program sees the end of its input
                if not ends.get_map():
                    time.sleep(0.005)
                now = time.monotonic() - self.start
                if now > next_look:
                    next_look = now + TICK_S
                    self.why = "wall time" if now > self.limits.wall_s else self._look()

    def _look(self) -> str:
        """ "memory" as well if the kernel killed one of its processes: the others may wait for it forever."""
        return self.watch.look() or (self.group.exceeded(0) if self.group else "")

    def _feed(self) -> bool:
        with contextlib.suppress(BlockingIOError):
            try:
                self.data = self.data[os.write(self.stdin.fileno(), self.data[:_MOST_AT_ONCE]) :]
            except BrokenPipeError:
                self.data = self.data[:0]
        return bool(self.data)

    def _take(self, pipe: IO[bytes]) -> bool:
        """Reads what is available; False at the end of the stream."""
        try:
            read = os.read(pipe.fileno(), _MOST_AT_ONCE)
        except BlockingIOError:
            return True
        room = self.limits.output_bytes - len(self.captured[pipe])
        self.captured[pipe] += read[:room]
        if len(read) > room:
            self.why = self.why or "output"
        return bool(read)

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
        for pipe in self.captured:
            os.set_blocking(pipe.fileno(), False)
            for _ in range(_PIPE_READS):
                before = len(self.captured[pipe])
                if not self._take(pipe) or len(self.captured[pipe]) == before:
                    break
        for pipe in (self.stdin, *self.captured):
            with contextlib.suppress(OSError):
                pipe.close()

    def _explain(self, status: int, number: int, errors: bytes) -> str:
        """The limit that made the program end by itself; "" for none."""
        why = _OF_SIGNAL.get(number) or (self.group.exceeded(status) if self.group else "")
        if why or status == 0:
            return why
        if sum(self.watch.cpu.values()) >= self.limits.cpu_s:
            return "cpu time"
        return next((meaning for words, meaning in _OF_WORDS.items() if words in errors), "")
