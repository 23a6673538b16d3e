"""./lab hint: opens the next of three hints for a task, and records it in the notebook.

The hints of a part are in one file:

    ## Task 8a: algebra
    ### 1
    a question; ### 2 is a direction, ### 3 nearly the recipe

The notebook alone records which were opened: lines like "- task 3, stage 1, 2026-11-21".
"""

import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from nbody_lab.core.console import show
from nbody_lab.core.errors import LabError
from nbody_lab.core.whole_file import read_text, write_text

STAGES = (1, 2, 3)


class Task(NamedTuple):
    name: str  # "8a"
    title: str  # "algebra"
    stages: tuple[str, ...]


def load_hints(file: Path) -> list[Task]:
    """The tasks of a file. Raises LabError unless each has three stages."""
    tasks = []
    for section in re.split(r"^## Task ", file.read_text(encoding="utf-8"), flags=re.M)[1:]:
        heading, *stages = re.split(r"^### [123]\n", section, flags=re.M)
        name, _, title = heading.strip().partition(": ")
        if len(stages) != len(STAGES):
            raise LabError(f"{file}: task {name} needs the stages 1, 2 and 3")
        tasks.append(Task(name, title, tuple(stage.strip("\n") for stage in stages)))
    return tasks


def next_stage(notebook: str, task: str) -> int | None:
    """The next stage, 1 to 3; None when all are open."""
    opened = re.findall(r"^- task (\w+), stage ([123])", notebook, re.M)
    return next((stage for stage in STAGES if (task, str(stage)) not in opened), None)


def find_task(tasks: Sequence[Task], name: str | None, part: str, notebook: str) -> Task:
    """The task with this name; for 8 the first of 8a, 8b, ... that has hints left by the notebook. Raises LabError, which
    lists the choices."""
    ideas = [task for task in tasks if name in (task.name, task.name.rstrip("abcdefgh"))]
    if not ideas:
        raise LabError(f"which task? {part} has hints for {', '.join(task.name for task in tasks)}")
    return next((task for task in ideas if next_stage(notebook, task.name)), ideas[-1])


def open_hint(folder: Path, part: str, name: str | None) -> None:
    """Shows the next hint of the task. Records it first, at the end of the notebook, so that no hint is read without
    being recorded."""
    tasks, file = load_hints(folder / "hints.md"), folder / "NOTEBOOK.md"
    notebook = read_text(file) if file.exists() else ""
    task = find_task(tasks, name, part, notebook)
    stage = next_stage(notebook, task.name)
    if stage:
        above = "\n" if re.search(r"^- task .*\s*\Z", notebook, re.M) else "\n\n"
        if "\n## Hints opened" not in notebook:
            above = "\n\n## Hints opened\n\n"
        day = time.strftime("%Y-%m-%d", time.gmtime())
        entry = f"- task {task.name}, stage {stage}, {day}\n"
        write_text(file, f"{notebook.rstrip()}{above}{entry}")
    for number in [stage] if stage else STAGES:
        title = f" ({task.title})" if task.title else ""
        show(f"{part}, task {task.name}{title}, hint {number} of {len(STAGES)}", "")
        show(task.stages[number - 1], "")
    if stage and stage < STAGES[-1]:
        advice = f"try it before you ask for the next: ./lab hint {part} {task.name}"
        show(f"NOTEBOOK.md records this hint; {advice}")
    else:
        show("That was the last hint; NOTEBOOK.md records all three.")
