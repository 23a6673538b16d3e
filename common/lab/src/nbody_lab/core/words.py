"""Interprets the words of a command line."""

import difflib
from collections.abc import Iterable, Sequence


def nearest(word: str, words: Iterable[str]) -> str:
    """'; did you mean ...?', or ''. Capitals do not count."""
    likeness = 0.7 if len(word) > 3 else 0.66  # in three letters one may be wrong
    known = {one.casefold(): one for one in words}
    close = difflib.get_close_matches(word.casefold(), known, 1, likeness)
    return f"; did you mean {known[close[0]].removesuffix('?')}?" if close else ""


def nearest_part(word: str, parts: Sequence[str]) -> str:
    """The same for a part; who types the name of a version has left out its part."""
    if word.endswith("naive") or is_own(word):
        return f"; did you mean {parts[0]} {word.rpartition('/')[2]}?"
    return nearest(word, [part for part in parts if part[-1] == word[-1:]])


def plain_name(word: str) -> str:
    """The name without its extension: mine for mine.hpp or mine.cuh."""
    return word[:-4] if word.endswith((".hpp", ".cuh")) else word


def is_own(name: str) -> bool:
    """Whether an implementation is the student's, by its name, with or without its part."""
    return name.rpartition("/")[2].startswith("mine")


def plural(number: float, one: str, many: str = "") -> str:
    """1 row, 2 rows, 2 bodies."""
    return f"{number:g} {one if number == 1 else many or one + 's'}"


def asks_for_double(options: Sequence[str]) -> bool:
    return any(
        "double" in word and (word.startswith("--precision=") or before == "--precision")
        for before, word in zip(["", *options], options)
    )
