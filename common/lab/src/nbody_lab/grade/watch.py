"""What a program and its children use together, summed from /proc, for hosts without cgroups."""

import collections
import contextlib
import os
import signal
import threading
import time

TICK_S = 0.05
WATCHING_S = 0.2  # while it is timed: each look takes a millisecond of a core
FOLDER_EVERY = 5  # ticks: summing a folder takes longer
MOST_FILES = 10000
TICKS_PER_S = os.sysconf("SC_CLK_TCK")

Use = collections.namedtuple("Use", "cpu_s waited_s memory_bytes threads start parent")


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def use_of(process):
    """None if there is no such process."""
    fields = read(f"/proc/{process}/stat").rpartition(")")[2].split()
    if len(fields) < 20:
        return None
    own, waited = (int(fields[k]) + int(fields[k + 1]) for k in (11, 13))
    return Use(
        own / TICKS_PER_S,
        waited / TICKS_PER_S,
        memory_of(process),
        int(fields[17]),
        fields[19],
        int(fields[1]),
    )


def memory_of(process):
    """Bytes not backed by a file, including swapped-out ones."""
    rows = (line.split() for line in read(f"/proc/{process}/status").splitlines())
    return 1024 * sum(
        int(row[1]) for row in rows if row and row[0] in ("RssAnon:", "RssShmem:", "VmSwap:")
    )


def children_of(process):
    found = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{process}/task"):
            found += read(f"/proc/{process}/task/{thread}/children").split()
    return [int(child) for child in found]


def tree_below(root):
    """All processes below `root`, without `root`."""
    family = [root]
    for process in family:
        family += [child for child in children_of(process) if child not in family]
    return family[1:]


def kill_tree(root, rounds=100):
    """Kills `root` and everything below it, after stopping all so that nothing new appears."""
    told = set()
    for _ in range(rounds):
        new = [process for process in [root, *tree_below(root)] if process not in told]
        if not new:
            break
        told.update(new)
        send(new, signal.SIGSTOP)
    send([*sorted(told, reverse=True)], signal.SIGKILL)
    return told


def send(processes, number):
    for process in processes:
        with contextlib.suppress(OSError):
            os.kill(process, number)


def folder_use(folder):
    """(bytes on disk, number of files) of a folder; files that vanish meanwhile do not count."""
    size = files = 0
    for where, folders, names in os.walk(folder):
        files += len(folders) + len(names)
        for name in names:
            with contextlib.suppress(OSError):
                size += os.lstat(os.path.join(where, name)).st_blocks * 512
        if files > MOST_FILES:
            break
    return size, files


class Watch:
    """Watches a process tree; each look returns the limit exceeded, "" for none."""

    def __init__(self, root, limits, folders=()):
        self.root, self.limits, self.folders = root, limits, folders
        self.cpu, self.most_threads, self.looks = {}, 0, 0
        self.at_start = [folder_use(folder)[0] for folder in folders]

    def look(self):
        self.looks += 1
        uses = {process: use_of(process) for process in (self.root, *tree_below(self.root))}
        uses = {process: use for process, use in uses.items() if use}
        self.cpu.update({(process, use.start): use.cpu_s for process, use in uses.items()})
        self.most_threads = max(self.most_threads, sum(use.threads for use in uses.values()))
        if (
            self.cpu_seconds(uses) > self.limits.cpu_s + 2
        ):  # for a single process, the kernel's own limit comes first
            return "cpu time"
        if sum(use.memory_bytes for use in uses.values()) > self.limits.memory_bytes:
            return "memory"
        if self.most_threads > 2 * self.limits.processes + 8:
            return "processes"
        return "files" if self.looks % FOLDER_EVERY == 0 and self.folders_full() else ""

    def cpu_seconds(self, uses):
        """CPU seconds of all processes seen, dead or alive, or as reported by parents that waited for them."""
        return max(sum(self.cpu.values()), sum(use.cpu_s + use.waited_s for use in uses.values()))

    def folders_full(self):
        for folder, before in zip(self.folders, self.at_start):
            size, files = folder_use(folder)
            if size - before > self.limits.file_bytes or files > MOST_FILES:
                return True
        return False


@contextlib.contextmanager
def watching(root, limits):
    """Enforces limits on each program started by `root` (such as the checker) and everything below it, from a thread.
    It kills a program that takes too much, but not the others or `root`. Yields a list that collects the reasons."""
    whys, ended = [], threading.Event()

    def follow():
        watches = {}
        while not ended.wait(WATCHING_S):
            watches = {
                child: watches.get(child) or Watch(child, limits) for child in children_of(root)
            }
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


def wait_until_gone(processes, wait_s=10):
    """True once none of them runs. A zombie does not run: its parent has yet to wait for it."""
    end = time.monotonic() + wait_s
    while any(is_running(process) for process in processes):
        if time.monotonic() > end:
            return False
        time.sleep(0.002)
    return True


def is_running(process):
    state = read(f"/proc/{process}/stat").rpartition(")")[2].split()
    return bool(state) and state[0] not in "ZX"
