"""Runs what students wrote so that it sees, changes and takes nothing but what it is given."""

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
    """.kind: "bubblewrap", "landlock" or "none". .banner: "" when nothing is left out, else what a report must say.
    .limits_by: what holds the limits of memory and processes. close() gives back what words() has taken."""

    def __init__(self, builder, groups, banner=""):
        self.builder, self.groups, self.banner = builder, groups, banner
        self.kind = builder.kind
        self.limits_by = groups.kind or "rlimits and a watcher"
        self.held = contextlib.ExitStack()

    def words(self, program_words, limits, read_only=(), writable=(), folder="/", gpu=False, environment=None):
        """The command line that runs a program isolated, for callers that start programs themselves: standard input and
        output are theirs, it dies with them. Wall time and the amount of output are theirs to limit; without cgroups
        the memory and number of all its processes together, too: to_watch()."""
        uid = self.claim(self.held) if self.builder.as_root else 0
        if uid:
            self.held.enter_context(owned([host for host, _ in writable], uid))
        group = self.held.enter_context(self.groups.one(limits))
        return self.builder.words(program_words, limits, existing(read_only), existing(writable), folder, gpu,
                                  environment, uid=uid, enter=group.entrances if group else ())

    def to_watch(self, limits):
        """What allowance.py holds of programs of words(): nothing where cgroups do."""
        return None if self.groups.kind else limits

    def run(self, program_words, limits, read_only=(), writable=(), folder="/", gpu=False, input=b"", environment=None):  # noqa: A002
        """Runs it to its end and kills whatever it leaves. Ended, with the first limit that it met as `why`. Raises
        NotStarted when the sandbox itself did not start, FileNotFoundError for a file that is not there."""
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
    """Its write end has two digits: the shell that starts bubblewrap gives one digit to the filter."""
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
    """The strongest isolation that this host offers, found by starting each. `wanted` asks for one kind. Raises
    NotStarted if that one cannot be had."""
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
