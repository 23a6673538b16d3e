"""What OUT keeps of a class: who is in it (grading.json), and a record of each submission. A record is valid while the archive, the
lab and what is asked are unchanged; one that is deleted is measured anew."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from nbody_lab.core.errors import say
from nbody_lab.core.model import load, load_if_whole
from nbody_lab.core.whole_file import write_text
from nbody_lab.grade.course import Course
from nbody_lab.grade.intake import Submission, checksum
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
    """All submissions of the class; with --only, those of this run and of earlier ones. Of who was taken out nothing stays."""
    before = {one.name for one in read_list(out).submissions}
    who = [one.who for one in found if asked == found or one in asked or one.name in before]
    for name in before - {one.name for one in found}:
        for file in (f"measured/{name}.json", f"students/{name}.html", f"failures/{name}.txt"):
            (out / file).unlink(missing_ok=True)
        for folder in ("taken", "work"):
            shutil.rmtree(out / folder / name, ignore_errors=True)
    grading = Grading(class_folder=str(class_folder), submissions=tuple(who))
    write_text(out / "grading.json", grading.model_dump_json(indent=1) + "\n")


def records_in(out: Path) -> list[Record]:
    """A record for each submission of the class; where there is none, an empty one with the reason. Raises LabError."""
    found = []
    for listed in read_list(out).submissions:
        record = load_if_whole(Record, measured_file(out, listed.name))
        if not record or record.submission.name != listed.name:
            why = "not measured: the same command without --rescore does it"
            record = Record(submission=listed, problems=(Problem(stage="measure", text=why),))
        found.append(record)
    return found


def _find_change(course: Course, one: Submission) -> str:
    """What has changed since it was measured, in a word; "" if its record is valid."""
    file = measured_file(course.out, one.name)
    record = load_if_whole(Record, file)
    if not record or record.submission.name != one.name:
        return "damaged" if file.exists() else "missing"
    if record.submission.checksum != checksum(one):
        return "archive"
    if record.lab != course.lab:
        return "lab"
    if not set(course.parts) <= set(record.parts):
        return "parts"
    for part, wanted in course.timings().items():
        if not set(wanted) <= set(record.timings.get(part, ())):
            return "speeds"
    return ""


def to_measure(
    course: Course, submissions: Sequence[Submission]
) -> tuple[list[Submission], list[Submission]]:
    """(those without a valid record; those of which only the timing is missing, and the programs are there)"""
    unchecked, untimed = [], []
    for one in submissions:
        why = _find_change(course, one)
        if why == "speeds" and (course.out / "work" / one.name).is_dir():
            untimed.append(one)
        elif why:
            unchecked.append(one)
            if why != "missing":
                say(f"{one.name}: measured again: {why}")
    return unchecked, untimed
