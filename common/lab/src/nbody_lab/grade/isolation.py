"""Runs students' programs so that they see, change and use only what they are given."""

import contextlib
import fcntl
import os
import socket
from pathlib import Path

from nbody_lab.grade.bubblewrap import Bubblewrap, reason
from nbody_lab.grade.cgroups import Groups
from nbody_lab.grade.contained import Contained, Ended, NotStarted
from nbody_lab.grade.landlock import Landlock, Nothing
from nbody_lab.grade.limits import COMPILE, MB, RUN, Limits

# Runs a tiny program in a sandbox that reports everything it sees but should not.
LIMITS = Limits(
    wall_s=10, cpu_s=5, memory_bytes=512 * MB, processes=32, file_bytes=MB, output_bytes=65536
)

# Uses only the shell's own commands, so that nothing else is needed. Each line that it prints is a leak.
READS = """for file in "$@"; do (: <"$file") 2>/dev/null && echo "it reads $file"; done
for folder in / /usr /dev /dev/shm /etc /var/tmp; do (: >"$folder/lab_probe") 2>/dev/null && echo "it writes to $folder"; done
"""
SEES = """for file in "$@"; do [ -e "$file" ] && echo "it sees $file"; done
set -- /proc/[0-9]*; [ $# -le 5 ] || echo "it sees $# processes"
while read -r name rest; do case $name in *:*) [ "$name" = lo: ] || echo "it has the network $name";; esac; done </proc/net/dev
"""
USER = """[ "$(id -u)" != 0 ] || echo "it runs as root"
"""
END = "echo looked around\n"


def leaks(isolation, root):
    """ "" if the sandbox is tight, else one line that says what is wrong. With "none" the program only has to start."""
    missing = isolation.builder.missing()
    if missing:
        return missing
    script = {"bubblewrap": READS + SEES, "landlock": READS, "none": ""}[isolation.kind]
    hidden = [
        name
        for name in ("/etc/shadow", "/etc/passwd", "/root/.bashrc", "/home", str(root / "lab"))
        if os.path.exists(name)
    ]
    try:
        ended = isolation.run(
            [
                "/bin/sh",
                "-c",
                script + (USER if isolation.builder.as_root else "") + END,
                "sh",
                *hidden,
            ],
            LIMITS,
        )
    except NotStarted as fault:
        return reason(str(fault))
    except OSError as fault:
        return str(fault)
    lines = ended.stdout.decode(errors="replace").splitlines()
    if lines[-1:] != ["looked around"]:
        return reason((ended.stderr or ended.stdout).decode(errors="replace"))
    return "; ".join(lines[:-1])


# Unused user numbers, one per sandbox of root's, so that sandboxes cannot signal or see each other.
FIRST, HOW_MANY = 64000, 500


class NoUid(Exception):
    pass


class Claim:
    """Reserves a free number until close() or the end of this process, by a socket name that the kernel holds."""

    def __init__(self):
        taken = in_use()
        for self.number in range(FIRST, FIRST + HOW_MANY):
            if self.number in taken:
                continue
            self.lock = socket.socket(socket.AF_UNIX)
            try:
                self.lock.bind(f"\0lab-grade-{self.number}")
                return
            except OSError:
                self.lock.close()
        raise NoUid(f"the user numbers {FIRST} to {FIRST + HOW_MANY - 1} are all in use")

    def close(self):
        self.lock.close()


def in_use():
    """The numbers of users with running processes."""
    found = set()
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            found.add(os.stat(f"/proc/{name}").st_uid)
    return found


@contextlib.contextmanager
def owned(folders, uid):
    """Gives folders to this user, and back to this process's user at the end. Links are not followed."""
    give(folders, uid, uid)
    try:
        yield
    finally:
        give(folders, os.geteuid(), os.getegid())


def give(folders, uid, gid):
    for folder in folders:
        os.chown(folder, uid, gid, follow_symlinks=False)
        for _, inner, names, where in os.fwalk(folder, follow_symlinks=False):
            for name in inner + names:
                with contextlib.suppress(FileNotFoundError):
                    os.chown(name, uid, gid, dir_fd=where, follow_symlinks=False)


__all__ = ["COMPILE", "RUN", "Ended", "Isolation", "Limits", "NotStarted", "choose"]


class Isolation:
    """.kind: "bubblewrap", "landlock" or "none". .banner: "" for full isolation, else a warning for the report.
    close() releases what words() reserved."""

    def __init__(self, builder, groups, banner=""):
        self.builder, self.groups, self.banner = builder, groups, banner
        self.kind = builder.kind
        self.held = contextlib.ExitStack()

    def words(
        self,
        program_words,
        limits,
        read_only=(),
        writable=(),
        folder="/",
        gpu=False,
        environment=None,
        serves=False,
    ):
        """The command line for callers that start the isolated program themselves. They own its standard input and
        output, and it dies with them. With `serves` they are a checker or a clock, and the program answers them. They must limit wall time and output and, without cgroups, the memory and number
        of all processes together: see to_watch()."""
        uid = self.claim(self.held) if self.builder.as_root else 0
        if uid:
            self.held.enter_context(owned([host for host, _ in writable], uid))
        group = self.held.enter_context(self.groups.one(limits))
        return self.builder.words(
            program_words,
            limits,
            existing(read_only),
            existing(writable),
            folder,
            gpu,
            environment,
            uid=uid,
            enter=group.entrances if group else (),
            serves=serves,
        )

    def to_watch(self, limits):
        """The limits that limits.py must enforce on programs of words(): None if cgroups do."""
        return None if self.groups.kind else limits

    def run(
        self,
        program_words,
        limits,
        read_only=(),
        writable=(),
        folder="/",
        gpu=False,
        input=b"",  # noqa: A002  as of subprocess.run
        environment=None,
    ):
        """Runs the program to its end and kills whatever it leaves behind. Returns Ended, with the first limit exceeded
        as `why`. Raises NotStarted if the sandbox did not start, FileNotFoundError for a missing file."""
        with contextlib.ExitStack() as stack:
            uid = self.claim(stack) if self.builder.as_root else 0
            folders = [host for host, _ in writable]
            if uid:
                stack.enter_context(owned(folders, uid))
            group = stack.enter_context(self.groups.one(limits))
            info = report_pipe() if self.kind == "bubblewrap" else None
            words = self.builder.words(
                program_words,
                limits,
                existing(read_only),
                existing(writable),
                folder,
                gpu,
                environment,
                uid=uid,
                enter=group.entrances if group else (),
                info=info[1] if info else True,
            )
            return Contained(words, limits, input, folders, group, info).run()

    @staticmethod
    def claim(stack):
        claim = Claim()
        stack.callback(claim.close)
        return claim.number

    def close(self):
        self.held.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def report_pipe():
    """A pipe whose write end is at least 10: the shell that starts bubblewrap uses a one-digit descriptor for the
    filter."""
    read_end, write_end = os.pipe()
    try:
        return read_end, fcntl.fcntl(write_end, fcntl.F_DUPFD_CLOEXEC, 10)
    finally:
        os.close(write_end)


def existing(binds):
    for host, _ in binds:
        if not os.path.exists(host):
            raise FileNotFoundError(f"{host}: no such file to show to an isolated program")
    return binds


def choose(root, wanted=""):
    """The strongest isolation that works on this host, found by trying each; `wanted` restricts it to one kind. Raises
    NotStarted if that is not available."""
    root, reasons = Path(root).resolve(), []
    as_root = os.geteuid() == 0
    for builder in (Bubblewrap(as_root), Landlock(as_root), Nothing(as_root)):
        if wanted in ("", builder.kind):
            isolation = Isolation(builder, Groups(), builder.banner(reasons))
            said = leaks(isolation, root)
            if not said:
                return isolation
            reasons.append(f"{builder.kind}: {said}")
    raise NotStarted("; ".join(reasons) or f"{wanted}: no such kind of isolation")
