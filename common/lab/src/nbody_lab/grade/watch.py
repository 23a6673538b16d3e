"""What a program and its children use together, summed from /proc, for hosts without cgroups."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from nbody_lab.grade.limits import Limits

TICK_S = 0.05
_WATCHING_S = 0.2  # while it is timed: each look takes a millisecond of a core
_FOLDER_EVERY = 5  # ticks: summing a folder takes longer
_MOST_FILES = 10000
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
# Before a program of the lab that runs a student's one: it ends when the grader is killed, and so does the other.
DIES_WITH_GRADER = ("setpriv", "--pdeathsig", "KILL")


class _Use(NamedTuple):
    cpu_s: float
    waited_s: float  # of children that ended
    memory_bytes: int
    threads: int
    start: str


def read_proc(path: str | os.PathLike[str]) -> str:
    """Empty if it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _stat_of(process: int) -> list[str]:
    """The fields after the name."""
    return read_proc(f"/proc/{process}/stat").rpartition(")")[2].split()


def _use_of(process: int) -> _Use | None:
    fields = _stat_of(process)
    if len(fields) < 20:
        return None
    own, waited = (int(fields[k]) + int(fields[k + 1]) for k in (11, 13))
    return _Use(
        cpu_s=own / _TICKS_PER_S,
        waited_s=waited / _TICKS_PER_S,
        memory_bytes=_memory_of(process),
        threads=int(fields[17]),
        start=fields[19],
    )


def _memory_of(process: int) -> int:
    """Bytes not backed by a file, including swapped-out ones."""
    rows = (line.split() for line in read_proc(f"/proc/{process}/status").splitlines())
    return 1024 * sum(
        int(row[1]) for row in rows if row and row[0] in ("RssAnon:", "RssShmem:", "VmSwap:")
    )


def _children_of(process: int) -> list[int]:
    found: list[str] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{process}/task"):
            found += read_proc(f"/proc/{process}/task/{thread}/children").split()
    return [int(child) for child in found]


def tree_below(root: int) -> list[int]:
    """All processes below `root`, without `root`."""
    family = [root]
    for process in family:
        family += [child for child in _children_of(process) if child not in family]
    return family[1:]


def kill_tree(root: int, rounds: int = 100) -> set[int]:
    """Kills `root` and everything below it, after stopping all so that nothing new appears."""
    stopped: set[int] = set()
    for _ in range(rounds):
        new = [process for process in [root, *tree_below(root)] if process not in stopped]
        if not new:
            break
        stopped.update(new)
        send(new, signal.SIGSTOP)
    send(sorted(stopped, reverse=True), signal.SIGKILL)
    return stopped


def send(processes: Iterable[int], number: signal.Signals) -> None:
    for process in processes:
        if process:  # 0: of another container, and for kill() this process's own group
            with contextlib.suppress(OSError):
                os.kill(process, number)


def _use_of_folder(folder: str | os.PathLike[str]) -> tuple[int, int]:
    """(bytes on disk, number of files); files that vanish meanwhile do not count."""
    size = files = 0
    for where, folders, names in os.walk(folder):
        files += len(folders) + len(names)
        for name in names:
            with contextlib.suppress(OSError):
                size += os.lstat(os.path.join(where, name)).st_blocks * 512
        if files > _MOST_FILES:
            break
    return size, files


class Watch:
    """Watches a process tree; each look returns the limit exceeded, "" for none."""

    def __init__(
        self, root: int, limits: Limits, folders: Sequence[str | os.PathLike[str]] = ()
    ) -> None:
        self.root, self.limits = root, limits
        self.cpu: dict[tuple[int, str], float] = {}
        self.most_threads = self.looks = 0
        self.folders = [(folder, _use_of_folder(folder)[0]) for folder in folders]

    def look(self) -> str:
        self.looks += 1
        found = {process: _use_of(process) for process in (self.root, *tree_below(self.root))}
        uses = {process: use for process, use in found.items() if use}
        self.cpu.update({(process, use.start): use.cpu_s for process, use in uses.items()})
        self.most_threads = max(self.most_threads, sum(use.threads for use in uses.values()))
        # All processes seen, dead or alive, or as reported by parents that waited for them. For a single process, the
        # kernel's own limit comes first.
        reported = sum(use.cpu_s + use.waited_s for use in uses.values())
        if max(sum(self.cpu.values()), reported) > self.limits.cpu_s + 2:
            return "cpu time"
        if sum(use.memory_bytes for use in uses.values()) > self.limits.memory_bytes:
            return "memory"
        if self.most_threads > 2 * self.limits.processes + 8:
            return "processes"
        return "files" if self.looks % _FOLDER_EVERY == 0 and self._folders_full() else ""

    def _folders_full(self) -> bool:
        for folder, before in self.folders:
            size, files = _use_of_folder(folder)
            if size - before > self.limits.file_bytes or files > _MOST_FILES:
                return True
        return False


@contextlib.contextmanager
def watching(root: int, limits: Limits | None) -> Iterator[list[str]]:
    """Enforces limits on each program started by `root` (such as the checker) and everything below it, from a thread.
    It kills a program that takes too much, but not the others or `root`. Yields a list that collects the reasons.
    Without limits, because a cgroup has them, nothing is watched."""
    whys: list[str] = []
    if not limits:
        yield whys
        return
    ended = threading.Event()

    def follow() -> None:
        watches: dict[int, Watch] = {}
        while not ended.wait(_WATCHING_S):
            children = _children_of(root)
            watches = {child: watches.get(child) or Watch(child, limits) for child in children}
            for child, watch in watches.items():
                why = watch.look()
                if why:
                    whys.append(why)
                    kill_tree(child)

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    try:
        yield whys
    finally:
        ended.set()
        thread.join()


class OwnUse:
    """Processor time of this process and all below it, in a `with`. That of a program that is killed counts, too, which
    nobody waits for and no parent reports."""

    def __init__(self) -> None:
        self._seconds, self._before = 0.0, self._of_tree()
        self._ended, self._lock = threading.Event(), threading.Lock()
        self._thread = threading.Thread(target=self._follow, daemon=True)

    @staticmethod
    def _of_tree() -> float:
        processes = (os.getpid(), *tree_below(os.getpid()))
        return sum(use.cpu_s + use.waited_s for one in processes if (use := _use_of(one)))

    def _follow(self) -> None:
        while not self._ended.wait(_WATCHING_S):
            self.seconds()

    def seconds(self) -> float:
        """So far."""
        with self._lock:
            now = self._of_tree()
            self._seconds += max(0.0, now - self._before)
            self._before = now
            return self._seconds

    def __enter__(self) -> OwnUse:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()


# --- Ctrl-C: it comes to the main thread, while others wait for the programs that they started ---

_STOPPING = threading.Event()


def go_on() -> None:
    """Raises KeyboardInterrupt once this process is to end: before a program starts, or its result is kept."""
    if _STOPPING.is_set():
        raise KeyboardInterrupt


def stop_until(have_ended: Callable[[], bool]) -> None:
    """Kills all that runs below this process; other threads find out by go_on()."""
    _STOPPING.set()
    try:
        while not have_ended():
            send(tree_below(os.getpid()), signal.SIGKILL)
            time.sleep(TICK_S)
    finally:
        _STOPPING.clear()


def wait_until_gone(processes: Iterable[int], wait_s: float = 10) -> bool:
    """True once none of them runs. A zombie does not run: its parent has yet to wait for it."""
    end = time.monotonic() + wait_s
    while any(is_running(process) for process in processes):
        if time.monotonic() > end:
            return False
        time.sleep(0.002)
    return True


def is_running(process: int) -> bool:
    state = _stat_of(process)
    return bool(state) and state[0] not in "ZX"


def owner_name(process: int | None = None) -> str:
    """For what a process makes and must remove, by default this one: numbers come again, and times do not."""
    process = process or os.getpid()
    return f"{process}-{(_stat_of(process) or ['ended'] * 20)[19]}"


def owner_is_running(name: str) -> bool:
    process = name.partition("-")[0]
    return process.isdigit() and owner_name(int(process)) == name and is_running(int(process))
