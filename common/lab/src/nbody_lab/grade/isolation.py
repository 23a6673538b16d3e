"""Runs students' programs so that they see, change and use only what they are given."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import socket
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import psutil

from nbody_lab.core.errors import LabError
from nbody_lab.grade.bubblewrap import FOLDERS, Access, Bubblewrap, explain_refusal
from nbody_lab.grade.contained import Contained, Ended, NotStarted
from nbody_lab.grade.limits import MB, Group, Groups, Limits
from nbody_lab.grade.watch import owner_is_running

# --- the user of a sandbox ---

# Unused user numbers, one per sandbox of root's, so that sandboxes cannot signal or see each other.
_FIRST, _HOW_MANY = 64000, 500


@contextlib.contextmanager
def _claim_uid() -> Iterator[int]:
    """Reserves a free number until the end of the block or of this process, by a socket name that the kernel holds."""
    found = [one.info["uids"] for one in psutil.process_iter(["uids"])]
    taken = {uids.effective for uids in found if uids}
    for number in range(_FIRST, _FIRST + _HOW_MANY):
        if number in taken:
            continue
        with socket.socket(socket.AF_UNIX) as lock:
            try:
                lock.bind(f"\0lab-grade-{number}")
            except OSError:
                continue
            yield number
            return
    raise RuntimeError(f"the user numbers {_FIRST} to {_FIRST + _HOW_MANY - 1} are all in use")


def _give(folders: Sequence[str | os.PathLike[str]], uid: int, gid: int) -> None:
    """Gives folders to a user. Links are not followed."""
    for folder in folders:
        os.chown(folder, uid, gid, follow_symlinks=False)
        for _, inner, names, where in os.fwalk(folder, follow_symlinks=False):
            for name in inner + names:
                with contextlib.suppress(FileNotFoundError):
                    os.chown(name, uid, gid, dir_fd=where, follow_symlinks=False)


# --- the isolation ---

_NOTHING = Access()


class Isolation(contextlib.ExitStack):
    """Its end releases what words() reserved."""

    def __init__(self, builder: Bubblewrap, groups: Groups) -> None:
        super().__init__()
        self.builder, self.groups = builder, groups
        self.kind = builder.kind

    def words(
        self,
        program_words: Iterable[object],
        limits: Limits,
        access: Access = _NOTHING,
        serves: bool = False,
    ) -> list[str]:
        """The command line for callers that start the isolated program themselves. They own its standard input and
        output, and it dies with them. With `serves` they are a checker or a clock, and the program answers them. They
        must limit wall time and output and, without cgroups, the memory and number of all processes together: see
        to_watch()."""
        uid, group = self._reserve(self, limits, access)
        enter = group.entrance if group else None
        return self.builder.words(
            program_words, limits, access, uid=uid, enter=enter, serves=serves
        )

    def to_watch(self, limits: Limits) -> Limits | None:
        """The limits that limits.py must enforce on programs of words(): None if cgroups do."""
        return None if self.groups.place else limits

    def run(
        self,
        program_words: Iterable[object],
        limits: Limits,
        access: Access = _NOTHING,
        input: bytes = b"",  # noqa: A002  as of subprocess.run
    ) -> Ended:
        """Runs the program to its end and kills whatever it leaves behind. Returns Ended, with the first limit exceeded
        as `why`. Raises NotStarted if the sandbox did not start, FileNotFoundError for a missing file."""
        with contextlib.ExitStack() as stack:
            uid, group = self._reserve(stack, limits, access)
            info, enter = _make_report_pipe(), group.entrance if group else None
            words = self.builder.words(
                program_words, limits, access, uid=uid, enter=enter, info=info[1]
            )
            folders = [host for host, _ in access.writable]
            return Contained(words, limits, input, folders, group, info).run()

    def _reserve(
        self, stack: contextlib.ExitStack, limits: Limits, access: Access
    ) -> tuple[int, Group | None]:
        """A user number, which owns the writable folders meanwhile, and a control group."""
        for host, _ in (*access.read_only, *access.writable):
            if not os.path.exists(host):
                raise FileNotFoundError(f"{host}: no such file to show to an isolated program")
        uid = stack.enter_context(_claim_uid()) if self.builder.as_root else 0
        if uid:
            lent = [host for host, _ in access.writable]
            stack.callback(_give, lent, os.geteuid(), os.getegid())
            _give(lent, uid, uid)
        return uid, stack.enter_context(self.groups.one(limits))


def _make_report_pipe() -> tuple[int, int]:
    """A pipe whose write end is at least 10: the shell that starts bubblewrap uses a one-digit descriptor for the
    filter."""
    read_end, write_end = os.pipe()
    try:
        return read_end, fcntl.fcntl(write_end, fcntl.F_DUPFD_CLOEXEC, 10)
    finally:
        os.close(write_end)


# --- the proof: a tiny program in a sandbox reports everything it sees but should not ---

_PROOF = Limits(
    wall_s=10, cpu_s=5, memory_bytes=512 * MB, processes=32, file_bytes=MB, output_bytes=65536
)
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


def _find_leak(isolation: Isolation, root: Path) -> str:
    """One line that says what is wrong; "" if the sandbox is tight."""
    secrets = ("/etc/shadow", "/etc/passwd", "/root/.bashrc", "/home", str(root / "lab"))
    hidden = [name for name in secrets if os.path.exists(name)]
    user = _USER if isolation.builder.as_root else ""
    look = ["/bin/sh", "-c", f"{_LOOK}{user}echo {_END}\n", "sh", *hidden]
    try:
        ended = isolation.run(look, _PROOF)
    except NotStarted as fault:
        return explain_refusal(str(fault))
    except (OSError, RuntimeError) as fault:
        return str(fault)
    lines = ended.stdout.decode(errors="replace").splitlines()
    if lines[-1:] != [_END]:
        return explain_refusal((ended.stderr or ended.stdout).decode(errors="replace"))
    return "; ".join(lines[:-1])


def _start_bubblewrap(root: Path) -> Isolation:
    """Raises NotStarted."""
    program = shutil.which("bwrap")
    if not program:
        raise NotStarted(
            "it is not installed: ./lab setup --grading, or apt-get install bubblewrap"
        )
    try:
        builder = Bubblewrap(program, as_root=os.geteuid() == 0)
    except OSError as fault:
        raise NotStarted(f"{fault}: it needs the package libseccomp2") from fault
    isolation = Isolation(builder, Groups())
    isolation.groups.sweep()
    leak = _find_leak(isolation, root)
    if leak:
        raise NotStarted(leak)
    return isolation


def _sweep_folders() -> None:
    """Removes what killed graders left in /tmp."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDERS}*_*"):
        owner = folder.name.removeprefix(FOLDERS).partition("_")[0]
        if "-" in owner and not owner_is_running(owner):
            shutil.rmtree(folder, ignore_errors=True)


def choose(root: Path) -> Isolation:
    """Bubblewrap, proved by a program that looks around. Raises LabError."""
    _sweep_folders()
    try:
        return _start_bubblewrap(root.resolve())
    except NotStarted as fault:
        raise LabError(
            f"students' programs run in bubblewrap only, and it cannot start here: {fault}"
        ) from fault
