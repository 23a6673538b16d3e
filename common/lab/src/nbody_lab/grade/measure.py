"""Measures submissions: a record each, whatever happens. Builds and checks several at once, then times them one by one.

The checker, the judge of worksheets and the clock belong to the lab and run outside the sandbox; the student's programs inside
only answer. This module gives no points.
"""

import secrets
import shutil
import time
import traceback
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import datetime, timezone
from pathlib import Path

import psutil

from nbody_lab import ROOT
from nbody_lab.check.result import Case, CheckResult
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import load
from nbody_lab.core.run import Step
from nbody_lab.core.turns import turn
from nbody_lab.core.whole_file import write_text
from nbody_lab.core.words import plural
from nbody_lab.grade import records
from nbody_lab.grade.authors import identified
from nbody_lab.grade.building import Job, build, row_names, write_manifest
from nbody_lab.grade.course import Allowance, Course, cores, patience, require_space
from nbody_lab.grade.intake import (
    NOTHING,
    Place,
    Submission,
    Taken,
    checksum,
    part_folders,
    take_in,
)
from nbody_lab.grade.models import (
    Check,
    Counts,
    Failure,
    JudgedWorksheet,
    Notebook,
    Outcome,
    PartRecord,
    Problem,
    Record,
    Row,
    Tried,
    UsedIsolation,
)
from nbody_lab.grade.sandbox import ANSWER, STOP, Sandbox, run_beside
from nbody_lab.grade.timing import Clock, Scale, leave_untimed, time_rows
from nbody_lab.measure.count_file import FORCES, CountFile, Polynomial
from nbody_lab.notebook import notebook
from nbody_lab.notebook.notebook import Row as NotebookRow
from nbody_lab.tasks.evidence import Counts as CountsOfWorksheet
from nbody_lab.tasks.evidence import Evidence, polynomials_in
from nbody_lab.tasks.judge import judge_sheet
from nbody_lab.tasks.program import NoAnswers, parse_answers
from nbody_lab.tasks.questions import load_questions

_AGAIN = "the grader failed: measure it again"
_NOT_BUILT = Check(verdict="not checked", problem="it was not built")
_MOST_FAILURES = 5  # cases that are reported
_MOST_TRIED = 500  # rows of a notebook
_CHECK_S = 40  # wall time for one row: ten times the usual; a single answer has _ANSWER_S
_ANSWER_S = 10
_COUNT_S, _WORKSHEET_S = 10, 5  # processor time; counting naive takes two
_BUSY_PERCENT = 50  # of the machine


# --- the check ---


def striking(cases: Sequence[Case]) -> list[Failure]:
    """The first failure of each kind."""
    found: dict[tuple[str, str], Failure] = {}
    for case in cases:
        failure = Failure(**case.model_dump(include=set(Failure.model_fields)))
        found.setdefault((case.group, case.mistake), failure)
    return list(found.values())


def check_row(job: Job, manifest: Path, name: str, seed: int) -> Check:
    course, file = job.course, manifest.with_name("check.json")
    file.unlink(missing_ok=True)
    # Ranks start anew for each number of them.
    usual_s = _CHECK_S * max(1, course.processes(job.part)) * patience()
    wall_s = min(usual_s, job.allowance.left())
    argv = [course.programs / "check", job.part, name, "--manifest", manifest, "--seed", seed]
    argv += ["--timeout", round(_ANSWER_S * patience()), "--json", file]
    ended = run_beside(argv, wall_s)
    if ended.why == "wall time":
        if wall_s < usual_s:
            return Check(verdict="not checked", problem=job.allowance.used_up)
        why = f"it was stopped after {wall_s:.0f} s"
        return Check(verdict="failed", is_late=True, problem=why)
    try:
        (checked,) = load(CheckResult, file).implementations
    except (LabError, ValueError):
        problem = ended.too_much or ended.last_words or "the check printed nothing"
        return Check(verdict="not checked", problem=problem)
    wrong = [case for case in checked.cases if case.verdict != "passed"]
    wrong.sort(key=lambda case: case.verdict == "not run")  # which says nothing
    first = striking(wrong)[:_MOST_FAILURES]
    if ended.why and first:
        diagnosis = f"{ended.too_much}: {first[0].diagnosis}"
        first[0] = first[0].model_copy(update={"diagnosis": diagnosis})
    return Check(
        verdict="passed" if checked.verdict == "passed" else "failed",
        # Missing answers are the only failures, but for cases that were skipped because of them.
        is_late=bool(checked.failed) and all(case.answer == "late" for case in checked.failed),
        cases=len(checked.cases),
        failed=len(wrong),
        worst_share_of_limit=checked.worst_share_of_limit,
        first_failures=tuple(first),
    )


def check_alone(job: Job, manifest: Path, row: Row, seed: int) -> Row:
    """Repeats a check that failed on time only, with nothing else running, unless other people's programs keep the machine busy:
    then an honest program may wait for a core, and a person decides."""
    if not row.check or not row.check.is_late:
        return row
    before = psutil.cpu_percent(1)
    check = check_row(job, manifest, row.name, seed)
    why = ""
    if check.verdict == "not checked":
        why = f"no answer in time, and it was not repeated alone: {check.problem}"
    elif check.is_late and max(before, psutil.cpu_percent(1)) > _BUSY_PERCENT:
        why = (
            "no answer in time on a busy machine: a loop that never ends? If not, measure it again"
        )
    if why:
        check = check.model_copy(update={"verdict": "not checked", "problem": why})
    return row.model_copy(update={"check": check})


# --- counts ---


def format_flops(counted: Mapping[str, Polynomial]) -> str:
    """Flops of one iteration as a student would write them: 20 n^2 + 3 n."""
    polynomial = counted.get("flops")
    if not polynomial:
        return ""
    terms = {" n^2": polynomial.n2, " n": polynomial.n, "": polynomial.constant}
    text = " + ".join(
        f"{value / polynomial.over:g}{unit}" for unit, value in terms.items() if value
    )
    return text.replace("+ -", "- ") or "0"


def _count(job: Job, row: Row, counts: Path) -> Counts:
    """Runs the count program and puts its result among `counts`."""
    program = job.box.program(f"{row.name}_count")
    if row.untouched:
        return Counts(problem="not counted: it is unchanged")
    if not program:
        return Counts(problem="cannot be counted")
    if not job.allowance.left():
        return Counts(problem=job.allowance.used_up)
    limits = ANSWER._replace(cpu_s=_COUNT_S, wall_s=min(2 * _COUNT_S, job.allowance.left()))
    script = '"$0" --json /tmp/count.json >&2 && cat /tmp/count.json'
    ended = job.sandbox(limits).run(["/bin/sh", "-c", script, program])
    try:
        for function in CountFile.model_validate_json(ended.stdout).work:
            for polynomial in polynomials_in(ended.stdout, function).values():
                polynomial.at(1)
        flops = format_flops(polynomials_in(ended.stdout, FORCES))
    except (ValueError, KeyError, ArithmeticError, RecursionError):
        last = (ended.stderr.strip().splitlines() or ["the count program wrote no counts"])[-1]
        return Counts(problem=ended.too_much or last[:200])
    write_text(counts / f"{row.name}_count.json", ended.stdout)
    return Counts(flops=flops)


# --- worksheet and notebook ---


class _CountedHere(CountsOfWorksheet):
    """Counts of the given code and of this submission's rows: `mine` in a worksheet may be any text."""

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        super().__init__(folder)
        self.names = {"naive", *names}

    def polynomials(self, name: str, function: str = FORCES) -> dict[str, Polynomial] | None:
        return super().polynomials(name, function) if name in self.names else None


def _judge_worksheet(
    job: Job, counts: CountsOfWorksheet, ideas: tuple[NotebookRow, ...] | None
) -> JudgedWorksheet:
    """Questions about the student's machine are not judged, because that machine is not here. `ideas`: the right rows of
    the notebook; None if it cannot be read."""
    box = job.box
    program = box.program("worksheet_answers")
    if not program:
        return JudgedWorksheet(problem="worksheet.hpp does not compile")
    limits = ANSWER._replace(cpu_s=_WORKSHEET_S, wall_s=2 * _WORKSHEET_S)
    ended = Sandbox(limits, [(box.programs, box.programs)]).run([program])
    try:
        answers = parse_answers(ended.stdout.encode("utf-8", "surrogateescape"))
        evidence = Evidence(answers, counts, ideas)
        questions = load_questions(ROOT / box.name)  # never from the submission
        sheet = judge_sheet(questions, evidence, which=True, graded=True)
        return JudgedWorksheet(authors=sheet.authors, lines=sheet.lines)
    except NoAnswers:
        how = ended.too_much or f"it ended with status {ended.status}"
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


def judge_rows(job: Job, rows: Sequence[Row], seed: int, why_no_notebook: str = "") -> PartRecord:
    """Everything but the timing. `why_no_notebook`: why none of several was used."""
    box, course = job.box, job.course
    manifest, counts = write_manifest(job, rows), box.folder / "counts"
    judged = [
        row.model_copy(
            update={
                "check": check_row(job, manifest, row.name, seed) if row.built else _NOT_BUILT,
                "counts": _count(job, row, counts),
            }
        )
        for row in rows
    ]
    naive = course.references.file.parent / "bin" / box.part / "naive_count.json"
    if naive.exists():
        write_text(counts / "naive_count.json", naive.read_text(encoding="utf-8"))
    book, ideas = _read_notebook(box.tree / box.name, why_no_notebook)
    of_worksheet = _CountedHere(counts, [row.name for row in rows])
    return PartRecord(
        state="measured",
        processes=course.processes(box.part),
        rows=tuple(judged),
        worksheet=_judge_worksheet(job, of_worksheet, ideas),
        notebook=book,
    )


# --- a part of a submission ---


def files_of_part(files: Mapping[str, Path], folder: str) -> dict[str, Path]:
    """All files, because a part may use another's, except the flags.txt of other parts, which can stop CMake."""
    return {
        name: file
        for name, file in files.items()
        if not name.endswith("/flags.txt") or name.startswith(f"{folder}/")
    }


def leave_to_person(part: PartRecord, unclear: Sequence[Place]) -> PartRecord:
    """Of several differing versions none was used: what was judged without them is not the student's. `unclear`: of
    this part."""

    def is_about(row: Row, one: Place) -> bool:
        """Whether nothing that was found about a row without this file is about the student's code."""
        if one.role == "code":
            return row.source == one.target
        return not row.untouched and (
            one.role == "flags" or (one.role == "header" and not row.built)
        )

    there = {row.source for row in part.rows}
    codes = [one.target for one in unclear if one.role == "code"]
    absent = [Row(name=Path(one).stem, source=one) for one in codes if one not in there]
    rows = []
    for row in (*part.rows, *absent):
        whys = [one.why for one in unclear if is_about(row, one)]
        if whys:
            check = _NOT_BUILT.model_copy(update={"problem": whys[0]})
            left = {"untouched": False, "build_problem": "", "check": check, "counts": None}
            row = row.model_copy(update=left)
        rows.append(row)
    sheets = [JudgedWorksheet(problem=one.why) for one in unclear if one.name == "worksheet.hpp"]
    worksheet = sheets[0] if sheets else part.worksheet
    return part.model_copy(update={"rows": tuple(rows), "worksheet": worksheet})


def judge_part(
    course: Course, name: str, part: str, taken: Taken, seed: int
) -> tuple[PartRecord, list[Problem]]:
    """Builds and judges it. Leaves its programs, for timing."""
    box = course.box(name, part)
    unclear = [one for one in taken.unclear if one.target.startswith(f"{box.name}/")]
    box.fill(files_of_part(taken.files, box.name))
    job = Job(course, box, Allowance(len(row_names(box.tree / box.name))))
    built, problems = build(job)
    rows = [row.model_copy(update={"handed_in": row.source in taken.files}) for row in built]
    no_notebook = next((one.why for one in unclear if one.name == "notebook.csv"), "")
    found = judge_rows(job, rows, seed, no_notebook)
    shutil.rmtree(box.tree)
    return leave_to_person(found, unclear), problems


def time_part(course: Course, name: str, part: str, rows: list[Row], seed: int) -> None:
    """Repeats late answers alone, then times the correct rows; replaces them in `rows`."""
    job = Job(course, course.box(name, part), Allowance(len(rows)))
    manifest = write_manifest(job, rows)
    rows[:] = [check_alone(job, manifest, row, seed) for row in rows]
    clock = Clock(course.programs / "bench", manifest, part, job.allowance.left)
    scale = Scale(course.solution(part), course.ceilings, course.processes(part))
    time_rows(clock, scale, rows, course.timings()[part], seed)


# --- a submission ---


def _blame_grader(course: Course, name: str, what: str, fault: Exception) -> Problem:
    """One submission never stops the class. The traceback is kept for whoever repairs it."""
    write_text(course.out / "failures" / f"{name}.txt", traceback.format_exc())
    text = f"{what}, not the submission's fault: {type(fault).__name__}: {fault}"
    return Problem(stage="grader", text=text)


def _collect(course: Course, record: Record, submission: Submission) -> tuple[Record, Taken]:
    """Takes the files to grade, which OUT/taken keeps."""
    kept = course.out / "taken" / submission.name
    require_space(course.out)
    shutil.rmtree(kept, ignore_errors=True)
    taken = take_in(submission, kept, course.parts, part_folders(course.given.tree))
    texts = {"unpack": taken.problems, "names": taken.questions}
    update = {
        "submission": submission.who.model_copy(update={"checksum": checksum(submission)}),
        "taken": tuple(sorted(taken.files)),
        "ignored": tuple(taken.ignored),
        "problems": tuple(
            Problem(stage=stage, text=text) for stage, some in texts.items() for text in some
        ),
    }
    return record.model_copy(update=update), taken


def check(course: Course, submission: Submission) -> Record:
    """Everything but timing. Leaves work/NAME/checked.json and the programs."""
    start, name, taken = time.monotonic(), submission.name, NOTHING
    record = Record(
        submission=submission.who,
        machine=course.machine,
        isolation=UsedIsolation(kind="bubblewrap"),
        seed=secrets.randbelow(10**14) + 1,  # nobody knows it before the submission is measured
        date=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        lab=course.lab,
    )
    parts: dict[str, PartRecord] = {}
    problems: list[Problem] = []
    try:
        record, taken = _collect(course, record, submission)
        handed_in = [*taken.files, *(one.target for one in taken.unclear)]
    except Exception as fault:
        problems.append(_blame_grader(course, name, "the grader failed here", fault))
    else:
        for part in course.parts:
            reason = course.reason_against(part)
            if not any(file.startswith(f"{course.given.parts[part]}/") for file in handed_in):
                parts[part] = PartRecord(state="nothing handed in")
            elif reason:
                parts[part] = PartRecord(state="not graded here", reason=reason)
            else:
                try:
                    parts[part], found = judge_part(course, name, part, taken, record.seed)
                    problems += found
                except Exception as fault:
                    what = f"the grader failed at {part}"
                    problems.append(_blame_grader(course, name, what, fault))
                    parts[part] = PartRecord(state="not graded here", reason=_AGAIN)
    who, strange = identified(record.submission, [part.worksheet for part in parts.values()])
    problems += [Problem(stage="names", text=strange)] if strange else []
    seconds = {"check": round(time.monotonic() - start, 1)}
    problems = [*record.problems, *problems]
    record = record.model_copy(
        update={
            "submission": who,
            "parts": parts,
            "problems": tuple(problems),
            "seconds": seconds,
        }
    )
    write_text(records.checked_file(course.out, name), record.model_dump_json())
    return record


def finish(course: Course, checked: Record) -> Record:
    """Alone: repeats what was late, and times what is right."""
    start, name = time.monotonic(), checked.submission.name
    parts, problems = dict(checked.parts), list(checked.problems)
    for part, judged in checked.parts.items():
        if judged.state != "measured" or part not in course.parts:
            continue
        rows = list(judged.rows)
        try:
            time_part(course, name, part, rows, checked.seed)
        except Exception as fault:
            what = f"the grader failed while it timed {part}"
            problems.append(_blame_grader(course, name, what, fault))
            leave_untimed(rows, _AGAIN)
        parts[part] = judged.model_copy(update={"rows": tuple(rows)})
    update = {
        "parts": parts,
        "problems": tuple(problems),
        "timings": course.timings(),
        "seconds": {**checked.seconds, "timing": round(time.monotonic() - start, 1)},
    }
    record = checked.model_copy(update=update)
    file = records.measured_file(course.out, name)
    write_text(file, record.model_dump_json(indent=1) + "\n")
    if course.timed:
        shutil.rmtree(course.out / "work" / name, ignore_errors=True)
    else:  # a later run may time its programs
        records.checked_file(course.out, name).unlink(missing_ok=True)
    return record


# --- the class ---


def _describe(record: Record) -> str:
    """The result in one line."""
    words = []
    for name, part in record.parts.items():
        right = sum(row.outcome is Outcome.RIGHT for row in part.rows)
        rows = f"{right} of {len(part.rows)} right"
        words.append(f"{name} {rows if part.rows else part.state}")
    words += [plural(len(record.problems), "problem")] if record.problems else []
    return f"{record.submission.name}: {', '.join(words)} ({sum(record.seconds.values()):.0f} s)"


def _tell(step: Step, number: int, count: int, record: Record) -> None:
    step.tell(f"  {number}/{count} {_describe(record)}"[:100])
    step.hear(f"[{number}/{count}]")


def _check_all(course: Course, submissions: Sequence[Submission]) -> None:
    """One per core. Ctrl-C or a kill ends them all, and what they run."""
    with Step("checking") as step, ThreadPoolExecutor(cores()) as pool:
        try:
            futures = [pool.submit(check, course, one) for one in submissions]
            for number, future in enumerate(as_completed(futures), 1):
                _tell(step, number, len(futures), future.result())
        except BaseException:
            STOP.set()
            pool.shutdown(cancel_futures=True)
            STOP.clear()
            raise


def measure_all(course: Course, submissions: Sequence[Submission]) -> None:
    """Measures those without a valid record, and goes on with what an interrupted run has checked."""
    _check_all(course, [one for one in submissions if not records.goes_on(course, one)])
    with Step("timing" if any(course.timings().values()) else "finishing") as step:
        for number, one in enumerate(submissions, 1):
            with turn("what ./lab grade times"):
                record = finish(course, load(Record, records.checked_file(course.out, one.name)))
            _tell(step, number, len(submissions), record)
