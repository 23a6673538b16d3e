"""The program with a student's worksheet.hpp: it may crash, loop or print anything; only the answers that it writes
count (common/worksheet/write_answers.cpp)."""

import contextlib
import math
import os
import resource
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TypeVar

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


def is_answered(number: float) -> bool:
    return not math.isnan(number)


def parse_answers(output: bytes) -> tuple[Answers, Answers]:
    """The answers at both sizes. Text before the first line is skipped: a student's code may print. Raises NoAnswers."""
    text = output.decode("utf-8", "replace")  # a student's bytes need not be UTF-8
    begin, end = text.rfind(_FIRST_LINE), text.rfind(_LAST_LINE)
    if begin < 0 or end < begin:
        raise NoAnswers
    answers = Answers(), Answers()
    try:
        for line in text[begin + len(_FIRST_LINE) : end].split("\n")[:-1]:
            size, kind, name, value = line.split(" ", 3)
            found = answers[("0", "1").index(size)]
            if kind == "number":
                found.numbers[name] = float(value)
            elif kind == "letter":
                found.letters[name] = chr(int(value) % 256)
            elif kind == "text":
                found.texts[name] = value
            else:
                raise NoAnswers
    except (ValueError, OverflowError):
        raise NoAnswers from None
    return answers


SECONDS = 5.0
_LONGEST_TEXT, _LONGEST_TALK = 1 << 20, 1 << 16  # bytes read of its answers, of its other output
_LARGEST_FILE = 1 << 26  # bytes, its output included


def _run(program: Path, seconds: float, output: IO[bytes], talk: IO[bytes]) -> int | None:
    """Its exit status; None if it was stopped. Nothing that it started is left."""
    process = subprocess.Popen(
        [program], stdin=subprocess.DEVNULL, stdout=output, stderr=talk, start_new_session=True
    )
    try:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it has ended already
            resource.prlimit(process.pid, resource.RLIMIT_CORE, (0, 0))
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:  # even after Ctrl-C
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def ask(program: Path, seconds: float = SECONDS) -> tuple[tuple[Answers, Answers], str]:
    """The answers at both sizes, and what the student's code printed. Kills the program and raises LabError if it does
    not write all answers in time."""
    # Files and not pipes: their size is limited, and nobody who holds one open is waited for.
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        try:
            status = _run(program, seconds, output, errors)
        except OSError as error:
            raise LabError(f"{program}: cannot start the program: {error.strerror}") from None
        output.seek(0)
        errors.seek(0)
        text, talk = (
            output.read(_LONGEST_TEXT),
            errors.read(_LONGEST_TALK).decode("utf-8", "replace"),
        )
    if status is None:
        raise LabError(
            f"worksheet.hpp: no answers within {seconds:g} s: does it have an endless loop?"
        )
    try:
        return parse_answers(text), talk
    except NoAnswers:
        how = f"exited with status {status}"
        if status < 0:
            how = f"killed by signal {-status} ({signal.strsignal(-status)})"
        last = printable(talk.rstrip("\n").rpartition("\n")[2])
        how = f"{how} before it gave its answers" + (f": {last}" if last else "")
        raise LabError(f"worksheet.hpp: {how}") from None
