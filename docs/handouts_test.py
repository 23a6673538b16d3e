"""The four handouts stay short, and each of their tasks says when it is done and what to take away."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HANDOUTS = {file.parent.name: file for file in sorted(ROOT.glob("part?_*/README.md"))}
WORDS_OF_A_HANDOUT, WORDS_OF_A_LATE_TASK = 1500, 120
LATE = (
    ("part1_standard_opti", 12),
    ("part1_standard_opti", 13),
    ("part2_vectorization", 11),
    ("part3_cuda", 12),
    ("part4_mpi", 11),
)


def text_of(part):
    """Its lines without those of tables."""
    lines = HANDOUTS[part].read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith("|"))


def tasks(part):
    """The text of each task by its number."""
    found = re.split(r"^## (?=\d+ )", text_of(part), flags=re.M)[1:]
    return {int(task.split()[0]): task.partition("\n## ")[0] for task in found}


TASKS = [(part, number) for part in HANDOUTS for number in tasks(part)]


def test_all_are_found():
    assert {part: max(tasks(part)) for part in HANDOUTS} == {
        "part1_standard_opti": 13,
        "part2_vectorization": 11,
        "part3_cuda": 12,
        "part4_mpi": 11,
    }


@pytest.mark.parametrize("part", HANDOUTS)
def test_a_handout_is_short(part):
    assert len(text_of(part).split()) <= WORDS_OF_A_HANDOUT


@pytest.mark.parametrize(("part", "number"), LATE)
def test_a_late_task_is_short(part, number):
    """A student who comes to it has little time left. Code blocks are not counted."""
    text = re.sub(r"^```.*?^```$", "", tasks(part)[number], flags=re.M | re.S)
    assert len(text.split()) <= WORDS_OF_A_LATE_TASK


@pytest.mark.parametrize(("part", "number"), TASKS)
def test_a_task_ends(part, number):
    text = tasks(part)[number]
    assert text.count("\nDone when ") == text.count("\nTakeaway: ") == 1
    takeaway = text.partition("\nTakeaway: ")[2].strip()
    assert re.search(r"\d|\?", takeaway)
