"""Finds a student's next task from a handout and a judged worksheet."""

import re
from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.tasks.next_task import (
    Task,
    answered_questions,
    current,
    format_overview,
    parse_tasks,
    questions_now,
)
from nbody_lab.tasks.sheet import Line, State

HANDOUT = """# A part

## 1 Play

Words.

## 2 Count (about 20 minutes)

Text that names question 9.

Done when questions 1 to 3 of `worksheet.hpp` are right, and
you know why. They are judged without question 7.

## 3 More

Optional: it takes long.

Done when question 4 is right.

## 4 Explain

Done when all questions are answered:

## Behind
"""
TASKS = parse_tasks(HANDOUT, "12345")


def _answered(text: str) -> dict[str, bool]:
    """ "right wrong/-" makes two lines of question 1, and one of question 2 that is not answered."""
    return answered_questions(
        Line(str(number), "", state=State("" if state == "-" else state))
        for number, together in enumerate(text.split("/"), 1)
        for state in together.split()
    )


@pytest.mark.parametrize(
    ("states", "task", "questions"),
    [
        ("-/-/-/-/-", "1", "123"),
        ("right wrong/-/-/-/-", "1", "123"),
        ("right/-/-/-/-", "2", "123"),
        ("right noted/answered/right/-/-", "4", "45"),
        ("right/right/right/right/-", "4", "45"),
        ("right/right/right/-/right", None, ""),
    ],
)
def test_the_first_that_is_not_done(states: str, task: str | None, questions: str) -> None:
    """And which questions the worksheet shows then: its own, and those of the task before. A task without questions is
    next until one behind it is answered, an optional one never."""
    here = current(TASKS, _answered(states))
    assert (here and here.number) == task
    assert questions_now(TASKS, _answered(states)) == list(questions)


def _overview(states: str, ideas: int = 1) -> str:
    """With hints for task 2."""
    told = (TASKS, _answered(states), ideas)
    return "\n".join(format_overview("part1", "part1/README.md", "## Task 2a: count\n", *told))


def test_the_overview() -> None:
    """Tasks, where the student is, and what to do."""
    assert (
        _overview("right/wrong/-/right/-")
        == """part1: part1/README.md

   1  Play
   2  Count    1 of 3 questions   <- you are here
   3  More     1 of 1 question, optional
   4  Explain  0 of 1 question

  done when questions 1 to 3 of `worksheet.hpp` are right, and you know why
  takes      about 20 minutes
  read       part1/README.md, line 7
  stuck      ./lab hint part1 2
  judged by  ./lab worksheet part1"""
    )
    assert _overview("-/-/-/-/-").endswith(
        "\n  read       part1/README.md, line 3"
        "\n  then       go on; this page follows when you answer question 1"
    )
    done = "right/right/right/-/right"
    assert _overview(done).endswith("if NOTEBOOK.md explains why, go on to the next part")
    assert _overview(done, 0).endswith('./lab try part1 mine "an idea" --expect 1.5')


@pytest.mark.parametrize("file", sorted(ROOT.glob("part*_*/README.md")), ids=str)
def test_the_labs_own_handouts(file: Path) -> None:
    """The tasks take the questions in order, each one once; their times add up."""
    text = file.read_text(encoding="utf-8")
    sheet = file.with_name("worksheet.hpp").read_text(encoding="utf-8")
    questions = re.findall(r"^  // (\d+) ", sheet, re.MULTILINE)
    tasks: list[Task] = parse_tasks(text, questions)
    assert [task.number for task in tasks] == [str(k + 1) for k in range(len(tasks))]
    named = [question for task in tasks for question in task.questions]
    assert sorted(named, key=int) == questions
    found = re.search(r"about\s(\d+)\shours", text)
    assert found and all(task.minutes and task.done_when for task in tasks)
    assert abs(sum(task.minutes for task in tasks) - 60 * int(found[1])) < 30
    for task in tasks:
        assert f"## {task.number} " in text.splitlines()[task.line - 1]
