"""Control groups (version 1 or 2) that limit memory and processes of a whole sandbox, if this user may create them."""

import contextlib
import itertools
import os
import signal
import time
from pathlib import Path

from nbody_lab.grade.watch import send

CONTROLLERS = ("memory", "pids")
NUMBERS = itertools.count()


def rows(path):
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def mounted(proc="/proc"):
    """The mount point of each controller: {"memory": folder, ...} in version 1, key "" in version 2."""
    found = {}
    for row in rows(f"{proc}/self/mounts"):
        _, where, kind, options = row.split()[:4]
        if kind == "cgroup2":
            found.setdefault("", where)
        elif kind == "cgroup":
            found.update({name: where for name in options.split(",") if name in CONTROLLERS})
    return found


def own(proc="/proc"):
    """This process's groups: {"memory": "/path", "": "/path"}."""
    found = {}
    for row in rows(f"{proc}/self/cgroup"):
        _, names, path = row.split(":", 2)
        found.update({name: path for name in names.split(",") if name in CONTROLLERS or not name})
    return found


def places(proc="/proc"):
    """(version, {controller: folder in which groups may be created}); version 0 if this user may create none."""
    where, mine = mounted(proc), own(proc)
    first = {
        name: Path(where[name] + mine[name])
        for name in CONTROLLERS
        if name in where and name in mine
    }
    if len(first) == len(CONTROLLERS) and all(os.access(path, os.W_OK) for path in first.values()):
        return 1, first
    if "" in where and "" in mine:
        # A group with processes cannot have child groups with controllers: so the new group goes beside our own, not
        # below it.
        beside = (
            Path(where[""] + mine[""]) if mine[""] == "/" else Path(where[""] + mine[""]).parent
        )
        ready = " ".join(rows(beside / "cgroup.subtree_control")).split()
        if (
            set(CONTROLLERS) <= set(ready)
            and os.access(beside, os.W_OK)
            and os.access(beside / "cgroup.procs", os.W_OK)
        ):
            return 2, {"": beside}
    return 0, {}


class Groups:
    """.kind: "cgroup v1", "cgroup v2", or "" if there are none."""

    def __init__(self, proc="/proc"):
        self.version, self.places = places(proc)
        self.kind = f"cgroup v{self.version}" if self.version else ""

    @contextlib.contextmanager
    def one(self, limits):
        """A group with these limits, removed at the end; None if none can be created."""
        if not self.version:
            yield None
            return
        name = f"lab_grade_{os.getpid()}_{next(NUMBERS)}"
        group = Group(self.version, {key: place / name for key, place in self.places.items()})
        try:
            group.make(limits)
            yield group
        finally:
            group.remove()


class Group:
    def __init__(self, version, folders):
        self.version, self.folders = version, folders
        self.entrances = [folder / "cgroup.procs" for folder in folders.values()]

    def make(self, limits):
        for folder in self.folders.values():
            folder.mkdir()
        names = (
            ("memory.limit_in_bytes", "pids.max")
            if self.version == 1
            else ("memory.max", "pids.max")
        )
        for controller, name, value in zip(
            CONTROLLERS, names, (limits.memory_bytes, limits.processes + 8)
        ):
            (self.folder_of(controller) / name).write_text(str(int(value)), encoding="ascii")
        swap = self.folder_of("memory") / (
            "memory.memsw.limit_in_bytes" if self.version == 1 else "memory.swap.max"
        )
        with contextlib.suppress(OSError):  # not every kernel counts swap
            swap.write_text(
                str(int(limits.memory_bytes)) if self.version == 1 else "0", encoding="ascii"
            )

    def folder_of(self, controller):
        return self.folders.get(controller) or self.folders[""]

    def why(self, status):
        """The limit that ended a program with this status; "" for none."""
        memory = self.folder_of("memory") / (
            "memory.oom_control" if self.version == 1 else "memory.events"
        )
        if self.event(memory, "oom_kill"):
            return "memory"
        return (
            "processes"
            if status and self.event(self.folder_of("pids") / "pids.events", "max")
            else ""
        )

    @staticmethod
    def event(path, name):
        return sum(int(row.split()[1]) for row in rows(path) if row.split()[0] == name)

    def remove(self, wait_s=2):
        """Kills what is left in it, and waits: a group stays busy until its last process is reaped."""
        end = time.monotonic() + wait_s
        for folder in self.folders.values():
            while folder.is_dir():
                send(map(int, rows(folder / "cgroup.procs")), signal.SIGKILL)
                try:
                    folder.rmdir()
                except OSError:
                    if time.monotonic() > end:
                        break
                    time.sleep(0.005)
