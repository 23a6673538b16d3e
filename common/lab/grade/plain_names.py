"""Names that others chose: how they are shown, and what they become as names of our own files."""

import hashlib
import re
import unicodedata

LONGEST = 60  # characters of a name of ours
# What no decomposition into letter and accent spells.
SPELLED = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i"})


def printable(name):
    """Readable on one line: unprintable characters (controls, direction marks, bytes that are not UTF-8) as \\uNNNN."""
    return "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in str(name))


def folded(name):
    """Without case and accents: "Ørsted, José" -> "orsted, jose"."""
    letters = unicodedata.normalize("NFKD", str(name).casefold().translate(SPELLED))
    return "".join(one for one in letters if not unicodedata.combining(one))


def file_name(name):
    """Only letters a-z, digits and _: "Anna-Maria Smith" -> "anna_maria_smith"; empty where nothing is left."""
    return re.sub(r"[^a-z0-9]+", "_", folded(name)).strip("_")[:LONGEST].strip("_")


def fingerprint(text):
    """Four hexadecimal digits that tell two names apart."""
    return hashlib.sha256(str(text).encode("utf-8", "surrogateescape")).hexdigest()[:4]
