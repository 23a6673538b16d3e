"""--self: grades a student's own files where they are, with the rubric of the handout, and shows the resulting
table."""

import json
import shutil

from nbody_lab.grade import timing
from nbody_lab.grade.measure import measure_all
from nbody_lab.grade.outputs import lines_of
from nbody_lab.grade.progress import Progress
from nbody_lab.grade.rubric import read_rubric
from nbody_lab.grade.score import score
from nbody_lab.grade.set_up import course_of, parts_of
from nbody_lab.grade.submissions import Submission
from nbody_lab.handout.references import FILE, find_reference
from nbody_lab.workshop import ROOT

OUT = ROOT / "build/grading/self"


def own_files(parts):
    """A folder like a submission."""
    folder = OUT / "handed_in"
    shutil.rmtree(OUT, ignore_errors=True)
    for part in parts:
        given = next(ROOT.glob(f"{part}_*"))
        shutil.copytree(
            given,
            folder / given.name,
            ignore=lambda _, names: [name for name in names if name in ("notebook", "__pycache__")],
        )
    return folder


def with_references(record, root):
    """Without a timed solution, uses its speed relative to naive from data/references.json."""
    for part, told in record["parts"].items():
        for speed in (
            speed
            for row in told["rows"]
            for speed in row["speed"]
            if speed["share_of_solution"] is None and speed["times_naive"]
        ):
            found = find_reference(root, part, speed["threads"])
            if found:
                speed.update(
                    share_of_solution=speed["times_naive"] / found.x_naive,
                    solution=f"{FILE}, measured on {found.machine}",
                    solution_interactions_per_s=found.x_naive * speed["naive_interactions_per_s"],
                )
    return record


def self_grade(lab, options):
    from nbody_lab.grade.command import RUBRIC

    rubric = read_rubric(options.rubric or RUBRIC)
    folder = own_files(parts_of(options, rubric))
    course = course_of(lab, OUT, folder, options, rubric, 1)
    you = Submission("you", [], "", folder, "folder", "", "", files=((folder, ""),))
    measure_all(course, [you], timing.cores(), Progress)
    record = json.loads(course.measured("you").read_text(encoding="utf-8"))
    results = score([with_references(record, ROOT)], rubric, parts=options.part)
    for line in lines_of(results["submissions"][0]):
        print(line)
    return 0
