"""./lab hint PART TASK --solved: what the part's ladder does for a task, once the student's own version is right.

A page begins in solutions/FOLDER/README.md with the line "<!-- page of tasks 8, 9 -->" and ends where the next page or
section begins. A task may have several. The notebook records opened pages, as it does hints.
"""

import re
from pathlib import Path
from typing import NamedTuple

from nbody_lab.core.clean_text import printable
from nbody_lab.core.handed_out import is_given_mine
from nbody_lab.core.messages import Failure, UserError, say
from nbody_lab.notebook.file import read_replaceable, write_text
from nbody_lab.tasks.hint import add_opened_stage
from nbody_lab.tasks.replaces_nothing import has_functions

_MARK = re.compile(r"<!-- page of tasks? (.+) -->")


class Page(NamedTuple):
    tasks: list[str]
    lines: list[str]  # the first is the heading above the page


def parse_pages(text: str) -> list[Page]:
    pages: list[Page] = []
    heading, is_open = "", False
    for line in text.splitlines():
        mark = _MARK.fullmatch(line)
        if line.startswith("## "):
            heading, is_open = line, False
        elif mark:
            pages.append(Page(mark[1].split(", "), [heading]))
            is_open = True
        elif is_open and not line.startswith("<!-- "):  # marks of tables
            pages[-1].lines.append(line)
    return pages


def _has_passed(folder: Path) -> bool:
    """Whether a version of the student's, with a function of its own, has passed ./lab check (undo.py keeps those)."""
    kept = (folder / "notebook/passed").glob("mine*")
    texts = (
        file.read_text(encoding="utf-8", errors="replace")
        for file in kept
        if file.suffix in (".hpp", ".cuh")
    )
    return any(has_functions(text) and not is_given_mine(folder, text) for text in texts)


def open_page(root: Path, part: str, folder: Path, task: str) -> str:
    """All pages of the task, or of the task whose idea it is: 8a is one of task 8. Records it, once."""
    document = root / "solutions" / folder.name / "README.md"
    if not document.exists():
        raise UserError(f"the solutions of {part} are not in this tree: ask your instructor")
    pages = parse_pages(document.read_text(encoding="utf-8"))
    match = re.fullmatch(r"(\d+)[a-z]?", task)
    texts = ["\n".join(page.lines).strip() for page in pages if match and match[1] in page.tasks]
    if not texts:
        known = sorted({int(number) for page in pages for number in page.tasks})
        numbers = ", ".join(map(str, known))
        raise UserError(
            f"{part} has no solved page for task '{printable(task)}'; it has pages for {numbers}"
        )
    if not _has_passed(folder):
        say(
            f"solve it first: the page of task {task} opens once a version with a function of its own has passed ./lab check {part} mine"
        )
        raise Failure(1)
    file = folder / "NOTEBOOK.md"
    notebook = read_replaceable(file)
    if f"- task {task}, stage solved" not in notebook:
        write_text(file, add_opened_stage(notebook, task, "solved"))
    source = f"from {document.relative_to(root)}, beside the code"
    return "\n\n".join([f"{part}, task {task}, solved: {source}", *texts])
