"""The files that students do not get, with the reasons, and what other files lose with them.

Kept on purpose: hints, which open one by one and are recorded; questions.py, which the worksheet needs for judging
(formulas are readable, letters of choices are judged when they are graded, so their seals are cut out); counts of part 3's given code, for students without a GPU. Measured ladders
are left out, since they tell what to try next and what it gains; data/references.json tells how far one can get.
"""

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from posixpath import dirname, join

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


def handed_out_text(path: str, text: str) -> str:
    """What students get of a text file, by its path from the root: questions without seals, which four tries would break.
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
    return "\n".join(kept)


# --- texts that give a solution away: by its file and class names, and by runs of its code. Code is compared as tokens, so
# new names, comments, blanks or line breaks do not hide it. What the given code or a part's texts share with it is allowed.

_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|->|::|\+\+|--|<<|>>|&&|\|\||[-+*/&|=<>!]=|\S")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_DIRECTIVE = re.compile(r"^\s*#.*$", re.M)
_CLASS = re.compile(r"^class (\w+)", re.M)
_CODE = (".hpp", ".cuh", ".h", ".cpp", ".cu", ".in")
# The given code with the bases of naive, and the texts of a part.
_GIVEN = re.compile(
    r"part\d\w*/((naive|mine|worksheet)\.(hpp|cuh)|(hints|README)\.md|questions\.py)"
    r"|docs/mistakes\.md|common/(simulator/(array_of_bodies|structure_of_arrays)|cuda/copied_bodies"
    r"|mpi/bodies_on_rank_0)\.(hpp|cuh)"
)
_RUN = 48  # tokens, three to five lines; textbook code such as a loop over a grid is shorter

Texts = Mapping[str, str]  # by path


def _runs_in(text: str) -> set[tuple[str, ...]]:
    words = _TOKEN.findall(_DIRECTIVE.sub("", _COMMENT.sub("", text)))
    return {tuple(words[k : k + _RUN]) for k in range(len(words) - _RUN + 1)}


def _own_names(path: str, text: str, known: set[str]) -> list[str]:
    """Names that only the solution uses: its file and its classes. Those of one word (fused, tiles) are common terms of
    the field."""
    stem = re.sub(r"^\d\d_", "", path.rsplit("/", 1)[-1].rsplit(".", 1)[0])  # of a rung
    found = []
    for name in (stem, *_CLASS.findall(text)):
        snake = re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()  # ThirdLaw -> third_law
        if "_" in snake and not known.intersection((name, snake)):
            found.append(name)
    return found


def find_leaks(solutions: Texts, files: Texts, lab: Texts) -> list[str]:
    """One line for each file and kind of leak. `lab`: all that students get, of all parts."""
    given = "\n".join(text for path, text in lab.items() if _GIVEN.fullmatch(path))
    allowed, known = _runs_in(given), set(re.findall(r"\w+", given))
    names: dict[str, str] = {}  # what only the solutions have, with the path of the solution
    code: dict[tuple[str, ...], str] = {}
    for path, text in solutions.items():
        if path.endswith(_CODE) and "_test." not in path:
            if not path.endswith("worksheet.hpp"):
                names.update((name, path) for name in _own_names(path, text, known))
            code.update((run, path) for run in _runs_in(text) - allowed)
    found = []
    for path, text in files.items():
        named = sorted(names.keys() & set(re.findall(r"\w+", text)))
        if named:
            found.append(f"{path} names {', '.join(named)} of {names[named[0]]}")
        copied = sorted({code[run] for run in _runs_in(text) & code.keys()})
        if copied:
            found.append(f"{path} has code of {', '.join(copied)}")
    return found
