"""Makes safe what students typed, named or printed: for JSON, HTML, file names and the screen."""

import hashlib
import math
import re
import unicodedata
from typing import Any


def clean(value: Any) -> Any:
    """Text, or data that holds text, without broken or invisible characters and without infinities."""
    if isinstance(value, str):
        whole = value.encode("utf-8", "replace").decode("utf-8")
        return "".join(
            letter if letter.isprintable() or letter == "\n" else "?" for letter in whole
        )
    if isinstance(value, dict):
        return {clean(str(key)): clean(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [clean(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


# Where a formula may begin in a spreadsheet: at the start of a cell, and after the separators of other locales.
_FORMULA = re.compile(r"(^\s*|[;|])(?=[=+\-@\uff0b\uff0d\uff1d\uff20])")


def without_formula(text: str) -> str:
    """The text of a cell that no spreadsheet takes for a formula."""
    return _FORMULA.sub(r"\1'", text)


# Names chosen by others: how to show them, and how to turn them into file names.
LONGEST = 60  # characters in one of our file names
# Letters that do not decompose into a letter and an accent.
SPELLED = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i"}
)


def printable(name: object) -> str:
    """The name on one readable line: unprintable characters (controls, direction marks, invalid UTF-8) become \\uNNNN."""
    return "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in str(name))


def folded(name: object) -> str:
    """The name without case and accents: "Ørsted, José" -> "orsted, jose"."""
    letters = unicodedata.normalize("NFKD", str(name).casefold().translate(SPELLED))
    return "".join(one for one in letters if not unicodedata.combining(one))


def file_name(name: object) -> str:
    """Only letters a-z, digits and _: "Anna-Maria Smith" -> "anna_maria_smith"; empty if nothing is left."""
    return re.sub(r"[^a-z0-9]+", "_", folded(name)).strip("_")[:LONGEST].strip("_")


def fingerprint(text: object) -> str:
    """Four hexadecimal digits that distinguish two names."""
    return hashlib.sha256(str(text).encode("utf-8", "surrogateescape")).hexdigest()[:4]


# Shortens the output of students' programs and archives and removes terminal commands and text direction marks.
LINE, LOG = 2000, 16000  # characters kept of a text, of a log
ESCAPES = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b\n]*(?:\x07|\x1b\\\\)?|\x1b[@-Z\\\\^_]"
)
LOGS = ("build_log", "log")


def cut(text: str, most: int) -> str:
    """The beginning, which shows the first error, and the end."""
    if len(text) <= most:
        return text
    end = most // 3
    return f"{text[: most - end]}\n[... {len(text) - most} characters left out here ...]\n{text[-end:]}"


def harmless(text: str, most: int = LINE) -> str:
    """Keeps line breaks; any other invisible character becomes a question mark."""
    lines = ESCAPES.sub("", cut(text, most)).replace("\r\n", "\n").replace("\r", "\n")
    return str(clean(lines.expandtabs(4)))


def in_one_line(text: str, most: int = LINE) -> str:
    return " ".join(harmless(text, most).split())


def harmless_data(value: Any, most: int = LINE) -> Any:
    """The same data, made harmless; text under the names in LOGS may be longer."""
    if isinstance(value, str):
        return harmless(value, most)
    if isinstance(value, dict):
        return {
            harmless(str(key)): harmless_data(one, LOG if key in LOGS else most)
            for key, one in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [harmless_data(one, most) for one in value]
    return clean(value)
