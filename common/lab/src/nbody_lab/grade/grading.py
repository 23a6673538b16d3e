"""The four stages of ./lab grade: take in a class, measure it, score it, write its tables and pages."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import filelock

from nbody_lab import ROOT
from nbody_lab.building.handed_out import warn_if_edited
from nbody_lab.building.lab import Lab
from nbody_lab.core.clean_text import shown
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.model import load, load_if_whole
from nbody_lab.core.whole_file import write_text
from nbody_lab.core.words import nearest
from nbody_lab.grade.course import Course, course_of, measured_file
from nbody_lab.grade.intake import Submission, checksum, find_submissions
from nbody_lab.grade.measure import measure_all, prove
from nbody_lab.grade.models import Grading, HandedIn, Problem, Record
from nbody_lab.grade.rubric import PUBLISHED, Rubric, read_rubric
from nbody_lab.grade.score import (
    LateRow,
    ManualRow,
    by_submission,
    find_similar,
    read_decisions,
    score,
)
from nbody_lab.grade.write import write_class

_BUILT = ROOT / "build/grading"  # for one grader at a time


class Options(NamedTuple):
    """Of ./lab grade."""

    part: tuple[str, ...] = ()  # empty: those of the rubric
    only: tuple[str, ...] = ()  # empty: all submissions
    rubric: Path = PUBLISHED
    manual: tuple[Path, ...] = ()
    late: tuple[Path, ...] = ()
    moodle: Path | None = None
    timed: bool = True


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Raises LabError if another ./lab grade has this folder."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with filelock.FileLock(folder / ".lock", timeout=0):
            yield
    except filelock.Timeout:
        raise LabError(f"another ./lab grade works in {shown(folder)}: wait for it") from None


def parts_to_grade(asked: Sequence[str], rubric: Rubric) -> list[str]:
    """The asked ones, by default those of the rubric. Raises LabError."""
    for part in asked:
        if part not in rubric.parts:
            raise LabError(f"the rubric gives no points for {part}: --rubric FILE names another")
    return list(asked) or sorted(rubric.parts)


def find_class(folder: Path, names: Sequence[str]) -> tuple[list[Submission], list[Submission]]:
    """(all submissions, those with these names). Raises LabError if it is no class, or has none of a name."""
    if not folder.exists():
        raise LabError(f"there is no folder {folder}")
    found = find_submissions(folder) if folder.is_dir() else []
    if not found:
        raise LabError(f"{folder} holds no submissions: it needs a folder or an archive for each")
    there = [one.name for one in found]
    for name in names:
        if name not in there:
            near = nearest(name, there)
            raise LabError(f"there is no submission '{name}'{near} (--dry-run lists them)")
    return found, [one for one in found if not names or one.name in names]


def _read_by_hand(
    options: Options, submissions: Sequence[HandedIn]
) -> tuple[list[ManualRow], list[LateRow]]:
    """Points, and days late. Raises LabError, also for who is not in the class."""
    manual = [row for file in options.manual for row in read_decisions(ManualRow, file)]
    late = [row for file in options.late for row in read_decisions(LateRow, file)]
    by_submission(manual, submissions), by_submission(late, submissions)
    return manual, late


# --- what OUT keeps: who is in the class (grading.json), and a record of each submission. It is valid while the archive, the lab
# and what is asked are unchanged; one that is deleted is measured anew.


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


def score_class(out: Path, options: Options) -> None:
    """Scores what was measured there, and writes and prints it. Runs no student's code."""
    if not read_list(out).submissions:
        raise LabError(f"{shown(out)}: nothing was measured there yet: ./lab grade CLASS -o FOLDER")
    with _alone(out):
        rubric = read_rubric(options.rubric)
        found = records_in(out)
        measured = {part for record in found for part in record.parts}
        parts = [part for part in parts_to_grade(options.part, rubric) if part in measured]
        if missing := set(options.part) - measured:
            raise LabError(f"{' and '.join(sorted(missing))}: not measured in {shown(out)}")
        manual, late = _read_by_hand(options, [record.submission for record in found])
        by_name = {record.submission.name: record for record in found}
        flags = find_similar(out, by_name)
        results = score(found, rubric, manual, late, similar=flags, parts=parts)
        write_class(out, results, by_name, options.moodle)


def grade_class(lab: Lab, class_folder: Path, out: Path, options: Options) -> None:
    """Measures what has no valid record, then scores."""
    folder, out = class_folder.resolve(), out.resolve()
    found, asked = find_class(class_folder, options.only)
    rubric = read_rubric(options.rubric)
    _read_by_hand(options, [one.who for one in found])  # before hours of measuring
    parts = parts_to_grade(options.part, rubric)
    for part in parts:  # measured with the original all the same (course.py)
        warn_if_edited(ROOT, part)
    out.mkdir(parents=True, exist_ok=True)
    there = [file for file in out.iterdir() if not file.name.startswith(".")]
    if there and read_list(out).class_folder != str(folder):
        raise LabError(f"{out} is not empty and not of this class: choose another folder (-o)")
    with _alone(out), _alone(_BUILT):
        keep_list(out, folder, found, asked)
        course = course_of(lab, out, rubric, parts, options.timed)
        unchecked, untimed = to_measure(course, asked)
        if unchecked:
            prove(course)
        measure_all(course, unchecked, untimed)
    score_class(out, options)
