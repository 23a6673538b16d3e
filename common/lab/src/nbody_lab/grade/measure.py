"""Measures submissions: a record each, whatever happens. Builds and checks several at once, then times them one by one.

The checker, the judge of worksheets and the clock belong to the lab and run outside the sandbox; the student's programs inside
only answer. This module gives no points.
"""

import os
import secrets
import shutil
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
from contextlib import contextmanager
from datetime import datetime, timezone

from nbody_lab import ROOT
from nbody_lab.building.manifest import Manifest
from nbody_lab.check.plan import Asked, plan_of
from nbody_lab.check.result import Answers
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.model import load
from nbody_lab.core.run import Step
from nbody_lab.core.turns import turn
from nbody_lab.core.whole_file import write_text
from nbody_lab.grade.building import Job, ask, build, write_manifest
from nbody_lab.grade.course import Course, cores, measured_file, patience, require_space
from nbody_lab.grade.intake import Submission, Taken, checksum, identified, part_folders, take_in
from nbody_lab.grade.models import (
    Check,
    Counts,
    JudgedWorksheet,
    Notebook,
    Outcome,
    PartRecord,
    Problem,
    Record,
    Row,
    Tried,
)
from nbody_lab.grade.sandbox import ANSWER, STOP, Sandbox
from nbody_lab.grade.timing import leave_untimed, time_rows
from nbody_lab.measure.count_file import FORCES, USUAL_SIZE, counts_in, make_plan
from nbody_lab.notebook import notebook
from nbody_lab.notebook.notebook import Row as NotebookRow
from nbody_lab.tasks.evidence import Counts as CountsOfWorksheet
from nbody_lab.tasks.evidence import Evidence
from nbody_lab.tasks.judge import judge_sheet
from nbody_lab.tasks.program import NoAnswers, parse_answers
from nbody_lab.tasks.questions import load_questions

_AGAIN = "the grader failed: measure it again"
_LATE = "no answer in time: is it a loop that never ends, or was the machine busy?"
_CHECK_S = 40  # wall time for one row: ten times the usual; a single answer has _ANSWER_S
_ANSWER_S = 10
_LOOK_S = 1
_COUNT_S, _WORKSHEET_S = 10, 5  # processor time; counting naive takes two


def check_row(job: Job, name: str, seed: int) -> Check:
    # Ranks start anew for each number of them.
    usual_s = _CHECK_S * max(1, job.course.processes(job.part)) * patience()
    wall_s = min(usual_s, job.left())
    asked = Asked(seed=seed, timeout=round(_ANSWER_S * patience()))
    plan = plan_of(Manifest(job.folder / "manifest.json"), job.part, [name], asked)
    answers = Answers(plan)
    ended = ask(job, "check", plan.as_json(), wall_s, answers.hear)
    if ended.why == "wall time":
        return Check(problem=job.used_up if wall_s < usual_s else _LATE)
    result = answers.result()
    if result is None:
        return Check(problem=ended.too_much or ended.last_words or "the check printed nothing")
    (checked,) = result.implementations
    wrong = [case for case in checked.cases if case.verdict != "passed"]
    # A known mistake says most, whichever case has it.
    told = [case.diagnosis for case in wrong if case.diagnosis]
    told += [f"{one.group}, {one.scene}, N = {one.n or '?'}: {one.detail}" for one in wrong]
    mistake = ": ".join(filter(None, [ended.too_much, *told[:1]]))
    # Of an honest program that waits for a core a missing answer is the only failure: a person decides.
    is_late = bool(checked.failed) and all(case.answer == "late" for case in checked.failed)
    found = Check(
        verdict="passed" if checked.verdict == "passed" else "failed",
        cases=len(checked.cases),
        failed=len(wrong),
        worst_share_of_limit=checked.worst_share_of_limit,
        mistake=mistake,
    )
    late = {"verdict": "not checked", "problem": _LATE}
    return found.model_copy(update=late) if is_late else found


def count_row(job: Job, row: Row) -> Counts:
    """Runs the count program, and keeps what it counted for the worksheet."""
    program = job.program(f"{row.name}_count")
    if row.untouched or not program:
        return Counts(problem=f"not counted: it {'is unchanged' if row.untouched else 'cannot be'}")
    if not job.left():
        return Counts(problem=job.used_up)
    limits = ANSWER._replace(cpu_s=_COUNT_S, wall_s=min(2 * _COUNT_S, job.left()))
    script = 'printf %s "$1" | "$0"'
    ended = job.sandbox(limits).run(["/bin/sh", "-c", script, program, make_plan(USUAL_SIZE)])
    try:
        counts = counts_in(ended.stdout, USUAL_SIZE)
    except LabError as error:
        return Counts(problem=str(error)[:200])
    except (ValueError, LookupError):
        last = (ended.stderr.strip().splitlines() or ["the count program wrote no counts"])[-1]
        return Counts(problem=ended.too_much or last[:200])
    file = job.folder / "counts" / f"{row.name}_count.json"
    write_text(file, counts.model_dump_json(by_alias=True))
    return Counts(flops=str(counts.work[FORCES]["flops"]))


def judge_worksheet(job: Job, ideas: tuple[NotebookRow, ...] | None) -> JudgedWorksheet:
    """Questions about the student's machine are not judged, because that machine is not here. `ideas`: the right rows of
    the notebook; None if it cannot be read."""
    program = job.program("worksheet_answers")
    if not program:
        return JudgedWorksheet(problem="worksheet.hpp does not compile")
    limits = ANSWER._replace(cpu_s=_WORKSHEET_S, wall_s=2 * _WORKSHEET_S)
    ended = Sandbox(limits, [(job.programs, job.programs)]).run([program])
    try:
        answers = parse_answers(ended.stdout.encode("utf-8", "surrogateescape"))
        evidence = Evidence(answers, CountsOfWorksheet(job.folder / "counts"), ideas)
        questions = load_questions(ROOT / job.place)  # never from the submission
        sheet = judge_sheet(questions, evidence, which=True, graded=True)
        return JudgedWorksheet(authors=sheet.authors, lines=sheet.lines)
    except NoAnswers:
        how = ended.too_much or f"it ended with status {ended.status}"
        return JudgedWorksheet(problem=f"worksheet.hpp gave no answers: {how}")
    except LabError as fault:
        return JudgedWorksheet(problem=str(fault))


def judge_rows(job: Job, rows: Sequence[Row], seed: int) -> PartRecord:
    """Everything but the timing."""
    write_manifest(job, rows)
    judged = []
    for row in rows:
        not_built = Check(problem="it was not built")
        check = check_row(job, row.name, seed) if row.built else not_built
        judged.append(row.model_copy(update={"check": check, "counts": count_row(job, row)}))
    naive = job.course.references.file.parent / "bin" / job.part / "naive_count.json"
    if naive.exists():
        write_text(job.folder / "counts/naive_count.json", naive.read_text(encoding="utf-8"))
    try:
        found = notebook.load(job.tree / job.place).rows
    except LabError as fault:
        book, ideas = Notebook(problem=str(fault)), None
    else:
        fields = set(Tried.model_fields)
        tried = [Tried.model_validate(row.model_dump(include=fields)) for row in found]
        book, ideas = Notebook(rows=tuple(tried)), tuple(row for row in found if row.is_right)
    return PartRecord(
        state="measured",
        processes=job.course.processes(job.part),
        rows=tuple(judged),
        worksheet=judge_worksheet(job, ideas),
        notebook=book,
    )


def judge_part(
    course: Course, name: str, part: str, taken: Taken, seed: int
) -> tuple[PartRecord, list[Problem]]:
    """Builds and judges it. Leaves its programs, for timing."""
    job = Job(course, name, part)
    job.fill(taken.files)
    rows, problems = build(job)
    found = judge_rows(job, rows, seed)
    shutil.rmtree(job.tree)
    # What was judged without a file is not the student's; NOTEBOOK.md is read by a person anyway.
    own = [one for one in taken.unclear if one.part.name == part and one.name != "NOTEBOOK.md"]
    update: dict[str, object] = {"unclear": taken.unclear[own[0]] if own else ""}
    if (sheet := f"{job.place}/worksheet.hpp") not in taken.files:
        whys = {one.target: why for one, why in taken.unclear.items()}
        update["worksheet"] = JudgedWorksheet(problem=whys.get(sheet, "no worksheet was handed in"))
    return found.model_copy(update=update), problems


def _blame_grader(course: Course, name: str, what: str, fault: Exception) -> Problem:
    """One submission never stops the class. The traceback is kept for whoever repairs it."""
    write_text(course.out / "failures" / f"{name}.txt", traceback.format_exc())
    text = f"the grader failed {what}, not the submission's fault: {type(fault).__name__}: {fault}"
    return Problem(stage="grader", text=text)


def _keep(course: Course, record: Record) -> Record:
    file = measured_file(course.out, record.submission.name)
    write_text(file, record.model_dump_json(indent=1) + "\n")
    return record


def check(course: Course, submission: Submission) -> Record:
    """Everything but timing. Leaves the programs in OUT/work, and the files that were taken in OUT/taken."""
    name, who = submission.name, submission.who
    seed = secrets.randbelow(10**14) + 1  # nobody knows it before the submission is measured
    taken, parts = Taken({}), {}
    problems: list[Problem] = []
    measured_file(course.out, name).unlink(missing_ok=True)  # its programs are to go
    try:
        require_space(course.out)
        kept = course.out / "taken" / name
        shutil.rmtree(kept, ignore_errors=True)
        taken = take_in(submission, kept, course.parts, part_folders(course.given.tree))
        who = who.model_copy(update={"checksum": checksum(submission)})
        problems += [Problem(stage="unpack", text=text) for text in taken.problems]
        problems += [Problem(stage="files", text=text) for text in taken.questions]
    except Exception as fault:
        problems.append(_blame_grader(course, name, "here", fault))
    else:
        handed_in = [*taken.files, *(one.target for one in taken.unclear)]
        for part in course.parts:
            if not any(file.startswith(f"{course.given.parts[part]}/") for file in handed_in):
                parts[part] = PartRecord(state="nothing handed in")
            elif reason := course.reason_against(part):
                parts[part] = PartRecord(state="not graded here", reason=reason)
            else:
                try:
                    parts[part], found = judge_part(course, name, part, taken, seed)
                    problems += found
                except Exception as fault:
                    problems.append(_blame_grader(course, name, f"at {part}", fault))
                    parts[part] = PartRecord(state="not graded here", reason=_AGAIN)
    who, strange = identified(who, [part.worksheet for part in parts.values()])
    problems += [Problem(stage="names", text=strange)] if strange else []
    record = Record(
        submission=who,
        machine=course.machine,
        seed=seed,
        date=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        lab=course.lab,
        taken=tuple(sorted(taken.files)),
        ignored=tuple(taken.ignored),
        problems=tuple(problems),
        parts=parts,
    )
    return _keep(course, record)


def finish(course: Course, checked: Record) -> None:
    """Times what is right and not yet timed, while nothing else runs. What was noisy or out of time is timed again by the next
    run, for which the programs stay."""
    name, timings, is_open = checked.submission.name, dict(checked.timings), False
    parts, problems = dict(checked.parts), list(checked.problems)
    for part, wanted in course.timings().items():
        before, judged = timings.get(part, ()), parts.get(part)
        left = [one for one in wanted if one not in before]
        timings[part] = (*before, *left)
        if not left or judged is None or judged.state != "measured":
            continue
        known, rows = {one.key for one in before}, []
        for row in judged.rows:
            speed = tuple(one for one in row.speed if one.key in known)
            rows.append(row.model_copy(update={"speed": speed, "not_timed": ""}))
        try:
            done = time_rows(Job(course, name, part), rows, checked.seed, left)
        except Exception as fault:
            problems.append(_blame_grader(course, name, f"while it timed {part}", fault))
            leave_untimed(rows, _AGAIN)
            done = []
        is_open |= done != left
        timings[part] = (*before, *done)
        parts[part] = judged.model_copy(update={"rows": tuple(rows)})
    update = {"parts": parts, "problems": tuple(problems), "timings": timings}
    _keep(course, checked.model_copy(update=update))
    is_open |= bool(checked.parts.keys() - set(course.parts))  # of another --part
    if not is_open or len(problems) > len(checked.problems):  # then all of it is measured again
        shutil.rmtree(course.out / "work" / name, ignore_errors=True)


@contextmanager
def _workers(number: int) -> Iterator[ThreadPoolExecutor]:
    """Ctrl-C or a kill ends all that runs."""
    with ThreadPoolExecutor(number) as pool:
        try:
            yield pool
        except BaseException:
            STOP.set()
            pool.shutdown(cancel_futures=True)
            STOP.clear()
            raise


def measure_all(
    course: Course, unchecked: Sequence[Submission], untimed: Sequence[Submission] = ()
) -> None:
    """Checks one per core, then times one by one, also those that an earlier run has checked."""
    with Step("checking") as step, _workers(cores()) as pool:
        futures = [pool.submit(check, course, one) for one in unchecked]
        for number, future in enumerate(as_completed(futures), 1):
            step.tell(f"  {number}/{len(futures)} {future.result().submission.name}")
            step.hear(f"[{number}/{len(futures)}]")
    waiting = [*untimed, *unchecked] if course.timed else []
    with Step("timing") as step, _workers(1) as pool:
        for number, one in enumerate(waiting):
            with turn("a submission with ./lab grade"):
                record = load(Record, measured_file(course.out, one.name))
                timing = pool.submit(finish, course, record)
                while not wait([timing], _LOOK_S).done:  # it may wait for free cores
                    load_now = f"{one.name}; the machine's load is {os.getloadavg()[0]:.1f}"
                    step.hear(f"[{number}/{len(waiting)}]", load_now)
                timing.result()


_GIVEN = "_given"  # no submission has this name
MARK = "this very file was compiled"


def prove(course: Course) -> None:
    """The given code, as a submission, must build, pass and answer in the sandbox, so that an unreachable folder or a broken tool
    stops here and does not cost a hundred marks. It is marked, to show that the submitted file was compiled. Raises LabError."""
    say("the given code is built and checked first, to see that the grader works here")
    work = course.out / "work" / _GIVEN
    for part in [part for part in course.parts if not course.reason_against(part)]:
        place = course.given.parts[part]
        files = {f"{place}/worksheet.hpp": course.given.tree / place / "worksheet.hpp"}
        for source in (course.given.tree / place).glob("mine.*"):
            proof = f'[[gnu::used]] static const char proof[] = "{MARK}";\n'
            files[f"{place}/{source.name}"] = work / "files" / source.name
            text = source.read_text(encoding="utf-8")
            write_text(work / "files" / source.name, text + proof)
        judged, problems = judge_part(course, _GIVEN, part, Taken(files), seed=1)
        row, sheet = judged.rows[0], judged.worksheet
        program = Job(course, _GIVEN, part).program("mine")
        is_ours = program is not None and MARK.encode() in program.read_bytes()
        if is_ours and row.outcome is Outcome.RIGHT and not sheet.problem:
            continue
        whys = [row.build_problem, row.check.mistake, row.check.problem, sheet.problem]
        whys += [one.text for one in problems]
        why = next(filter(None, whys), "another file was compiled, or a case failed")
        what = f"{part}/mine as handed out does not build and pass in the sandbox"
        raise LabError(f"the grader does not work here, so nothing was graded: {what}: {why}")
    shutil.rmtree(work, ignore_errors=True)
