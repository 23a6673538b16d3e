"""Runs a function in its own process with a time limit, and ends it with all its children.

The function reports its result by what it raises: Skip, Fail, a command's CalledProcessError, or nothing.
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
OVER_BUDGET = None  # None, because a command may end with any number
GRACE = 10  # seconds between TERM and KILL


class Skip(LabError):
    """Something needed is missing; the reason in one line."""


class Fail(LabError):
    """A test found a fault; the message in one line."""


def processes():
    """{number: (parent, group, session, start)} of all living processes."""
    found = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = file.read_text(errors="replace")
        except OSError:  # it has just ended
            continue
        # After the name, which is in brackets and may contain anything.
        state, parent, group, session, *rest = text.rpartition(")")[2].split()
        if state not in "ZX":
            found[int(file.parent.name)] = (int(parent), int(group), int(session), rest[15])
    return found


class Family:
    """A session leader and its descendants. Some start their own session (run_docs.py, the checker's children), so a signal
    to the leader's group does not reach them."""

    def __init__(self, leader):
        self.leader, self.known = leader, {}

    def living(self):
        """{number: group}. A process once seen stays known after its parent has died."""
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
        """Sends a signal to all; False if none is left."""
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
    """Ends a process and its descendants: TERM, then KILL after ten seconds."""
    family = Family(leader)
    try:
        family.send(signal.SIGTERM)
        until = time.monotonic() + GRACE
        while family.living() and time.monotonic() < until:
            time.sleep(0.05)
    finally:  # at once if Ctrl-C is pressed again
        for _ in range(100):
            if not family.send(signal.SIGKILL):
                break
            time.sleep(0.05)


def status_of(function):
    """Runs it and returns 0, 77 for skipped, or the status of the failed command; prints the reason last."""
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
        if fault.stdout:  # captured so far, so not in the log
            print(fault.stdout)
        if status != SKIPPED:  # else the command has printed its reason
            print(f"status {status}: {' '.join(map(str, fault.cmd))}")
        return status


def in_child(function, log):
    os.setsid()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    nothing, kept = os.open(os.devnull, os.O_RDONLY), os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    for place, descriptor in enumerate((nothing, kept, kept)):
        os.dup2(descriptor, place)
    # Line by line, so that the function's output and the commands' output keep their order.
    sys.stdout = sys.stderr = open(1, "w", buffering=1, encoding="utf-8", errors="replace", closefd=False)
    sys.exit(status_of(function))


def run_within(budget, function, log):
    """Runs `function` for at most `budget` seconds (None: no limit) and appends its output to `log`. Returns the status of
    status_of(), or OVER_BUDGET. Ctrl-C ends it too."""
    process = multiprocessing.get_context("fork").Process(target=in_child, args=(function, log))
    try:
        process.start()
        process.join(budget)
        over = process.exitcode is None
    finally:  # also if Ctrl-C comes while it starts
        if process.pid and process.exitcode is None:
            end(process.pid)
        if process.pid:
            process.join()
    if over:
        return OVER_BUDGET
    return process.exitcode if process.exitcode >= 0 else 128 - process.exitcode
