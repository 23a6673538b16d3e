"""./lab hint PART TASK --solved: what the part's ladder does for a task, once the student's own version is right.

A page begins in solutions/FOLDER/README.md with the line "<!-- page of tasks 8, 9 -->" and ends where the next page or
section begins. A task may have several. The notebook records opened pages, as it does hints.
"""

import re
import time
from pathlib import Path

from nbody_lab.core.handed_out import is_given_mine
from nbody_lab.core.messages import Failure, say, stop
from nbody_lab.notebook.file import printable, read_replaceable, write_text
from nbody_lab.tasks.hint import with_opened_stage
from nbody_lab.tasks.replaces_nothing import has_functions

MARK = re.compile(r"<!-- page of tasks? (.+) -->")


def pages_in(text):
    """[(tasks, lines)]; the first line is the heading above the page."""
    pages, heading, is_open = [], "", False
    for line in text.splitlines():
        mark = MARK.fullmatch(line)
        if line.startswith("## "):
            heading, is_open = line, False
        elif mark:
            pages.append((mark[1].split(", "), [heading]))
            is_open = True
        elif is_open and not line.startswith("<!-- "):  # marks of tables
            pages[-1][1].append(line)
    return pages


def page_of(pages, task):
    """The text of all pages of a task, '' if there are none; 8a is an idea of task 8."""
    found = re.fullmatch(r"(\d+)[a-z]?", task)
    number = found[1] if found else ""
    return "\n\n".join("\n".join(lines).strip() for tasks, lines in pages if number in tasks)


def has_passed(folder):
    """Whether a version of the student's, with a function of its own, has passed ./lab check (undo.py keeps those)."""
    kept = [
        file
        for file in (folder / "notebook/passed").glob("mine*")
        if file.suffix in (".hpp", ".cuh")
    ]
    texts = [file.read_text(encoding="utf-8", errors="replace") for file in kept]
    return any(has_functions(text) and not is_given_mine(folder, text) for text in texts)


def note(folder, task):
    """Adds the task to the notebook's list of opened hints, once."""
    file = folder / "NOTEBOOK.md"
    notebook = read_replaceable(file)
    if f"- task {task}, stage solved" not in notebook:
        write_text(
            file,
            with_opened_stage(notebook, task, "solved", time.strftime("%Y-%m-%d", time.gmtime())),
        )


def show(root, part, folder, task):
    code = root / "solutions" / folder.name
    document = code / "README.md"
    if not document.exists():
        stop(f"the solutions of {part} are not in this tree: ask your instructor")
    pages = pages_in(document.read_text(encoding="utf-8"))
    text = page_of(pages, task)
    if not text:
        known = sorted({int(number) for tasks, _ in pages for number in tasks})
        stop(
            f"{part} has no solved page for task '{printable(task)}'; it has pages for {', '.join(map(str, known))}"
        )
    if not has_passed(folder):
        say(
            f"solve it first: the page of task {task} opens once a version with a function of its own has passed ./lab check {part} mine"
        )
        raise Failure(1)
    note(folder, task)
    print(
        f"{part}, task {task}, solved: from {document.relative_to(root)}, beside the code\n\n{text}"
    )
    return 0


def main(words):
    """Shows a page; `words`: ROOT PART FOLDER [TASK]"""
    root, part, folder, *task = words
    if len(task) != 1:
        stop(f"hint --solved needs one task: ./lab hint {part} 8 --solved")
    return show(Path(root), part, Path(folder), task[0])
