"""./lab case."""

import datetime
from typing import Annotated

import typer

from nbody_lab import ROOT
from nbody_lab.cases.catalogue import NumberedCase, read_cases, read_solved, record_solved
from nbody_lab.cases.judge import Verdict, judge, nudge
from nbody_lab.cases.text import lesson, overview, paragraph, symptom
from nbody_lab.core.console import show
from nbody_lab.core.messages import Failure, UserError
from nbody_lab.core.whole_file import write_text


def case(
    number: Annotated[
        int | None, typer.Argument(metavar="N", min=1, max=10, help="which case: 1 to 10")
    ] = None,
    cause: Annotated[
        int | None, typer.Option(metavar="K", min=1, help="its cause, of those it offers")
    ] = None,
    line: Annotated[
        int | None, typer.Option(metavar="L", min=1, help="the line of the source that is wrong")
    ] = None,
) -> None:
    """find the mistake: ten broken programs, from easy to hard

    Without a number: the ten cases, and which of them you have solved. With one: what is seen,
    the source, and six causes to choose from. With --cause and --line: is your answer right?

    ./lab case 3
    ./lab case 3 --cause 2 --line 19
    """
    cases = read_cases()
    if number is None:
        if cause is not None or line is not None:
            raise UserError("which case? for example: ./lab case 3 --cause 2 --line 19")
        show(overview(cases, read_solved(ROOT)))
        return
    chosen = cases[number - 1]
    if cause is None and line is None:
        _open(chosen)
    elif cause is None or line is None:
        missing = "--cause K" if cause is None else "--line L"
        raise UserError(f"an answer has a cause and a line: add {missing} (./lab case {number})")
    else:
        _answer(chosen, cause, line)


def _open(chosen: NumberedCase) -> None:
    file = ROOT / "build/cases" / chosen.file_name
    write_text(file, chosen.source)
    show(symptom(chosen, str(file.relative_to(ROOT))))


def _answer(chosen: NumberedCase, cause: int, line: int) -> None:
    verdict = judge(chosen, cause, line)
    if verdict is not Verdict.RIGHT:
        show(paragraph(nudge(chosen, verdict, cause)))
        raise Failure(1)
    record_solved(ROOT, chosen.number, datetime.date.today())
    show(lesson(chosen), "", overview(read_cases(), read_solved(ROOT)).rpartition("\n")[2])
