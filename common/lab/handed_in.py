"""What a student hands in: the one list of it, for ./lab submit, which packs, and for ./lab grade, which takes.

Files lie in the folder of their part, PART_words/, and not below it.
"""

from collections import namedtuple
from fnmatch import fnmatchcase

Role = namedtuple("Role", "name patterns largest_bytes what")

ROLES = (  # the first that fits
    Role("code", ("mine.hpp", "mine_*.hpp", "mine.cuh", "mine_*.cuh"), 200_000, "your versions"),
    Role("flags", ("flags.txt",), 10_000, "compiler flags of your versions"),
    Role("worksheet", ("worksheet.hpp",), 100_000, "your answers, and your names"),
    Role("notebook", ("NOTEBOOK.md", "notebook.csv"), 1_000_000, "your ideas, predictions and measurements"),
    Role("header", ("*.hpp", "*.cuh", "*.h"), 200_000, "headers of your own that your versions include"),
)
GIVEN = ("naive.hpp", "naive.cuh")  # headers that belong to the lab: never taken


def role_of(name):
    """The role of a file by its name in the folder of a part; None for what is not handed in."""
    if name in GIVEN or "/" in name or name.startswith("."):
        return None
    return next((role for role in ROLES if any(fnmatchcase(name, pattern) for pattern in role.patterns)), None)
