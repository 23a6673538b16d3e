"""The answers of a worksheet.hpp, as its program writes them (common/worksheet/write_answers.cpp)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from nbody_lab.core.messages import UserError

# Answers are expressions of n. They are judged at two numbers of bodies, so that a number right by chance for one does
# not pass.
SIZES = (1000, 4099)
NO_CHOICE = " "
_FIRST_LINE, _LAST_LINE = "the answers of a worksheet:\n", "all of them\n"

Answer = TypeVar("Answer")
Numbers = tuple[float, float]  # at both sizes


class NoAnswers(UserError):
    """The text does not come from that program."""


def _find(answers: Mapping[str, Answer], type_in_cpp: str, name: str) -> Answer:
    if name not in answers:  # the student removed the line or changed its type
        raise UserError(f"worksheet.hpp: {type_in_cpp} {name} is missing: restore it")
    return answers[name]


@dataclass
class Answers:
    """The answers for one number of bodies, by their names in worksheet.hpp. A missing one raises UserError."""

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
