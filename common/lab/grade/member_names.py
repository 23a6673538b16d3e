"""Which names in an archive may become files, and where."""

import re
import unicodedata

from plain_names import printable

LONGEST_PART, LONGEST_PATH, DEEPEST = 255, 1000, 12  # bytes, bytes, folders
# Files that no student means to submit; skipped silently.
NOISE = {"__macosx", "__pycache__", "build", "node_modules", "thumbs.db", "desktop.ini"}


class Refused(Exception):
    """Why, as the end of a sentence: "leads outside its folder"."""


def is_noise(parts):
    return any(part.casefold() in NOISE or part.startswith(".") for part in parts)


def parts_of(name):
    """The parts of a member's path; some Windows programs write backslashes. Raises Refused."""
    if any(unicodedata.category(one) == "Cc" for one in name):
        raise Refused("has a control character in its name")
    name = name.replace("\\", "/")
    if name.startswith("/") or re.match(r"[A-Za-z]:", name):
        raise Refused("has an absolute path")
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise Refused("leads outside its folder")
    if not parts:
        raise Refused("has no name")
    size = [len(part.encode("utf-8", "surrogateescape")) for part in parts]
    if max(size) > LONGEST_PART or sum(size) + len(size) > LONGEST_PATH:
        raise Refused("has a name that is too long")
    if len(parts) > DEEPEST:
        raise Refused(f"lies deeper than {DEEPEST} folders")
    return parts


def shown_name(name):
    """Short enough for a line."""
    text = printable(name)
    return text if len(text) <= 60 else f"{text[:28]}...{text[-28:]}"


class Names:
    """The names in one destination: each only once, ignoring case."""

    def __init__(self):
        self.seen = set()

    def take(self, parts):
        """Raises Refused for a name that is taken."""
        key = unicodedata.normalize("NFC", "/".join(parts).encode("utf-8", "surrogateescape").decode("utf-8", "replace")).casefold()
        if key in self.seen:
            raise Refused("appears twice, perhaps in another case: the first one was used")
        self.seen.add(key)
