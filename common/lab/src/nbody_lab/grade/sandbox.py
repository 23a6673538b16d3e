"""Runs students' programs so that they see, change and use only what they are given.

Bubblewrap hides all but the system, read-only, and what is bound into it; prlimit limits each process; a clock and a watcher
end what all processes of a sandbox together take too much of. As root, each sandbox has a user of its own.
"""

import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from glob import glob
from pathlib import Path
from typing import NamedTuple

import psutil

from nbody_lab.core.errors import LabError
from nbody_lab.core.run import SHORT_SPINS

MB = 1 << 20
_TICK_S, _LOOK_S = 0.05, 0.2  # a look takes a millisecond of a core
_LEAST_MEMORY = 0.05  # of the machine's


class Limits(NamedTuple):
    """Of a sandbox. Each process is held by the kernel, all together by the watcher."""

    wall_s: float = 60
    cpu_s: float = 120
    memory_bytes: int = 2048 * MB
    processes: int = 128  # including threads
    file_bytes: int = 64 * MB  # of each file
    output_bytes: int = MB  # standard output and standard error, each


# For a program that answers many requests, each with its own time limit. It has a thread per core in all ranks together,
# and what the libraries of ranks start.
ANSWER = Limits(cpu_s=900, processes=Limits().processes + (os.cpu_count() or 1))
# For the programs of a row: three compilers, which take one or two seconds each, ten for a GPU.
COMPILE = Limits(cpu_s=45, memory_bytes=3072 * MB, processes=64, file_bytes=256 * MB)


class Ended(NamedTuple):
    """How a program ended."""

    status: int  # as a shell reports it: 128 + the number of a signal
    why: str  # the limit: "wall time", "cpu time", "memory", "output", "processes", "files"; "" for none
    stdout: str
    stderr: str

    @property
    def too_much(self) -> str:
        """The limit in words; "" for none."""
        many = "many" if self.why in ("processes", "files") else "much"
        return self.why and f"too {many} {self.why}"

    @property
    def last_words(self) -> str:
        """Its last line that is not about its progress: such lines begin with two blanks."""
        lines = f"{self.stdout}\n{self.stderr}".splitlines()
        return next((line for line in reversed(lines) if line.strip() and line[:2] != "  "), "")


# --- the sandbox ---

Binds = Sequence[tuple[Path | str, Path | str]]  # (path here, path inside)

_NAMESPACES = """--unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup-try --hostname lab
    --die-with-parent --new-session --clearenv --cap-drop ALL""".split()
# Root makes them itself, also where user namespaces are forbidden, and needs these rights until it drops them.
_OF_ROOT = "--cap-add CAP_SETUID --cap-add CAP_SETGID --cap-add CAP_SETPCAP".split()
_OF_USER = ["--unshare-user", "--disable-userns"]
_SYSTEM = ("/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin")
_SETTINGS = ("/etc/alternatives", "/etc/ld.so.cache")
_SOCKET = "/lab_socket"
# Ranks exchange messages through /dev/shm alone: nothing else of the host is there, and no process reads another's
# memory. What a library looks for in vain is no matter.
_RANKS = {
    "UCX_TLS": "self,posix",
    "UCX_LOG_LEVEL": "fatal",
    "HWLOC_HIDE_ERRORS": "2",
    "OMPI_MCA_btl": "self,vader",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}
_AS_ROOT = os.geteuid() == 0
_NUMBERS = itertools.count(os.getpid() * 7)


@dataclass(frozen=True)
class Sandbox:
    """What a program sees and may use of this machine."""

    limits: Limits
    read_only: Binds = ()
    writable: Binds = ()
    gpu: bool = False
    ranks: bool = False  # several processes with messages, within the sandbox
    path: str = "/usr/bin:/bin"
    # An unused user; another grader's may be the same, in namespaces of its own.
    uid: int = field(default_factory=lambda: 64000 + next(_NUMBERS) % 500)

    def launcher(self, serves: bool = False, report: int | None = None) -> list[str]:
        """The words before a program's own. With `serves` it talks through the socket whose path the checker or the clock
        puts in place of the word SOCKET; they must watch it: see run_beside(). `report`: a descriptor to which bubblewrap
        writes how the program ended."""
        # The program could read the environment of the first process inside.
        words = ["/usr/bin/env", "-i", shutil.which("bwrap") or "bwrap", *_NAMESPACES]
        words += [*(_OF_ROOT if _AS_ROOT else _OF_USER), *self._system()]
        environment = {"PATH": self.path, "HOME": "/", "LC_ALL": "C.UTF-8"}
        environment |= (_RANKS if self.ranks else {}) | ({"LAB_SOCKET": _SOCKET} if serves else {})
        for name, value in environment.items():
            words += ["--setenv", name, value]
        words += _folders_above(inside for _, inside in (*self.read_only, *self.writable))
        for option, binds in (("--ro-bind", self.read_only), ("--bind", self.writable)):
            for here, inside in binds:
                words += [option, str(here), str(inside)]
        words += ["--ro-bind", "SOCKET", _SOCKET] if serves else []
        words += ["--json-status-fd", str(report)] if report is not None else []
        return [*words, "--remount-ro", "/", "--chdir", "/", "--", *self._limited()]

    def _system(self) -> list[str]:
        words = ["--ro-bind", "/usr", "/usr"]
        for path in _SYSTEM:
            if os.path.islink(path):
                words += ["--symlink", os.readlink(path), path]
            elif os.path.isdir(path):
                words += ["--ro-bind", path, path]
        words += _folders_above(_SETTINGS)
        for path in _SETTINGS:
            words += ["--ro-bind-try", path, path]
        words += ["--proc", "/proc", "--dev", "/dev"]
        if self.gpu:
            for device in sorted(glob("/dev/nvidia*") + glob("/dev/dri")):
                words += ["--dev-bind", device, device]
            words += ["--ro-bind", "/sys", "/sys"]
        size = ["--perms", "1777", "--size", str(self.limits.file_bytes), "--tmpfs"]
        words += ["--remount-ro", "/dev", *size, "/tmp"]  # with /dev/shm, which has no limit
        if self.ranks:
            hosts = str(Path(__file__).with_name("hosts"))
            words += [*size, "/dev/shm", "--ro-bind", hosts, "/etc/hosts"]
        return words

    def _limited(self) -> list[str]:
        """Address space is unlimited with a GPU, whose driver reserves terabytes. Else it has room for the stacks and
        arenas of threads."""
        limits, seconds = self.limits, max(1, int(self.limits.cpu_s))
        words = ["prlimit", f"--cpu={seconds}:{seconds + 1}", f"--nproc={limits.processes}"]
        words += [f"--fsize={limits.file_bytes}", "--nofile=128", "--core=0", "--msgqueue=0"]
        room = 128 * MB * min(limits.processes, os.cpu_count() or 1)
        words += [] if self.gpu else [f"--as={limits.memory_bytes + room}", "--memlock=65536"]
        if _AS_ROOT:
            words += ["setpriv", f"--reuid={self.uid}", f"--regid={self.uid}", "--clear-groups"]
            words += ["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"]
        return words

    def run(self, argv: Iterable[object]) -> Ended:
        """Runs a program to its end and kills whatever it leaves behind. Raises LabError if the sandbox did not start."""
        for folder in [str(here) for here, _ in self.writable] if _AS_ROOT else ():
            subprocess.run(["chown", "-Rh", f"{self.uid}:{self.uid}", folder], check=True)
        read_end, write_end = os.pipe()
        with open(read_end, encoding="utf-8") as report:
            try:
                words = [*self.launcher(report=write_end), *map(str, argv)]
                ended = _run(words, self.limits, lambda process: [process], pass_fds=[write_end])
            finally:
                os.close(write_end)
            # Only of a program that was started does bubblewrap report an end.
            if not ended.why and "exit-code" not in report.read():
                raise LabError(f"bubblewrap did not start: {ended.last_words or 'no message'}")
        return ended


def _folders_above(paths: Iterable[Path | str]) -> list[str]:
    """Options that create parent folders; bubblewrap would make them readable for its own user only."""
    above = sorted({str(parent) for path in paths for parent in Path(path).parents} - {"/", "/usr"})
    return [word for folder in above for word in ("--perms", "0755", "--dir", folder)]


# --- watching ---

# Ctrl-C comes to the main thread, while others wait for what they run: set, it ends that.
STOP = threading.Event()


def run_beside(argv: Iterable[object], wall_s: float, limits: Limits = ANSWER) -> Ended:
    """Runs a program of the lab, such as the checker, which starts sandboxes. One that exceeds these limits is killed, with the
    first reason as `why`; the checker goes on. After `wall_s` seconds all of it is."""
    words = ["setpriv", "--pdeathsig", "KILL", *map(str, argv)]  # it ends with the grader
    # What it starts is its own matter: its own output is short.
    return _run(words, limits._replace(wall_s=wall_s), lambda checker: checker.children())


def _run(
    words: Sequence[str],
    limits: Limits,
    sandboxes: Callable[[psutil.Process], list[psutil.Process]],
    pass_fds: Sequence[int] = (),
) -> Ended:
    """Raises KeyboardInterrupt after STOP; MemoryError if the machine runs out of memory, such as by a file in memory, which no
    process seems to use: nobody can tell whose fault that is."""
    why, end, look_at = "", time.monotonic() + limits.wall_s, 0.0
    # Files without a name: no pipe can block, and the kernel's limit on files holds for them, too.
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        process = psutil.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            env={**os.environ, **SHORT_SPINS},
            start_new_session=True,
            pass_fds=pass_fds,
        )
        try:
            while True:
                with suppress(psutil.TimeoutExpired):
                    process.wait(_TICK_S)
                    break
                if STOP.is_set():
                    raise KeyboardInterrupt
                now = time.monotonic()
                if now > end:
                    why = "wall time"
                    break
                if any(
                    os.fstat(one.fileno()).st_size > limits.output_bytes for one in (stdout, stderr)
                ):
                    why = "output"
                    break
                if now > look_at:
                    look_at = now + _LOOK_S
                    memory = psutil.virtual_memory()
                    if memory.available < _LEAST_MEMORY * memory.total:
                        raise MemoryError("the machine ran out of memory while this ran")
                    with suppress(psutil.Error):
                        for sandbox in sandboxes(process):
                            if excess := _find_excess(sandbox, limits):
                                why = why or excess
                                sandbox.kill()
        finally:
            # What runs in a sandbox dies with the sandbox's first process.
            with suppress(psutil.Error):
                below = process.children(recursive=True)
                process.kill()
                for one in below:
                    with suppress(psutil.Error):
                        one.kill()
                psutil.wait_procs(below, timeout=10)
            status = process.wait()
        number = -status if status < 0 else status - 128
        texts = []
        for file in (stdout, stderr):
            file.seek(0)
            texts.append(file.read(limits.output_bytes).decode("utf-8", "surrogateescape"))
            why = why or ("output" if file.read(1) else "")
        why = why or {signal.SIGXCPU: "cpu time", signal.SIGXFSZ: "files"}.get(number, "")
        return Ended(128 + number if status < 0 else status, why, *texts)


def _find_excess(sandbox: psutil.Process, limits: Limits) -> str:
    """The limit that all its processes together exceed; "" for none."""
    cpu_s, memory, threads = 0.0, 0, 0
    for one in [sandbox, *sandbox.children(recursive=True)]:
        with suppress(psutil.Error), one.oneshot():
            cpu_s += sum(one.cpu_times()[:4])  # with that of its children that ended
            memory += one.memory_info().rss
            threads += one.num_threads()
    if memory > limits.memory_bytes:
        return "memory"
    if threads > 2 * limits.processes + 8:
        return "processes"
    return "cpu time" if cpu_s > limits.cpu_s + 2 else ""


# --- the proof: a tiny program in a sandbox reports everything it sees but should not ---

_END = "looked around"
# Uses only the shell's own commands, so that nothing else is needed. Each line that it prints is a leak.
_LOOK = """for file in "$@"; do
  (: <"$file") 2>/dev/null && echo "it reads $file"
  [ -e "$file" ] && echo "it sees $file"
done
for folder in / /usr /dev /dev/shm /etc /var/tmp; do
  (: >"$folder/lab_probe") 2>/dev/null && echo "it writes to $folder"
done
set -- /proc/[0-9]*; [ $# -le 5 ] || echo "it sees $# processes"
while read -r name rest; do
  case $name in *:*) [ "$name" = lo: ] || echo "it has the network $name";; esac
done </proc/net/dev
"""
_USER = '[ "$(id -u)" != 0 ] || echo "it runs as root"\n'


def require_isolation(root: Path) -> None:
    """Before a student's program runs. Raises LabError if none starts, or sees or does what it should not."""
    only = "students' programs run in bubblewrap only"
    if not shutil.which("bwrap"):
        raise LabError(f"{only}: ./lab setup --grading")
    secrets = ("/etc/shadow", "/etc/passwd", "/root/.bashrc", "/home", str(root.resolve() / "lab"))
    hidden = [name for name in secrets if os.path.exists(name)]
    script = f"{_LOOK}{_USER if _AS_ROOT else ''}echo {_END}\n"
    limits = Limits(wall_s=10, cpu_s=5, memory_bytes=512 * MB, processes=32, file_bytes=MB)
    try:
        ended = Sandbox(limits).run(["/bin/sh", "-c", script, "sh", *hidden])
    except LabError as fault:
        raise LabError(f"{only}, and {fault} (docs/teaching.md, When something breaks)") from fault
    *leaks, last = ended.stdout.splitlines() or [""]
    if leaks or last != _END:
        leak = "; ".join(leaks) or ended.last_words or ended.why
        raise LabError(f"{only}, and it leaks here: {leak}")
