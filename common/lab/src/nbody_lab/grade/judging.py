"""Checks the built programs of a submission, counts their operations and judges the worksheet. The checker and the
judge belong to the lab and run outside the sandbox; the student's programs inside only answer.
"""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.check.result import Case, CheckResult
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import load
from nbody_lab.grade.bubblewrap import Access
from nbody_lab.grade.building import Job, write_manifest
from nbody_lab.grade.limits import JUDGE, Neighbours, patience, too_much
from nbody_lab.grade.models import (
    Check,
    Counts,
    Failure,
    JudgedWorksheet,
    Notebook,
    PartRecord,
    Row,
    Tried,
)
from nbody_lab.grade.pristine import read_written, remove
from nbody_lab.grade.watch import OwnUse
from nbody_lab.measure.count_file import FORCES, Polynomial
from nbody_lab.notebook import notebook
from nbody_lab.notebook.notebook import Row as NotebookRow
from nbody_lab.tasks.evidence import Counts as CountsOfWorksheet
from nbody_lab.tasks.evidence import Evidence, polynomials_in
from nbody_lab.tasks.judge import judge_sheet
from nbody_lab.tasks.program import NoAnswers, parse_answers
from nbody_lab.tasks.questions import load_questions

NOT_BUILT = Check(verdict="not checked", problem="it was not built")
NOT_IN_TIME = "no answer in time"
_MOST_FAILURES = 5  # cases that are reported
_MOST_TRIED = 500  # rows of a notebook
_CHECK_S = 40  # wall time for one row: ten times the usual; a single answer has _ANSWER_S
_ANSWER_S = 10
_COUNT_S, _WORKSHEET_S = 10, 5  # processor time; counting naive takes two


def last_words(output: str) -> str:
    """The last line of a program that is not about its progress: such lines begin with two blanks."""
    lines = [line for line in output.splitlines() if line.strip() and not line.startswith("  ")]
    return lines[-1] if lines else ""


# --- the check ---


def striking(cases: Sequence[Case]) -> list[Failure]:
    """The first failure of each kind."""
    found: dict[tuple[str, str], Failure] = {}
    for case in cases:
        failure = Failure(**case.model_dump(include=set(Failure.model_fields)))
        found.setdefault((case.group, case.mistake), failure)
    return list(found.values())


def _only_late(wrong: Sequence[Case]) -> bool:
    """Whether missing answers are the only failures, ignoring cases that were skipped because of them."""
    asked = [case for case in wrong if case.verdict == "failed"]
    return bool(asked) and all(case.answer == "late" for case in asked)


def check_row(job: Job, manifest: Path, name: str, seed: int) -> Check:
    allowance, file = job.allowance, manifest.with_name("check.json")
    file.unlink(missing_ok=True)
    argv = [job.course.programs / "check", job.part, name, "--manifest", manifest, "--seed", seed]
    argv += ["--timeout", round(_ANSWER_S * patience()), "--json", file]
    # Ranks start anew for each number of them.
    seconds = _CHECK_S * max(1, job.course.processes(job.part))
    status, output, why = allowance.run(argv, seconds)
    if status is None:
        is_late = why != allowance.used_up
        return Check(verdict="failed" if is_late else "not checked", is_late=is_late, problem=why)
    try:
        (checked,) = load(CheckResult, file).implementations
    except (LabError, ValueError):
        problem = why or last_words(output) or "the check printed nothing"
        return Check(verdict="not checked", problem=problem)
    wrong = [case for case in checked.cases if case.verdict != "passed"]
    wrong.sort(key=lambda case: case.verdict == "not run")  # which says nothing
    first = striking(wrong)[:_MOST_FAILURES]
    if why and first:
        diagnosis = f"{why}: {first[0].diagnosis}"
        first[0] = first[0].model_copy(update={"diagnosis": diagnosis})
    return Check(
        verdict="passed" if checked.verdict == "passed" else "failed",
        is_late=_only_late(wrong),
        cases=len(checked.cases),
        failed=len(wrong),
        worst_share_of_limit=checked.worst_share_of_limit,
        first_failures=tuple(first),
    )


def check_alone(job: Job, manifest: Path, rows: list[Row], seed: int) -> None:
    """Repeats the checks that failed on time only, with nothing else running."""
    allowance = job.allowance
    for place, row in enumerate(rows):
        if row.check and row.check.is_late:
            with OwnUse() as own:
                neighbours = Neighbours(own)
                check = check_row(job, manifest, row.name, seed)
                is_busy = check.is_late and neighbours.keep_busy()
            if check.problem == allowance.used_up:
                why = f"{NOT_IN_TIME}, and it was not repeated alone: {allowance.used_up}"
                check = check.model_copy(update={"problem": why})
            elif is_busy:
                why = f"{NOT_IN_TIME} on a busy machine: a loop that never ends? If not, measure it again"
                check = check.model_copy(update={"verdict": "not checked", "problem": why})
            rows[place] = row.model_copy(update={"check": check})


# --- counts ---


def format_flops(counted: dict[str, Polynomial]) -> str:
    """Flops of one iteration as a student would write them: 20 n^2 + 3 n."""
    polynomial = counted.get("flops")
    if not polynomial:
        return ""
    terms = {" n^2": polynomial.n2, " n": polynomial.n, "": polynomial.constant}
    text = " + ".join(
        f"{value / polynomial.over:g}{unit}" for unit, value in terms.items() if value
    )
    return text.replace("+ -", "- ") or "0"


def _parse_flops(text: str) -> str:
    """Raises an exception if the file is not a count."""
    for function in json.loads(text)["work"]:
        for polynomial in polynomials_in(text, function).values():
            polynomial.at(1)
    return format_flops(polynomials_in(text, FORCES))


def _count(job: Job, row: Row) -> Counts:
    """Runs the count program and moves its result to the others, into a folder that no sandbox can write. Its messages
    come from the student's program."""
    box, part, allowance = job.box, job.part, job.allowance
    program = box.program(part, f"{row.name}_count")
    if row.untouched:
        return Counts(problem="not counted: it is unchanged")
    if not program.is_file():
        return Counts(problem="cannot be counted")
    if not allowance.left():
        return Counts(problem=allowance.used_up)
    scratch = box.folder / "scratch"
    remove(scratch)
    scratch.mkdir()
    words = [program, "--json", scratch / "count.json"]
    limits = JUDGE._replace(cpu_s=_COUNT_S, wall_s=min(2 * _COUNT_S, allowance.left()))
    ended = job.isolation.run(words, limits, job.access([(scratch, scratch)]))
    text = read_written(scratch / "count.json")
    remove(scratch)
    try:
        flops = _parse_flops(text or "")
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError):
        if ended.why:
            return Counts(problem=too_much(ended.why))
        last = (ended.stderr.decode("utf-8", "replace").strip().splitlines() or [""])[-1][:200]
        return Counts(problem=last or "the count program wrote no counts")
    (box.counts / part / f"{row.name}_count.json").write_text(text or "", encoding="utf-8")
    return Counts(flops=flops)


class _CountedHere(CountsOfWorksheet):
    """Counts of the given code and of this submission's rows: `mine` in a worksheet may be any text."""

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        super().__init__(folder)
        self.names = {"naive", *names}

    def polynomials(self, name: str, function: str = FORCES) -> dict[str, Polynomial] | None:
        return super().polynomials(name, function) if name in self.names else None


# --- worksheet and notebook ---


def _judge_worksheet(
    job: Job, names: Sequence[str], ideas: tuple[NotebookRow, ...] | None
) -> JudgedWorksheet:
    """Questions about the student's machine are not judged, because that machine is not here. `ideas`: the right rows of
    the notebook; None if it cannot be read."""
    box, part = job.box, job.part
    program = box.program(part, "worksheet_answers")
    if not program.is_file():
        return JudgedWorksheet(problem="worksheet.hpp does not compile")
    limits = JUDGE._replace(cpu_s=_WORKSHEET_S, wall_s=2 * _WORKSHEET_S)
    ended = job.isolation.run([program], limits, Access(box.to_run()))
    naive = job.course.references.file.parent / "bin" / part / "naive_count.json"
    if naive.exists():
        shutil.copy(naive, box.counts / part / "naive_count.json")
    try:
        answers = parse_answers(ended.stdout)
        evidence = Evidence(answers, _CountedHere(box.counts / part, names), ideas)
        questions = load_questions(ROOT / job.folder)  # never from the submission
        sheet = judge_sheet(questions, evidence, which=True, graded=True)
        return JudgedWorksheet(authors=sheet.authors, lines=sheet.lines)
    except NoAnswers:
        how = too_much(ended.why) if ended.why else f"it ended with status {ended.status}"
        return JudgedWorksheet(problem=f"worksheet.hpp gave no answers: {how}")
    except LabError as fault:
        return JudgedWorksheet(problem=str(fault))


def _read_notebook(folder: Path, why_none: str) -> tuple[Notebook, tuple[NotebookRow, ...] | None]:
    """What is recorded of it; its right rows, or None."""
    if why_none:
        return Notebook(problem=why_none), None
    try:
        rows = notebook.load(folder).rows
    except LabError as fault:
        return Notebook(problem=str(fault)), None
    tried = [
        Tried.model_validate(row.model_dump(include=set(Tried.model_fields)))
        for row in rows[:_MOST_TRIED]
    ]
    return Notebook(rows=tuple(tried)), tuple(row for row in rows if row.is_right)


def judge_part(job: Job, rows: Sequence[Row], seed: int, why_no_notebook: str = "") -> PartRecord:
    """Everything but the timing. `why_no_notebook`: why none of several was used."""
    (job.box.counts / job.part).mkdir(parents=True)
    manifest = write_manifest(job, rows)
    checks = [check_row(job, manifest, row.name, seed) if row.built else NOT_BUILT for row in rows]
    judged = [
        row.model_copy(update={"check": check, "counts": _count(job, row)})
        for row, check in zip(rows, checks)
    ]
    book, ideas = _read_notebook(job.box.tree / job.folder, why_no_notebook)
    return PartRecord(
        state="measured",
        processes=job.course.processes(job.part),
        rows=tuple(judged),
        worksheet=_judge_worksheet(job, [row.name for row in judged], ideas),
        notebook=book,
    )
