"""What a student hands in: the one list of it, for ./lab submit, which packs, and for ./lab grade, which takes.

Files lie in the folder of their part, PART_words/; what each try kept lies in notebook/ below it.
"""

from collections import namedtuple
from fnmatch import fnmatchcase

Role = namedtuple("Role", "name patterns largest_bytes what")

ROLES = (  # the first that fits
    Role("code", ("mine.hpp", "mine_*.hpp", "mine.cuh", "mine_*.cuh"), 200_000, "your versions"),
    Role("flags", ("flags.txt",), 10_000, "compiler flags of your versions"),
    Role("worksheet", ("worksheet.hpp",), 100_000, "your answers, and your names"),
    Role("notebook", ("NOTEBOOK.md", "notebook.csv"), 1_000_000, "your ideas, predictions and measurements"),
    Role("kept", ("notebook/*_mine*.hpp", "notebook/*_mine*.cuh"), 200_000, "your versions, as each try kept them"),
    Role("header", ("*.hpp", "*.cuh", "*.h"), 200_000, "headers of your own that your versions include"),
)
STUDENTS = ("code", "flags", "worksheet", "notebook")  # roles whose files are given and then changed
COPIES = "common/given/"  # in a handout, which has no git: those files once more, as they were given
GIVEN = ("naive.hpp", "naive.cuh")  # headers that belong to the lab: never taken
PROGRAMS = ("mine_*_count.*", "mine_*_double.*", "mine_count.*", "mine_double.*")  # names of the lab's own programs


def role_of(name):
    """The role of a file by its path from the folder of a part; None for what is not handed in."""
    if name in GIVEN or name.startswith(".") or any(fnmatchcase(name, pattern) for pattern in PROGRAMS):
        return None
    return next((role for role in ROLES if any(fnmatchcase(name, pattern) and name.count("/") == pattern.count("/")
                                               for pattern in role.patterns)), None)


def is_students(path):
    """Is PART_words/NAME a file that a student changes?"""
    folder, _, name = path.partition("/")
    role = role_of(name) if folder.startswith("part") and name else None
    return role is not None and role.name in STUDENTS
