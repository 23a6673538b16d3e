"""Hints: their files, the notebook's entries, and what is shown."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.tasks.hint import load_hints, open_hint

HINTS = """# Hints
about

## Task 3: flops
### 1

why?

### 2
look
there
### 3

    code

## Task 8a
### 1
a
### 2
b
### 3
c
## Task 8b
### 1
d
### 2
e
### 3
f
"""


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


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("my words", r"my words\n\n## Hints opened\n\n"),
        ("a\n\n## Hints opened\n", r"a\n\n## Hints opened\n\n"),
        (
            "## Hints\n\n## Hints opened\n\n- task 2, stage 1, x\n",
            r"## Hints\n\n## Hints opened\n\n- task 2, stage 1, x\n",
        ),
        ("", r"\n\n## Hints opened\n\n"),
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
    assert re.fullmatch(after + entries, notebook.read_text())


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


@pytest.mark.parametrize("task", [None, "1"])
def test_unknown_tasks(task: str | None, folder: Path) -> None:
    with pytest.raises(LabError, match=r"^which task\? part1 has hints for 3, 8a, 8b$"):
        open_hint(folder, "part1", task)


def test_a_seal_needs_no_build(run_lab: Callable[..., object], nothing_is_built: None) -> None:
    """And never changes."""
    assert run_lab("worksheet", "part1", "--seal", "it", "d") == (0, "0x967a74aa\n", "")


@pytest.mark.parametrize(
    ("part", "names"),
    [
        ("part1_standard_opti", "2 3 4 5 6 7 8a 8b 8c 8d 9 10a 10b 11"),
        ("part2_vectorization", "2 3 4 5 6 7 8 9 10"),
        ("part3_cuda", "1 2 3 4 5 6 7 8 9 10 11"),
        ("part4_mpi", "2 4 5 6 7 8 9"),
    ],
)
def test_the_hints_of_the_parts(part: str, names: str) -> None:
    """They are complete and short."""
    file = ROOT / part / "hints.md"
    if not file.exists():
        pytest.skip("this part is not here")
    tasks = load_hints(file)
    assert names == " ".join(task.name for task in tasks)
    for task in tasks:
        for stage in task.stages:
            assert stage.count("\n") <= 20 and len(stage) >= 60, task.name
