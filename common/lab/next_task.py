"""./lab next: where you are in a part, and what its next task wants.

The handout is the one list of tasks: a heading "## 3 Count the flops" begins one, a paragraph "Done when question 3 is
right." ends it. Which questions are answered is what ./lab worksheet says.
"""

import json
import re
import subprocess
import tempfile
from collections import namedtuple
from pathlib import Path

Task = namedtuple("Task", "number title line questions done_when")  # questions: their numbers, as words

HEADING = re.compile(r"## (\d+) (.+)")
QUESTIONS = re.compile(r"questions? (\d+)(?: (to|and) (\d+))?")
END_OF_SENTENCE = re.compile(r"[.:](?=\s+[A-Z]|\s*$)")
ANSWERED = ("right", "noted", "answered")


def questions_in(sentence, everything):
    """The numbers that a sentence names, each as a word."""
    if "all questions" in sentence:
        return everything
    found = QUESTIONS.search(sentence)
    if not found:
        return []
    first, last = int(found[1]), int(found[3] or found[1])
    return [str(number) for number in range(first, last + 1)]


def tasks_in(text, everything=()):
    """The tasks of a handout, in order; `everything`: the numbers of all questions."""
    tasks, paragraph = [], None
    for number, line in enumerate(text.splitlines(), 1):
        heading = HEADING.fullmatch(line)
        if heading:
            tasks.append(Task(heading[1], heading[2], number, [], ""))
        elif line.startswith("## "):
            break
        elif tasks and line.startswith("Done when"):
            paragraph = [line]
        elif paragraph is not None and line.strip():
            paragraph.append(line)
            continue
        if paragraph and (not line.strip() or heading):
            sentence = END_OF_SENTENCE.split(" ".join(paragraph))[0]
            tasks[-1] = tasks[-1]._replace(questions=questions_in(sentence, list(everything)), done_when=sentence)
            paragraph = None
    return tasks


def states_of(lines):
    """{number of a question: (lines answered, lines)}"""
    states = {}
    for line in lines:
        answered, of = states.get(line["number"], (0, 0))
        states[line["number"]] = answered + (line["state"] in ANSWERED), of + 1
    return states


def progress(task, states):
    """(answered, wanted) lines of the worksheet."""
    known = [states[question] for question in task.questions if question in states]
    return sum(answered for answered, _ in known), sum(of for _, of in known)


def current(tasks, states):
    """The task after the last one that has an answer, unless that one has open questions; None: all is done."""
    last = -1
    for index, task in enumerate(tasks):
        answered, wanted = progress(task, states)
        if 0 < answered < wanted:
            return task
        if wanted and answered == wanted:
            last = index
    behind = [task for task in tasks[last + 1:] if not task.questions or progress(task, states)[0] < progress(task, states)[1]]
    return behind[0] if behind else None


def state_text(task, states):
    answered, wanted = progress(task, states)
    if not wanted:
        return "nothing to answer"
    return "done" if answered == wanted else f"{answered} of {wanted} lines answered"


def overview(part, handout, hints, tasks, states):
    """Lines of text. `handout`: its path, as it is shown; `hints`: the text of the part's hints."""
    here = current(tasks, states)
    width = max(len(task.title) for task in tasks)
    lines = [f"{part}: {handout}", ""]
    for task in tasks:
        mark = "   <- you are here" if task is here else ""
        lines.append(f"  {task.number:>2}  {task.title:<{width}}  {state_text(task, states)}{mark}")
    lines.append("")
    if here is None:
        return [*lines, "all questions are answered; does NOTEBOOK.md say why? Then the next part"]
    if here.done_when:
        lines.append(f"  {here.done_when.replace('Done when', 'done when', 1)}")
    lines.append(f"  read       {handout}, line {here.line}")
    if re.search(rf"^## Task {here.number}[a-z]?\b", hints, re.M):
        lines.append(f"  stuck      ./lab hint {part} {here.number}")
    if here.questions:
        lines.append(f"  judged by  ./lab worksheet {part}")
    elif here is not tasks[-1]:
        behind = tasks[tasks.index(here) + 1]
        lines.append(f"  then       task {behind.number}, {behind.title}: whatever you answer there moves this on")
    return lines


def judged(program, counts, notebook):
    """The lines of the worksheet as its program judges them."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "worksheet.json")
        run = subprocess.run([program, "--counts", counts, "--notebook", notebook, "--json", file],
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if not file.exists():
            raise OSError(0, run.stderr.strip() or "the worksheet cannot be judged", str(program))
        return json.loads(file.read_text(encoding="utf-8"))["lines"]
