"""How much an untrusted program may use: the figures, the prlimit options and control groups that set them, and time."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import platform
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import psutil

from nbody_lab.core.run import SHORT_SPINS
from nbody_lab.grade.watch import (
    DIES_WITH_GRADER,
    OwnUse,
    go_on,
    kill_tree,
    owner_is_running,
    owner_name,
    read_proc,
    send,
    watching,
)

MB = 1 << 20
OPEN_FILES = 128
EXTRA_S = 1  # processor time between the signal that can be caught and the one that cannot
STACK_OF_THREAD = 128 * MB  # address space, not memory: a stack and a malloc arena per thread


class Limits(NamedTuple):
    wall_s: float = 60
    cpu_s: float = 120  # for all processes together
    memory_bytes: int = 2048 * MB  # for all together
    processes: int = 128  # including threads
    file_bytes: int = 64 * MB  # per file, and for all files in one writable folder
    output_bytes: int = 1 * MB  # standard output and standard error, each


RUN = Limits()


def room_for(cores: int) -> int:
    """Processes and threads: one per core in all ranks together, and what the libraries of ranks start."""
    return RUN.processes + cores


# For a program that answers many requests, each with its own time limit.
JUDGE = RUN._replace(cpu_s=900, processes=room_for(os.cpu_count() or 1))
COMPILE = Limits(wall_s=120, cpu_s=120, memory_bytes=3072 * MB, processes=64, file_bytes=256 * MB)


def prlimit_words(limits: Limits, gpu: bool = False, counts_apart: bool = True) -> list[str]:
    """The prlimit prefix of a command line. With `gpu` address space is unlimited, because the driver reserves
    terabytes: a cgroup or the watcher then enforces `memory_bytes`. Without `counts_apart` the kernel counts all
    processes of this user."""
    processes = limits.processes + (0 if counts_apart else threads_of_user(os.getuid()))
    seconds = max(1, int(limits.cpu_s))
    words = [
        "prlimit",
        f"--cpu={seconds}:{seconds + EXTRA_S}",
        f"--nproc={processes}",
        f"--fsize={limits.file_bytes}",
        f"--nofile={OPEN_FILES}",
        "--core=0",
        "--msgqueue=0",
        "--rtprio=0",
    ]
    stacks = STACK_OF_THREAD * min(limits.processes, os.cpu_count() or 1)
    address_space = int(limits.memory_bytes) + stacks
    return words if gpu else [*words, f"--as={address_space}", "--memlock=65536"]


def namespaces_count_apart() -> bool:
    """Whether RLIMIT_NPROC counts per user namespace, as it does since Linux 5.14."""
    version = re.match(r"(\d+)\.(\d+)", platform.release())
    return version is not None and (int(version[1]), int(version[2])) >= (5, 14)


def threads_of_user(uid: int) -> int:
    found = psutil.process_iter(["uids", "num_threads"])
    return sum(
        one.info["num_threads"] or 0
        for one in found
        if one.info["uids"] and one.info["uids"].real == uid
    )


def too_much(why: str) -> str:
    """Ended.why in words."""
    return f"too {'many' if why in ('processes', 'files') else 'much'} {why}"


# --- control groups (version 2): memory and processes of a whole sandbox, if this user may create them ---

_CONTROLLERS = {"memory", "pids"}
_NUMBERS = itertools.count()
_NAME = "lab_grade_{}_{}"  # the grader, and a number
_SPARE_PROCESSES = 8  # of bubblewrap itself


def _lines(path: Path) -> list[str]:
    return read_proc(path).splitlines()


def _count(path: Path, name: str) -> int:
    return sum(int(line.split()[1]) for line in _lines(path) if line.split()[0] == name)


def find_place(proc: Path = Path("/proc")) -> Path | None:
    """The folder in which groups may be created; None if this user may create none."""
    mounts = [line.split()[1:3] for line in _lines(proc / "self/mounts")]
    top = next((Path(where) for where, kind in mounts if kind == "cgroup2"), None)
    own = [line.removeprefix("0::/") for line in _lines(proc / "self/cgroup") if line[:2] == "0:"]
    if top is None or not own:
        return None
    # A group with processes cannot have child groups with controllers: so the new group goes beside our own, not below
    # it.
    beside = (top / own[0]).parent if own[0] else top
    ready = set(" ".join(_lines(beside / "cgroup.subtree_control")).split())
    writable = all(os.access(path, os.W_OK) for path in (beside, beside / "cgroup.procs"))
    return beside if ready >= _CONTROLLERS and writable else None


class Groups:
    """`place` None: there are none."""

    def __init__(self, proc: Path = Path("/proc")) -> None:
        self.place = find_place(proc)

    @contextlib.contextmanager
    def one(self, limits: Limits) -> Iterator[Group | None]:
        """A group with these limits, removed at the end; None if none can be created."""
        if self.place is None:
            yield None
            return
        group = Group(self.place / _NAME.format(owner_name(), next(_NUMBERS)))
        try:
            group.make(limits)
            yield group
        finally:
            group.remove()

    def sweep(self) -> None:
        """Removes the groups of graders that were killed, with what still runs in them."""
        for folder in self.place.glob(_NAME.format("*", "*")) if self.place else ():
            owner = re.fullmatch(_NAME.format("([^_]+)", ".*"), folder.name)
            if owner and not owner_is_running(owner[1]):
                Group(folder).remove()


class Group:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.entrance = folder / "cgroup.procs"

    def make(self, limits: Limits) -> None:
        self.folder.mkdir()
        self._set("memory.max", int(limits.memory_bytes))
        self._set("pids.max", limits.processes + _SPARE_PROCESSES)
        with contextlib.suppress(OSError):  # not every kernel counts swap
            self._set("memory.swap.max", 0)

    def _set(self, file: str, value: int) -> None:
        (self.folder / file).write_text(str(value), encoding="ascii")

    def exceeded(self, status: int) -> str:
        """The limit that ended a program with this status; "" for none."""
        if _count(self.folder / "memory.events", "oom_kill"):
            return "memory"
        return "processes" if status and _count(self.folder / "pids.events", "max") else ""

    def remove(self, wait_s: float = 2) -> None:
        """Kills what is left in it, and waits: a group stays busy until its last process is reaped."""
        end = time.monotonic() + wait_s
        while self.folder.is_dir():
            send(map(int, _lines(self.entrance)), signal.SIGKILL)
            try:
                self.folder.rmdir()
            except OSError:
                if time.monotonic() > end:
                    break
                time.sleep(0.005)


# --- time ---

# How long one part of a submission may take: building, checks, counts and timings; docs/instructor/README.md states it.
# A correct row takes ten seconds, so there is room for many. Wall time, because a program may sleep; it counts more
# slowly on a busy machine, where an honest program waits for a core.
BUDGET_S, MORE_S = 120, 15  # for the first row; for each further one
_BUSY, _MOST_PATIENCE, _HALF = 1.5, 10.0, 0.5
_HAD_A_CORE = 0.75  # of the time: it did not wait for one
LEAST_FREE = 200 * MB


def budget_of(rows: int) -> int:
    return BUDGET_S + MORE_S * max(0, rows - 1)


def patience() -> float:
    """By how much time limits are longer now: runnable programs per core."""
    return min(_MOST_PATIENCE, max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)))


def is_busy() -> bool:
    return patience() > _BUSY


class Neighbours:
    """What programs that are not ours use, from now on; only while a single one of ours runs."""

    def __init__(self, own: OwnUse) -> None:
        self._start, self._used, self._own = time.monotonic(), self._used_by_all(), own

    @staticmethod
    def _used_by_all() -> float:
        """Seconds of processor time."""
        times = psutil.cpu_times()
        return float(times.user + times.nice + times.system)

    def keep_busy(self) -> bool:
        """Whether they use half of the machine, so that a program that came too late may not be to blame; one that had a
        core all the time is."""
        wall_s = max(0.01, time.monotonic() - self._start)
        own_s = self._own.seconds()
        cores = (self._used_by_all() - self._used - own_s) / wall_s
        return cores > _HALF * (os.cpu_count() or 1) and own_s < _HAD_A_CORE * wall_s


def require_space(folder: Path) -> None:
    """Raises OSError on a full disk, where building and measuring fail whatever was handed in."""
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE:
        raise OSError(
            errno.ENOSPC, f"only {free // MB} MB are free on the disk: make room", str(folder)
        )


class Allowance:
    """`limits`: of each program with all its children, or None if a cgroup enforces them. `seconds`: the total, of
    which `used_s` are already used. `used_up`: the message once nothing is left."""

    def __init__(self, limits: Limits | None, seconds: int, used_s: float = 0.0) -> None:
        self.limits, self.seconds, self.start = limits, seconds, time.monotonic()
        self.used_before = used_s
        self.patience = patience()
        self.used_up = (
            f"it was not done in {seconds} s of wall time: is it slow, or was the machine busy?"
        )

    def used(self) -> float:
        return self.used_before + (time.monotonic() - self.start) / self.patience

    def left(self) -> float:
        """Seconds of wall time."""
        return max(0.0, self.seconds - self.used()) * self.patience

    def run(self, words: Sequence[object], seconds: int) -> tuple[int | None, str, str]:
        """(status, output, why) of a program of the lab. `why`: "", "too much memory" or another limit that a student's
        program exceeded, `used_up`, or "it was stopped after 40 s" (`seconds`). The status is None if it was stopped.
        """
        go_on()
        seconds = round(seconds * patience())
        least = min(seconds, self.left())
        if not least:
            return None, "", self.used_up
        with subprocess.Popen(
            [*DIES_WITH_GRADER, *map(str, words)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, **SHORT_SPINS},
        ) as process:
            try:
                with watching(process.pid, self.limits) as whys:
                    said = process.communicate(timeout=least)[0].decode("utf-8", "replace")
                return process.returncode, said, too_much(whys[0]) if whys else ""
            except subprocess.TimeoutExpired:
                return (
                    None,
                    "",
                    self.used_up if least < seconds else f"it was stopped after {seconds} s",
                )
            finally:
                if process.poll() is None:
                    kill_tree(process.pid)
