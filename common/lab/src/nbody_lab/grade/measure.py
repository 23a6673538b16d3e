"""Measures a class: builds and judges several submissions at once, then times them one by one on an idle machine.

Each submission ends as OUT/measured/NAME.json, whatever happens. Existing records are not measured again, so that an
interrupted run continues. This module gives no points.
"""

import secrets
import shutil
import sys
import time
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path
from threading import Thread
from typing import Any

from nbody_lab.core.errors import say
from nbody_lab.core.model import load
from nbody_lab.core.run import Step
from nbody_lab.core.whole_file import write_text
from nbody_lab.core.words import plural
from nbody_lab.grade import building, judging, timing
from nbody_lab.grade.authors import identified
from nbody_lab.grade.course import Course
from nbody_lab.grade.intake import (
    NOTHING,
    Place,
    Submission,
    Taken,
    checksum,
    part_folders,
    take_in,
)
from nbody_lab.grade.isolation import Isolation
from nbody_lab.grade.limits import JUDGE, Allowance, budget_of, require_space
from nbody_lab.grade.models import (
    JudgedWorksheet,
    Outcome,
    PartRecord,
    Problem,
    Record,
    Row,
    UsedIsolation,
)
from nbody_lab.grade.pristine import Box, row_names
from nbody_lab.grade.watch import go_on, stop_until

_AGAIN = "the grader failed: measure it again"


class Work:
    """A record that grows, and the files that were taken for it."""

    def __init__(self, course: Course, record: Record, taken: Taken = NOTHING) -> None:
        self.course, self.record, self.taken = course, record, taken
        self.problems = list(record.problems)
        self.parts = dict(record.parts)
        self.seconds = dict(record.seconds)

    def add(self, stage: str, *texts: str) -> None:
        self.problems += [Problem(stage=stage, text=text) for text in texts]

    @contextmanager
    def spending(self, stage: str) -> Iterator[None]:
        start = time.monotonic()
        yield
        self.seconds[stage] = round(self.seconds.get(stage, 0) + time.monotonic() - start, 2)

    def blame_grader(self, what: str, fault: Exception) -> None:
        """Reports it to the reader, and keeps the traceback for whoever repairs it."""
        name = self.record.submission.name
        self.add("grader", f"{what}, not the submission's fault: {type(fault).__name__}: {fault}")
        write_text(self.course.out / "failures" / f"{name}.txt", traceback.format_exc())

    def result(self, **changed: Any) -> Record:
        changed |= {"problems": self.problems, "parts": self.parts, "seconds": self.seconds}
        return Record.model_validate({**dict(self.record), **changed})

    def box(self, part: str) -> Box:
        """The part's own: each part is built separately, so that an error in one cannot affect another."""
        folder = self.course.out / "work" / self.record.submission.name / part
        return Box(folder, self.course.pristine)

    def job(self, isolation: Isolation, part: str, rows: int, used_s: float = 0) -> building.Job:
        allowance = Allowance(isolation.to_watch(JUDGE), budget_of(rows), used_s)
        return building.Job(self.course, self.box(part), isolation, allowance, part)


def start_record(course: Course, submission: Submission) -> Record:
    """With a seed that nobody knows before the submission is measured."""
    return Record(
        submission=submission.who,
        machine=course.machine,
        isolation=UsedIsolation(kind=course.isolation.kind),
        seed=secrets.randbelow(10**14) + 1,
        date=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        lab=course.lab,
        timings=course.timings(),
    )


# --- what was handed in ---


def _collect(work: Work, submission: Submission) -> None:
    """Takes the files to grade, which OUT/taken keeps."""
    course = work.course
    require_space(course.out)
    kept = course.out / "taken" / submission.name
    shutil.rmtree(kept, ignore_errors=True)
    taken = work.taken = take_in(submission, kept, course.parts, part_folders(course.pristine.tree))
    work.add("unpack", *taken.problems)
    work.add("names", *taken.questions)
    work.record = work.result(
        submission=submission.who.model_copy(update={"checksum": checksum(submission)}),
        ignored=taken.ignored,
        taken=sorted(taken.files),
    )


def _state_of(course: Course, part: str, taken: Taken) -> PartRecord:
    folder = course.pristine.parts[part]
    names = [*taken.files, *(one.target for one in taken.unclear)]
    if not any(name.startswith(f"{folder}/") for name in names):
        return PartRecord(state="nothing handed in")
    reason = course.reason_against(part)
    return PartRecord(state="not graded here" if reason else "measured", reason=reason)


def files_of_part(files: Mapping[str, Path], folder: str) -> dict[str, Path]:
    """All files, because a part may use another's, except the flags.txt of other parts, which can stop CMake."""
    return {
        name: file
        for name, file in files.items()
        if not name.endswith("/flags.txt") or name.startswith(f"{folder}/")
    }


# --- building and judging ---


def _is_about(row: Row, unclear: Place) -> bool:
    """Whether nothing that was found about a row without this file is about the student's code."""
    if unclear.role == "code":
        return row.source == unclear.target
    return not row.untouched and (
        unclear.role == "flags" or (unclear.role == "header" and not row.built)
    )


def leave_to_person(part: PartRecord, unclear: Sequence[Place]) -> PartRecord:
    """Of several differing versions none was used: what was judged without them is not the student's. `unclear`: of
    this part."""
    there = {row.source for row in part.rows}
    codes = [one.target for one in unclear if one.role == "code"]
    absent = [Row(name=Path(one).stem, source=one) for one in codes if one not in there]
    rows = []
    for row in (*part.rows, *absent):
        whys = [one.why for one in unclear if _is_about(row, one)]
        if whys:
            check = judging.NOT_BUILT.model_copy(update={"problem": whys[0]})
            left = {"untouched": False, "build_problem": "", "check": check, "counts": None}
            row = row.model_copy(update=left)
        rows.append(row)
    sheets = [JudgedWorksheet(problem=one.why) for one in unclear if one.name == "worksheet.hpp"]
    worksheet = sheets[0] if sheets else part.worksheet
    return part.model_copy(update={"rows": tuple(rows), "worksheet": worksheet})


def judge_part(work: Work, isolation: Isolation, part: str) -> PartRecord:
    box, folder = work.box(part), work.course.pristine.parts[part]
    unclear = [one for one in work.taken.unclear if one.target.startswith(f"{folder}/")]
    with work.spending("build"):
        box.fill(files_of_part(work.taken.files, folder))
        job = work.job(isolation, part, len(row_names(box.tree / folder)[0]))
        built, problems = building.build(job)
        rows = [
            row.model_copy(update={"handed_in": row.source in work.taken.files}) for row in built
        ]
        work.problems += problems
    with work.spending("check"):
        no_notebook = next((one.why for one in unclear if one.name == "notebook.csv"), "")
        found = judging.judge_part(job, rows, work.record.seed, no_notebook)
        box.keep_programs()
    found = found.model_copy(update={"used_s": job.allowance.used()})
    return leave_to_person(found, unclear)


def judge(course: Course, submission: Submission) -> Record:
    """Does everything but timing. Leaves judged.json and the programs."""
    work = Work(course, start_record(course, submission))
    try:
        with work.spending("unpack"):
            _collect(work, submission)
        work.parts = {part: _state_of(course, part, work.taken) for part in course.parts}
    except Exception as fault:  # one submission never stops the class
        work.blame_grader("the grader failed here", fault)
    with course.own_isolation() as isolation:
        for part, state in work.parts.items():
            try:
                if state.state == "measured":
                    work.parts[part] = judge_part(work, isolation, part)
            except Exception as fault:  # a fault of the grader gives no zero
                work.blame_grader(f"the grader failed at {part}", fault)
                work.parts[part] = PartRecord(state="not graded here", reason=_AGAIN)
    sheets = [part.worksheet for part in work.parts.values()]
    who, strange = identified(work.record.submission, sheets)
    work.add("names", *filter(None, [strange]))
    judged = work.result(submission=who)
    go_on()
    write_text(course.judged(submission.name), judged.model_dump_json())
    return judged


# --- timing ---


def time_part(work: Work, isolation: Isolation, part: str, rows: list[Row]) -> None:
    """Repeats late answers alone, then times the correct rows; replaces them in `rows`."""
    course, seed = work.course, work.record.seed
    job = work.job(isolation, part, len(rows), work.record.parts[part].used_s)
    manifest = building.write_manifest(job, rows)
    judging.check_alone(job, manifest, rows, seed)
    file = job.box.folder / "bench.json"
    clock = timing.Clock(course.programs / "bench", manifest, part, file, job.allowance)
    scale = timing.Scale(course.solution(part), course.ceilings, course.processes(part))
    timing.time_rows(clock, scale, rows, course.setups(part), seed)


def time_submission(course: Course, name: str) -> Record:
    """The last step for one; afterwards its programs are deleted."""
    work = Work(course, load(Record, course.judged(name)))
    with work.spending("timing"), course.own_isolation() as isolation:
        for part, judged in work.parts.items():
            rows = list(judged.rows)
            try:
                if judged.state == "measured":
                    time_part(work, isolation, part, rows)
            except Exception as fault:
                work.blame_grader(f"the grader failed while it timed {part}", fault)
                timing.leave_untimed(rows, _AGAIN)
            work.parts[part] = judged.model_copy(update={"rows": tuple(rows)})
    record = work.result()
    write_text(course.measured(name), record.model_dump_json(indent=1) + "\n")
    shutil.rmtree(course.out / "work" / name, ignore_errors=True)
    return record


# --- the class ---


def _describe(record: Record) -> str:
    """The result in one line."""
    words = []
    for name, part in record.parts.items():
        rows = [row for row in part.rows if not row.untouched]
        right = sum(row.outcome is Outcome.RIGHT for row in rows)
        state: str = part.state
        if state == "measured":
            given = any(row.handed_in for row in part.rows)
            state = "as it was given" if given else "without a version"
        words.append(f"{name} {right} of {len(rows)} right" if rows else f"{name} {state}")
    if record.problems:
        words.append(plural(len(record.problems), "problem"))
    took = sum(record.seconds.values())
    return f"{record.submission.name}: {', '.join(words)} ({took:.0f} s)"


def _tell(doing: str, count: int, records: Iterable[Record]) -> None:
    """A line for each, and how far it is."""
    with Step(doing) as step:
        step.hear(f"[0/{count}]")
        for done, record in enumerate(records, 1):
            print(f"  {done}/{count} {_describe(record)}"[:100], file=sys.stderr)
            step.hear(f"[{done}/{count}]")


def _judge_all(course: Course, submissions: Sequence[Submission], jobs: int) -> Iterator[Record]:
    with ThreadPoolExecutor(jobs) as pool:
        try:
            futures = [pool.submit(judge, course, one) for one in submissions]
            for future in as_completed(futures):
                yield future.result()
        except BaseException:
            ending = Thread(target=pool.shutdown, kwargs={"cancel_futures": True})
            ending.start()
            stop_until(lambda: not ending.is_alive())
            raise


def measure_all(course: Course, submissions: Sequence[Submission], jobs: int) -> None:
    """Measures the submissions without a record."""
    waiting = [one for one in submissions if not course.measured(one.name).exists()]
    to_judge = [one for one in waiting if not course.judged(one.name).exists()]
    checked, finished = (len(submissions) - len(left) for left in (to_judge, waiting))
    if checked:
        say(f"{checked} of {len(submissions)} checked already, {finished} finished")
    _tell("checking", len(to_judge), _judge_all(course, to_judge, jobs))
    last = "timing" if any(course.timings().values()) else "finishing"
    _tell(last, len(waiting), (time_submission(course, one.name) for one in waiting))
