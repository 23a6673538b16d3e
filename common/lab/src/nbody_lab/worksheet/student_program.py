"""Runs the program with the student's worksheet.hpp, which may crash, loop or print anything: only the answers that it
writes count."""

import os
import resource
import selectors
import signal
import subprocess
import time

from nbody_lab.notebook.file import InputError, printable
from nbody_lab.worksheet.answers import NoAnswers, parse_answers

SECONDS = 5.0
LONGEST_TEXT, LONGEST_TALK = 1 << 20, 1 << 16  # bytes kept of its answers, and of its other output
LARGEST_FILE = 1 << 30  # bytes: the program has no reason to write files
TIME_TO_END = 1.0  # s, after it closes its output: for example for a core dump
CHUNK = 1 << 16


def limit_itself(seconds):
    """CPU time limits it even if this process is killed."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
    whole = int(seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole))


def has_ended(process):
    """Whether it has ended. It stays a zombie, so that its number is not reused before its group is killed."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def take(pipe, kept, most):
    """Reads what is available; False at the end of the stream."""
    data = os.read(pipe.fileno(), CHUNK)
    kept += data[: max(0, most - len(kept))]
    return bool(data)


def read_all(process, deadline, text, talk):
    """Reads until the output ends; False if the time is over or the text far too long."""
    with selectors.DefaultSelector() as waiting:
        waiting.register(process.stdout, selectors.EVENT_READ)
        waiting.register(process.stderr, selectors.EVENT_READ)
        while time.monotonic() < deadline and len(text) < LONGEST_TEXT:
            ended = has_ended(process)
            ready = [key.fileobj for key, _ in waiting.select(0.05)]
            if process.stderr in ready and not take(process.stderr, talk, LONGEST_TALK):
                waiting.unregister(process.stderr)
            if process.stdout in ready and not take(process.stdout, text, LONGEST_TEXT):
                return True
            if not ready and ended:  # a child keeps the pipe open
                return True
    return False


def stop(process, deadline, talk):
    """How it ended. Kills its whole session and reads its remaining output."""
    while not has_ended(process) and time.monotonic() < deadline:
        time.sleep(0.001)
    ended = has_ended(process)
    os.killpg(process.pid, signal.SIGKILL)
    status = process.wait()
    os.set_blocking(process.stderr.fileno(), False)
    try:
        while take(process.stderr, talk, LONGEST_TALK):
            pass
    except BlockingIOError:
        pass
    if not ended:
        return "was stopped"
    return (
        f"exited with status {status}"
        if status >= 0
        else f"killed by signal {-status} ({signal.strsignal(-status)})"
    )


def run(program, seconds):
    """(its answers, its other output, whether it was in time, how it ended)"""
    text, talk, in_time = bytearray(), bytearray(), False
    with subprocess.Popen(
        [program],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        start_new_session=True,
        preexec_fn=lambda: limit_itself(seconds),  # noqa: PLW1509  no threads here
    ) as process:
        try:
            in_time = read_all(process, time.monotonic() + seconds, text, talk)
        finally:  # even after Ctrl-C
            ending = stop(process, time.monotonic() + (TIME_TO_END if in_time else 0), talk)
    return text, bytes(talk), in_time, ending


def ask(program, seconds=SECONDS):
    """(answers at both sizes, the bytes that the student's code printed). Kills the program and raises InputError, in
    one line, if it does not write all answers in time."""
    try:
        text, talk, in_time, ending = run(str(program), seconds)
    except OSError as fault:
        raise InputError(f"{program}: cannot start the program: {fault.strerror}") from None
    if not in_time:
        raise InputError(
            f"worksheet.hpp: no answers within {seconds:g} s: does it have an endless loop?"
        )
    try:
        return parse_answers(text.decode("utf-8", "surrogateescape")), talk
    except NoAnswers:
        said = printable(talk.decode("utf-8", "surrogateescape").rstrip("\n").rpartition("\n")[2])
        raise InputError(
            f"worksheet.hpp: {ending} before it gave its answers{': ' if said else ''}{said}"
        ) from None
