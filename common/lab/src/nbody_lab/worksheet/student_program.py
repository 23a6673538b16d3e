"""Runs the program with the student's worksheet.hpp, which may crash, loop or print anything: only the answers that it
writes count."""

import contextlib
import os
import resource
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import IO, NamedTuple

from nbody_lab.core.clean_text import printable
from nbody_lab.core.messages import UserError
from nbody_lab.worksheet.answers import Answers, NoAnswers, parse_answers

SECONDS = 5.0
_LONGEST_TEXT, _LONGEST_TALK = 1 << 20, 1 << 16  # bytes read of its answers, of its other output
_LARGEST_FILE = 1 << 26  # bytes, its output included


def _limit(process: subprocess.Popen[bytes], seconds: float) -> None:
    """CPU time limits it even if this process is killed; its children inherit the limits."""
    whole = int(seconds) + 2
    limits = (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, _LARGEST_FILE),
        (resource.RLIMIT_CPU, whole),
    )
    for limit, most in limits:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it has ended already
            resource.prlimit(process.pid, limit, (most, most))


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """It stays a zombie, so that its number is not reused before its group is killed."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _run(program: Path, seconds: float, output: IO[bytes], talk: IO[bytes]) -> int | None:
    """Its exit status; None if it was stopped. Nothing that it started is left."""
    process = subprocess.Popen(
        [program], stdin=subprocess.DEVNULL, stdout=output, stderr=talk, start_new_session=True
    )
    ended = False
    try:
        _limit(process, seconds)
        deadline = time.monotonic() + seconds
        while not (ended := _has_ended(process)) and time.monotonic() < deadline:
            time.sleep(0.005)
    finally:  # even after Ctrl-C
        os.killpg(process.pid, signal.SIGKILL)
        status = process.wait()
    return status if ended else None


def _read(file: IO[bytes], most: int) -> str:
    file.seek(0)
    return file.read(most).decode("utf-8", "surrogateescape")


class Asked(NamedTuple):
    answers: tuple[Answers, Answers]  # at both sizes
    printed: str  # by the student's code


def ask(program: Path, seconds: float = SECONDS) -> Asked:
    """Kills the program and raises UserError if it does not write all answers in time."""
    # Files and not pipes: their size is limited, and nobody who holds one open is waited for.
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        try:
            status = _run(program, seconds, output, errors)
        except OSError as error:
            raise UserError(f"{program}: cannot start the program: {error.strerror}") from None
        text, talk = _read(output, _LONGEST_TEXT), _read(errors, _LONGEST_TALK)
    if status is None:
        raise UserError(
            f"worksheet.hpp: no answers within {seconds:g} s: does it have an endless loop?"
        )
    try:
        return Asked(parse_answers(text), talk)
    except NoAnswers:
        last = printable(talk.rstrip("\n").rpartition("\n")[2])
        how = f"exited with status {status}"
        if status < 0:
            how = f"killed by signal {-status} ({signal.strsignal(-status)})"
        raise UserError(
            f"worksheet.hpp: {how} before it gave its answers{': ' if last else ''}{last}"
        ) from None
