"""The program with a student's worksheet.hpp: it may crash, loop or print anything; only the answers that it writes
count (common/worksheet/write_answers.cpp)."""

import contextlib
import math
import os
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NamedTuple, TypeVar

from nbody_lab.core.clean_text import printable
from nbody_lab.core.errors import LabError

# Answers are expressions of n. They are judged at two numbers of bodies, so that a number right by chance for one does
# not pass.
SIZES = (1000, 4099)
NO_CHOICE = " "
_FIRST_LINE, _LAST_LINE = "the answers of a worksheet:\n", "all of them\n"

Answer = TypeVar("Answer")
Numbers = tuple[float, float]  # at both sizes


class NoAnswers(LabError):
    """The text does not come from that program."""


def _find(answers: Mapping[str, Answer], type_in_cpp: str, name: str) -> Answer:
    if name not in answers:  # the student removed the line or changed its type
        raise LabError(f"worksheet.hpp: {type_in_cpp} {name} is missing: restore it")
    return answers[name]


@dataclass
class Answers:
    """The answers for one number of bodies, by their names in worksheet.hpp. A missing one raises LabError."""

    numbers: dict[str, float] = field(default_factory=dict)
    letters: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def number(self, name: str) -> float:
        return _find(self.numbers, "double", name)

    def letter(self, name: str) -> str:
        return _find(self.letters, "char", name)

    def text(self, name: str) -> str:
        return _find(self.texts, "std::string", name)

    def add(self, kind: str, name: str, value: str) -> None:
        """Raises ValueError or OverflowError if the program could not have written that."""
        if kind == "text":
            self.texts[name] = value
        elif kind == "letter":
            self.letters[name] = chr(int(value) % 256)
        elif kind == "number":
            self.numbers[name] = float(value)
        else:
            raise ValueError(kind)


def is_answered(number: float) -> bool:
    return not math.isnan(number)


def parse_answers(text: str) -> tuple[Answers, Answers]:
    """The answers at both sizes. Text before the first line is skipped: a student's code may print. Raises NoAnswers."""
    begin, end = text.rfind(_FIRST_LINE), text.rfind(_LAST_LINE)
    if begin < 0 or end < begin:
        raise NoAnswers
    answers = Answers(), Answers()
    try:
        for line in text[begin + len(_FIRST_LINE) : end].split("\n")[:-1]:
            size, kind, name, value = line.split(" ", 3)
            answers[("0", "1").index(size)].add(kind, name, value)
    except (ValueError, OverflowError):
        raise NoAnswers from None
    return answers


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
    """Kills the program and raises LabError if it does not write all answers in time."""
    # Files and not pipes: their size is limited, and nobody who holds one open is waited for.
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        try:
            status = _run(program, seconds, output, errors)
        except OSError as error:
            raise LabError(f"{program}: cannot start the program: {error.strerror}") from None
        text, talk = _read(output, _LONGEST_TEXT), _read(errors, _LONGEST_TALK)
    if status is None:
        raise LabError(
            f"worksheet.hpp: no answers within {seconds:g} s: does it have an endless loop?"
        )
    try:
        return Asked(parse_answers(text), talk)
    except NoAnswers:
        last = printable(talk.rstrip("\n").rpartition("\n")[2])
        how = f"exited with status {status}"
        if status < 0:
            how = f"killed by signal {-status} ({signal.strsignal(-status)})"
        raise LabError(
            f"worksheet.hpp: {how} before it gave its answers{': ' if last else ''}{last}"
        ) from None
