"""Names chosen by others: how to show them, and how to turn them into file names."""

import hashlib
import re
import unicodedata

LONGEST = 60  # characters in one of our file names
# Letters that do not decompose into a letter and an accent.
SPELLED = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i"})


def printable(name):
    """The name on one readable line: unprintable characters (controls, direction marks, invalid UTF-8) become \\uNNNN."""
    return "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in str(name))


def folded(name):
    """The name without case and accents: "Ørsted, José" -> "orsted, jose"."""
    letters = unicodedata.normalize("NFKD", str(name).casefold().translate(SPELLED))
    return "".join(one for one in letters if not unicodedata.combining(one))


def file_name(name):
    """Only letters a-z, digits and _: "Anna-Maria Smith" -> "anna_maria_smith"; empty if nothing is left."""
    return re.sub(r"[^a-z0-9]+", "_", folded(name)).strip("_")[:LONGEST].strip("_")


def fingerprint(text):
    """Four hexadecimal digits that distinguish two names."""
    return hashlib.sha256(str(text).encode("utf-8", "surrogateescape")).hexdigest()[:4]
