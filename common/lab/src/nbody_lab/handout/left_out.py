"""The files that students do not get, with the reasons, and what other files lose with them.

Kept on purpose: hints, which open one by one and are recorded; questions.py, which the worksheet needs for judging
(formulas are readable, letters of choices are judged when they are graded, so their seals are cut out); counts of part 3's given code, for students without a GPU. Measured ladders
are left out, since they tell what to try next and what it gains; data/references.json tells how far one can get.
"""

import re
from collections.abc import Collection, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from posixpath import dirname, join, normpath

from nbody_lab.core.errors import LabError

LEFT_OUT = (  # * matches any characters, also /
    # The ladders with their pages, and the worksheets with their answers.
    "solutions/*",
    # Answers of the worksheet.
    "part*/questions_test.py",
    "common/work/count_program_test.c*",
    "common/lab/tests/tasks/parts_for_tests.py",
    # Explanations of the solution's rungs.
    "docs/results.md",
    # Measured figures, row by row of the ladder, and what draws or writes them.
    "data/results/*",
    "docs/pictures/part*.svg",
    "docs/pictures/journey.svg",
    "docs/tables.json",
    "docs/figures.py",
    "docs/code_lines*.py",
    "docs/make_*.py",
    "docs/draw_pictures*.py",
    "docs/profile_*.py",
    "docs/count_cachegrind*.py",
    # Simulators that are right and fast in ways that students should find.
    "common/check/zoo/honest/*",
    # Programs that cheat, and what the checker, the clock and the grader say of them.
    "common/check/zoo/wrong/*",
    "common/bench/test_cheats.cpp",
    "common/lab/tests/grade/*",
    # Tests of what the lab shows of its solutions.
    "docs/studies_test.py",
    "common/setup/neon_test.sh",
    # For instructors.
    "docs/teaching.md",
    "docs/difficulties.md",
    "docs/first_lecture.md",
    # For people who work on the lab.
    "CONTRIBUTING.md",
    "common/lab/tests/house/ways_test.py",
    "CHANGELOG.md",
    ".ci/*",
    ".github/*",
    ".pre-commit-config.yaml",
)
_KEPT = (  # of the folders above
    "data/results/ceilings_*.json",
    "data/results/rsqrt_bits.json",
    "data/results/part1_energy.json",
    "data/results/part3_counts/naive_count.json",
    "data/results/part3_profiler.txt",
)
# Documents name files that the handout lacks: dropped are what stands between two marks, and table rows and pictures that
# show a file left out. Any other mention is refused.
_MARK, _END = "<!-- not in the handout -->", "<!-- in the handout again -->"
_MARKED = re.compile(rf"^ *{_MARK}\n.*?^ *{_END}\n", re.M | re.S)
_NAMED = re.compile(r"`([\w./-]+)`|\]\(([^)#\s]+)")
_ROW_OR_PICTURE = re.compile(r"\|.*|\s*!\[[^\]]*\]\([^)]+\)\s*")


def is_left_out(path: str) -> bool:
    return any(fnmatchcase(path, it) for it in LEFT_OUT) and not any(
        fnmatchcase(path, it) for it in _KEPT
    )


_SEAL = re.compile(r", seal=0x[0-9a-f]+")


def handed_out_text(path: str, text: str, others: Collection[str] = ()) -> str:
    """What students get of a text file, by its path from the root: questions without seals, which four tries would break;
    documents without links to the `others`, parts that they do not get ("part3_").
    Raises LabError for a document that still names a file left out."""
    if fnmatchcase(path, "part*/questions.py"):
        return _SEAL.sub("", text)
    if not path.endswith(".md"):
        return text
    text, kept = _MARKED.sub("", text), []
    if _MARK in text or _END in text:
        raise LabError(f"{path}: '{_MARK}' and '{_END}' are not in pairs")
    for line in text.split("\n"):
        names = [re.sub(r"^(\.\./)+", "", one[1] or one[2]) for one in _NAMED.finditer(line)]
        # From the root, beside the document, or in docs/.
        meant = [join(place, name) for name in names for place in ("", dirname(path), "docs")]
        if not any(map(is_left_out, meant)):
            kept.append(line)
        elif not _ROW_OR_PICTURE.fullmatch(line):
            raise LabError(f"{path} names a file that students do not get; mark it: {line.strip()}")
    text = "\n".join(kept)
    if others:  # their rows go, too; any other link becomes its words
        link = rf"\[([^\]\n]*)\]\((?:\.\./)*(?:{'|'.join(others)})[^)\n]*\)"
        text = re.sub(link, r"\1", re.sub(rf"(?m)^\|.*{link}.*\n", "", text))
    return text


def require_live_links(texts: Mapping[str, str]) -> None:
    """`texts`: by path. Raises LabError for a document's relative link to none of them, nor a folder."""
    there = {str(one) for path in texts for one in (Path(path), *Path(path).parents)}
    for path in filter(lambda one: one.endswith(".md"), texts):
        for _, link in _NAMED.findall(texts[path]):
            if link and ":" not in link and normpath(join(dirname(path), link)) not in there:
                raise LabError(f"{path} links to {link}, which students do not get")
