"""Runs students' programs so that they see, change and use only what they are given."""

import contextlib
import fcntl
import os
from pathlib import Path

from grade.bubblewrap import Bubblewrap
from grade.cgroups import Groups
from grade.contained import Contained, Ended, NotStarted
from grade.landlock import Landlock, Nothing
from grade.limits import COMPILE, RUN, Limits
from grade.probe import leaks
from grade.uids import Claim, owned

__all__ = ["choose", "Isolation", "Ended", "NotStarted", "Limits", "RUN", "COMPILE"]


class Isolation:
    """.kind: "bubblewrap", "landlock" or "none". .banner: "" for full isolation, else a warning for the report.
    .limits_by: what enforces the limits on memory and processes. close() releases what words() reserved."""

    def __init__(self, builder, groups, banner=""):
        self.builder, self.groups, self.banner = builder, groups, banner
        self.kind = builder.kind
        self.limits_by = groups.kind or "rlimits and a watcher"
        self.held = contextlib.ExitStack()

    def words(self, program_words, limits, read_only=(), writable=(), folder="/", gpu=False, environment=None):
        """The command line for callers that start the isolated program themselves. They own its standard input and
        output, and it dies with them. They must limit wall time and output and, without cgroups, the memory and number
        of all processes together: see to_watch()."""
        uid = self.claim(self.held) if self.builder.as_root else 0
        if uid:
            self.held.enter_context(owned([host for host, _ in writable], uid))
        group = self.held.enter_context(self.groups.one(limits))
        return self.builder.words(program_words, limits, existing(read_only), existing(writable), folder, gpu,
                                  environment, uid=uid, enter=group.entrances if group else ())

    def to_watch(self, limits):
        """The limits that allowance.py must enforce on programs of words(): None if cgroups do."""
        return None if self.groups.kind else limits

    def run(self, program_words, limits, read_only=(), writable=(), folder="/", gpu=False, input=b"", environment=None):  # noqa: A002
        """Runs the program to its end and kills whatever it leaves behind. Returns Ended, with the first limit exceeded
        as `why`. Raises NotStarted if the sandbox did not start, FileNotFoundError for a missing file."""
        with contextlib.ExitStack() as stack:
            uid = self.claim(stack) if self.builder.as_root else 0
            folders = [host for host, _ in writable]
            if uid:
                stack.enter_context(owned(folders, uid))
            group = stack.enter_context(self.groups.one(limits))
            info = report_pipe() if self.kind == "bubblewrap" else None
            words = self.builder.words(program_words, limits, existing(read_only), existing(writable), folder, gpu,
                                       environment, uid=uid, enter=group.entrances if group else (),
                                       info=info[1] if info else True)
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
