"""Hints: their files, the notebook's entries, and what is shown."""

import re
from collections.abc import Callable
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
    assert load_hints(folder / "hints.md") == [
        ("3", "flops", ("why?", "look\nthere", "    code")),
        ("8a", "", ("a", "b", "c")),
        ("8b", "", ("d", "e", "f")),
    ]
    (folder / "hints.md").write_text(HINTS.replace("### 2", "###"))
    with pytest.raises(LabError, match=r"hints\.md: task 3 needs the stages 1, 2 and 3$"):
        load_hints(folder / "hints.md")


OPENED = "## Hints\n\n## Hints opened\n\n- task 2, stage 1, x\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("my words", "my words\n\n## Hints opened\n\n"),
        ("a\n\n## Hints opened\n", "a\n\n## Hints opened\n\n"),
        (OPENED, OPENED),
    ],
)
def test_the_shown_hint_is_recorded(
    before: str, after: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At the end of the notebook. Afterwards all are shown."""
    notebook, heading = folder / "NOTEBOOK.md", "part1, task 3 (flops), hint"
    notebook.write_text(before)
    more = "NOTEBOOK.md records this hint; try it before you ask for the next: ./lab hint part1 3\n"
    last = "That was the last hint; NOTEBOOK.md records all three.\n"
    shown = [
        f"{heading} 1 of 3\n\nwhy?\n\n",
        f"{heading} 2 of 3\n\nlook\nthere\n\n",
        f"{heading} 3 of 3\n\n    code\n\n",
    ]
    for text in (shown[0] + more, shown[1] + more, shown[2] + last, "".join(shown) + last):
        open_hint(folder, "part1", "3")
        assert capsys.readouterr().out == text
    entries = "".join(rf"- task 3, stage {stage}, 20\d\d-\d\d-\d\d\n" for stage in (1, 2, 3))
    assert re.fullmatch(re.escape(after) + entries, notebook.read_text())


def test_a_notebook_that_cannot_be_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is shown that is not recorded, and nothing in it is lost."""
    (folder / "NOTEBOOK.md").write_bytes(b"my w\xf6rds\n")
    with pytest.raises(LabError, match=r"NOTEBOOK.md: is not UTF-8: save it as UTF-8$"):
        open_hint(folder, "part1", "3")
    assert capsys.readouterr().out == ""
    assert (folder / "NOTEBOOK.md").read_bytes() == b"my w\xf6rds\n"


def test_a_task_with_several_ideas_has_their_hints_in_order(folder: Path) -> None:
    """A name is no beginning of another."""
    for _ in range(6):
        open_hint(folder, "part1", "8")
    opened = re.findall(r"task (\w+), stage (\d)", (folder / "NOTEBOOK.md").read_text())
    assert opened == [(task, stage) for task in ("8a", "8b") for stage in "123"]
    for unknown in (None, "1"):
        with pytest.raises(LabError, match=r"^which task\? part1 has hints for 3, 8a, 8b$"):
            open_hint(folder, "part1", unknown)


def test_a_seal_needs_no_build(run_lab: Callable[..., object], nothing_is_built: None) -> None:
    """And never changes."""
    assert run_lab("worksheet", "part1", "--seal", "it", "d") == (0, "0x967a74aa\n", "")


@pytest.mark.parametrize("file", sorted(ROOT.glob("part*_*/hints.md")), ids=str)
def test_the_hints_of_the_parts(file: Path) -> None:
    """They are complete and short, and their tasks are those of the handout."""
    headings = re.findall(r"^## (\d+) ", file.with_name("README.md").read_text(), re.MULTILINE)
    for task in load_hints(file):
        assert task.name.rstrip("abcd") in headings
        for stage in task.stages:
            assert stage.count("\n") <= 20 and len(stage) >= 60, task.name
