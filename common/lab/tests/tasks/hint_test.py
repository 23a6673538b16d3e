"""Hints: their files, the notebook's section, and the command."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from nbody_lab import ROOT
from nbody_lab.commands import learn
from nbody_lab.core.errors import LabError
from nbody_lab.tasks.hint import (
    STAGES,
    add_opened_stage,
    find_task,
    load_hints,
    next_stage,
    open_hint,
    parse_hints,
)

GOOD = (
    "# Hints\nabout\n\n## Task 3: flops\n### 1\n\nwhy?\n\n### 2\nlook\nthere\n### 3\n\n"
    "    code\n\n## Task 8a\n### 1\na\n### 2\nb\n### 3\nc"
)


def test_three_stages_a_task() -> None:
    """Blank lines around a stage go, the indentation of its first line stays."""
    assert parse_hints(GOOD, "hints.md") == [
        ("3", "flops", ("why?", "look\nthere", "    code")),
        ("8a", "", ("a", "b", "c")),
    ]


NUMBERS = "needs the stages 1, 2 and 3 in order; it has"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# Hints\n", "has no hints"),
        (GOOD.replace("why?", " "), "stage 1 of task 3 is empty"),
        (GOOD.replace("### 3\nc", ""), f"task 8a {NUMBERS} 1, 2"),
        (GOOD + "\n### 4\nd", f"task 8a {NUMBERS} 1, 2, 3, 4"),
        (GOOD.replace("### 2", "### 3", 1), f"task 3 {NUMBERS} 1, 3, 3"),
        ("## Task 3\n", f"task 3 {NUMBERS} none"),
        ("### 1\na\n" + GOOD, "a stage stands before the first task"),
    ],
)
def test_a_file_that_is_not_complete(text: str, words: str) -> None:
    with pytest.raises(LabError, match=f"^hints.md: {re.escape(words)}$"):
        parse_hints(text, "hints.md")


@pytest.mark.parametrize(
    ("task", "words"),
    [
        (None, "which task? part1 has hints for 3, 8a, 11"),
        ("1", "part1 has no hints for task '1': choose from 3, 8a, 11"),
    ],
)
def test_unknown_tasks(task: str | None, words: str) -> None:
    """The answer is what there is; a number is no idea of another."""
    tasks = parse_hints(GOOD + "\n## Task 11\n### 1\na\n### 2\nb\n### 3\nc", "hints.md")
    assert find_task(tasks, "8a", "part1").name == "8a"
    assert find_task(tasks, "8", "part1").name == "8a"
    with pytest.raises(LabError, match=f"^{re.escape(words)}$"):
        find_task(tasks, task, "part1")


def test_a_task_with_several_ideas_has_their_hints_in_order() -> None:
    stages = "\n### 1\na\n### 2\nb\n### 3\nc\n"
    tasks = parse_hints(f"## Task 8a{stages}\n## Task 8b{stages}", "hints.md")
    notebook, opened = "", []
    while stage := next_stage(notebook, find_task(tasks, "8", "part1", notebook).name):
        opened.append(find_task(tasks, "8", "part1", notebook).name)
        notebook = add_opened_stage(notebook, opened[-1], stage)
    assert opened == ["8a", "8a", "8a", "8b", "8b", "8b"]


def test_opened_stages_are_in_the_notebook_alone() -> None:
    notebook = "# Notebook\n"
    for stage in (1, 2, 3):
        assert next_stage(notebook, "3") == stage
        notebook = add_opened_stage(notebook, "3", stage, "2026-11-21")
    assert (next_stage(notebook, "3"), next_stage(notebook, "8a")) == (None, 1)
    entries = "".join(f"- task 3, stage {stage}, 2026-11-21\n" for stage in (1, 2, 3))
    assert notebook == f"# Notebook\n\n## Hints opened\n\n{entries}"
    ten = add_opened_stage("", "10a", 1, "d")
    assert [next_stage(ten, task) for task in ("10a", "1", "10")] == [2, 1, 1]


def test_the_text_around_entries_stays() -> None:
    """With its line ends; a section behind is none of hints."""
    above = "# N\r\n\r\n## Hints opened \r\n"
    entry = "- task 2, stage 1, 2026-11-20\r\n"
    below = "my words\r\n#pragma omp\r\n\r\n## More\r\n- task 3, stage 1, no section of hints\r\n"
    notebook, new = above + entry + below, "- task 3, stage 1, d\r\n"
    assert (next_stage(notebook, "2"), next_stage(notebook, "3")) == (2, 1)
    assert add_opened_stage(notebook, "3", 1, "d") == above + entry + new + below
    assert add_opened_stage(above + below, "3", 1, "d") == f"{above}\r\n{new}{below}"
    end = f"\r\n## Hints opened\r\n\r\n{new}"
    assert add_opened_stage(below.rstrip(), "3", 1, "d") == below + end


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    text = "## Task 3: flops\n### 1\nask\n### 2\nlook\n### 3\nrecipe\n"
    (tmp_path / "hints.md").write_text(text)
    return tmp_path


def test_hints_open_one_by_one(
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes], snapshot: SnapshotAssertion
) -> None:
    """Each is recorded, in a notebook that need not be UTF-8; afterwards all are shown."""
    notebook = folder / "NOTEBOOK.md"
    notebook.write_bytes(b"my w\xf6rds\r\n")
    for _ in range(STAGES + 1):
        open_hint(folder, "part1", "3")
    shown = capfdbinary.readouterr().out.decode()
    assert shown.replace(os.path.relpath(notebook), "NOTEBOOK.md") == snapshot
    heading = rb"my w\xf6rds\r\n\r\n## Hints opened\r\n\r\n"
    entries = b"".join(rb"- task 3, stage %d, 20\d\d-\d\d-\d\d\r\n" % k for k in (1, 2, 3))
    assert re.fullmatch(heading + entries, notebook.read_bytes())


def test_without_hints_or_a_notebook_that_can_be_replaced(folder: Path) -> None:
    """Nothing is shown and nothing is written."""
    (folder / "NOTEBOOK.md").symlink_to("elsewhere")
    with pytest.raises(LabError, match="is a symbolic link"):
        open_hint(folder, "part1", "3")
    (folder / "hints.md").unlink()
    with pytest.raises(LabError, match=r"hints.md: cannot be read \(No such file"):
        open_hint(folder, "part1", "3")
    assert [file.name for file in folder.iterdir()] == ["NOTEBOOK.md"]


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
    """They are complete and short, and the shell completes their tasks."""
    file = ROOT / part / "hints.md"
    if not file.exists():
        pytest.skip("this part is not here")
    tasks = load_hints(file)
    assert names == " ".join(task.name for task in tasks)
    for task in tasks:
        for stage in task.stages:
            assert stage.count("\n") <= 20 and len(stage) >= 60, task.name


def test_the_shell_completes_tasks() -> None:
    class Context:
        params = {"part": "part1"}

    assert learn._complete_task(Context(), "8") == ["8a", "8b", "8c", "8d"]  # type: ignore[arg-type]
