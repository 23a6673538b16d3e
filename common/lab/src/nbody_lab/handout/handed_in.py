"""The list of files that a student hands in, used by ./lab submit to pack and by ./lab grade to unpack.

Files are in the folder of their part, PART_words/; the versions stored by each try are in notebook/ below it.
"""

from fnmatch import fnmatchcase
from typing import Literal, NamedTuple


class Role(NamedTuple):
    name: Literal["code", "flags", "worksheet", "notebook", "kept", "header"]
    patterns: tuple[str, ...]
    largest_bytes: int
    what: str


ROLES = (  # the first match wins
    Role("code", ("mine.hpp", "mine_*.hpp", "mine.cuh", "mine_*.cuh"), 200_000, "your versions"),
    Role("flags", ("flags.txt",), 10_000, "compiler flags of your versions"),
    Role("worksheet", ("worksheet.hpp",), 100_000, "your answers, and your names"),
    Role("notebook", ("NOTEBOOK.md", "notebook.csv"), 1_000_000, "predictions and measurements"),
    Role("kept", ("notebook/*_mine*.hpp", "notebook/*_mine*.cuh"), 200_000, "saved by each try"),
    Role("header", ("*.hpp", "*.cuh", "*.h"), 200_000, "headers of your own"),
)
_BASELINE = ("naive.hpp", "naive.cuh")
_PROGRAMS = ("mine_*_count.*", "mine_*_double.*", "mine_count.*", "mine_double.*")  # the lab's own


def role_of(name: str) -> Role | None:
    """The role of a file, by its path in the folder of a part; None if it is not handed in."""
    if name in _BASELINE or name.startswith(".") or any(fnmatchcase(name, it) for it in _PROGRAMS):
        return None
    for role in ROLES:
        for pattern in role.patterns:
            if fnmatchcase(name, pattern) and name.count("/") == pattern.count("/"):
                return role
    return None


def is_given(path: str) -> bool:
    """Whether PART_words/NAME is a file of the lab that may differ in a student's tree: one to work on, or naive."""
    folder, _, name = path.partition("/")
    role = role_of(name)
    return folder.startswith("part") and (
        name in _BASELINE or (role is not None and role.name not in ("kept", "header"))
    )
