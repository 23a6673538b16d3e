"""What OUT keeps of a class: who is in it (grading.json), and a record of each submission. A record is valid while the archive, the
lab and what is asked are unchanged; one that is deleted is measured anew."""

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
    grading = Grading(class_folder=str(class_folder), submissions=tuple(who))
    write_text(out / "grading.json", grading.model_dump_json(indent=1) + "\n")


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
    timed = []
    for one, as_listed in zip(found, listed):
        who = one.submission
        known = by_number.get(who.student_id) or as_listed.submitted or who.submitted
        update = {"submission": who.model_copy(update={"submitted": known})}
        here = one.machine if one.parts else first.machine
        timed.append(one.model_copy(update=update | {"machine": here}))
    return timed


def look_at(course: Course, one: Submission) -> tuple[str, bool]:
    """(what has changed since it was measured, in a word; "" if its record is valid. Whether only its timing is missing, and
    its programs are there)."""
    file = measured_file(course.out, one.name)
    if not file.exists():
        return "missing", False
    record = load_if_whole(Record, file)
    if not record or record.submission.name != one.name:
        return "damaged", False
    try:
        if record.submission.checksum != checksum(one):
            return "archive", False
    except OSError:
        return "unreadable", False
    if record.lab != course.lab:
        return "lab", False
    if not set(course.parts) <= set(record.parts):
        return "parts", False
    for part, wanted in course.timings().items():
        if not set(wanted) <= set(record.timings.get(part, ())):
            return "speeds", (course.out / "work" / one.name).is_dir()
    return "", True


def to_measure(course: Course, submissions: Sequence[Submission]) -> list[Submission]:
    """Those without a valid record."""
    found = [(one, why) for one in submissions if (why := look_at(course, one)[0])]
    for one, why in found:
        if why != "missing":
            say(f"{one.name}: measured again: {why}")
    return [one for one, _ in found]
