"""The parts of the lab, and what students hand in for each: read from the tree, so that a new part needs no change
here."""

import re
from collections import namedtuple
from pathlib import Path

from nbody_lab.handout.handed_in import ROLES, role_of

# name: "part1"; folder: "part1_standard_opti"; root: the lab's tree; given: names of the files in the folder; header:
# the extension of mine, ".hpp" or ".cuh".
Part = namedtuple("Part", "name folder root given header")

PLAIN_FILES = [
    pattern
    for role in ROLES
    if role.name in ("flags", "worksheet", "notebook")
    for pattern in role.patterns
]
EXTRA_HEADER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_+-]*\.(hpp|cuh|h)", re.ASCII)


def part_folders(root):
    """[Part], in order."""
    parts = []
    for folder in sorted(Path(root).glob("part*_*/")):
        if (folder / "CMakeLists.txt").is_file():
            given = {one.name for one in folder.iterdir() if one.is_file()}
            header = ".cuh" if "naive.cuh" in given else ".hpp"
            parts.append(Part(folder.name.split("_")[0], folder.name, Path(root), given, header))
    return parts


def role_in(part, name):
    """The role in handed_in.py, or "" for a file that this part does not collect."""
    role = role_of(name)
    fits = {
        "code": lambda: re.fullmatch(rf"mine(_[A-Za-z0-9_]+)?\{part.header}", name, re.ASCII),
        "header": lambda: (
            EXTRA_HEADER.fullmatch(name)
            and name not in part.given
            and not near_name(part, name)
            and not name.startswith("mine")
        ),
    }
    return role.name if role and fits.get(role.name, lambda: True)() else ""


def largest(name):
    """Maximum size of a file, in bytes."""
    role = role_of(name)
    return role.largest_bytes if role else 0


def near_name(part, name):
    """The correct spelling of a file name that differs only in case; empty for any other name."""
    for right in (*PLAIN_FILES, f"mine{part.header}"):
        if name != right and name.casefold() == right.casefold():
            return right
    return ""


def squeezed(word):
    return re.sub(r"[^a-z0-9]", "", word.casefold())


def part_called(parts, word):
    """The part called "part1_standard_opti", "part1" or "Part 1"; None for another folder."""
    for part in parts:
        if squeezed(word) in (squeezed(part.folder), squeezed(part.name)):
            return part
    return None
