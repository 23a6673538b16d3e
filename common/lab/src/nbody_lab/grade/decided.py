"""What people decided about a class, of all files of --manual and --late: read, and checked before anything is measured."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from nbody_lab.core.errors import LabError
from nbody_lab.grade.decisions import (
    LateRow,
    ManualRow,
    read_late,
    read_manual,
    without_removed,
)
from nbody_lab.grade.intake import Submission, checksum
from nbody_lab.grade.kept import read_record
from nbody_lab.grade.models import HandedIn, Record, ScoredWith
from nbody_lab.grade.rubric import Rubric
from nbody_lab.grade.score import score


class Decided(NamedTuple):
    manual: list[ManualRow]
    late: list[LateRow]
    remarks: list[str]


def read_decided(
    files: ScoredWith, submissions: Sequence[HandedIn], removed: Sequence[HandedIn]
) -> Decided:
    """Without lines about `removed`, which the remarks name. Raises LabError."""
    manual, about_manual = without_removed(
        [row for file in files.manual for row in read_manual(Path(file))], submissions, removed
    )
    late, about_late = without_removed(
        [row for file in files.late for row in read_late(Path(file))], submissions, removed
    )
    return Decided(manual, late, [*about_manual, *about_late])


def _known_of(out: Path, submission: Submission) -> Record:
    """Its record, if that is of these files; else one without parts."""
    try:
        record = read_record(out, submission.name)
        if record.submission.checksum == checksum(submission):
            return record
    except LabError:
        pass
    return Record(submission=submission.who)


def check_decided(
    out: Path,
    files: ScoredWith,
    rubric: Rubric,
    submissions: Sequence[Submission],
    removed: Sequence[HandedIn],
    parts: Sequence[str],
) -> None:
    """Raises LabError for what scoring would refuse after hours of measuring: a name that nobody has, a question that the
    rubric lacks, too many points."""
    if files.manual or files.late:
        records = [_known_of(out, one) for one in submissions]
        decided = read_decided(files, [one.submission for one in records], removed)
        score(records, rubric, decided.manual, decided.late, parts=parts)
