"""./lab worksheet and ./lab count: the numbers that students find, and those of the machine."""

import sys
from typing import Annotated

import typer

from nbody_lab import ROOT
from nbody_lab.build.arguments import Bodies, JsonFile, Name, PartName
from nbody_lab.build.handed_out import warn_if_edited
from nbody_lab.build.lab import Lab
from nbody_lab.build.ranks import count_messages, has_ranks
from nbody_lab.check import kept_results
from nbody_lab.commands.build import Ranks
from nbody_lab.core.command_line import forwarded
from nbody_lab.core.console import show, wrapped
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.model import Precision, load_if_whole
from nbody_lab.core.run import run_program
from nbody_lab.core.whole_file import why_not_writable, write_bytes
from nbody_lab.programs.counting import (
    build_worksheet,
    count_to_file,
    counts_of,
    has_worksheet,
    remark_on_needless_work,
    stored_counts,
    why_uncountable,
    worksheet_files,
)
from nbody_lab.tasks import next_task
from nbody_lab.worksheet.hypothetical_machine import seal_of
from nbody_lab.worksheet.judge import judge_sheet, reason_to_hide_counts
from nbody_lab.worksheet.questions import load_questions
from nbody_lab.worksheet.sheet import (
    Detail,
    KeptSheet,
    Line,
    Sheet,
    any_wrong,
    format_question,
    format_sheet,
    hide_choices,
    lines_of_question,
    numbers_changed,
    select_lines,
)

WORKSHEETS = ROOT / "build/worksheets"


def worksheet(
    part: PartName,
    question: Annotated[
        str | None, typer.Argument(metavar="QUESTION", help="its number: only that question")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="every question, not only those of your task")
    ] = False,
    which: Annotated[
        bool, typer.Option("--which", help="tell which class of a count is wrong")
    ] = False,
    by_how_much: Annotated[
        bool, typer.Option("--by-how-much", help="tell by how much as well")
    ] = False,
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
    _require_worksheet(lab)
    if seal:  # for the authors of a choice
        print(f"0x{seal_of(*seal):08x}")
        return
    if question:
        load_questions(worksheet_files(lab).questions).require(question)
    if json and (why := why_not_writable(json)):
        raise LabError(f"{json} cannot be written: {why}")
    detail = Detail.BY_HOW_MUCH if by_how_much else Detail.WHICH if which else Detail.TOTAL
    before = _last_judged(lab)
    sheet = _judge(lab, detail)
    if json:
        write_bytes(json, (hide_choices(sheet).model_dump_json(indent=2) + "\n").encode())
    if question:
        lines = lines_of_question(sheet, question)
        show(format_question(lines, detail))
    else:
        lines = list(sheet.lines)
        shown = None if everything else _lines_of_task(lab, sheet, numbers_changed(before, sheet))
        show(format_sheet(sheet, detail, shown))
    if any_wrong(lines):
        raise SystemExit(1)


def _require_worksheet(lab: Lab) -> None:
    if not has_worksheet(lab):
        raise LabError(f"{lab.part} has no worksheet")


def _last_judged(lab: Lab) -> KeptSheet | None:
    return load_if_whole(KeptSheet, WORKSHEETS / f"{lab.part}.json")


def _judge(lab: Lab, detail: Detail) -> Sheet:
    """Builds what it needs, and keeps the result for ./lab report."""
    warn_if_edited(ROOT, lab.part)
    lab.begin()
    source = lab.folder() / "worksheet.hpp"
    seal = kept_results.seal_of(source)
    files = build_worksheet(lab)
    texts = files.read_texts()
    for name in lab.names("mine"):  # a version that no answer names is not asked about
        if name in texts and not count_to_file(lab, name) and not why_uncountable(lab, name):
            lab.explain_failure()
            say(f"so questions about {lab.part}/{name} wait until it can be counted")
    lab.unlock()
    part, evidence = files.load()
    if evidence.ceilings.why_none:
        say(f"{evidence.ceilings.why_none}; until then answers about this machine are not judged")
    sheet = judge_sheet(part, evidence, detail)
    kept = KeptSheet(
        source=str(source.relative_to(ROOT)), source_sha256=seal, **dict(hide_choices(sheet))
    )
    kept_results.keep(WORKSHEETS / f"{lab.part}.json", kept)
    return sheet


def _lines_of_task(lab: Lab, sheet: Sheet, changed: set[str]) -> list[Line] | None:
    """The lines of the student's task, changed and wrong ones; None, for all, if nothing is left to answer."""
    states = next_task.count_answered(hide_choices(sheet).lines)
    tasks = next_task.read_tasks(lab.folder() / "README.md", states)
    numbers = next_task.questions_now(tasks, states)
    return select_lines(sheet.lines, {*numbers, *changed}) if numbers else None


def _require_shown_counts(lab: Lab, name: str) -> None:
    """The counts of the given code are an answer, so only students who have found it see them."""
    if not has_worksheet(lab) or (name != "naive" and name not in lab.names("mine")):
        return
    files = build_worksheet(lab)
    count_to_file(lab, name)
    if reason := reason_to_hide_counts(name, *files.load()):
        say(reason)
        raise SystemExit(1)


def count(
    context: typer.Context,
    part: PartName,
    name: Name = "naive",
    bodies: Bodies = None,
    ranks: Ranks = None,
    precision: Annotated[
        Precision | None, typer.Option(metavar="P", help="part 4: float (default) or double")
    ] = None,
    integrator: Annotated[
        str | None, typer.Option(metavar="NAME", help="part 4: how a time step is computed")
    ] = None,
    vdt: Annotated[bool, typer.Option("--vdt", help="part 4: adaptive time step (Eq. 7)")] = False,
    json: JsonFile = None,
) -> None:
    """flops and memory accesses of one iteration, by class

    By running the code with numbers that count; one sentence names a line that cannot be counted. In part 4: messages and
    bytes of each rank.

    ./lab count part1 mine
    ./lab count part4 mine --ranks 4
    """
    lab = Lab(part)
    options = forwarded(context)
    if lab.known():
        _refuse_options_of_messages(lab, options)
    lab.begin()
    lab.demand_name(name)
    _refuse_options_of_messages(lab, options)
    if not has_ranks(lab):
        _count_operations(lab, name, options)
        return
    if name == "naive":
        _require_shown_counts(lab, name)
    raise SystemExit(count_messages(lab, name, options))


def _refuse_options_of_messages(lab: Lab, options: list[str]) -> None:
    for option in options:
        name = option.split("=")[0]
        if not has_ranks(lab) and name in ("--ranks", "--precision", "--integrator", "--vdt"):
            raise LabError(f"count {lab.part}: {name} is for parts that run as several processes")


def _count_operations(lab: Lab, name: str, options: list[str]) -> None:
    row = lab.find(name)
    if row and row.count is None:
        raise LabError(f"{lab.part}/{name} is not counted: its types take plain numbers only")
    program = f"bin/{lab.part}/{name}_count"
    label = f"building {lab.part}/{name} with counting numbers"
    if not lab.works(label, "ninja", "-C", lab.build, program):
        why = why_uncountable(lab, name)
        if why:
            print(why, file=sys.stderr)
        else:
            lab.explain_failure()
        raise SystemExit(1)
    _require_shown_counts(lab, name)
    log = lab.log.read_text(encoding="utf-8", errors="replace")
    if not counts_of(lab, name).exists() and "did not end in time" in log:
        source = lab.source(name).relative_to(ROOT)
        raise LabError(f"{source}: counting did not end in time: an endless loop?")
    lab.unlock()
    # Without a GPU the program shows these stored counts of GPU code.
    if lab.on_gpu() and stored_counts(lab, name).exists():
        options = ["--stored", str(stored_counts(lab, name)), *options]
    status = run_program([lab.build / program, *options])
    for line in wrapped(remark_on_needless_work(lab, name) or ""):
        print(line)
    raise SystemExit(status)
