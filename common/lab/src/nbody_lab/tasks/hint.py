"""./lab hint: opens the next of three hints for a task, and records it in the notebook.

The hints of a part are in one file:

    ## Task 8a: algebra
    ### 1
    a question; ### 2 is a direction, ### 3 nearly the recipe

The notebook alone records which were opened: lines like "- task 3, stage 1, 2026-11-21"
in its section "Hints opened".
"""

import argparse
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from nbody_lab.notebook.file import (
    InputError,
    in_quotes,
    printable,
    read_replaceable,
    read_text,
    shown,
    write_text,
)
from nbody_lab.notebook.table import line_ending_of, lines_of

STAGES = 3
SECTION = "Hints opened"
BLANKS = " \t\r\n"


@dataclass
class Task:
    name: str  # "8a"
    title: str  # "algebra"
    stages: list = field(default_factory=list)


# --- text ----------------------------------------------------------------------------------------


def heading_of(line):
    """'Words' for '## Words'; empty for a line that is not a heading."""
    words = line.lstrip("#")
    return words.strip(BLANKS) if words != line and words.startswith(" ") else ""


# --- hints ---------------------------------------------------------------------------------------


def without_blank_ends(text):
    """Removes blank lines at the ends, but keeps the indentation of the first line."""
    return "" if not text.strip(BLANKS) else text.lstrip("\n").rstrip(" \r\n")


def demand_three_stages(task, file):
    if len(task.stages) != STAGES:
        raise InputError(
            f"{file}: task {task.name} has {len(task.stages)} stages instead of {STAGES}"
        )
    for number, stage in enumerate(task.stages, 1):
        if not stage:
            raise InputError(f"{file}: stage {number} of task {task.name} is empty")


def parse_hints(text, file):
    """The tasks of a file. Raises InputError unless each has three non-empty stages in order."""
    tasks = []
    for line in lines_of(text):
        if line.startswith("## Task "):
            name, _, title = heading_of(line)[len("Task ") :].partition(":")
            tasks.append(Task(name.strip(BLANKS), title.strip(BLANKS)))
        elif line.startswith("### "):
            if not tasks or heading_of(line) != str(len(tasks[-1].stages) + 1):
                raise InputError(
                    f"{file}: stage {heading_of(line)} of task "
                    f"{tasks[-1].name if tasks else '?'} is out of order"
                )
            tasks[-1].stages.append("")
        elif tasks and tasks[-1].stages:
            tasks[-1].stages[-1] += line
    if not tasks:
        raise InputError(f"{file}: has no hints")
    for task in tasks:
        task.stages = [without_blank_ends(stage) for stage in task.stages]
        demand_three_stages(task, file)
    return tasks


def task_named(tasks, name, part):
    """The task with this name. Raises InputError that lists the choices."""
    for task in tasks:
        if task.name == name:
            return task
    known = ", ".join(task.name for task in tasks)
    if not name:
        raise InputError(f"which task? {part} has hints for {known}")
    ideas = [
        f"{task.name} {task.title}".strip()
        for task in tasks
        if task.name[:-1] == name and task.name[-1] >= "a"
    ]
    if ideas:
        raise InputError(f"task {name} has hints for each of its ideas: {', '.join(ideas)}")
    raise InputError(f"{part} has no hints for task {in_quotes(name)}: choose from {known}")


# --- notebook ------------------------------------------------------------------------------------


def opened_section(lines):
    """(first line after the section's heading, line after the section); (0, 0) if it is missing."""
    begin = end = 0
    for number, line in enumerate(lines, 1):
        heading = heading_of(line)
        if begin and heading:
            return begin, end
        if not begin and heading == SECTION:
            begin = number
        if begin:
            end = number
    return begin, end


def next_stage(notebook, task):
    """The next stage, 1 to 3; 0 when all are open."""
    lines = lines_of(notebook)
    begin, end = opened_section(lines)
    opened = [line.strip(BLANKS) for line in lines[begin:end]]
    for stage in range(1, STAGES + 1):
        if not any(line.startswith(f"- task {task}, stage {stage}") for line in opened):
            return stage
    return 0


def with_opened_stage(notebook, task, stage, date):
    """The notebook with one more entry; adds the section if it is missing."""
    entry = f"- task {task}, stage {stage}, {date}"
    lines = lines_of(notebook)
    ending = line_ending_of(lines[0]) if lines else "\n"
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += ending
    begin, end = opened_section(lines)
    if not begin:
        gap = ending if lines else ""
        return "".join(lines) + f"{gap}## {SECTION}{ending}{ending}{entry}{ending}"
    entries = [k for k in range(begin, end) if lines[k].strip(BLANKS).startswith("- task ")]
    if entries:
        lines.insert(entries[-1] + 1, entry + ending)
    else:
        lines.insert(begin, ending + entry + ending)
    return "".join(lines)


# --- command -------------------------------------------------------------------------------------


def say(text):
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))


def show_stage(part, task, stage):
    title = f" ({task.title})" if task.title else ""
    say(
        f"{part}, task {task.name}{title}, hint {stage} of {STAGES}\n\n{task.stages[stage - 1]}\n\n"
    )


def open_hint(options):
    task = task_named(
        parse_hints(read_text(options.hints), options.hints), options.task, options.part
    )
    file = options.folder / "NOTEBOOK.md"
    notebook = read_replaceable(file)
    stage = next_stage(notebook, task.name)
    if stage == 0:
        say(f"All hints for task {task.name} are open:\n\n")
        for opened in range(1, STAGES + 1):
            show_stage(options.part, task, opened)
        return
    # Record first, so that no hint is read without being recorded.
    date = time.strftime("%Y-%m-%d", time.gmtime())
    write_text(file, with_opened_stage(notebook, task.name, stage, date))
    show_stage(options.part, task, stage)
    say(f'This hint is recorded in {shown(file)}, under "{SECTION}".\n')
    if stage < STAGES:
        say(f"Try it before asking for the next: ./lab hint {options.part} {task.name}\n")
    else:
        say("That was the last hint.\n")


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise InputError(f"{message}; for example: ./lab hint part1 3")


def parse(words):
    parser = Parser(
        prog="./lab hint", description="Open the next hint for a task.", allow_abbrev=False
    )
    parser.add_argument("part", help="part1, ...")
    parser.add_argument("task", nargs="?", default="", help="number of the task: 3, 8a")
    parser.add_argument(
        "--solved",
        action="store_true",
        help="what the solution does, once your version has passed its check",
    )
    parser.add_argument("--folder", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--hints", type=Path, required=True, help=argparse.SUPPRESS)
    return parser.parse_args(words)


def main(words):
    try:
        open_hint(parse(words))
        sys.stdout.flush()
        return 0
    except InputError as error:
        print(f"hint: {printable(str(error))}", file=sys.stderr)
    except BrokenPipeError:
        raise
    except OSError:
        print("hint: standard output cannot be written: disk full?", file=sys.stderr)
        os._exit(2)  # prevents a second attempt to write at exit
    return 2
