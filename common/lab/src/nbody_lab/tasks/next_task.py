"""./lab next: where you are in a part, and what its next task wants.

The handout is the only list of tasks: a heading such as "## 3 Count the flops (about 15 minutes)" begins a task, a
paragraph such as "Done when question 3 is right." ends it. ./lab worksheet tells which questions are answered.
"""

import re
from collections import namedtuple

from nbody_lab.core.screen import wrapped

Task = namedtuple(
    "Task", "number title line questions done_when minutes"
)  # questions: their numbers, as text

HEADING = re.compile(r"## (\d+) (.+?)(?: \(about (\d+) minutes\))?")
QUESTIONS = re.compile(r"questions? (\d+(?:(?: to |, | and )\d+)*)")
RANGE = re.compile(r"(\d+)(?: to (\d+))?")
END_OF_SENTENCE = re.compile(r"[.:](?=\s+[A-Z]|\s*$)")
ANSWERED = ("right", "noted", "answered")


def questions_in(sentence, everything):
    """The question numbers named in a sentence, as text."""
    if "all questions" in sentence:
        return everything
    found = QUESTIONS.search(sentence)
    ranges = RANGE.findall(found[1]) if found else []
    return [
        str(number)
        for first, last in ranges
        for number in range(int(first), int(last or first) + 1)
    ]


def tasks_in(text, everything=()):
    """The tasks of a handout, in order; `everything`: the numbers of all questions."""
    tasks, paragraph = [], None
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if paragraph and (not line.strip() or line.startswith("## ")):
            sentence = END_OF_SENTENCE.split(" ".join(paragraph))[0]
            left = [
                question
                for question in everything
                if not any(question in task.questions for task in tasks)
            ]
            tasks[-1] = tasks[-1]._replace(
                questions=questions_in(sentence, left), done_when=sentence
            )
            paragraph = None
        heading = HEADING.fullmatch(line)
        if heading:
            tasks.append(Task(heading[1], heading[2], number, [], "", int(heading[3] or 0)))
        elif tasks and line.startswith("## "):
            break
        elif paragraph or (tasks and line.startswith("Done when")):
            paragraph = [*(paragraph or []), line]
    return tasks


def states_of(lines):
    """{question number: (answered lines, all lines)}"""
    states = {}
    for line in lines:
        answered, of = states.get(line["number"], (0, 0))
        states[line["number"]] = answered + (line["state"] in ANSWERED), of + 1
    return states


def progress(task, states):
    """(answered, all) worksheet lines of the task."""
    known = [states[question] for question in task.questions if question in states]
    return sum(answered for answered, _ in known), sum(of for _, of in known)


def is_open(task, states):
    answered, wanted = progress(task, states)
    return answered < wanted


def current(tasks, states):
    """The first task with open questions, or the tasks without questions before it if it is not yet begun. None if all
    is done."""
    index = next((k for k, task in enumerate(tasks) if is_open(task, states)), None)
    if index is None:
        return None
    while index > 0 and not tasks[index - 1].questions and progress(tasks[index], states)[0] == 0:
        index -= 1
    return tasks[index]


def state_text(task, states):
    answered, wanted = progress(task, states)
    if not wanted:
        return "no questions"
    return "done" if answered == wanted else f"{answered} of {wanted} lines done"


def overview(part, handout, hints, tasks, states):
    """The lines to print. `handout`: its path as shown; `hints`: the text of the part's hints."""
    here = current(tasks, states)
    width = max(len(task.title) for task in tasks)
    lines = [f"{part}: {handout}", ""]
    for task in tasks:
        mark = "   <- you are here" if task is here else ""
        lines.append(f"  {task.number:>2}  {task.title:<{width}}  {state_text(task, states)}{mark}")
    lines.append("")
    if here is None:
        return [
            *lines,
            "all questions are answered; if NOTEBOOK.md explains why, go on to the next part",
        ]
    if here.done_when:
        lines += wrapped("  " + here.done_when.replace("Done when", "done when", 1), "  ")
    if here.minutes:
        lines.append(f"  takes      about {here.minutes} minutes")
    lines.append(f"  read       {handout}, line {here.line}")
    named = re.findall(rf"^## Task ({here.number}[a-z]?)\b", hints, re.M)
    if named:
        others = f"  (or {', '.join(named[1:])})" if len(named) > 1 else ""
        lines.append(f"  stuck      ./lab hint {part} {named[0]}{others}")
    if here.questions:
        lines.append(f"  judged by  ./lab worksheet {part}")
    else:
        later = next(task for task in tasks[tasks.index(here) :] if task.questions)
        lines += wrapped(
            f"  then       go on to the next task; once you answer question {later.questions[0]}, "
            f"./lab next moves on to task {later.number}",
            " " * 13,
        )
    return lines
