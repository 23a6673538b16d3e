"""What ./lab grade --dry-run prints: a line for each submission, and below it only what a person should look at."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.clean_text import in_one_line
from nbody_lab.core.words import plural
from nbody_lab.grade.by_hand import named_twice
from nbody_lab.grade.grading import Options, find_class, parts_to_grade
from nbody_lab.grade.intake import Intake, take_in
from nbody_lab.grade.overlay import REQUEST, Part, Taken, part_folders
from nbody_lab.grade.rubric import read_rubric

_WANTED = {"worksheet.hpp": "worksheet", "notebook.csv": "notebook"}  # beside the versions


def _describe_part(part: Part, taken: Taken) -> str:
    """part1: mine, worksheet; no notebook.csv"""
    names = [file.rpartition("/")[2] for file in taken.files if file.startswith(f"{part.folder}/")]
    if not names:
        return f"{part.name}: nothing"
    versions = [name.partition(".")[0] for name in names if part.role_of(name) == "code"]
    there = [*versions, *(word for name, word in _WANTED.items() if name in names)]
    missing = [] if versions else [f"mine*{part.header}"]
    missing += [name for name in _WANTED if name not in names]
    told = [", ".join(there)] if there else []
    told += [f"no {', no '.join(missing)}"] if missing else []
    return f"{part.name}: {'; '.join(told)}"


def _describe(found: Intake, in_full: bool) -> Iterator[str]:
    """`in_full`: with each file."""
    who, taken = found.submission.who, found.taken
    authors = ", ".join(who.authors) or "no author is named"
    parts = " | ".join(_describe_part(part, taken) for part in found.parts)
    yield in_one_line(f"{who.name} ({who.kind}, {authors}) {parts}")
    problems = [*found.unpacking, *found.name_problems]
    questions = dict.fromkeys([*problems, *taken.questions(problems), taken.why_nothing])
    yield from (f"  for a person: {in_one_line(text)}" for text in questions if text)
    for one in taken.ignored:
        asks = REQUEST.fullmatch(one.file)
        if in_full or asks:
            yield f"  {'' if asks else 'ignored: '}{in_one_line(one.file)}: {one.why}"
    yield from (f"  {file}" for file in sorted(taken.files) if in_full)


def list_class(class_folder: Path, options: Options) -> None:
    """Unpacks and lists the submissions. Raises LabError."""
    rubric = read_rubric(options.rubric)
    _, asked = find_class(class_folder, options.only)
    parts, every_part = parts_to_grade(options.part, rubric), part_folders(ROOT)
    everybody = []
    for submission in asked:
        with tempfile.TemporaryDirectory() as folder:
            intake = take_in(submission, Path(folder), parts, every_part)
            everybody.append(intake.submission.who)
            for line in _describe(intake, in_full=bool(options.only)):
                print(line)
    for author, where in named_twice(everybody).items():
        print(f"{in_one_line(author)} is an author of {' and '.join(where)}: which of them counts?")
    print(f"{plural(len(everybody), 'submission')}; nothing was run")
