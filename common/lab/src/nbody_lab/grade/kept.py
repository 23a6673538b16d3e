"""What OUT keeps of a class: its submissions (grading.json) and a record of each measured one. A record stays valid
while the archive, the lab and the requested speeds are unchanged."""

import contextlib
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nbody_lab.core.errors import LabError, say
from nbody_lab.core.model import load
from nbody_lab.core.whole_file import write_text
from nbody_lab.grade.course import Course
from nbody_lab.grade.intake import Submission, checksum, times_in
from nbody_lab.grade.models import Grading, HandedIn, Problem, Record
from nbody_lab.grade.moodle import moodle_times
from nbody_lab.notebook.file import in_quotes, shown

NOT_YET = "not measured yet: ./lab grade continues there"
AGAIN = "a record that cannot be read: ./lab grade measures it again"


def read_list(out: Path) -> Grading:
    """grading.json; an empty one if there is none. Raises LabError."""
    file = out / "grading.json"
    return load(Grading, file) if file.exists() else Grading()


def keep_list(out: Path, **changed: Any) -> None:
    """Changes fields of grading.json, which only its owner may read."""
    grading = Grading(**dict(read_list(out)) | changed)
    file = out / "grading.json"
    write_text(file, grading.model_dump_json(indent=1, by_alias=True) + "\n")
    file.chmod(0o600)


def submissions_to_keep(
    out: Path, found: Sequence[Submission], asked: Sequence[Submission]
) -> list[Submission]:
    """All submissions found; with --only, those of this run and of earlier ones."""
    before = {one.name for one in read_list(out).submissions}
    return [one for one in found if len(asked) == len(found) or one in asked or one.name in before]


def removed_from(out: Path, found: Sequence[Submission]) -> list[HandedIn]:
    """Those of earlier runs that are no longer in the class, with the authors that were found in them."""
    before, there = read_list(out), {one.name for one in found}
    gone = [one for one in before.removed if one.name not in there]
    for who in before.submissions:
        if who.name not in there:
            with contextlib.suppress(LabError):
                who = read_record(out, who.name).submission
            gone.append(who)
    return gone


def clear_removed(out: Path, removed: Sequence[HandedIn]) -> None:
    """So that nobody gets, reads or compares what is left of them; what was measured stays, should they come back."""
    for name in [one.name for one in removed]:
        page = out / "students" / f"{name}.html"
        if page.exists():
            say(f"{name} is no longer in the class: its page and its row go")
        page.unlink(missing_ok=True)
        for folder in ("export/gradescope", "taken", "work"):
            shutil.rmtree(out / folder / name, ignore_errors=True)


def read_record(out: Path, name: str) -> Record:
    """Raises LabError: why it cannot be used."""
    file = out / "measured" / f"{name}.json"
    if not file.exists():
        raise LabError(NOT_YET)
    try:
        record = load(Record, file)
    except LabError as fault:
        raise LabError(f"{AGAIN} ({str(fault).removeprefix(f'{file}: ')[:80]})") from fault
    if record.submission.name != name:
        raise LabError(f"{AGAIN} (it belongs to {in_quotes(record.submission.name)})")
    return record


def measured_in(out: Path) -> list[str]:
    """The names of those that were measured there. Raises LabError if there are none."""
    names = sorted(file.stem for file in (out / "measured").glob("*.json"))
    if not names:
        raise LabError(
            f"{shown(out)} has no measured/*.json: nothing was graded there yet; "
            f"run ./lab grade CLASS -o {shown(out)}"
        )
    return names


def records_in(out: Path) -> list[Record]:
    """A record for each submission of the class; where there is none, an empty one with the reason."""
    names = measured_in(out)
    known = read_list(out).submissions or [HandedIn(name=name) for name in names]
    records = []
    for who in known:
        try:
            records.append(handed_in_at(who.submitted, read_record(out, who.name)))
        except LabError as fault:
            why = Problem(stage="measure", text=str(fault))
            records.append(Record(submission=who, problems=(why,)))
    # Who was not measured was not measured on another machine.
    first = next((one for one in records if one.parts), Record(submission=HandedIn(name="")))
    here = {"machine": first.machine, "isolation": first.isolation}
    return [one if one.parts else one.model_copy(update=here) for one in records]


def handed_in_at(time: str, record: Record) -> Record:
    """The record with this time of submission; "": with its own. A list that came later knows more than a record."""
    who = record.submission
    return record.model_copy(
        update={"submission": who.model_copy(update={"submitted": time or who.submitted})}
    )


def with_times(records: Sequence[Record], lists: Sequence[str]) -> list[Record]:
    """With the times of Moodle's lists: by a student's number, else by the row that the grade goes to."""
    by_number = times_in(map(Path, lists))
    submissions = [one.submission for one in records]
    by_row = moodle_times(Path(lists[0]), submissions) if lists else {}
    return [
        handed_in_at(by_number.get(who.student_id) or by_row.get(who.name, ""), one)
        for one, who in zip(records, submissions)
    ]


def _why_again(record: Record, course: Course, submission: Submission) -> str | None:
    """Why a record is out of date; None if it is not."""
    wanted = course.timings()
    if record.submission.checksum != checksum(submission):
        return "another archive" if record.submission.checksum else "it could not be read"
    if record.lab != course.lab:
        return "another version of the lab"
    new = [part for part in wanted if part not in record.parts]
    if new:
        return f"{' and '.join(new)} was not requested before"
    if any(set(some) - set(record.timings.get(part, ())) for part, some in wanted.items()):
        return "the rubric times something else"
    return None


def _why_stale(course: Course, one: Submission) -> str | None:
    """Why a submission is measured again; None if it is not, or has no record."""
    measured, judged = course.measured(one.name), course.judged(one.name)
    try:
        if measured.exists():
            return _why_again(read_record(course.out, one.name), course, one)
        return _why_again(load(Record, judged), course, one) if judged.exists() else None
    except LabError:
        return "its record cannot be read"
    except OSError as fault:  # a file of the submission
        return f"it could not be read: {fault.strerror}"


def to_measure(course: Course, submissions: Sequence[Submission]) -> list[Submission]:
    """Those without a valid record."""
    return [
        one
        for one in submissions
        if not course.measured(one.name).exists() or _why_stale(course, one)
    ]


def drop_stale(course: Course, submissions: Sequence[Submission]) -> None:
    """Removes out-of-date records, so that they are measured again."""
    for one in submissions:
        why = _why_stale(course, one)
        if why:
            say(f"{one.name}: measured again: {why}")
            course.measured(one.name).unlink(missing_ok=True)
            course.judged(one.name).unlink(missing_ok=True)
