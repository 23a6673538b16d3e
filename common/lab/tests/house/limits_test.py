"""Limits the length of files and of functions in C++ (more means two ideas: CONTRIBUTING.md, Style) and of tasks in handouts;
ruff limits functions in Python."""

import re
import subprocess
from pathlib import Path

import lizard
import pytest

from nbody_lab import ROOT

# Lines of a file, by its ending. clang-format fills lines that ruff breaks.
LIMITS = {".py": 360, ".cpp": 250, ".hpp": 250, ".cu": 250, ".cuh": 250, ".sh": 250, ".cmake": 250}
LIMITS_OF_TESTS = {".py": 480, ".cpp": 400, ".hpp": 400, ".sh": 250}
FUNCTION, KERNEL = 40, 60
# Longer files, and why.
LONG_FILES = {
    "common/check/mistakes/table.cpp": "a table, a row for each mistake",
    "common/mpi/counted_calls.cpp": "a function for each call of MPI, all alike",
    "common/setup/setup.sh": "the one program in shell",
    "docs/run_docs.py": "a program of its own, with its self-test",
    "noxfile.py": "a short function for each suite",
}
LONG_FUNCTIONS = {
    "nbody::exchange_steps": "cut into pieces, it is slower (solutions/part3_cuda/log.md, section 8)",
}
FIXTURES = re.compile(r"_test\.|/test/|/zoo/|/test_")
TASK = re.compile(r"^## (\d+ [^\n]*)\n(.*?)(?=^## |\Z)", re.M | re.S)
TASK_WORDS = 120
# What the handout of part 1 makes a student read: documents, or sections of one.
WORDS_OF_PART1 = 7000
READ_IN_PART1 = {
    "part1_standard_opti/README.md": (),
    "part1_standard_opti/worksheet.hpp": (),
    "docs/reading_gprof.md": (),
    "docs/work_and_roofline.md": (),
    "docs/cheat_sheet.md": ("Formulas", "Flags"),
    "docs/reading_bound.md": ("Ports", "What to do with it"),
}
# Commands, code, pictures, tables.
NO_WORDS = re.compile(r"```.*?```|`[^`]*`|!\[[^\]]*\]\([^)]*\)|^\|[^\n]*", re.M | re.S)


def tracked(*endings):
    words = ["git", "ls-files", *(f"*{ending}" for ending in endings)]
    listed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    found = [path for path in listed.stdout.split() if (ROOT / path).is_file()]
    return found or pytest.skip("no git checkout")


def is_too_long(path):
    limits = LIMITS_OF_TESTS if "_test." in path or "/tests/" in path else LIMITS
    lines = (ROOT / path).read_text(encoding="utf-8").count("\n")
    return lines > limits.get(Path(path).suffix, LIMITS[".cpp"])


def test_files():
    long = [path for path in tracked(*LIMITS) if is_too_long(path)]
    assert [path for path in long if path not in LONG_FILES] == []
    assert [path for path in LONG_FILES if path not in long and (ROOT / path).exists()] == []


def test_functions_of_cpp():
    """Counts lines without blanks and comments; CUDA kernels may be longer."""
    paths = [path for path in tracked(".cpp", ".hpp", ".cu", ".cuh") if not FIXTURES.search(path)]
    files = lizard.analyze_files([str(ROOT / path) for path in paths])
    functions = [
        (file.filename, one.name, one.nloc) for file in files for one in file.function_list
    ]
    assert len(functions) > 1000
    assert [
        (path, name, lines)
        for path, name, lines in functions
        if lines > (KERNEL if path.endswith((".cu", ".cuh")) else FUNCTION)
        and name not in LONG_FUNCTIONS
    ] == []


@pytest.mark.parametrize(
    "handout", sorted(ROOT.glob("part*/README.md")), ids=lambda file: file.parent.name
)
def test_tasks(handout):
    """Each task of a handout is short, and says how long it takes, when it is done and what it teaches."""
    tasks = TASK.findall(handout.read_text(encoding="utf-8"))
    assert len(tasks) > 5
    for title, text in tasks:
        words = re.findall(r"[A-Za-z][\w'-]*", NO_WORDS.sub("", text))
        assert len(words) <= TASK_WORDS, title
        assert re.search(r"\(about \d+ minutes\)$", title), title
        assert re.search(r"(?m)^Done when ", text), title
        assert re.search(r"(?m)^Learnt: ", text), title


def words_to_read(path, sections):
    text = (ROOT / path).read_text(encoding="utf-8")
    if not sections:
        return len(text.split())
    found = dict(re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", text, re.M | re.S))
    return sum(len(found[section].split()) for section in sections)


@pytest.mark.skipif(not (ROOT / "part1_standard_opti").is_dir(), reason="a handout may lack part 1")
def test_reading_of_part1():
    """Counts as `wc -w` does, so commands, tables and code, too."""
    words = {path: words_to_read(path, sections) for path, sections in READ_IN_PART1.items()}
    assert min(words.values()) > 100
    assert sum(words.values()) <= WORDS_OF_PART1, words
    handout = (ROOT / "part1_standard_opti/README.md").read_text(encoding="utf-8")
    read = [path for path in READ_IN_PART1 if not path.endswith("README.md")]
    assert [path for path in read if Path(path).name not in handout] == []
