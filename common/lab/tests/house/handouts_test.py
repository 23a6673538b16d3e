"""Are the tasks of handouts short, and do they say what a student must know of each? How much must be read for part 1?"""

import re
from pathlib import Path

import pytest

from nbody_lab import ROOT

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
