"""The files that students do not get, with the reasons, and documents without a mention of them.

Kept on purpose: hints, which open one by one and are recorded; questions.py, which the worksheet needs for judging
(formulas are readable, letters of choices are judged when they are graded, so their seals are cut out); counts of part 3's given code, for students without a GPU. Measured ladders
are left out, since they tell what to try next and what it gains; data/references.json tells how far one can get.
"""

import posixpath
import re
from fnmatch import fnmatchcase

from nbody_lab.core.errors import LabError

LEFT_OUT = {  # a pattern that ends with / is a folder
    "the ladders with their pages, and the worksheets with their answers": ("solutions/",),
    "has answers of the worksheet": (
        "part*/questions_test.py",
        "common/work/count_program_test.c*",
        "common/lab/tests/tasks/parts_for_tests.py",
    ),
    "explains rungs of the solution": ("docs/results.md",),
    "measured figures, row by row of the ladder, and what draws or writes them": (
        "data/results/",
        "docs/machines.md",
        "docs/pictures/part*.svg",
        "docs/pictures/journey.svg",
        "docs/tables.json",
        "docs/figures.py",
        "docs/code_lines*.py",
        "docs/make_*.py",
        "docs/draw_pictures*.py",
        "docs/profile_copies.py",
    ),
    "simulators that are right and fast in ways that students should find": (
        "common/check/zoo/honest/",
    ),
    "programs that cheat, and what the checker, the clock and the grader say of them": (
        "common/check/zoo/wrong/",
        "common/check/zoo/zoo_test.cpp",
        "common/bench/test_cheats.cpp",
        "common/lab/tests/grade/",
    ),
    "tests what the lab shows of its solutions": (
        "docs/studies_test.py",
        "common/lab/tests/page/",
        "common/lab/tests/limits/roofline_command_test.py",
        "common/setup/neon_test.sh",
    ),
    "for instructors": ("docs/instructor/",),
    "for people who work on the lab": (
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        ".ci/",
        ".github/",
        ".pre-commit-config.yaml",
    ),
}
_KEPT = (  # of the folders above
    "data/results/ceilings_*.json",
    "data/results/rsqrt_bits.json",
    "data/results/part1_energy.json",
    "data/results/part3_counts/naive_count.json",
)
# Documents name files that the handout lacks: dropped are lines between MARK and END, and table rows and pictures that
# show a file left out. Any other mention is an error in the document, which ./lab handout finds and a pair of marks fixes.
MARK, END = "<!-- not in the handout -->", "<!-- in the handout again -->"
_NAMED = re.compile(r"`([\w./-]+)`|\]\(([^)#\s]+)")
_ROW_OR_PICTURE = re.compile(r"\|.*|\s*!\[[^\]]*\]\([^)]+\)\s*")


def fits(path: str, pattern: str) -> bool:
    return path.startswith(pattern) if pattern.endswith("/") else fnmatchcase(path, pattern)


def is_left_out(path: str) -> bool:
    left_out = any(fits(path, pattern) for patterns in LEFT_OUT.values() for pattern in patterns)
    return left_out and not any(fits(path, pattern) for pattern in _KEPT)


def _shows_a_file_left_out(line: str, folder: str) -> bool:
    for match in _NAMED.finditer(line):
        name = re.sub(r"^(\.\./)+", "", match[1] or match[2])
        # From the root, beside the document, or in docs/.
        if any(is_left_out(posixpath.join(place, name)) for place in ("", folder, "docs")):
            return True
    return False


_SEAL = re.compile(r", seal=0x[0-9a-f]+")


def handed_out_text(path: str, text: str) -> str:
    """The file at this path from the root: documents without dropped lines, questions without seals, which four tries
    would break. Raises LabError for unpaired marks."""
    if fnmatchcase(path, "part*/questions.py"):
        return _SEAL.sub("", text)
    if not path.endswith(".md"):
        return text
    kept, dropping = [], False
    for line in text.split("\n"):
        if line.strip() in (MARK, END):
            if dropping == (line.strip() == MARK):
                raise LabError(f"{path}: '{line.strip()}' is out of order")
            dropping = not dropping
        elif not dropping and not (
            _ROW_OR_PICTURE.fullmatch(line)
            and _shows_a_file_left_out(line, posixpath.dirname(path))
        ):
            kept.append(line)
    if dropping:
        raise LabError(f"{path}: '{MARK}' has no end")
    return "\n".join(kept)
