"""Finds what is wrong with a body file, word by word: slow, so only for files that were refused. The messages match
common/bodies/body_file.cpp."""

import math
import re

from messages import LabError

COLUMNS = ("mass", "radius", "qx", "qy", "qz", "vx", "vy", "vz")
NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
MOST_BODIES = 1 << 27


class BadFile(LabError):
    """What is wrong with a file, in one line."""


def is_number(word):
    """Whether it is a decimal number that a double can hold."""
    if not NUMBER.fullmatch(word):
        return False
    value = float(word)
    mantissa = re.split(rb"[eE]", word)[0]
    return math.isfinite(value) and (value != 0 or not re.search(rb"[1-9]", mantissa))


def words_of(text):
    """Yields (line, word); lines count from 1."""
    for number, line in enumerate(text.split(b"\n"), 1):
        for word in line.split(b"#")[0].split():
            yield number, word


def quoted(word):
    """The word in quotes: bytes outside printable ASCII as \\xNN, long words cut."""
    text = "".join(chr(c) if 32 <= c < 127 else f"\\x{c:02x}" for c in word[:30])
    return f"'{text}'{'...' if len(word) > 30 else ''}"


def count_complaint(word):
    """(N, None), or (0, what is wrong)."""
    if not word.isdigit():
        return 0, f"{quoted(word)} is not a number of bodies: start with a whole number N, then write N records"
    digits = word.lstrip(b"0") or b"0"
    if len(digits) > 9 or int(digits) > MOST_BODIES:
        return 0, f"N is {quoted(word)}, but at most {MOST_BODIES} bodies are possible: correct N"
    return int(digits), None if int(digits) else "N is 0, but at least 1 body is needed: correct N"


def number_complaint(word, index):
    """What is wrong with the word at this index among the numbers of the records, or None."""
    what = f"{COLUMNS[index % 8]} of record {index // 8 + 1} is {quoted(word)},"
    if not is_number(word):
        return f"{what} not a finite decimal number: write it like 1.5e3"
    if index % 8 == 0 and not float(word) > 0:
        return f"{what} but a mass must be above 0"
    if index % 8 == 1 and float(word) < 0:
        return f"{what} but a radius must not be negative"
    return None


def complaint(text, path):
    """The first error, as FILE:LINE: message."""
    words = list(words_of(text))
    if not words:
        return f"{path}:1: no bodies here: start with their number N, then write N records"
    count, wrong = count_complaint(words[0][1])
    if wrong:
        return f"{path}:{words[0][0]}: {wrong}"
    for index, (line, word) in enumerate(words[1:]):
        if index == 8 * count:
            return f"{path}:{line}: {quoted(word)} follows the last record, because N is {count}: remove the surplus or correct N"
        wrong = number_complaint(word, index)
        if wrong:
            return f"{path}:{line}: {wrong}"
    found = len(words) - 1
    return (f"{path}:{words[-1][0]}: the file ends after {found // 8} records and {found % 8} numbers, but N is {count}: "
            "add what is missing or correct N")
