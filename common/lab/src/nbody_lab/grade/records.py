"""What OUT keeps of a class: who is in it (grading.json), and a record of each submission. A record is valid while the archive, the
lab and what is asked are unchanged."""

from collections.abc import Sequence
from pathlib import Path

from nbody_lab.core.errors import say
from nbody_lab.core.model import load, load_if_whole
from nbody_lab.core.whole_file import write_text
from nbody_lab.grade.course import Course
from nbody_lab.grade.intake import Submission, checksum, times_in
from nbody_lab.grade.models import Grading, Problem, Record


def measured_file(out: Path, name: str) -> Path:
    return out / "measured" / f"{name}.json"


def checked_file(out: Path, name: str) -> Path:
    """Everything but what is done alone; beside the programs, until they are timed."""
    return out / "work" / name / "checked.json"


# --- the class ---


def read_list(out: Path) -> Grading:
    """grading.json; an empty one if there is none. Raises LabError."""
    file = out / "grading.json"
    return load(Grading, file) if file.exists() else Grading()


def keep_list(
    out: Path, class_folder: Path, found: Sequence[Submission], asked: Sequence[Submission]
) -> None:
    """All submissions of the class; with --only, those of this run and of earlier ones."""
    before = {one.name for one in read_list(out).submissions}
    who = [one.who for one in found if asked == found or one in asked or one.name in before]
    grading = Grading.model_validate({"class": str(class_folder), "submissions": who})
    write_text(out / "grading.json", grading.model_dump_json(indent=1, by_alias=True) + "\n")


def records_in(out: Path, lists: Sequence[Path] = ()) -> list[Record]:
    """A record for each submission of the class; where there is none, an empty one with the reason. `lists`: of Moodle, which
    may know more times of submission. Raises LabError."""
    found, listed = [], read_list(out).submissions
    for who in listed:
        record = load_if_whole(Record, measured_file(out, who.name))
        if not record or record.submission.name != who.name:
            why = "not measured: the same command without --rescore does it"
            record = Record(submission=who, problems=(Problem(stage="measure", text=why),))
        found.append(record)
    by_number = times_in(lists)
    # Who was not measured was not measured on another machine.
    first = next((one for one in found if one.parts), found[0])
    here = {"machine": first.machine, "isolation": first.isolation}
    timed = []
    for one, as_listed in zip(found, listed):
        who = one.submission
        known = by_number.get(who.student_id) or as_listed.submitted
        dated = who.model_copy(update={"submitted": known or who.submitted})
        timed.append(one.model_copy(update={"submission": dated} | ({} if one.parts else here)))
    return timed


# --- which records are valid ---


def _why_stale(file: Path, course: Course, one: Submission, in_full: bool) -> str:
    """What has changed, in a word; "" if the record is valid. `in_full`: with what is timed."""
    if not file.exists():
        return "missing"
    record = load_if_whole(Record, file)
    if not record or record.submission.name != one.name:
        return "damaged"
    try:
        if record.submission.checksum != checksum(one):
            return "archive"
    except OSError:
        return "unreadable"
    if record.lab != course.lab:
        return "lab"
    if not set(course.parts) <= set(record.parts):
        return "parts"
    timed = [
        set(wanted) <= set(record.timings.get(part, ()))
        for part, wanted in course.timings().items()
    ]
    return "speeds" if in_full and not all(timed) else ""


def goes_on(course: Course, one: Submission) -> bool:
    """Whether an interrupted run, or one without timing, has checked it: then checked_file() is valid, and its programs are
    there. What else was measured of it is removed: whoever deletes a record wants a new one."""
    checked, measured = (file(course.out, one.name) for file in (checked_file, measured_file))
    if measured.exists():
        if checked.parent.is_dir() and not _why_stale(measured, course, one, in_full=False):
            measured.replace(checked)
        measured.unlink(missing_ok=True)
    return not _why_stale(checked, course, one, in_full=False)


def to_measure(course: Course, submissions: Sequence[Submission]) -> list[Submission]:
    """Those without a valid record."""
    found = []
    for one in submissions:
        file = measured_file(course.out, one.name)
        if why := _why_stale(file, course, one, in_full=True):
            found.append(one)
            if file.exists():
                say(f"{one.name}: measured again: {why}")
    return found
