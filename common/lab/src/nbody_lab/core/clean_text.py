"""Makes safe what students typed, named or printed: for JSON, HTML, file names and the screen."""

import os
import re
import unicodedata
from pathlib import Path

LINE, LOG = 2000, 16000  # characters kept of a text, of a log
_LONGEST_NAME = 60  # characters in one of our file names

# Where a formula may begin in a spreadsheet: at the start of a cell, and after the separators of other locales.
_FORMULA = re.compile(r"(^\s*|[;|])(?=[=+\-@\uff0b\uff0d\uff1d\uff20])")
_COMMANDS_OF_A_TERMINAL = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b\n]*(?:\x07|\x1b\\\\)?|\x1b[@-Z\\\\^_]"
)
# Letters that do not decompose into a letter and an accent.
_SPELLED = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i"}
)


def without_formula(text: str) -> str:
    """The text of a cell that no spreadsheet takes for a formula."""
    return _FORMULA.sub(r"\1'", text)


def printable(name: object) -> str:
    """The name on one readable line: unprintable characters (controls, direction marks, invalid UTF-8) become \\uNNNN."""
    return "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in str(name))


def shown(path: Path | str) -> str:
    """The path relative to the current folder, printable."""
    return printable(os.path.relpath(path))


def folded(name: object) -> str:
    """The name without case and accents: "Ørsted, José" -> "orsted, jose"."""
    letters = unicodedata.normalize("NFKD", str(name).casefold().translate(_SPELLED))
    return "".join(one for one in letters if not unicodedata.combining(one))


def file_name(name: object) -> str:
    """Only letters a-z, digits and _: "Anna-Maria Smith" -> "anna_maria_smith"; empty if nothing is left."""
    return re.sub(r"[^a-z0-9]+", "_", folded(name)).strip("_")[:_LONGEST_NAME].strip("_")


def harmless(text: str, most: int = LINE) -> str:
    """The beginning, which shows the first error, and the end, without terminal commands. Keeps line breaks; any other
    invisible character becomes a question mark."""
    if len(text) > most:
        left_out = f"\n[... {len(text) - most} characters left out here ...]\n"
        text = text[: most - most // 3] + left_out + text[-(most // 3) :]
    text = _COMMANDS_OF_A_TERMINAL.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    letters = text.expandtabs(4)
    return "".join(one if one.isprintable() or one == "\n" else "?" for one in letters)


def in_one_line(text: str, most: int = LINE) -> str:
    return " ".join(harmless(text, most).split())
