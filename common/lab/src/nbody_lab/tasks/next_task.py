"""./lab next: where you are in a part, and what its next task wants.

The handout is the only list of tasks: a heading such as "## 3 Count the flops (about 15 minutes)" begins a task, a
paragraph such as "Done when question 3 is right." ends it. A task whose first word is "Optional" is never the next one.
./lab worksheet tells which questions are answered.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from nbody_lab.core.console import wrapped
from nbody_lab.core.words import plural
from nbody_lab.tasks.sheet import Line, State

_TASK = re.compile(
    r"^## (\d+) ([^\n]+?)(?: \(about (\d+) minutes\))?\n(.*?)(?=^## |\Z)", re.M | re.S
)
_DONE_WHEN = re.compile(r"^Done when.*?(?=\n\s*\n|\Z)", re.M | re.S)
_END_OF_SENTENCE = re.compile(r"[.:](?=\s+[A-Z]|\s*$)")
_QUESTIONS = re.compile(r"questions? (\d+(?:(?: to |, | and )\d+)*)")
_RANGE = re.compile(r"(\d+)(?: to (\d+))?")
_ANSWERED = (State.RIGHT, State.NOTED, State.HIDDEN)


@dataclass(frozen=True)
class Task:
    number: str
    title: str
    line: int = 1  # of the handout
    questions: tuple[str, ...] = ()  # their numbers
    done_when: str = ""
    minutes: int = 0
    is_optional: bool = False


Answered = Mapping[str, bool]  # by the number of a question: whether all its lines are


def answered_questions(lines: Iterable[Line]) -> dict[str, bool]:
    answered: dict[str, bool] = {}
    for line in lines:
        answered[line.number] = answered.get(line.number, True) and line.state in _ANSWERED
    return answered


def _questions_named(sentence: str) -> tuple[str, ...]:
    """The numbers of the questions named in a sentence."""
    found = _QUESTIONS.search(sentence)
    return tuple(
        str(number)
        for first, last in _RANGE.findall(found[1] if found else "")
        for number in range(int(first), int(last or first) + 1)
    )


def parse_tasks(handout: str, questions: Iterable[str]) -> list[Task]:
    """The tasks of a handout, in order. `questions`: the numbers of all; "all questions" are those that no earlier task
    names."""
    tasks, left = [], list(questions)
    for match in _TASK.finditer(handout):
        number, title, minutes, text = match.groups()
        done = _DONE_WHEN.search(text)
        sentence = _END_OF_SENTENCE.split(" ".join(done[0].split()))[0] if done else ""
        named = tuple(left) if "all questions" in sentence else _questions_named(sentence)
        left = [question for question in left if question not in named]
        line = handout.count("\n", 0, match.start()) + 1
        is_optional = text.lstrip().startswith("Optional")
        tasks.append(Task(number, title, line, named, sentence, int(minutes or 0), is_optional))
    return tasks


def current(tasks: Sequence[Task], answered: Answered) -> Task | None:
    """The first task with open questions, or the tasks without questions before it if none of its own is answered yet.
    None if all is done."""
    is_open = [
        not task.is_optional and not all(answered.get(one, True) for one in task.questions)
        for task in tasks
    ]
    if not any(is_open):
        return None
    index = is_open.index(True)
    if not any(answered.get(question) for question in tasks[index].questions):
        while index > 0 and not (tasks[index - 1].questions or tasks[index - 1].is_optional):
            index -= 1
    return tasks[index]


def questions_now(tasks: Sequence[Task], answered: Answered) -> list[str]:
    """Those of the first task with open questions, and of the task before it; [] if nothing is open."""
    asking = [task for task in tasks if task.questions]
    here = current(asking, answered)
    index = asking.index(here) if here else 0
    shown = asking[max(index - 1, 0) : index + 1] if here else []
    return [question for task in shown for question in task.questions]


def format_overview(
    part: str, handout: str, hints: str, tasks: Sequence[Task], answered: Answered, ideas: int
) -> list[str]:
    """The lines to print. `handout`: its path as shown; `hints`: the text of hints.md; `ideas`: in the notebook's
    table."""
    here = current(tasks, answered)
    longest = max(len(task.title) for task in tasks)
    lines = [f"{part}: {handout}", ""]
    for task in tasks:
        known = [answered[question] for question in task.questions if question in answered]
        progress = f"{sum(known)} of {plural(len(known), 'question')}" if known else ""
        progress += ", optional" if task.is_optional else ""
        mark = "   <- you are here" if task is here else ""
        lines.append(f"  {task.number:>2}  {task.title:<{longest}}  {progress}{mark}".rstrip())
    lines.append("")
    if not here:
        lines.append("all questions are answered")
        if ideas:
            lines.append("if NOTEBOOK.md explains why, go on to the next part")
        else:
            lines.append(f'now predict and measure: ./lab try {part} mine "an idea" --expect 1.5')
        return lines
    lines += wrapped(f"  {here.done_when}".replace("Done when", "done when", 1), "  ")
    if here.minutes:
        lines.append(f"  takes      about {here.minutes} minutes")
    lines.append(f"  read       {handout}, line {here.line}")
    if re.search(rf"^## Task {here.number}[a-z]?\b", hints, re.M):
        lines.append(f"  stuck      ./lab hint {part} {here.number}")
    if here.questions:
        lines.append(f"  judged by  ./lab worksheet {part}")
    else:
        later = next(task for task in tasks[tasks.index(here) :] if task.questions)
        lines.append(
            f"  then       go on; this page follows when you answer question {later.questions[0]}"
        )
    return lines
