"""Measures a class: builds and judges several submissions at once, then times them one by one on an idle machine.

Each submission ends as OUT/measured/NAME.json, whatever happens. Existing records are not measured again, so that an
interrupted run continues. This module gives no points.
"""

from __future__ import annotations

import secrets
import shutil
import sys
import time
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbody_lab.core.model import load
from nbody_lab.core.steps import progress
from nbody_lab.core.whole_file import write_text
from nbody_lab.core.words import plural
from nbody_lab.grade import building, judging, timing
from nbody_lab.grade.archives import checksum, unpack
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
from nbody_lab.grade.overlay import part_folders, store, take
from nbody_lab.grade.pristine import Box, OwnBox, row_names
from nbody_lab.grade.submissions import identified
from nbody_lab.handout.handed_in import role_of

if TYPE_CHECKING:
    from nbody_lab.grade.isolation import Isolation
    from nbody_lab.grade.set_up import Course
    from nbody_lab.grade.submissions import Submission

_AGAIN = "the grader failed: measure it again"

Files = Mapping[str, Path]  # {"part1_standard_opti/mine.hpp": Path}
Unclear = Mapping[str, str]  # why none of several versions of a file was taken


class Work:
    """A record that grows, and the seconds of each stage."""

    def __init__(self, course: Course, record: Record) -> None:
        self.course, self.record = course, record
        self.problems = list(record.problems)
        self.parts = dict(record.parts)
        self.seconds = dict(record.seconds)

    def add(self, stage: str, *texts: str) -> None:
        self.problems += [Problem(stage=stage, text=text) for text in texts]

    def spend(self, stage: str, start: float) -> float:
        """Adds the time since then to a stage; returns now."""
        now = time.monotonic()
        self.seconds[stage] = round(self.seconds.get(stage, 0) + now - start, 2)
        return now

    def blame_grader(self, what: str, fault: Exception) -> None:
        """Reports it to the reader, and keeps the traceback for whoever repairs it."""
        name = self.record.submission.name
        self.add("grader", f"{what}, not the submission's fault: {type(fault).__name__}: {fault}")
        write_text(self.course.out / "failures" / f"{name}.txt", traceback.format_exc())

    def result(self, **changed: Any) -> Record:
        changed |= {"problems": self.problems, "parts": self.parts, "seconds": self.seconds}
        return Record.model_validate({**dict(self.record), **changed})


def start_record(course: Course, submission: Submission, seed: int = 0) -> Record:
    """`seed`: to repeat an earlier measurement; else nobody knows it before the submission is measured."""
    return Record(
        submission=submission.who,
        machine=course.machine,
        isolation=UsedIsolation(kind=course.isolation.kind),
        seed=seed or secrets.randbelow(10**14) + 1,
        date=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        lab=course.lab,
        timings=course.timings(),
    )


# --- what was handed in ---


def _collect(work: Work, submission: Submission) -> tuple[Files, Unclear]:
    """The files to grade, as kept in OUT/taken."""
    course, start = work.course, time.monotonic()
    folder = course.out / "work" / submission.name / "unpacked"
    require_space(course.out)
    shutil.rmtree(folder, ignore_errors=True)
    work.add("unpack", *unpack(submission, folder))
    every_part = part_folders(course.pristine.tree)
    taken = take(folder, [part for part in every_part if part.name in course.parts], every_part)
    submission, problems = identified(submission, taken)
    work.add("names", *problems)
    kept = course.out / "taken" / submission.name
    shutil.rmtree(kept, ignore_errors=True)
    store(taken, kept)
    shutil.rmtree(folder, ignore_errors=True)
    who = submission.who.model_copy(update={"checksum": checksum(submission)})
    work.record = work.result(
        submission=who,
        ignored=taken.ignored,
        taken=sorted(taken.files),
    )
    work.add("names", *taken.unclear.values())
    work.spend("unpack", start)
    return {name: kept / name for name in taken.files}, taken.unclear


def _state_of(course: Course, part: str, files: Files, unclear: Unclear) -> PartRecord:
    folder = course.pristine.parts[part]
    if not any(name.startswith(f"{folder}/") for name in (*files, *unclear)):
        return PartRecord(state="nothing handed in")
    reason = course.reason_against(part)
    return PartRecord(state="not graded here" if reason else "measured", reason=reason)


def files_of_part(course: Course, files: Files, part: str) -> Files:
    """All files, because a part may use another's, except the flags.txt of other parts, which can stop CMake."""
    own = course.pristine.parts[part]
    return {
        name: file
        for name, file in files.items()
        if name.rpartition("/")[2] != "flags.txt" or name.startswith(f"{own}/")
    }


# --- building and judging ---


def box_of(course: Course, name: str, part: str) -> Box:
    """The part's own box: each part is built separately, so that an error in one cannot affect another."""
    kind = Box if course.isolation.kind == "bubblewrap" else OwnBox
    return kind(course.out / "work" / name / part, course.pristine)


def _why_unclear(row: Row, unclear: Unclear) -> str | None:
    """Why nothing that was found about this row is about the student's code."""
    if row.source in unclear:
        return unclear[row.source]
    roles = set() if row.untouched else {"flags"} if row.built else {"flags", "header"}
    folder = row.source.rpartition("/")[0]
    return next((why for name, why in _in_folder(unclear, folder) if _role(name) in roles), None)


def _role(name: str) -> str:
    role = role_of(name)
    return role.name if role else ""


def _in_folder(unclear: Unclear, folder: str) -> list[tuple[str, str]]:
    """(name, why)"""
    paths = [(target.removeprefix(f"{folder}/"), why) for target, why in unclear.items()]
    return [(name, why) for name, why in paths if "/" not in name]


def leave_to_person(part: PartRecord, folder: str, unclear: Unclear) -> PartRecord:
    """Of several differing versions none was used: what was judged without them is not the student's."""
    here = dict(_in_folder(unclear, folder))
    there = {row.source for row in part.rows}
    codes = [f"{folder}/{name}" for name in here if _role(name) == "code"]
    absent = [Row(name=Path(one).stem, source=one) for one in codes if one not in there]
    rows = []
    for row in (*part.rows, *absent):
        if why := _why_unclear(row, unclear):
            check = judging.NOT_BUILT.model_copy(update={"problem": why})
            left = {"untouched": False, "build_problem": "", "check": check}
            row = row.model_copy(update=left)
        rows.append(row)
    papers = {}
    if "worksheet.hpp" in here:
        papers["worksheet"] = JudgedWorksheet(problem=here["worksheet.hpp"])
    return part.model_copy(update={"rows": tuple(rows), **papers})


def judge_part(
    work: Work, isolation: Isolation, part: str, files: Files, unclear: Unclear
) -> PartRecord:
    course, start = work.course, time.monotonic()
    box = box_of(course, work.record.submission.name, part)
    box.fill(files_of_part(course, files, part), part)
    names, _ = row_names(box.tree / course.pristine.parts[part])
    allowance = Allowance(isolation.to_watch(JUDGE), budget_of(len(names)))
    job = building.Job(course, box, isolation, allowance, part)
    rows, problems = building.build(job)
    work.problems += problems
    start = work.spend("build", start)
    no_notebook = unclear.get(f"{job.folder}/notebook.csv", "")
    found = judging.judge_part(job, rows, work.record.seed, no_notebook)
    box.keep_programs()
    work.spend("check", start)
    found = found.model_copy(update={"used_s": allowance.used()})
    return leave_to_person(found, course.pristine.parts[part], unclear)


def judge(course: Course, submission: Submission, seed: int = 0) -> Record:
    """Does everything but timing. Leaves judged.json and the programs."""
    work = Work(course, start_record(course, submission, seed))
    files: Files = {}
    unclear: Unclear = {}
    try:
        files, unclear = _collect(work, submission)
        work.parts = {part: _state_of(course, part, files, unclear) for part in course.parts}
    except Exception as fault:  # one submission never stops the class
        work.blame_grader("the grader failed here", fault)
    with course.own_isolation() as isolation:
        for part, state in work.parts.items():
            try:
                if state.state == "measured":
                    work.parts[part] = judge_part(work, isolation, part, files, unclear)
            except Exception as fault:  # a fault of the grader gives no zero
                work.blame_grader(f"the grader failed at {part}", fault)
                work.parts[part] = PartRecord(state="not graded here", reason=_AGAIN)
    judged = work.result()
    write_text(course.judged(submission.name), judged.model_dump_json())
    return judged


# --- timing ---


def time_part(work: Work, isolation: Isolation, part: str, rows: list[Row]) -> None:
    """Repeats late answers alone, then times the correct rows; replaces them in `rows`."""
    course, record = work.course, work.record
    box = box_of(course, record.submission.name, part)
    used_s = record.parts[part].used_s
    allowance = Allowance(isolation.to_watch(JUDGE), budget_of(len(rows)), used_s)
    job = building.Job(course, box, isolation, allowance, part)
    manifest = building.write_manifest(job, rows)
    judging.check_alone(job, manifest, rows, record.seed)
    file = box.folder / "bench.json"
    clock = timing.Clock(course.programs / "bench", manifest, part, file, allowance)
    scale = timing.Scale(course.solution(part), course.ceilings, course.processes(part))
    timing.time_rows(clock, scale, rows, course.setups(part), record.seed)


def time_submission(course: Course, name: str) -> Record:
    """The last step for one; afterwards its programs are deleted."""
    work, start = Work(course, load(Record, course.judged(name))), time.monotonic()
    with course.own_isolation() as isolation:
        for part, judged in work.parts.items():
            rows = list(judged.rows)
            try:
                if judged.state == "measured":
                    time_part(work, isolation, part, rows)
            except Exception as fault:
                work.blame_grader(f"the grader failed while it timed {part}", fault)
                timing.leave_untimed(rows, _AGAIN)
            work.parts[part] = judged.model_copy(update={"rows": tuple(rows)})
    work.spend("timing", start)
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
        state = "as it was given" if part.state == "measured" else part.state
        words.append(f"{name} {right} of {len(rows)} right" if rows else f"{name} {state}")
    if record.problems:
        words.append(plural(len(record.problems), "problem"))
    took = sum(record.seconds.values())
    return f"{record.submission.name}: {', '.join(words)} ({took:.0f} s)"


def _tell(doing: str, count: int, records: Iterable[Record]) -> None:
    """A line for each, and how far it is."""
    with progress(doing) as step:
        for done, record in enumerate(records, 1):
            print(f"  {done}/{count} {_describe(record)}"[:100], file=sys.stderr)
            step.hear(f"[{done}/{count}]")


def _judge_all(
    course: Course, submissions: Sequence[Submission], jobs: int, seed: int
) -> Iterator[Record]:
    with ThreadPoolExecutor(jobs) as pool:
        try:
            futures = [pool.submit(judge, course, one, seed) for one in submissions]
            for future in as_completed(futures):
                yield future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def measure_all(
    course: Course, submissions: Sequence[Submission], jobs: int, seed: int = 0
) -> None:
    """Measures the submissions without a record. `seed` repeats an earlier measurement; by default it stays secret
    until the submission is measured."""
    waiting = [one for one in submissions if not course.measured(one.name).exists()]
    to_judge = [one for one in waiting if not course.judged(one.name).exists()]
    _tell("checking", len(to_judge), _judge_all(course, to_judge, jobs, seed))
    _tell("timing", len(waiting), (time_submission(course, one.name) for one in waiting))
