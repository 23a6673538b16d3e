"""How much an untrusted program may use: the figures, and the prlimit options that set them."""

import errno
import os
import platform
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import psutil

from nbody_lab.core.running import SHORT_SPINS
from nbody_lab.grade.watch import DIES_WITH_GRADER, kill_tree, watching

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
    return words if gpu else [*words, f"--as={address_space(limits)}", "--memlock=65536"]


def address_space(limits: Limits) -> int:
    return int(limits.memory_bytes) + STACK_OF_THREAD * min(limits.processes, os.cpu_count() or 1)


def namespaces_count_apart() -> bool:
    """Whether RLIMIT_NPROC counts per user namespace, as it does since Linux 5.14."""
    parts = platform.release().split(".")
    return [int("0" + "".join(filter(str.isdigit, part))) for part in parts[:2]] >= [5, 14]


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


# How long one part of a submission may take: building, checks, counts and timings; docs/instructor/README.md states it.
# A correct row takes ten seconds, so there is room for many. Wall time, because a program may sleep; it counts more
# slowly on a busy machine, where an honest program waits for a core.
BUDGET_S, MORE_S = 120, 15  # for the first row; for each further one
_BUSY, _MOST_PATIENCE, _HALF = 1.5, 10.0, 0.5
LEAST_FREE = 200 * MB


def budget_of(rows: int) -> int:
    return BUDGET_S + MORE_S * max(0, rows - 1)


def patience() -> float:
    """By how much time limits are longer now: runnable programs per core."""
    return min(_MOST_PATIENCE, max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)))


def is_busy() -> bool:
    return patience() > _BUSY


class Neighbours:
    """What programs that are not ours use from now on; only while a single one of ours runs."""

    def __init__(self) -> None:
        self._start, self._used = time.monotonic(), self._used_by_others()

    @staticmethod
    def _used_by_others() -> float:
        """Seconds of processor time."""
        times = psutil.cpu_times()
        return float(times.user + times.nice + times.system - sum(os.times()[:4]))

    def keep_busy(self) -> bool:
        """Whether they use half of the machine, so that a program that came too late may not be to blame."""
        wall_s = max(0.01, time.monotonic() - self._start)
        cores = (self._used_by_others() - self._used) / wall_s
        return cores > _HALF * (os.cpu_count() or 1)


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
        self.used_up = f"the submission used up its limit of {seconds} s of wall time"

    def used(self) -> float:
        return self.used_before + (time.monotonic() - self.start) / self.patience

    def left(self) -> float:
        """Seconds of wall time."""
        return max(0.0, self.seconds - self.used()) * self.patience

    def run(self, words: Sequence[object], seconds: int) -> tuple[int | None, str, str]:
        """(status, output, why) of a program of the lab. `why`: "", "too much memory" or another limit that a student's
        program exceeded, `used_up`, or "it was stopped after 40 s" (`seconds`). The status is None if it was stopped.
        """
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
