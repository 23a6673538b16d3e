"""./lab worksheet: are the student's numbers right?"""

from typing import Annotated

import typer

from nbody_lab import ROOT
from nbody_lab.building.arguments import JsonFile, PartName, flag
from nbody_lab.building.handed_out import warn_if_edited
from nbody_lab.building.lab import Lab
from nbody_lab.core.clean_text import printable
from nbody_lab.core.console import show
from nbody_lab.core.errors import LabError, say, tell
from nbody_lab.core.whole_file import write_text
from nbody_lab.core.words import nearest
from nbody_lab.tasks import next_task
from nbody_lab.tasks.counting import (
    build_worksheet,
    count_to_file,
    has_worksheet,
)
from nbody_lab.tasks.hypothetical_machine import seal_of
from nbody_lab.tasks.judge import judge_sheet
from nbody_lab.tasks.questions import load_questions
from nbody_lab.tasks.sheet import (
    State,
    format_sheet,
    select_lines,
)


def worksheet(
    part: PartName,
    question: Annotated[
        str | None, typer.Argument(metavar="QUESTION", help="its number: only that question")
    ] = None,
    everything: Annotated[
        bool, flag("--all", "every question, not only those of your task")
    ] = False,
    which: Annotated[bool, flag("--which", "tell which class of a count is wrong")] = False,
    json: JsonFile = None,
    seal: Annotated[tuple[str, str] | None, typer.Option("--seal", hidden=True)] = None,
) -> None:
    """judge your answers in worksheet.hpp

    Shows the questions of your task, of the one before, and whatever is wrong. Counts are judged by
    running the code.

    ./lab worksheet part1
    ./lab worksheet part1 3 --which
    """
    lab = Lab(part)
    if not has_worksheet(lab):
        raise LabError(f"{part} has no worksheet")
    if seal:  # for the authors of a choice
        show(f"0x{seal_of(*seal):08x}")
        return
    warn_if_edited(ROOT, part)
    if question:
        numbers = [one.number for one in load_questions(lab.folder()).questions]
        if question not in numbers:
            raise LabError(f"{part} has no question {question!r}; the last is {numbers[-1]}")
    lab.begin()
    if lab.has_kernels():  # they are counted on the CPU
        lab.use_cpu()
    questions, evidence = build_worksheet(lab)
    for name in lab.names("mine"):  # a version that no answer names is not asked about
        is_asked = name in evidence.answers[0].texts.values()
        if is_asked and (why := count_to_file(lab, name)):
            tell([why])
            say(f"so questions about {part}/{name} wait until it can be counted")
    known = lab.known()
    versions = [*lab.names(), *(row.name for row in (known.gpu_only if known else ()))]
    for name in dict.fromkeys(evidence.answers[0].text(one) for one in questions.names):
        if name and known and name not in versions:
            near = nearest(name, versions)
            say(f"worksheet.hpp: {part} has no version '{printable(name)}'{near}")
    lab.unlock()
    sheet = judge_sheet(questions, evidence, which)
    if json:
        write_text(json, sheet.model_dump_json(indent=2) + "\n")
    shown, answered = list(sheet.lines), next_task.answered_questions(sheet.lines)
    handout = (lab.folder() / "README.md").read_text(encoding="utf-8")
    now = next_task.questions_now(next_task.parse_tasks(handout, answered), answered)
    if question:
        shown = [line for line in shown if line.number == question]
    elif now and not everything:
        shown = select_lines(shown, now)
    show(format_sheet(sheet, shown))
    if any(line.state is State.WRONG for line in shown):
        raise SystemExit(1)
