"""User numbers that nobody has, one for each sandbox of root's: two that run at once cannot signal or see each other."""

import contextlib
import os
import socket

FIRST, HOW_MANY = 64000, 500


class NoUid(Exception):
    pass


def users_of_processes():
    found = set()
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                found.add(entry.stat().st_uid)
    return found


class Claim:
    """A free number, of which no process runs, from now until close() or the end of this process: the kernel keeps the name of a socket."""

    def __init__(self):
        busy = users_of_processes()
        for self.number in (number for number in range(FIRST, FIRST + HOW_MANY) if number not in busy):
            self.lock = socket.socket(socket.AF_UNIX)
            try:
                self.lock.bind(f"\0lab-grade-{self.number}")
                return
            except OSError:
                self.lock.close()
        raise NoUid(f"the user numbers {FIRST} to {FIRST + HOW_MANY - 1} are all in use")

    def close(self):
        self.lock.close()


@contextlib.contextmanager
def owned(folders, uid):
    """Folders belong to this user, and to this process's again afterwards. Links are not followed."""
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
