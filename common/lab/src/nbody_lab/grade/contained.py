"""Runs a command to its end: feeds input, captures output up to a cap, watches limits, leaves no process alive."""

import collections
import contextlib
import json
import os
import selectors
import signal
import subprocess
import time

from nbody_lab.grade.watch import TICK_S, Watch, kill_tree, tree_below, wait_until_gone

# why: "" or the limit that ended it: "wall time", "cpu time", "memory", "output", "processes" or "files"
Ended = collections.namedtuple("Ended", "status signal why stdout stderr seconds")

MOST_AT_ONCE = 1 << 16
OF_SIGNAL = {signal.SIGXCPU: "cpu time", signal.SIGXFSZ: "files"}
# Messages of libraries and compilers. A program can print them too, so they explain but decide nothing.
OF_WORDS = {
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


class NotStarted(Exception):
    """The sandbox itself did not start; the message says why."""


class Contained:
    def __init__(self, words, limits, data=b"", folders=(), group=None, info=None):
        """`info`: the two ends of a pipe; bubblewrap writes to the second."""
        self.limits, self.group, self.why, self.init = limits, group, "", None
        self.captured = {"stdout": bytearray(), "stderr": bytearray()}
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
        self.reports = None
        if info:
            os.close(info[1])
            self.reports = open(info[0], encoding="utf-8")
            self.init = json.loads(self.reports.readline() or "{}").get("child-pid")
        self.watch = Watch(self.process.pid, limits, folders)

    def run(self):
        try:
            self.talk()
        finally:
            self.kill()
        inside = self.came_inside()
        status = self.process.returncode
        number = -status if status < 0 else status - 128 if 128 < status <= 192 else 0
        said, errors = (bytes(self.captured[name]) for name in ("stdout", "stderr"))
        if not inside and not self.why:
            raise NotStarted(errors.decode(errors="replace").strip() or "no message")
        return Ended(
            128 + number if number else status,
            number,
            self.why or self.explained(status, number, errors),
            said,
            errors,
            self.seconds(),
        )

    def came_inside(self):
        """Whether the program was started: only then does bubblewrap report an exit code."""
        if not self.reports:
            return True
        with self.reports:
            return "exit-code" in self.reports.read() or self.process.returncode < 0

    def seconds(self):
        return time.monotonic() - self.start

    def talk(self):
        with selectors.DefaultSelector() as ends:
            for name in ("stdout", "stderr"):
                ends.register(getattr(self.process, name), selectors.EVENT_READ, name)
            ends.register(self.process.stdin, selectors.EVENT_WRITE, "stdin")
            for pipe in list(ends.get_map().values()):
                os.set_blocking(pipe.fd, False)
            looked = 0.0
            while not self.why and self.process.poll() is None:
                for key, _ in ends.select(TICK_S if ends.get_map() else 0) or [(None, 0)]:
                    self.move(ends, key)
                if not ends.get_map():
                    time.sleep(0.005)
                if self.seconds() - looked >= TICK_S:
                    looked = self.seconds()
                    self.why = (
                        "wall time"
                        if looked > self.limits.wall_s
                        else self.watch.look() or self.full_group()
                    )

    def full_group(self):
        """ "memory" if the kernel killed one of its processes; the others may wait for it forever."""
        return self.group.why(0) if self.group else ""

    def move(self, ends, key):
        if key is None:
            return
        if key.data == "stdin":
            self.feed(ends)
        elif not self.take(key.data):
            ends.unregister(key.fileobj)

    def feed(self, ends):
        with contextlib.suppress(BlockingIOError):
            try:
                self.data = self.data[
                    os.write(self.process.stdin.fileno(), self.data[:MOST_AT_ONCE]) :
                ]
            except BrokenPipeError:
                self.data = self.data[:0]
        if not self.data:
            ends.unregister(self.process.stdin)
            self.process.stdin.close()

    def take(self, name):
        """Reads what is available; False at the end of the stream."""
        try:
            read = os.read(getattr(self.process, name).fileno(), MOST_AT_ONCE)
        except BlockingIOError:
            return True
        room = self.limits.output_bytes - len(self.captured[name])
        self.captured[name] += read[:room]
        if len(read) > room:
            self.why = self.why or "output"
        return bool(read)

    def kill(self):
        """Kills all processes: the first process inside is the last of its namespace to end."""
        mine = self.process.pid
        alive = tree_below(mine) + ([self.init] if self.init else [])
        if self.process.poll() is None:
            alive += kill_tree(mine)
        if self.init:
            with contextlib.suppress(OSError):
                os.kill(self.init, signal.SIGKILL)
        self.process.wait()
        if not wait_until_gone([process for process in alive if process != mine]):
            raise RuntimeError(f"process {alive} does not end")
        for name in ("stdout", "stderr"):
            self.empty(name)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                pipe.close()

    def empty(self, name):
        """Reads what is still in the pipe, at most its capacity."""
        pipe = getattr(self.process, name)
        for _ in range(32):
            with contextlib.suppress(OSError, ValueError):
                os.set_blocking(pipe.fileno(), False)
                if not self.take(name):
                    return

    def explained(self, status, number, errors):
        """The limit that made the program end by itself; "" for none."""
        why = OF_SIGNAL.get(number) or (self.group.why(status) if self.group else "")
        if why or status == 0:
            return why
        if sum(self.watch.cpu.values()) >= self.limits.cpu_s:
            return "cpu time"
        return next((meaning for words, meaning in OF_WORDS.items() if words in errors), "")
