"""The files that students do not get, each with its reason, and documents without a mention of them.
A pattern that ends with / is a folder.

Kept on purpose: hints, which open one by one and are recorded; questions.py, which the worksheet needs for judging
(letters are sealed, formulas are readable); counts of part 3's given code, for students without a GPU. Measured ladders
are left out, since they tell what to try next and what it gains; data/references.json tells how far one can get.
"""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

_RUNGS = "explains rungs of the solution"
_MEASURED = "measured figures, row by row of the ladder"
_OWN = "for people who work on the lab"
_ANSWERS = "has answers of the worksheet"
_DEVELOPS = "tests what the lab shows of its solutions"
_INSTRUCTORS = "for instructors"
_CHEATS = "simulators that cheat"

LEFT_OUT = (
    ("solutions/", "the ladders with their pages, and the worksheets with their answers"),
    ("docs/results.md", _RUNGS),
    ("docs/machines.md", _MEASURED),
    ("docs/pictures/part*.svg", _MEASURED),
    ("docs/pictures/journey.svg", _MEASURED),
    ("docs/tables.json", _MEASURED),
    ("docs/figures.py", _MEASURED),
    ("docs/code_lines*.py", _MEASURED),
    ("docs/make_*.py", "writes documents from measured figures"),
    ("docs/draw_pictures*.py", "draws measured figures"),
    ("docs/profile_copies.py", "draws measured figures"),
    ("docs/studies_test.py", _DEVELOPS),
    ("part*/questions_test.py", _ANSWERS),
    ("common/work/count_program_test.c*", _ANSWERS),
    ("common/lab/tests/worksheet/parts_for_tests.py", _ANSWERS),
    (
        "common/check/zoo/honest/",
        "simulators that are right and fast in ways that students should find",
    ),
    ("common/check/zoo/wrong/", _CHEATS),
    ("common/check/zoo/zoo_test.cpp", "tests the zoo"),
    ("common/bench/test_cheats.cpp", _CHEATS),
    ("common/lab/tests/grade/", "submissions that cheat, and what the grader says of them"),
    ("CONTRIBUTING.md", _OWN),
    ("CHANGELOG.md", _OWN),
    (".ci/", _OWN),
    (".github/", _OWN),
    (".pre-commit-config.yaml", _OWN),
    ("docs/instructor/", _INSTRUCTORS),
    ("common/lab/tests/page/", _DEVELOPS),
    ("common/lab/tests/draw/all_pictures_test.py", _DEVELOPS),
    ("common/lab/tests/roofline/roofline_command_test.py", _DEVELOPS),
    ("common/setup/neon_test.sh", _DEVELOPS),
    ("common/lab/tests/mutation/", _OWN),
    ("common/lab/tests/net/", _OWN),
    ("data/results/", _MEASURED),
)
# Exceptions to the folders above.
_KEPT = (
    "data/results/ceilings_*.json",
    "data/results/rsqrt_bits.json",
    "data/results/part1_energy.json",
    "data/results/part3_counts/naive_count.json",
)


def fits(path: str, pattern: str) -> bool:
    return path.startswith(pattern) if pattern.endswith("/") else fnmatchcase(path, pattern)


def why_left_out(path: str) -> str | None:
    """The reason; None for files that students get."""
    if any(fits(path, pattern) for pattern in _KEPT):
        return None
    return next((why for pattern, why in LEFT_OUT if fits(path, pattern)), None)


# Documents name files that the handout lacks: dropped are lines between MARK and END, and table rows and pictures that
# show a file left out. Any other mention is an error in the document, which ./lab handout finds and a pair of marks fixes.
MARK, END = "<!-- not in the handout -->", "<!-- in the handout again -->"
_NAMED = re.compile(r"`([\w./-]+)`|\]\(([^)#\s]+)")
_PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]+)\)")


def _paths_in(line: str, folder: str) -> Iterator[str]:
    """The paths that a line may mean: from the root, beside the document, and in docs/."""
    for match in _NAMED.finditer(line):
        name = re.sub(r"^(\.\./)+", "", match[1] or match[2])
        yield from (name, f"{folder}/{name}" if folder else name, f"docs/{name}")


def _is_dropped(line: str, folder: str) -> bool:
    """Whether it is a table row or a picture whose file is left out."""
    if line.startswith("|") or _PICTURE.fullmatch(line.strip()):
        return any(map(why_left_out, _paths_in(line, folder)))
    return False


def handed_out_text(text: str, folder: str = "") -> str:
    """The document without dropped lines; `folder`: its folder, from the root. Raises ValueError for unpaired marks."""
    kept, dropping = [], False
    for line in text.split("\n"):
        if line.strip() in (MARK, END):
            if dropping == (line.strip() == MARK):
                raise ValueError(f"'{line.strip()}' is out of order")
            dropping = not dropping
        elif not dropping and not _is_dropped(line, folder):
            kept.append(line)
    if dropping:
        raise ValueError(f"'{MARK}' has no end")
    return "\n".join(kept)
