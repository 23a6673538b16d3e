"""How much an untrusted program may use: the figures, and the prlimit options that set them."""

import collections
import contextlib
import os
import platform
import subprocess
import time

from nbody_lab.core.running import SHORT_SPINS
from nbody_lab.grade.watch import kill_tree, watching

MB = 1 << 20
OPEN_FILES = 128
EXTRA_S = 1  # processor time between the signal that can be caught and the one that cannot
STACK_OF_THREAD = 128 * MB  # address space, not memory: a stack and a malloc arena per thread

# wall_s, cpu_s: seconds, for all processes together. memory_bytes: for all together. processes: including threads.
# file_bytes: per file, and for all files in one writable folder. output_bytes: standard output and standard error,
# each.
Limits = collections.namedtuple(
    "Limits",
    "wall_s cpu_s memory_bytes processes file_bytes output_bytes",
    defaults=(60, 120, 2048 * MB, 128, 64 * MB, 1 * MB),
)
RUN = Limits()
COMPILE = Limits(wall_s=120, cpu_s=120, memory_bytes=3072 * MB, processes=64, file_bytes=256 * MB)


def prlimit_words(limits, gpu=False, counts_apart=True):
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


def address_space(limits):
    return int(limits.memory_bytes) + STACK_OF_THREAD * min(limits.processes, os.cpu_count() or 1)


def namespaces_count_apart():
    """Whether RLIMIT_NPROC counts per user namespace, as it does since Linux 5.14."""
    parts = platform.release().split(".")
    return [int("0" + "".join(filter(str.isdigit, part))) for part in parts[:2]] >= [5, 14]


def threads_of_user(uid=None):
    """The number of threads of a user, by default of this one."""
    total, uid = 0, os.getuid() if uid is None else uid
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.stat(f"/proc/{number}").st_uid == uid:
                total += len(os.listdir(f"/proc/{number}/task"))
        except OSError:
            pass  # it has ended
    return total


def too_much(why):
    """Ended.why in words."""
    return f"too {'many' if why in ('processes', 'files') else 'much'} {why}"


# Time and memory limits for one part of a submission: for building and for all programs of the lab that run the
# student's code.

# Wall time for one part of a submission: building, checks, counts and timings; docs/instructor/README.md states it. A
# correct row takes ten seconds, so there is room for many.
BUDGET_S, MORE_S = 120, 15  # for the first row; for each further one


def budget_of(rows):
    return BUDGET_S + MORE_S * max(0, rows - 1)


class Allowance:
    """`limits`: of each program with all its children, or None if a cgroup enforces them. `seconds`: the total, of
    which `used_s` are already used. `used_up`: the message once nothing is left."""

    def __init__(self, limits, seconds, used_s=0.0):
        self.limits, self.seconds, self.start = limits, seconds, time.monotonic() - used_s
        self.used_up = f"the submission used up its limit of {seconds} s"

    def used(self):
        return time.monotonic() - self.start

    def left(self):
        return max(0.0, self.seconds - self.used())

    def run(self, words, seconds):
        """(status, output, why) of a program of the lab. `why`: "", "too much memory" or another limit that a student's
        program exceeded, `used_up`, or "it was stopped after 40 s" (`seconds`). The status is None if it was stopped.
        """
        least = min(seconds, self.left())
        if not least:
            return None, "", self.used_up
        watch = watching if self.limits else no_watching
        with subprocess.Popen(
            [str(word) for word in words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, **SHORT_SPINS},
        ) as process:
            try:
                with watch(process.pid, self.limits) as whys:
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


@contextlib.contextmanager
def no_watching(*_):
    yield []
