"""./lab next: where you are in a part, and what its next task wants.

The handout is the only list of tasks: a heading such as "## 3 Count the flops (about 15 minutes)" begins a task, a
paragraph such as "Done when question 3 is right." ends it. A task whose first word is "Optional" is never the next one.
./lab worksheet tells which questions are answered.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from nbody_lab.core.console import wrapped
from nbody_lab.core.words import plural
from nbody_lab.worksheet.sheet import Line, State

_TASK = re.compile(r"^## (\d+) (.+?)(?: \(about (\d+) minutes\))?$")
_OPTIONAL = re.compile(r"^[^\n]*\n\s*Optional\b")  # below the heading
_QUESTIONS = re.compile(r"questions? (\d+(?:(?: to |, | and )\d+)*)")
_RANGE = re.compile(r"(\d+)(?: to (\d+))?")
_END_OF_SENTENCE = re.compile(r"[.:](?=\s+[A-Z]|\s*$)")
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


class Answered(NamedTuple):
    """Lines of the worksheet."""

    done: int
    of: int


States = Mapping[str, Answered]  # by the number of a question


def find_questions(sentence: str, everything: Sequence[str]) -> tuple[str, ...]:
    """The question numbers named in a sentence."""
    if "all questions" in sentence:
        return tuple(everything)
    found = _QUESTIONS.search(sentence)
    ranges = _RANGE.findall(found[1]) if found else []
    return tuple(
        str(number)
        for first, last in ranges
        for number in range(int(first), int(last or first) + 1)
    )


def parse_tasks(text: str, everything: Iterable[str] = ()) -> list[Task]:
    """The tasks of a handout, in order, which end at the first other heading; `everything`: the numbers of all
    questions."""
    tasks: list[Task] = []
    line, left = 1, list(everything)
    for section in re.split(r"^(?=## )", text, flags=re.MULTILINE):
        heading = _TASK.match(section.split("\n", 1)[0])
        if heading:
            done = re.search(r"^Done when.*?(?=\n\s*\n|\Z)", section, re.MULTILINE | re.DOTALL)
            words = " ".join(done[0].split("\n")).strip() if done else ""
            sentence = _END_OF_SENTENCE.split(words)[0]
            questions = find_questions(sentence, left)
            left = [question for question in left if question not in questions]
            number, title, minutes = heading.groups()
            is_optional = bool(_OPTIONAL.match(section))
            tasks.append(
                Task(number, title, line, questions, sentence, int(minutes or 0), is_optional)
            )
        elif tasks:
            break
        line += section.count("\n")
    return tasks


def read_tasks(handout: Path, everything: Iterable[str]) -> list[Task]:
    return parse_tasks(handout.read_text(encoding="utf-8"), everything)


def count_answered(lines: Iterable[Line]) -> dict[str, Answered]:
    """By question."""
    states: dict[str, Answered] = {}
    for line in lines:
        done, of = states.get(line.number, Answered(0, 0))
        states[line.number] = Answered(done + (line.state in _ANSWERED), of + 1)
    return states


def _progress(task: Task, states: States) -> Answered:
    known = [states[question] for question in task.questions if question in states]
    return Answered(sum(one.done for one in known), sum(one.of for one in known))


def is_open(task: Task, states: States) -> bool:
    """Whether it has questions that must still be answered."""
    if task.is_optional:
        return False
    answered = _progress(task, states)
    return answered.done < answered.of


def current(tasks: Sequence[Task], states: States) -> Task | None:
    """The first task with open questions, or the tasks without questions before it if it is not yet begun. None if all
    is done."""
    index = next((k for k, task in enumerate(tasks) if is_open(task, states)), None)
    if index is None:
        return None
    while (
        index > 0
        and not (tasks[index - 1].questions or tasks[index - 1].is_optional)
        and _progress(tasks[index], states).done == 0
    ):
        index -= 1
    return tasks[index]


def is_finished(tasks: Sequence[Task], states: States, ideas: int) -> bool:
    """Whether a student may go on to the next part. `ideas`: how many were predicted and measured."""
    return current(tasks, states) is None and ideas > 0


def questions_now(tasks: Sequence[Task], states: States) -> list[str]:
    """Those of the first task with open questions, and of the task before it; [] if nothing is open."""
    asking = [task for task in tasks if task.questions]
    index = next((k for k, task in enumerate(asking) if is_open(task, states)), None)
    if index is None:
        return []
    return [
        question for task in asking[max(index - 1, 0) : index + 1] for question in task.questions
    ]


def find_empty_sections(notebook: str) -> list[str]:
    """The headings of a notebook below which nothing but its questions stands."""
    found = []
    for section in re.split(r"^(?=#{2,3} )", notebook, flags=re.MULTILINE):
        heading, _, text = section.partition("\n")
        paragraphs = filter(None, map(str.strip, re.split(r"\n\s*\n", text)))
        if heading.startswith("### Task ") and all(one.endswith("?") for one in paragraphs):
            found.append(heading.removeprefix("### "))
    return found


def _state_text(task: Task, states: States) -> str:
    done, wanted = _progress(task, states)
    if not wanted:
        return "no questions"
    if done == wanted:
        return "done"
    optional = "optional, " if task.is_optional else ""
    return f"{optional}{done} of {plural(wanted, 'line')} done"


def _describe(part: str, here: Task, later: Task, handout: str, hints: str) -> list[str]:
    """What the task wants. `later`: the next one with questions."""
    rows = []
    if here.minutes:
        rows.append(("takes", f"about {here.minutes} minutes"))
    rows.append(("read", f"{handout}, line {here.line}"))
    named = re.findall(rf"^## Task ({here.number}[a-z]?)\b", hints, re.MULTILINE)
    if named:
        others = f"  (or {', '.join(named[1:])})" if len(named) > 1 else ""
        rows.append(("stuck", f"./lab hint {part} {named[0]}{others}"))
    if here.questions:
        rows.append(("judged by", f"./lab worksheet {part}"))
    else:
        first, number = later.questions[0], later.number
        moves = f"once you answer question {first}, ./lab next moves on to task {number}"
        rows.append(("then", f"go on to the next task; {moves}"))
    done_when = here.done_when.replace("Done when", "done when", 1)
    lines = wrapped(f"  {done_when}", "  ") if done_when else []
    for title, words in rows:
        lines += wrapped(f"  {title:<9}  {words}", " " * 13)
    return lines


def format_overview(
    part: str,
    handout: str,
    hints: str,
    notebook: str,
    tasks: Sequence[Task],
    states: States,
    ideas: int,
) -> list[str]:
    """The lines to print. `handout`: its path as shown; `hints`, `notebook`: their texts; `ideas`: in the notebook's
    table."""
    here = current(tasks, states)
    longest = max(len(task.title) for task in tasks)
    lines = [f"{part}: {handout}", ""]
    for task in tasks:
        mark = "   <- you are here" if task is here else ""
        state = _state_text(task, states)
        lines.append(f"  {task.number:>2}  {task.title:<{longest}}  {state}{mark}")
    lines.append("")
    empty = [
        words for words in find_empty_sections(notebook) if here is None or _is_before(words, here)
    ]
    if here:
        later = next(task for task in tasks[tasks.index(here) :] if task.questions)
        lines += _describe(part, here, later, handout, hints)
    elif not ideas:
        lines += [
            "all questions are answered, but NOTEBOOK.md has no idea yet that you predicted and measured:",
            f'  ./lab try {part} mine "an idea" --expect 1.5',
        ]
    elif not empty:
        lines.append(
            "all questions are answered; if NOTEBOOK.md explains why, go on to the next part"
        )
    else:
        lines.append(
            "all questions are answered, but not those of NOTEBOOK.md, which a person reads"
        )
    if empty:
        lines += wrapped(f"  empty in NOTEBOOK.md: {'; '.join(empty)}", "  ")
    return lines


def _is_before(heading: str, here: Task) -> bool:
    """Whether a section of the notebook belongs to an earlier task."""
    number = re.match(r"Task (\d+)", heading)
    return number is not None and int(number[1]) < int(here.number)
