"""Control groups (version 1 or 2) that limit memory and processes of a whole sandbox, if this user may create them."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from nbody_lab.grade.watch import owner_is_running, owner_name, read_proc, send

if TYPE_CHECKING:
    from nbody_lab.grade.limits import Limits

_CONTROLLERS = ("memory", "pids")
_NUMBERS = itertools.count()
_NAME = "lab_grade_{}_{}"  # the grader, and a number
_SPARE_PROCESSES = 8  # of bubblewrap itself
# Per version: limit of memory, of memory with swap and its value if there is to be none, and where kills are counted.
_FILES = {
    1: ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "{}", "memory.oom_control"),
    2: ("memory.max", "memory.swap.max", "0", "memory.events"),
}


def _lines(path: Path) -> list[str]:
    return read_proc(path).splitlines()


def find_places(proc: Path = Path("/proc")) -> tuple[int, dict[str, Path]]:
    """(version, {controller: folder in which groups may be created}), with the controller "" in version 2; version 0 if
    this user may create none."""
    mounts: dict[str, str] = {}
    own: dict[str, str] = {}
    for line in _lines(proc / "self/mounts"):
        _, where, kind, options = line.split()[:4]
        if kind == "cgroup2":
            mounts.setdefault("", where)
        elif kind == "cgroup":
            mounts.update({name: where for name in options.split(",") if name in _CONTROLLERS})
    for line in _lines(proc / "self/cgroup"):
        _, names, path = line.split(":", 2)
        own.update(dict.fromkeys(names.split(","), path))
    there = {name: Path(mounts[name] + own[name]) for name in mounts if name in own}
    first = {name: path for name, path in there.items() if name and os.access(path, os.W_OK)}
    if set(first) == set(_CONTROLLERS):
        return 1, first
    if "" in there:
        # A group with processes cannot have child groups with controllers: so the new group goes beside our own, not
        # below it.
        beside = there[""] if own[""] == "/" else there[""].parent
        ready = " ".join(_lines(beside / "cgroup.subtree_control")).split()
        writable = all(os.access(path, os.W_OK) for path in (beside, beside / "cgroup.procs"))
        if set(_CONTROLLERS) <= set(ready) and writable:
            return 2, {"": beside}
    return 0, {}


class Groups:
    """`version` 0: there are none."""

    def __init__(self, proc: Path = Path("/proc")) -> None:
        self.version, self.places = find_places(proc)

    @contextlib.contextmanager
    def one(self, limits: Limits) -> Iterator[Group | None]:
        """A group with these limits, removed at the end; None if none can be created."""
        if not self.version:
            yield None
            return
        name = _NAME.format(owner_name(), next(_NUMBERS))
        group = Group(self.version, {key: place / name for key, place in self.places.items()})
        try:
            group.make(limits)
            yield group
        finally:
            group.remove()

    def sweep(self) -> None:
        """Removes the groups of graders that were killed, with what still runs in them."""
        for key, place in self.places.items():
            for folder in place.glob(_NAME.format("*", "*")):
                owner = re.fullmatch(_NAME.format("([^_]+)", ".*"), folder.name)
                if owner and not owner_is_running(owner[1]):
                    Group(self.version, {key: folder}).remove()


class Group:
    def __init__(self, version: int, folders: dict[str, Path]) -> None:
        self.folders = folders
        self.memory, self.swap, self.no_swap, self.kills = _FILES[version]
        self.entrances = [folder / "cgroup.procs" for folder in folders.values()]

    def _file(self, controller: str, name: str) -> Path:
        return (self.folders.get(controller) or self.folders[""]) / name

    def make(self, limits: Limits) -> None:
        for folder in self.folders.values():
            folder.mkdir()
        memory, processes = int(limits.memory_bytes), limits.processes + _SPARE_PROCESSES
        self._file("memory", self.memory).write_text(str(memory), encoding="ascii")
        self._file("pids", "pids.max").write_text(str(processes), encoding="ascii")
        with contextlib.suppress(OSError):  # not every kernel counts swap
            self._file("memory", self.swap).write_text(
                self.no_swap.format(memory), encoding="ascii"
            )

    def exceeded(self, status: int) -> str:
        """The limit that ended a program with this status; "" for none."""
        if _count(self._file("memory", self.kills), "oom_kill"):
            return "memory"
        return "processes" if status and _count(self._file("pids", "pids.events"), "max") else ""

    def remove(self, wait_s: float = 2) -> None:
        """Kills what is left in it, and waits: a group stays busy until its last process is reaped."""
        end = time.monotonic() + wait_s
        for folder in self.folders.values():
            while folder.is_dir():
                send(map(int, _lines(folder / "cgroup.procs")), signal.SIGKILL)
                try:
                    folder.rmdir()
                except OSError:
                    if time.monotonic() > end:
                        break
                    time.sleep(0.005)


def _count(path: Path, name: str) -> int:
    return sum(int(line.split()[1]) for line in _lines(path) if line.split()[0] == name)
