"""The files that students do not get, each with its reason, and documents without a mention of them. A pattern that
ends with / is a folder.

Kept on purpose: hints, which open one by one and are recorded; questions.json, which the worksheet needs for judging
(letters are sealed, formulas are readable); counts of part 3's given code, for students without a GPU. Measured ladders
are left out, since they tell what to try next and what it gains; data/references.json tells how far one can get.
"""

import re
from fnmatch import fnmatchcase

RUNGS, MEASURED, OWN = (
    "explains rungs of the solution",
    "measured figures, row by row of the ladder",
    "for people who work on the lab",
)
ANSWERS, DEVELOPS = "has answers of the worksheet", "tests what the lab shows of its solutions"

LEFT_OUT = (
    ("solutions/", "the ladders with their pages, and the worksheets with their answers"),
    ("docs/results.md", RUNGS),
    ("docs/pictures/part*.svg", MEASURED),
    ("docs/pictures/journey.svg", MEASURED),
    ("docs/tables.json", MEASURED),
    ("docs/figures.py", MEASURED),
    ("docs/code_lines*.py", MEASURED),
    ("docs/make_*.py", "writes documents from measured figures"),
    ("docs/draw_pictures*.py", "draws measured figures"),
    ("part*/questions_test.py", ANSWERS),
    ("common/work/count_program_test.c*", ANSWERS),
    ("common/lab/tests/worksheet/parts_for_tests.py", ANSWERS),
    (
        "common/check/zoo/honest/",
        "simulators that are right and fast in ways that students should find",
    ),
    ("common/check/zoo/wrong/", "simulators that cheat"),
    ("common/check/zoo/zoo_test.cpp", "tests the zoo"),
    ("common/bench/test_cheats.cpp", "simulators that cheat"),
    ("common/lab/tests/grade/", "submissions that cheat, and what the grader says of them"),
    ("CONTRIBUTING.md", OWN),
    ("CHANGELOG.md", OWN),
    (".ci/", OWN),
    (".github/", OWN),
    (".pre-commit-config.yaml", OWN),
    ("docs/instructor/", "for instructors"),
    ("docs/slides.html.j2", "for instructors"),
    ("docs/measure_start_up.py", "for instructors"),
    ("common/lab/tests/page/", DEVELOPS),
    ("common/lab/tests/documents/site_browser_test.py", DEVELOPS),
    ("common/lab/tests/draw/draw_test.py", DEVELOPS),
    ("common/lab/tests/roofline/roofline_command_test.py", DEVELOPS),
    ("common/setup/neon_test.sh", DEVELOPS),
    ("common/lab/tests/mutation/", OWN),
    ("common/lab/tests/net/", OWN),
    ("data/results/", MEASURED),
)
# Exceptions to the folders above.
KEPT = (
    "data/results/ceilings_*.json",
    "data/results/rsqrt_bits.json",
    "data/results/part1_energy.json",
    "data/results/part3_counts/naive_count.json",
)


def fits(path, pattern):
    return path.startswith(pattern) if pattern.endswith("/") else fnmatchcase(path, pattern)


def why_left_out(path):
    """The reason; empty for files that students get."""
    if any(fits(path, pattern) for pattern in KEPT):
        return ""
    return next((why for pattern, why in LEFT_OUT if fits(path, pattern)), "")


# Adapts documents to the handout, which lacks some of the files that they name.
#
# Drops lines between MARK and END, and table rows and pictures that show a file left out. Any other mention of such
# a file is an error in the document: run_docs.py finds it, and a pair of marks fixes it.
MARK, END = "<!-- not in the handout -->", "<!-- in the handout again -->"
NAMED = re.compile(r"`([\w./-]+)`|\]\(([^)#\s]+)")
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]+)\)")


def paths_in(line, folder):
    """Yields the paths that a line may mean: from the root, beside the document, and in docs/."""
    for match in NAMED.finditer(line):
        name = re.sub(r"^(\.\./)+", "", match[1] or match[2])
        yield from (name, f"{folder}/{name}" if folder else name, f"docs/{name}")


def is_dropped(line, folder):
    """Whether it is a table row or a picture whose file is left out."""
    if line.startswith("|") or PICTURE.fullmatch(line.strip()):
        return any(why_left_out(path) for path in paths_in(line, folder))
    return False


def handed_out_text(text, folder=""):
    """The document without dropped lines; `folder`: its folder, from the root. Raises ValueError for unpaired marks."""
    kept, dropping = [], False
    for line in text.split("\n"):
        if line.strip() in (MARK, END):
            if dropping == (line.strip() == MARK):
                raise ValueError(f"'{line.strip()}' is out of order")
            dropping = not dropping
        elif not dropping and not is_dropped(line, folder):
            kept.append(line)
    if dropping:
        raise ValueError(f"'{MARK}' has no end")
    return "\n".join(kept)
