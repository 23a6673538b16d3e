"""The command line of ./lab grade."""

import os
from pathlib import Path
from typing import Annotated

import typer

from nbody_lab.building.arguments import complete_part, flag, option
from nbody_lab.building.lab import Lab, parse_part
from nbody_lab.core.errors import LabError, say

Words = list[str] | None
Folder = Path | None
_CLASS = typer.Argument(metavar="CLASS", help="a folder with a folder or an archive per submission")
_RUBRIC = option("--rubric", "FILE", "what gives points (default data/rubric.json)")
_OUT = option("-o", "FOLDER", "where everything goes; an interrupted run continues there")
_PART = option(
    "--part",
    "PART",
    "only this part; repeat for more (default: those of the rubric)",
    parser=parse_part,
    autocompletion=complete_part,
)
_ONLY = option("--only", "NAME", "only this submission; repeat for more")
_DRY_RUN = flag(
    "--dry-run",
    "show who handed in what, and what is missing (with --only each file); runs nothing",
)
_JOBS = option("--jobs", "K", "build and check K at once (default: one per core)", min=1)
_MANUAL = option("--manual", "FILE", "points by hand: who,question,points,comment; repeat for more")
_LATE = option("--late", "FILE", "who was late: who,days; repeat for more")
_MOODLE = option("--moodle", "FILE", "a grading worksheet exported by Moodle: it is filled in")
_EARLIER = option("--earlier", "FOLDER", "an earlier year to compare with; repeat for more")
_RESCORE = option("--rescore", "FOLDER", "score again what was measured there; runs nothing")


def grade(
    class_folder: Annotated[Folder, _CLASS] = None,
    rubric: Annotated[str, _RUBRIC] = "",
    out: Annotated[Folder, _OUT] = None,
    part: Annotated[Words, _PART] = None,
    only: Annotated[Words, _ONLY] = None,
    dry_run: Annotated[bool, _DRY_RUN] = False,
    jobs: Annotated[int | None, _JOBS] = None,
    manual: Annotated[Words, _MANUAL] = None,
    late: Annotated[Words, _LATE] = None,
    moodle: Annotated[str, _MOODLE] = "",
    earlier: Annotated[Words, _EARLIER] = None,
    rescore: Annotated[Folder, _RESCORE] = None,
) -> None:
    """measure every submission of a class in isolation and score it

    CLASS holds a folder or an archive for each submission; names as Moodle and Canvas export them are understood. Each
    is built, checked and timed alone; grades.csv, moodle.csv, a page for each student, one for each question that
    people read, and index.html go to the folder of -o. docs/instructor/README.md begins with a class to try it with.

    Later runs remember rubric, manual, late, moodle and earlier; "none" drops one. Instead of CLASS, --rescore.

    ./lab grade submissions/ -o grades
    ./lab grade --rescore grades --manual manual.csv
    """
    if class_folder is not None and rescore is not None:
        raise LabError("grade: CLASS and --rescore are two different commands: give one")
    if class_folder is None and rescore is None:
        raise LabError("which class? ./lab grade CLASS -o FOLDER; more: ./lab grade -h")
    os.umask(0o022)  # the sandbox runs as another user
    from nbody_lab import ROOT
    from nbody_lab.grade import grading, intake  # slow
    from nbody_lab.grade.models import ScoredWith

    how = grading.Measuring(tuple(part or ()), tuple(only or ()), jobs)
    given = ScoredWith(
        rubric=(rubric,) if rubric else (),
        manual=tuple(manual or ()),
        late=tuple(late or ()),
        moodle=(moodle,) if moodle else (),
        earlier=tuple(earlier or ()),
    )
    if rescore is not None:
        grading.rescore(rescore, given, how.part)
    elif class_folder is not None and dry_run:
        asked = grading.parts_to_grade(how.part, grading.read_rules(given))
        _, found = grading.find_class(class_folder, how.only)
        wanted = [one for one in found if not how.only or one.name in how.only]
        intake.list_class(wanted, asked, intake.part_folders(ROOT), in_full=bool(how.only))
    elif class_folder is not None:
        if out is None:
            raise LabError("where should the grades go? Add -o FOLDER")
        try:
            grading.grade_class(Lab(), class_folder, out, given, how)
        except KeyboardInterrupt:
            say(f"interrupted; measurements are kept in {out}; the same command continues there")
            raise SystemExit(130) from None
