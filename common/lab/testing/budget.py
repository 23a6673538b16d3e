"""Runs a function in a process of its own, for so many seconds at most, and then ends it with all its children.

The function says how it went by what it raises: Skip, Fail, CalledProcessError of a command, or nothing.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from messages import LabError

SKIPPED = 77
OVER_BUDGET = None  # no number: a command of the function may end with any
GRACE = 10  # seconds between TERM and KILL


class Skip(LabError):
    """What this needs is not there; the reason in one line."""


class Fail(LabError):
    """What was looked at is not as it should be; one line."""


def processes():
    """(parent, group, session, start) of each process that lives, by its number."""
    found = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = file.read_text(errors="replace")
        except OSError:  # it has just ended
            continue
        # After the name, which is in brackets and may hold anything.
        state, parent, group, session, *rest = text.rpartition(")")[2].split()
        if state not in "ZX":
            found[int(file.parent.name)] = (int(parent), int(group), int(session), rest[15])
    return found


class Family:
    """A process that leads a session, and its descendants. Some have a session of their own (run_docs.py, the
    checker's children), which a signal to the leader's group does not reach."""

    def __init__(self, leader):
        self.leader, self.known = leader, {}

    def living(self):
        """{number: group}. Who was seen once stays known when its parent has died."""
        now = processes()
        self.known = {pid: start for pid, start in self.known.items() if pid in now and now[pid][3] == start}
        grown = True
        while grown:
            more = {pid: start for pid, (parent, _, session, start) in now.items()
                    if pid not in self.known and (self.leader in (pid, session) or parent in self.known)}
            self.known.update(more)
            grown = bool(more)
        return {pid: now[pid][1] for pid in self.known}

    def send(self, number):
        """Whether there was anyone to send it to."""
        living = self.living()
        send_one(os.killpg, self.leader, number)
        for pid, group in living.items():
            if group != self.leader:
                send_one(os.kill, pid, number)
        return bool(living)


def send_one(how, whom, number):
    try:
        how(whom, number)
    except (ProcessLookupError, PermissionError):
        pass


def end(leader):
    """Ends a process and its descendants: TERM, and after ten seconds KILL."""
    family = Family(leader)
    try:
        family.send(signal.SIGTERM)
        until = time.monotonic() + GRACE
        while family.living() and time.monotonic() < until:
            time.sleep(0.05)
    finally:  # at once, where Ctrl-C is pressed again
        for _ in range(100):
            if not family.send(signal.SIGKILL):
                break
            time.sleep(0.05)


def status_of(function):
    """Runs it: 0, 77 for skipped, or the status of what failed. A reason is the last line that it prints."""
    try:
        function()
        return 0
    except Skip as reason:
        print(reason)
        return SKIPPED
    except Fail as reason:
        print(reason)
        return 1
    except subprocess.CalledProcessError as fault:
        status = fault.returncode if fault.returncode >= 0 else 128 - fault.returncode
        if fault.stdout:  # kept from the log so far, to be read
            print(fault.stdout)
        if status != SKIPPED:  # else the reason has been printed
            print(f"status {status}: {' '.join(map(str, fault.cmd))}")
        return status


def in_child(function, log):
    os.setsid()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    nothing, kept = os.open(os.devnull, os.O_RDONLY), os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    for place, descriptor in enumerate((nothing, kept, kept)):
        os.dup2(descriptor, place)
    # By lines, so that they stand between those of the commands where they belong.
    sys.stdout = sys.stderr = open(1, "w", buffering=1, encoding="utf-8", errors="replace", closefd=False)
    sys.exit(status_of(function))


def run_within(budget, function, log):
    """Runs `function` for `budget` seconds at most (None: for as long as it takes); what it prints is appended to
    `log`. Its status, as status_of() has it, or OVER_BUDGET. Ctrl-C ends it too."""
    process = multiprocessing.get_context("fork").Process(target=in_child, args=(function, log))
    try:
        process.start()
        process.join(budget)
        over = process.exitcode is None
    finally:  # of Ctrl-C while it starts, too
        if process.pid and process.exitcode is None:
            end(process.pid)
        if process.pid:
            process.join()
    if over:
        return OVER_BUDGET
    return process.exitcode if process.exitcode >= 0 else 128 - process.exitcode
