"""Hints: their files, the notebook's section, and what is shown."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.tasks.hint import find_task, load_hints, next_stage, open_hint, record

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


def test_the_shown_hint_is_recorded(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a notebook that need not be UTF-8, nor end where its hints do. Afterwards all are shown."""
    notebook = folder / "NOTEBOOK.md"
    notebook.write_bytes(b"my w\xf6rds\r\n\r\n## Hints opened\r\n\r\n## More\n")
    recorded = f'This hint is recorded in {os.path.relpath(notebook)}, under "Hints opened".\n'
    more = "Try it before asking for the next: ./lab hint part1 3\n"
    heading = "part1, task 3 (flops), hint"
    for shown in (
        f"{heading} 1 of 3\n\nwhy?\n\n{recorded}{more}",
        f"{heading} 2 of 3\n\nlook\nthere\n\n{recorded}{more}",
        f"{heading} 3 of 3\n\n    code\n\n{recorded}That was the last hint.\n",
        f"All hints for task 3 are open:\n\n{heading} 1 of 3\n\nwhy?\n\n"
        f"{heading} 2 of 3\n\nlook\nthere\n\n{heading} 3 of 3\n\n    code\n\n",
    ):
        open_hint(folder, "part1", "3")
        assert capsys.readouterr().out == shown
    entries = b"".join(rb"- task 3, stage %d, 20\d\d-\d\d-\d\d\s+" % stage for stage in (1, 2, 3))
    assert re.fullmatch(
        rb"my w\xf6rds\r\n\r\n## Hints opened\s+" + entries + b"## More\n", notebook.read_bytes()
    )


def test_a_notebook_that_cannot_be_replaced(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is shown that is not recorded."""
    (folder / "NOTEBOOK.md").mkdir()
    with pytest.raises(IsADirectoryError):
        open_hint(folder, "part1", "3")
    assert capsys.readouterr().out == ""


def test_a_task_with_several_ideas_has_their_hints_in_order(folder: Path) -> None:
    """Into a notebook without the section; a name is no beginning of another."""
    tasks, notebook, opened = load_hints(folder / "hints.md"), "# Notebook", []
    while stage := next_stage(notebook, find_task(tasks, "8", "part1", notebook).name):
        opened.append(find_task(tasks, "8", "part1", notebook).name)
        notebook = record(notebook, opened[-1], stage)
    assert opened == ["8a", "8a", "8a", "8b", "8b", "8b"]
    assert notebook.startswith("# Notebook\n## Hints opened\n\n- task 8a, stage 1, 20")
    assert (next_stage(notebook, "8"), next_stage(notebook, "3")) == (1, 1)


@pytest.mark.parametrize(
    ("task", "words"),
    [
        (None, "which task? part1 has hints for 3, 8a, 8b"),
        ("1", "part1 has no hints for task '1': choose from 3, 8a, 8b"),
    ],
)
def test_unknown_tasks(task: str | None, words: str, folder: Path) -> None:
    with pytest.raises(LabError, match=f"^{re.escape(words)}$"):
        find_task(load_hints(folder / "hints.md"), task, "part1", "")


def test_a_seal_needs_no_build(run_lab: Callable[..., object], nothing_is_built: None) -> None:
    sealed = run_lab("worksheet", "part1", "--seal", "limited_by", "d")
    assert sealed == (0, "0x72310661\n", "")


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
