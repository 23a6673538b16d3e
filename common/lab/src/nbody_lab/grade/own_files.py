"""./lab grade --self: a student's own files, scored where they are with the rubric of the handout; the table that results."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.grade.course import cores
from nbody_lab.grade.grading import Measuring, parts_to_grade
from nbody_lab.grade.in_use import alone_here
from nbody_lab.grade.kept import read_record
from nbody_lab.grade.measure import measure_all
from nbody_lab.grade.models import HandedIn, Record
from nbody_lab.grade.outputs import submission_lines
from nbody_lab.grade.rubric import Rubric
from nbody_lab.grade.score import score
from nbody_lab.grade.set_up import course_of
from nbody_lab.grade.submissions import Submission
from nbody_lab.handout.references import FILE, find_reference
from nbody_lab.workshop import Workshop

_SELF = ROOT / "build/grading/self"


def _own_files(parts: Sequence[str]) -> Path:
    """A folder like a submission."""
    folder = _SELF / "handed_in"
    shutil.rmtree(_SELF, ignore_errors=True)
    for part in parts:
        given = next(ROOT.glob(f"{part}_*"))
        ignore = shutil.ignore_patterns("notebook", "__pycache__")
        shutil.copytree(given, folder / given.name, ignore=ignore)
    return folder


def with_references(record: Record, root: Path) -> Record:
    """Without a timed solution, its speed relative to naive comes from data/references.json."""
    data = record.model_dump()
    for part, found in data["parts"].items():
        for speed in (speed for row in found["rows"] for speed in row["speed"]):
            reference = find_reference(root, part, speed["threads"])
            if speed["share_of_solution"] is None and speed["times_naive"] and reference:
                naive = speed["naive_interactions_per_s"]
                speed |= {
                    "share_of_solution": speed["times_naive"] / reference.x_naive,
                    "solution": f"{FILE}, measured on {reference.machine}",
                    "solution_interactions_per_s": reference.x_naive * naive if naive else None,
                }
    return Record.model_validate(data)


def grade_own_files(lab: Workshop, rubric: Rubric, how: Measuring) -> None:
    """--self: with the rubric of the handout, where they are."""
    parts = parts_to_grade(how.part, rubric)
    with alone_here():
        folder = _own_files(parts)
        course = course_of(lab, _SELF, rubric, parts, 1, own_files=True)
        you = Submission(HandedIn(name="you", source=str(folder), kind="folder"), ((folder, ""),))
        measure_all(course, [you], cores())
        record = with_references(read_record(_SELF, "you"), ROOT)
    results = score([record], rubric, parts=how.part)
    for line in submission_lines(results.submissions[0]):
        print(line)
