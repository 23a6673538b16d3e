"""The four stages of ./lab grade: take in a class, measure it, score it, write its tables and pages."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import filelock

from nbody_lab import ROOT
from nbody_lab.building.handed_out import warn_if_edited
from nbody_lab.building.lab import Lab
from nbody_lab.core.clean_text import shown
from nbody_lab.core.errors import LabError
from nbody_lab.core.words import nearest
from nbody_lab.grade import records
from nbody_lab.grade.by_hand import LateRow, ManualRow, by_submission, read_decisions
from nbody_lab.grade.course import course_of
from nbody_lab.grade.intake import Submission, find_submissions
from nbody_lab.grade.measure import measure_all, prove
from nbody_lab.grade.models import HandedIn
from nbody_lab.grade.rubric import PUBLISHED, Rubric, read_rubric
from nbody_lab.grade.score import find_similar, score
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


def score_class(out: Path, options: Options) -> None:
    """Scores what was measured there, and writes and prints it. Runs no student's code."""
    if not records.read_list(out).submissions:
        raise LabError(f"{shown(out)}: nothing was measured there yet: ./lab grade CLASS -o FOLDER")
    with _alone(out):
        rubric = read_rubric(options.rubric)
        found = records.records_in(out)
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
    if there and records.read_list(out).class_folder != str(folder):
        raise LabError(f"{out} is not empty and not of this class: choose another folder (-o)")
    with _alone(out), _alone(_BUILT):
        records.keep_list(out, folder, found, asked)
        course = course_of(lab, out, rubric, parts, options.timed)
        unchecked, untimed = records.to_measure(course, asked)
        if unchecked:
            prove(course)
        measure_all(course, unchecked, untimed)
    score_class(out, options)
