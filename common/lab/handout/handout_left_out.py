"""What students do not get of the tree: one list, with the reason of each. A pattern that ends with / is a folder.

What they keep on purpose: hints, which open one by one and are noted; questions.json, since the worksheet judges by
itself (letters are sealed in it, formulas can be read by who looks for them); counts of part 3's given code, for whom
no GPU answers. Ladders of measured rows say what to try next, in which order, for what gain: they stay out, and
data/references.json has how far one can get.
"""

from fnmatch import fnmatchcase

RUNGS, MEASURED, OWN = "explains rungs of the solution", "measured figures, row by row of the ladder", "for people who work on the lab"
ANSWERS, DEVELOPS = "has answers of the worksheet", "tests what the lab shows of its solutions"

LEFT_OUT = (
    ("solutions/", "the ladders, and the worksheets with their answers"),
    ("docs/solutions_*.md", RUNGS), ("docs/results.md", RUNGS), ("docs/part3_log.md", RUNGS), ("docs/beyond_the_peak.md", RUNGS), ("docs/port_bound.cpp", RUNGS),
    ("docs/pictures/part*.svg", MEASURED), ("docs/pictures/journey.svg", MEASURED),
    ("docs/tables.json", MEASURED), ("docs/figures.py", MEASURED), ("docs/code_lines*.py", MEASURED),
    ("docs/make_*.py", "writes documents from measured figures"), ("docs/draw_pictures*.py", "draws measured figures"),
    ("part*/questions_test.py", ANSWERS), ("common/work/count_program_test.c*", ANSWERS),
    ("common/lab/worksheet/parts_for_tests.py", ANSWERS),
    ("common/check/zoo/honest/", "simulators that are right and fast in ways that students should find"),
    ("common/check/zoo/wrong/", "simulators that cheat"), ("common/check/zoo/zoo_test.cpp", "tests the zoo"),
    ("common/bench/test_cheats.cpp", "simulators that cheat"),
    ("common/lab/grade/*_test.py", OWN), ("common/lab/grade/*_for_tests.py", OWN),
    ("common/lab/grade/test/", "submissions that cheat, and what the grader says of them"),
    ("CONTRIBUTING.md", OWN), ("CHANGELOG.md", OWN), (".ci/", OWN), (".github/", OWN), (".pre-commit-config.yaml", OWN),
    ("docs/instructor/", "for instructors"), ("docs/slides.html.j2", "for instructors"),
    ("docs/other_languages.md", "for instructors"), ("docs/measure_start_up.py", "for instructors"),
    ("common/lab/page/*_test.py", DEVELOPS), ("common/lab/draw/draw_test.py", DEVELOPS), ("common/lab/page/tree_for_tests.py", DEVELOPS),
    ("common/lab/roofline/roofline_command_test.py", DEVELOPS), ("common/setup/neon_test.sh", DEVELOPS),
    ("common/lab/testing/mutat*.py", OWN),
    ("data/results/", MEASURED),
)
# In spite of a folder above.
KEPT = ("data/results/ceilings_*.json", "data/results/rsqrt_bits.json", "data/results/part1_energy.json", "data/results/part3_counts/naive_count.json")


def fits(path, pattern):
    return path.startswith(pattern) if pattern.endswith("/") else fnmatchcase(path, pattern)


def why_left_out(path):
    """Empty for what students get."""
    if any(fits(path, pattern) for pattern in KEPT):
        return ""
    return next((why for pattern, why in LEFT_OUT if fits(path, pattern)), "")
