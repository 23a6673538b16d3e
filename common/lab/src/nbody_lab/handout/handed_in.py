"""The list of files that a student hands in, used by ./lab submit to pack and by ./lab grade to unpack.

Files are in the folder of their part, PART_words/; the versions stored by each try are in notebook/ below it.
"""

from collections import namedtuple
from fnmatch import fnmatchcase

Role = namedtuple("Role", "name patterns largest_bytes what")

ROLES = (  # the first match wins
    Role("code", ("mine.hpp", "mine_*.hpp", "mine.cuh", "mine_*.cuh"), 200_000, "your versions"),
    Role("flags", ("flags.txt",), 10_000, "compiler flags of your versions"),
    Role("worksheet", ("worksheet.hpp",), 100_000, "your answers, and your names"),
    Role(
        "notebook",
        ("NOTEBOOK.md", "notebook.csv"),
        1_000_000,
        "your ideas, predictions and measurements",
    ),
    Role(
        "kept",
        ("notebook/*_mine*.hpp", "notebook/*_mine*.cuh"),
        200_000,
        "your versions, as saved by each try",
    ),
    Role(
        "header",
        ("*.hpp", "*.cuh", "*.h"),
        200_000,
        "headers of your own that your versions include",
    ),
)
STUDENTS = (
    "code",
    "flags",
    "worksheet",
    "notebook",
)  # roles whose files come with the lab and are then changed
GIVEN = ("naive.hpp", "naive.cuh")  # the lab's own headers: never taken
PROGRAMS = (
    "mine_*_count.*",
    "mine_*_double.*",
    "mine_count.*",
    "mine_double.*",
)  # the lab's own programs


def role_of(name):
    """The role of a file, by its path in the folder of a part; None if it is not handed in."""
    if (
        name in GIVEN
        or name.startswith(".")
        or any(fnmatchcase(name, pattern) for pattern in PROGRAMS)
    ):
        return None
    return next(
        (
            role
            for role in ROLES
            if any(
                fnmatchcase(name, pattern) and name.count("/") == pattern.count("/")
                for pattern in role.patterns
            )
        ),
        None,
    )


def is_baseline(path):
    """Whether it is PART_words/naive.hpp (naive.cuh), which nobody changes."""
    folder, _, name = path.partition("/")
    return folder.startswith("part") and name in GIVEN


def is_students(path):
    """Whether PART_words/NAME is a file of the lab that a student changes."""
    folder, _, name = path.partition("/")
    role = role_of(name) if folder.startswith("part") and name else None
    return role is not None and role.name in STUDENTS
