"""Isolation without namespaces: Landlock for files, seccomp for the network, and limits; the program sees the host's
paths.

Needs no installation and no rights, but protects less than bubblewrap."""

import ctypes
import json
import re
import sys
from pathlib import Path

from nbody_lab.grade.limits import address_space, threads_of_user

LAUNCHER = Path(__file__).resolve().parent / "launcher.py"
NO_BRACKETS = re.compile(r"^(-[A-Za-z]+)?$|[=,:]$")


def abi():
    """The version of Landlock in this kernel; 0 if there is none."""
    return max(0, ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), ctypes.c_uint32(1)))


def on_host(word, binds):
    """An argument with the host's path for the one inside: `/w/a.cpp`, `-I/w`, `--file=/w/a`."""
    for host, inside in sorted(binds, key=lambda bind: -len(str(bind[1]))):
        inside = str(inside)
        at = word.find(inside)
        rest = word[at + len(inside) :]
        if at >= 0 and NO_BRACKETS.search(word[:at]) and (rest[:1] in ("", "/", ":", ",")):
            return word[:at] + str(host) + rest
    return word


class Landlock:
    kind = "landlock"

    def __init__(self, as_root):
        self.as_root = as_root

    def missing(self):
        return (
            ""
            if abi()
            else "this kernel has no Landlock (Linux 5.13 or newer, `landlock` in its list of lsm=)"
        )

    @staticmethod
    def banner(reasons):
        return (
            "WEAKER ISOLATION: Landlock and seccomp instead of namespaces. A program can see file names but not "
            f"read the files. {'; '.join(reasons)}"
        )

    def words(
        self,
        program_words,
        limits,
        read_only=(),
        writable=(),
        folder="/",
        gpu=False,
        environment=None,
        uid=0,
        enter=(),
        info=None,
        serves=False,
    ):
        """The command line. With `info` the launcher stays, to kill what the program leaves; else it becomes the
        program. With `serves` it connects to the socket of the checker or the clock, since the program cannot."""
        binds = [*read_only, *writable]
        task = {
            "restrict": self.kind == "landlock",
            "uid": uid,
            "gpu": gpu,
            "stay": bool(info),
            "serves": serves,
            "enter": [*map(str, enter)],
            "read": [str(host) for host, _ in read_only],
            "write": [str(host) for host, _ in writable],
            "folder": on_host(folder, binds) if binds else folder,
            "environment": self.environment(environment or {}, writable),
            "limits": self.limits(limits, gpu, uid),
        }
        return [
            sys.executable,
            "-I",
            "-S",
            str(LAUNCHER),
            json.dumps(task),
            *(on_host(str(word), binds) for word in program_words),
        ]

    @staticmethod
    def environment(more, writable):
        own = {"PATH": "/usr/bin:/bin", "HOME": "/", "LC_ALL": "C.UTF-8"}
        if writable:
            own["TMPDIR"] = str(writable[0][0])
        return {**own, **{name: str(value) for name, value in more.items()}}

    @staticmethod
    def limits(limits, gpu, uid):
        return {
            **limits._asdict(),
            "memory_bytes": None if gpu else address_space(limits),
            "processes": limits.processes + (0 if uid else threads_of_user(None)),
        }


class Nothing(Landlock):
    """Limits only."""

    kind = "none"

    def missing(self):
        return ""

    @staticmethod
    def banner(reasons):
        return (
            "NOT ISOLATED: submissions run with this user's rights and can read, change and send anything that "
            f"this user can. Only time and memory are limited. {'; '.join(reasons)}"
        )
