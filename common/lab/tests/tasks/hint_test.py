"""Hints: their files, the notebook's entries, and what is shown."""

import re
from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.tasks.hint import load_hints, open_hint

HINTS = (
    "# Hints\nabout\n\n"
    "## Task 3: flops\n### 1\n\nwhy?\n\n### 2\nlook\nthere\n### 3\n\n    code\n\n"
    "## Task 8a\n### 1\na\n### 2\nb\n### 3\nc\n## Task 8b\n### 1\nd\n### 2\ne\n### 3\nf\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "hints.md").write_text(HINTS)
    return tmp_path


def test_three_stages_a_task(folder: Path) -> None:
    """Blank lines around a stage go, the indentation of its first line stays."""
    first, *_ = load_hints(folder / "hints.md")
    assert first == ("3", "flops", ("why?", "look\nthere", "    code"))
    (folder / "hints.md").write_text(HINTS.replace("### 2", "###"))
    with pytest.raises(LabError, match=r"hints\.md: task 3 needs the stages 1, 2 and 3$"):
        load_hints(folder / "hints.md")


def test_the_shown_hint_is_recorded(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """At the end of the notebook, whatever its encoding. Afterwards all are shown."""
    (folder / "NOTEBOOK.md").write_bytes(b"my w\xf6rds")
    for texts in (["why?"], ["look\nthere"], ["    code"], ["why?", "look\nthere", "    code"]):
        open_hint(folder, "part1", "3")
        out = capsys.readouterr().out
        assert [text for text in ("why?", "look\nthere", "    code") if text in out] == texts
    entries = "".join(rf"- task 3, stage {stage}, 20\d\d-\d\d-\d\d\n" for stage in (1, 2, 3))
    found = (folder / "NOTEBOOK.md").read_text(encoding="latin1")
    assert re.fullmatch(f"my w\u00f6rds\n\n## Hints opened\n\n{entries}", found)


def test_a_task_with_several_ideas_has_their_hints_in_order(folder: Path) -> None:
    """A name is no beginning of another."""
    for _ in range(6):
        open_hint(folder, "part1", "8")
    opened = re.findall(r"task (\w+), stage (\d)", (folder / "NOTEBOOK.md").read_text())
    assert opened == [(task, stage) for task in ("8a", "8b") for stage in "123"]
    for unknown in (None, "1"):
        with pytest.raises(LabError, match=r"^which task\? part1 has hints for 3, 8a, 8b$"):
            open_hint(folder, "part1", unknown)


@pytest.mark.parametrize("file", sorted(ROOT.glob("part*_*/hints.md")), ids=str)
def test_the_hints_of_the_parts(file: Path) -> None:
    """They are complete and short, and their tasks are those of the handout."""
    headings = re.findall(r"^## (\d+) ", file.with_name("README.md").read_text(), re.MULTILINE)
    for task in load_hints(file):
        assert task.name.rstrip("abcd") in headings
        for stage in task.stages:
            assert stage.count("\n") <= 20 and len(stage) >= 60, task.name
