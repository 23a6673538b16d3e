"""./lab hint: opens the next of three hints for a task, and records it in the notebook.

The hints of a part are in one file:

    ## Task 8a: algebra
    ### 1
    a question; ### 2 is a direction, ### 3 nearly the recipe

The notebook alone records which were opened: lines like "- task 3, stage 1, 2026-11-21"
in its section "Hints opened".
"""

import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from nbody_lab.core.errors import LabError
from nbody_lab.notebook.file import in_quotes, read_replaceable, read_text, shown, write_text
from nbody_lab.notebook.table import line_ending_of, lines_of

STAGES = 3
SECTION = "Hints opened"
_TASK = re.compile(r"## Task ([^:\n]*)(?::(.*))?")
_HEADING = re.compile(r"#+ +(.*\S)\s*")


class Task(NamedTuple):
    name: str  # "8a"
    title: str  # "algebra"
    stages: tuple[str, ...]


def parse_hints(text: str, file: Path | str) -> list[Task]:
    """The tasks of a file. Raises LabError unless each has three non-empty stages in order."""
    tasks = []
    before, *sections = re.split(r"^(?=## Task )", text, flags=re.MULTILINE)
    if re.search(r"^### ", before, re.MULTILINE):
        raise LabError(f"{file}: a stage stands before the first task")
    for section in sections:
        heading, *parts = re.split(r"^### *(.*)\n?", section, flags=re.MULTILINE)
        match = _TASK.match(heading)
        name, title = (match[1].strip(), (match[2] or "").strip()) if match else ("", "")
        numbers = [number.strip() for number in parts[::2]]
        if numbers != [str(k + 1) for k in range(STAGES)]:
            found = ", ".join(numbers) or "none"
            raise LabError(
                f"{file}: task {name} needs the stages 1, 2 and 3 in order; it has {found}"
            )
        stages = tuple(re.sub(r"\A(?:[ \t\r]*\n)+", "", stage).rstrip() for stage in parts[1::2])
        if "" in stages:
            raise LabError(f"{file}: stage {stages.index('') + 1} of task {name} is empty")
        tasks.append(Task(name, title, stages))
    if not tasks:
        raise LabError(f"{file}: has no hints")
    return tasks


def load_hints(file: Path) -> list[Task]:
    """Raises LabError."""
    return parse_hints(read_text(file), file)


def find_task(tasks: Sequence[Task], name: str | None, part: str, notebook: str = "") -> Task:
    """The task with this name; for 8 the first of 8a, 8b, ... that has hints left by the notebook. Raises LabError, which
    lists the choices."""
    ideas = [task for task in tasks if name in (task.name, task.name.rstrip("abcdefgh"))]
    if ideas:
        return next((task for task in ideas if next_stage(notebook, task.name)), ideas[-1])
    known = ", ".join(task.name for task in tasks)
    if not name:
        raise LabError(f"which task? {part} has hints for {known}")
    raise LabError(f"{part} has no hints for task {in_quotes(name)}: choose from {known}")


def _opened_section(lines: Sequence[str]) -> range | None:
    """The numbers of the lines below the section's heading; None if there is no such section."""
    headings = [
        (k, match[1]) for k, line in enumerate(lines) if (match := _HEADING.fullmatch(line))
    ]
    begin = next((k + 1 for k, words in headings if words == SECTION), None)
    if begin is None:
        return None
    return range(begin, next((k for k, _ in headings if k >= begin), len(lines)))


def next_stage(notebook: str, task: str) -> int | None:
    """The next stage, 1 to 3; None when all are open."""
    lines = lines_of(notebook)
    opened = [lines[k].strip() for k in _opened_section(lines) or ()]
    for stage in range(1, STAGES + 1):
        if not any(line.startswith(f"- task {task}, stage {stage}") for line in opened):
            return stage
    return None


def add_opened_stage(notebook: str, task: str, stage: int, date: str = "") -> str:
    """The notebook with one more entry, of today; adds the section if it is missing."""
    entry = f"- task {task}, stage {stage}, {date or time.strftime('%Y-%m-%d', time.gmtime())}"
    lines = lines_of(notebook)
    ending = line_ending_of(lines[0]) if lines else "\n"
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += ending
    section = _opened_section(lines)
    if section is None:
        gap = ending if lines else ""
        return "".join(lines) + f"{gap}## {SECTION}{ending}{ending}{entry}{ending}"
    entries = [k for k in section if lines[k].startswith("- task ")]
    if entries:
        lines.insert(entries[-1] + 1, entry + ending)
    else:
        lines.insert(section.start, ending + entry + ending)
    return "".join(lines)


def _show(text: str) -> None:
    """As the file has it: it need not be UTF-8."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))


def _show_stage(part: str, task: Task, stage: int) -> None:
    title = f" ({task.title})" if task.title else ""
    heading = f"{part}, task {task.name}{title}, hint {stage} of {STAGES}"
    _show(f"{heading}\n\n{task.stages[stage - 1]}\n\n")


def open_hint(folder: Path, part: str, name: str | None) -> None:
    """Shows the next hint of the task. Records it first, so that no hint is read without being recorded."""
    tasks, file = load_hints(folder / "hints.md"), folder / "NOTEBOOK.md"
    notebook = read_replaceable(file)
    task = find_task(tasks, name, part, notebook)
    stage = next_stage(notebook, task.name)
    if stage is None:
        _show(f"All hints for task {task.name} are open:\n\n")
        for opened in range(1, STAGES + 1):
            _show_stage(part, task, opened)
        return
    write_text(file, add_opened_stage(notebook, task.name, stage))
    _show_stage(part, task, stage)
    _show(f'This hint is recorded in {shown(file)}, under "{SECTION}".\n')
    if stage < STAGES:
        _show(f"Try it before asking for the next: ./lab hint {part} {task.name}\n")
    else:
        _show("That was the last hint.\n")
