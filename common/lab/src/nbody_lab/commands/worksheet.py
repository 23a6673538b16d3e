"""./lab worksheet: are the student's numbers right?"""

import sys
from typing import Annotated

import typer

from nbody_lab import ROOT
from nbody_lab.building.arguments import JsonFile, PartName, flag
from nbody_lab.building.handed_out import warn_if_edited
from nbody_lab.building.lab import Lab
from nbody_lab.check import kept
from nbody_lab.core.console import show
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.model import load_if_whole
from nbody_lab.core.whole_file import write_text
from nbody_lab.tasks import next_task
from nbody_lab.tasks.counting import (
    build_worksheet,
    count_to_file,
    has_worksheet,
    why_uncountable,
)
from nbody_lab.tasks.hypothetical_machine import seal_of
from nbody_lab.tasks.judge import judge_sheet
from nbody_lab.tasks.questions import load_questions
from nbody_lab.tasks.sheet import (
    Detail,
    KeptSheet,
    any_wrong,
    format_question,
    format_sheet,
    hide_choices,
    lines_of_question,
    numbers_changed,
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
    by_how_much: Annotated[bool, flag("--by-how-much", "tell by how much as well")] = False,
    json: JsonFile = None,
    seal: Annotated[tuple[str, str] | None, typer.Option("--seal", hidden=True)] = None,
) -> None:
    """judge your answers in worksheet.hpp

    Shows the questions of your task, of the one before, those whose answer you have changed, and
    whatever is wrong. Counts are judged by running the code.

    ./lab worksheet part1
    ./lab worksheet part1 3 --which
    """
    lab = Lab(part)
    if not has_worksheet(lab):
        raise LabError(f"{part} has no worksheet")
    if seal:  # for the authors of a choice
        show(f"0x{seal_of(*seal):08x}")
        return
    if question:
        load_questions(lab.folder()).require(question)
    detail = Detail.BY_HOW_MUCH if by_how_much else Detail.WHICH if which else Detail.TOTAL
    warn_if_edited(ROOT, part)
    lab.begin()
    source, record = lab.folder() / "worksheet.hpp", ROOT / f"build/worksheets/{part}.json"
    source_seal = kept.seal_of(source)
    before = load_if_whole(KeptSheet, record)
    files = build_worksheet(lab)
    texts = files.read_texts()
    for name in lab.names("mine"):  # a version that no answer names is not asked about
        if name in texts and not count_to_file(lab, name) and not why_uncountable(lab, name):
            print(lab.failure().report(), file=sys.stderr)
            say(f"so questions about {part}/{name} wait until it can be counted")
    lab.unlock()
    questions, evidence = files.load()
    if evidence.ceilings.why_none:
        say(f"{evidence.ceilings.why_none}; until then answers about this machine are not judged")
    sheet = judge_sheet(questions, evidence, detail)
    seen = hide_choices(sheet)
    facts = {"source": str(source.relative_to(ROOT)), "source_sha256": source_seal}
    kept.keep(record, KeptSheet.model_validate(dict(seen) | facts))
    if json:
        write_text(json, seen.model_dump_json(indent=2) + "\n")
    if question:
        lines = lines_of_question(sheet, question)
        show(format_question(lines, detail))
    else:
        lines, shown = list(sheet.lines), None  # all
        answered = next_task.answered_questions(seen.lines)
        tasks = next_task.read_tasks(lab.folder() / "README.md", answered)
        if not everything and (numbers := next_task.questions_now(tasks, answered)):
            shown = select_lines(lines, {*numbers, *numbers_changed(before, sheet)})
        show(format_sheet(sheet, detail, shown))
    if any_wrong(lines):
        raise SystemExit(1)
