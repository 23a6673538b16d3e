"""The command line of ./lab grade."""

import os
from pathlib import Path
from typing import Annotated

import typer

from nbody_lab.building.arguments import flag, option
from nbody_lab.building.lab import Lab, parse_part
from nbody_lab.core.errors import LabError, say

Words = list[str] | None
Files = list[Path] | None
_CLASS = typer.Argument(metavar="CLASS", help="a folder with a folder or an archive per submission")
_RUBRIC = option("--rubric", "FILE", "what gives points (default data/rubric.json)")
_OUT = option("-o", "FOLDER", "where everything goes; an interrupted run continues there")
_PART = option("--part", "PART", "not all of the rubric, but this; repeatable", parser=parse_part)
_ONLY = option("--only", "NAME", "only this submission; repeat for more")
_DRY_RUN = flag("--dry-run", "only show whose files are taken; with --only also what is ignored")
_NO_TIMING = flag("--no-timing", "measure everything but speed; a later run without it times")
_MANUAL = option("--manual", "FILE", "points by hand: who,question,points,comment; repeat for more")
_LATE = option("--late", "FILE", "who was late: who,days; repeat for more")
_MOODLE = option("--moodle", "FILE", "a grading worksheet exported by Moodle: it is filled in")
_RESCORE = option("--rescore", "FOLDER", "score again what was measured there; runs nothing")


def grade(
    class_folder: Annotated[Path | None, _CLASS] = None,
    rubric: Annotated[Path | None, _RUBRIC] = None,
    out: Annotated[Path | None, _OUT] = None,
    part: Annotated[Words, _PART] = None,
    only: Annotated[Words, _ONLY] = None,
    dry_run: Annotated[bool, _DRY_RUN] = False,
    no_timing: Annotated[bool, _NO_TIMING] = False,
    manual: Annotated[Files, _MANUAL] = None,
    late: Annotated[Files, _LATE] = None,
    moodle: Annotated[Path | None, _MOODLE] = None,
    rescore: Annotated[Path | None, _RESCORE] = None,
) -> None:
    """measure every submission of a class in isolation and score it

    CLASS holds a folder or an archive for each submission; names as Moodle and Canvas export them are understood. Each
    is built, checked and timed alone; grades.csv, a page for each student, and index.html go to the folder of -o.
    docs/teaching.md has a class to try it with.

    Instead of CLASS, --rescore. Every run needs its own --rubric, --manual, --late and --moodle.

    ./lab grade submissions/ -o grades
    ./lab grade --rescore grades --manual manual.csv
    """
    if class_folder and rescore:
        raise LabError("either CLASS or --rescore, not both")
    if class_folder is None and rescore is None:
        raise LabError("which class? ./lab grade CLASS -o FOLDER, or --rescore FOLDER alone")
    os.umask(0o022)  # the sandbox runs as another user
    from nbody_lab import ROOT
    from nbody_lab.grade import grading, intake  # slow
    from nbody_lab.grade.rubric import PUBLISHED, read_rubric

    options = grading.Options(
        part=tuple(part or ()),
        only=tuple(only or ()),
        rubric=rubric or PUBLISHED,
        manual=tuple(manual or ()),
        late=tuple(late or ()),
        moodle=moodle,
        timed=not no_timing,
    )
    if rescore is not None:
        grading.score_class(rescore, options)
    elif class_folder is not None and dry_run:
        parts = grading.parts_to_grade(options.part, read_rubric(options.rubric))
        _, asked = grading.find_class(class_folder, options.only)
        intake.list_class(asked, parts, intake.part_folders(ROOT), in_full=bool(only))
    elif class_folder is not None:
        if out is None:
            raise LabError("where should the grades go? Add -o FOLDER")
        try:
            grading.grade_class(Lab(), class_folder, out, options)
        except KeyboardInterrupt:
            say(f"interrupted; measurements are kept in {out}; the same command continues there")
            raise SystemExit(130) from None
