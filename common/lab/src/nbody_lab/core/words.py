"""Interprets the words of a command line."""

import argparse
import difflib
from collections.abc import Iterable, Sequence

from nbody_lab.core.messages import stop
from nbody_lab.core.screen import SCREEN


def nearest(word: str, words: Iterable[str]) -> str:
    """'; did you mean ...?', or ''."""
    likeness = 0.7 if len(word) > 3 else 0.66  # in three letters one may be wrong
    close = difflib.get_close_matches(word, list(words), 1, likeness)
    return f"; did you mean {close[0]}?" if close else ""


def plain_name(word: str) -> str:
    """The name without its extension: mine for mine.hpp or mine.cuh."""
    return word[:-4] if word.endswith((".hpp", ".cuh")) else word


def plural(number: float, one: str, many: str = "") -> str:
    """1 row, 2 rows, 2 bodies."""
    return f"{number:g} {one if number == 1 else many or one + 's'}"


def asks_for_double(options: Sequence[str]) -> bool:
    return any(
        "double" in word and (word.startswith("--precision=") or before == "--precision")
        for before, word in zip(["", *options], options)
    )


def leading_names(words: Sequence[str]) -> tuple[list[str], Sequence[str]]:
    """(names before the first option, the rest)"""
    count = next((k for k, word in enumerate(words) if word.startswith("-")), len(words))
    return [plain_name(word) for word in words[:count]], words[count:]


def one_name(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """(name, options); without a name it is naive."""
    if words and not words[0].startswith("-"):
        return plain_name(words[0]), words[1:]
    return "naive", words


def wants_help(words: Sequence[str]) -> bool:
    return "-h" in words or "--help" in words


# Parses a command's options: an error is one line with an example, and the help fits the screen.


class Parser(argparse.ArgumentParser):
    def __init__(self, example, **words):
        super().__init__(
            allow_abbrev=False,
            formatter_class=lambda prog: argparse.HelpFormatter(prog, width=SCREEN),
            **words,
        )
        self.example = example

    def error(self, message):
        stop(f"{self.prog.split()[-1]}: {message}; for example: {self.example}")
