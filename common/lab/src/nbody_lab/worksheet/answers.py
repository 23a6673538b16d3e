"""The answers of a worksheet.hpp, as its program writes them (common/worksheet/write_answers.cpp)."""

import math
from collections import namedtuple

from nbody_lab.core.messages import UserError
from nbody_lab.notebook.file import InputError

# Answers are expressions of n. They are judged at two numbers of bodies, so that a number right by chance for one does
# not pass.
SIZES = (1000, 4099)
NO_CHOICE = " "
FIRST_LINE, LAST_LINE = "the answers of a worksheet:\n", "all of them\n"
TYPES = {"numbers": "double", "letters": "char", "texts": "std::string"}  # in C++

Pair = namedtuple("Pair", "first second")  # at both sizes


class NoAnswers(UserError):
    """The text does not come from that program."""


class Answers:
    """The answers for one number of bodies, by their names in worksheet.hpp."""

    def __init__(self, numbers=(), letters=(), texts=()):
        self.numbers, self.letters, self.texts = dict(numbers), dict(letters), dict(texts)

    def found(self, kind, name):
        """The answer of this name. Raises InputError if the student removed the line or changed its type."""
        try:
            return getattr(self, kind)[name]
        except KeyError:
            raise InputError(
                f"worksheet.hpp: {TYPES[kind]} {name} is missing: restore it"
            ) from None


def is_answered(number):
    return not math.isnan(number)


def add_line(line, answers):
    size, kind, name, value = line.split(" ", 3)
    at = answers[("0", "1").index(size)]
    if kind == "text":
        at.texts[name] = value
    elif kind == "letter":
        at.letters[name] = chr(int(value) % 256)
    elif kind == "number":
        at.numbers[name] = float(value)
    else:
        raise ValueError(kind)


def parse_answers(text):
    """The answers at both sizes. Text before the first line is skipped: a student's code may print. Raises NoAnswers."""
    begin, end = text.rfind(FIRST_LINE), text.rfind(LAST_LINE)
    if begin < 0 or end < begin:
        raise NoAnswers
    answers = Pair(Answers(), Answers())
    try:
        for line in text[begin + len(FIRST_LINE) : end].split("\n")[:-1]:
            add_line(line, answers)
    except (ValueError, OverflowError):
        raise NoAnswers from None
    return answers
