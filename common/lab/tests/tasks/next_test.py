"""Finds a student's next task from a handout and a judged worksheet."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from syrupy.assertion import SnapshotAssertion

from nbody_lab import ROOT
from nbody_lab.build.lab import Lab
from nbody_lab.commands import learn
from nbody_lab.notebook.columns import Row
from nbody_lab.tasks.next_task import (
    Answered,
    Task,
    count_answered,
    current,
    find_empty_sections,
    find_questions,
    format_overview,
    parse_tasks,
    questions_now,
)
from nbody_lab.worksheet.sheet import Line, Sheet, State
from tests.conftest import Ended

HANDOUT = """# A part

## 1 Play

Words.

## 2 Count (about 20 minutes)

Text that names question 9.

Done when questions 1 to 3 of `worksheet.hpp` are right, and
you know why. They are judged without question 7.

## 3 Explain

Done when all questions are answered:

## Behind

## 4 no task
"""
TASKS = parse_tasks(HANDOUT, "1234")
ALL_RIGHT = "right/right/right/right"


def _states(text: str) -> dict[str, Answered]:
    """ "right wrong/-" makes two lines of question 1, and one of question 2 that is not answered."""
    lines = [
        Line(str(number), "", state=State("" if state == "-" else state))
        for number, together in enumerate(text.split("/"), 1)
        for state in together.split()
    ]
    return count_answered(lines)


@pytest.mark.parametrize(
    ("states", "task", "questions"),
    [
        ("-/-/-/-", "1", "123"),
        ("right wrong/-/-/-", "2", "123"),
        ("right noted/answered/right/-", "3", "1234"),
        (ALL_RIGHT, None, ""),
    ],
)
def test_the_first_that_is_not_done(states: str, task: str | None, questions: str) -> None:
    """And which questions the worksheet shows then: its own, and those of the task before."""
    here = current(TASKS, _states(states))
    assert (here and here.number) == task
    assert questions_now(TASKS, _states(states)) == list(questions)


@pytest.mark.parametrize(
    ("states", "here"), [("-/-", "1"), ("right/-", "2"), ("right/wrong right", "4")]
)
def test_a_task_without_questions_between(states: str, here: str) -> None:
    """It is next until a question behind it is answered."""
    questions = {"1": ("1",), "2": (), "3": (), "4": ("2",)}
    tasks = [Task(number, "title", 1, asked) for number, asked in questions.items()]
    found = current(tasks, _states(states))
    assert found and found.number == here
    hints = "## Task 2a: x\n## Task 2b: y\n"
    lines = format_overview("part1", "x", hints, "", tasks, _states(states), ideas=1)
    text = "\n".join(lines)
    assert ("./lab hint part1 2a  (or 2b)" in text) == (here == "2")
    assert ("once you answer question 2, ./lab next moves on to task 4" in text) == (here == "2")


WITH_AN_OPTIONAL_TASK = """## 1 Count

Done when question 1 is right.

## 2 More

Optional: it takes long.

Done when question 2 is right.

## 3 Explain

Done when all questions are answered.
"""


@pytest.mark.parametrize(
    ("states", "here", "shown"),
    [
        ("-/-/-", "1", "optional, 0 of 1 line done"),
        ("right/-/-", "3", "optional, 0 of 1 line done"),
        ("right/-/right", None, "optional, 0 of 1 line done"),
        ("right/right/-", "3", "done"),
    ],
)
def test_an_optional_task_is_never_next(states: str, here: str | None, shown: str) -> None:
    """Nor is its question one of all those that the last task wants; an answer counts."""
    tasks = parse_tasks(WITH_AN_OPTIONAL_TASK, "123")
    assert [task.is_optional for task in tasks] == [False, True, False]
    assert tasks[2].questions == ("3",)
    found = current(tasks, _states(states))
    assert (found and found.number) == here
    lines = format_overview("part1", "x", "", "", tasks, _states(states), ideas=1)
    assert f"More     {shown}" in "\n".join(lines)


NOTEBOOK = """# Notebook

### Task 1, play

What did you see? Why?

And then?

### Task 2, count

How many?

Nine.

### Task 3, explain

Why?

## Hints opened
"""


@pytest.mark.parametrize("states", ["right wrong/-/-/-", "right/right/right/-", ALL_RIGHT])
@pytest.mark.parametrize("notebook", ["", NOTEBOOK])
def test_the_overview(states: str, notebook: str, snapshot: SnapshotAssertion) -> None:
    """Tasks, where the student is, what to do, and which questions of earlier tasks the notebook leaves open."""
    here = ("part1", "part1/README.md", "## Task 2: count\n", notebook)
    assert "\n".join(format_overview(*here, TASKS, _states(states), ideas=1)) == snapshot


@pytest.mark.parametrize("states", ["right/right/right/-", ALL_RIGHT])
def test_the_overview_of_who_never_predicted(states: str, snapshot: SnapshotAssertion) -> None:
    """It matters once all questions are answered: before, ideas may still come."""
    here = ("part1", "part1/README.md", "", NOTEBOOK)
    assert "\n".join(format_overview(*here, TASKS, _states(states), ideas=0)) == snapshot


@pytest.mark.parametrize(
    ("with_an_idea", "shown", "has_gpu"),
    [
        *(((), "part1", False), (("part1",), "part2", False)),
        *((("part1", "part2"), "part3", has_gpu) for has_gpu in (False, True)),
    ],
)
def test_a_part_without_a_prediction_is_not_left(
    with_an_idea: Sequence[str],
    shown: str,
    has_gpu: bool,
    run_lab: Callable[..., Ended],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Here all questions of all parts are answered. Who has no GPU is told how to go on all the same."""

    def answered(lab: Lab) -> SimpleNamespace:
        rows = [Row(expected=1.5, measured=1.4)] if lab.part in with_an_idea else []
        return SimpleNamespace(load=lambda: (lab.part,), notebook=rows)

    monkeypatch.setattr(learn, "build_worksheet", answered)
    lines = (Line("1", "", state=State.RIGHT),)
    monkeypatch.setattr(
        learn, "judge_sheet", lambda part: Sheet(part=part, authors="", lines=lines)
    )
    for name in ("begin", "unlock"):
        monkeypatch.setattr(learn.Lab, name, lambda *_: None)
    monkeypatch.setattr(learn, "gpu_answers", lambda: has_gpu)
    ended = run_lab("next")
    assert ended.status == 0 and ended.output.startswith(f"{shown}: ")
    assert ("./lab next part4" in ended.output) == (shown == "part3" and not has_gpu)
    assert f'./lab try {shown} mine "an idea" --expect 1.5' in ended.output


@pytest.mark.parametrize(
    ("section", "is_empty"),
    [
        ("", True),
        ("Why?\n\nHow? And where?", True),
        ("Why?\n\nBecause.", False),
        ("Why?\nBecause.", False),
        ("Why?\n\n#### Mine\n\nWhy not?", False),
    ],
)
def test_a_section_is_empty_below_which_only_questions_stand(section: str, is_empty: bool) -> None:
    text = f"a\n## Words\n\n### Task 1\n\n{section}\n\n### Task 2\n\nDone.\n\n## Hints\n\n### no\n"
    assert find_empty_sections(text) == (["Task 1"] if is_empty else [])


@pytest.mark.parametrize("file", sorted(ROOT.glob("part*_*/NOTEBOOK.md")), ids=str)
def test_the_notebooks_handed_out_are_empty(file: Path) -> None:
    """So that an empty section of them can be told; a student's own may hold answers."""
    given = ROOT / "common/given" / file.relative_to(ROOT)
    text = (given if given.exists() else file).read_text(encoding="utf-8")
    assert len(find_empty_sections(text)) == text.count("\n### ") > 3


@pytest.mark.parametrize(
    ("sentence", "numbers"),
    [
        ("question 3 is right", "3"),
        ("questions 0, 6 and 7", "0 6 7"),
        ("questions 0 and 3 to 5 are", "0 3 4 5"),
        ("all questions", "9"),
        ("the check passes", ""),
    ],
)
def test_the_questions_that_a_sentence_names(sentence: str, numbers: str) -> None:
    assert find_questions(sentence, ["9"]) == tuple(numbers.split())


@pytest.mark.parametrize("file", sorted(ROOT.glob("part*_*/README.md")), ids=str)
def test_the_labs_own_handouts(file: Path) -> None:
    """The tasks take the questions in order, each one once; their times add up; no line is too long."""
    text = file.read_text(encoding="utf-8")
    sheet, hints = (file.with_name(name).read_text() for name in ("worksheet.hpp", "hints.md"))
    questions = re.findall(r"^  // (\d+) ", sheet, re.MULTILINE)
    tasks = parse_tasks(text, questions)
    assert [task.number for task in tasks] == [str(k + 1) for k in range(len(tasks))]
    named = [question for task in tasks for question in task.questions]
    assert sorted(named, key=int) == questions
    found = re.search(r"about\s(\d+)\shours", text)
    assert found and all(task.minutes for task in tasks)
    assert abs(sum(task.minutes for task in tasks) - 60 * int(found[1])) < 30
    for task in tasks:
        assert f"## {task.number} " in text.splitlines()[task.line - 1]
        left = {
            number: Answered(0, 1)
            for later in tasks[tasks.index(task) :]
            for number in later.questions
        }
        where = str(file.relative_to(ROOT))
        lines = format_overview("part1", where, hints, "", tasks, left, ideas=1)
        assert max(map(len, lines)) <= 100
