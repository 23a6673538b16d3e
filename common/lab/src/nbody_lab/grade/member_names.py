"""Which names in an archive may become files, and where."""

import hashlib
import os
import re
import stat
import unicodedata

from nbody_lab.core.clean_text import printable

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
        key = unicodedata.normalize(
            "NFC", "/".join(parts).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        ).casefold()
        if key in self.seen:
            raise Refused("appears twice, perhaps in another case: the first one was used")
        self.seen.add(key)


# The files below a folder that a student may have made: links are not followed, pipes are never opened.


def pieces_of_file(path):
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:
        yield from iter(lambda: file.read(1 << 16), b"")


def digest_of(path):
    """SHA-256 in hexadecimal."""
    digest = hashlib.sha256()
    for piece in pieces_of_file(path):
        digest.update(piece)
    return digest.hexdigest()


def problem_of(path):
    """Why it is not a plain file, as the end of a sentence; empty if it is one."""
    mode = os.lstat(path).st_mode
    if stat.S_ISLNK(mode):
        return "is a symbolic link"
    return "" if stat.S_ISREG(mode) else "is not a regular file"


def files_below(top):
    """Yields (path, its name relative to `top`, why it is not a plain file) in order, without noise such as build/. A
    link to a folder is listed as well."""
    for place, folders, files in os.walk(top):
        here = os.path.relpath(place, top)
        depth = 0 if here == "." else here.count(os.sep) + 1
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]
        folders[:] = sorted(name for name in folders if depth < DEEPEST and not is_noise([name]))
        for name in sorted(files + links):
            path = os.path.join(place, name)
            if not is_noise([name]):
                yield path, os.path.relpath(path, top), problem_of(path)
