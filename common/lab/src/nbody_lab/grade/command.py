"""./lab grade: measures a class, scores it, writes its tables and pages. Options: options.py."""

import contextlib
import json
import os
import shutil
import tempfile
from pathlib import Path

from nbody_lab.core.handed_out import warn_if_edited
from nbody_lab.core.messages import UserError, say, stop
from nbody_lab.core.whole_file import write_text
from nbody_lab.core.words import nearest, plural, wants_help
from nbody_lab.grade import outputs, timing
from nbody_lab.grade.archives import unpack
from nbody_lab.grade.evidence import evidence
from nbody_lab.grade.identity import identified
from nbody_lab.grade.kept import (
    drop_stale,
    keep_list,
    read_list,
    read_record,
    records_in,
    submissions_to_keep,
)
from nbody_lab.grade.late import read_late
from nbody_lab.grade.manual import read_manual
from nbody_lab.grade.measure import measure_all, told_of
from nbody_lab.grade.models import HandedIn, ScoredWith
from nbody_lab.grade.options import HELP, parse
from nbody_lab.grade.overlay import take
from nbody_lab.grade.part_folders import part_folders
from nbody_lab.grade.progress import Progress
from nbody_lab.grade.regrade import regrade
from nbody_lab.grade.rubric import read_rubric
from nbody_lab.grade.score import score
from nbody_lab.grade.score_speed import NEVER_ASKED
from nbody_lab.grade.self_grade import self_grade
from nbody_lab.grade.set_up import course_of, parts_of, prove
from nbody_lab.grade.submissions import find_submissions
from nbody_lab.notebook.file import InputError, shown
from nbody_lab.workshop import ROOT

RUBRIC = ROOT / "data/rubric.json"


# Remembers the files that a class was scored with.
FILES = ("rubric", "manual", "late", "moodle", "earlier")  # options that OUT remembers


def as_before(out, options):
    """Fills in options left out with the files of the last run, so that a forgotten option loses no manual points;
    `none` drops them. Returns what OUT should remember: {option: [file]}."""
    told = read_list(out).files.model_dump()
    for name in FILES:
        given = getattr(options, name)
        words = given if isinstance(given, list) else [given] if given else []
        if not words and told.get(name):
            words = [told[name]] if isinstance(told[name], str) else told[name]
            say(
                f"--{name} {' '.join(shown(Path(word)) for word in words)}, as before (--{name} none: without)"
            )
        words = [] if words == ["none"] else [str(Path(word).resolve()) for word in words]
        told[name] = words if isinstance(given, list) else "".join(words)
        setattr(options, name, told[name])
    return ScoredWith(**told)


# --- scoring: runs no student code ---


def records_of(out):
    records = [record.model_dump(mode="json") for record in records_in(out)]
    if not records:
        stop(
            f"{out} has no measured/*.json: nothing was graded there yet; run ./lab grade CLASS -o {out}"
        )
    return records


def demand_measured(parts, records, out):
    """Stops for a part that nobody was measured for: its marks would replace those that are there."""
    measured = sorted({part for record in records for part in record["parts"]})
    for part in parts:
        if part not in measured:
            stop(f"{part} was not measured in {out}, only {' and '.join(measured) or 'nothing'}")


def remark_on_speeds(results):
    """Warns if the rubric asks for speeds that were not timed."""
    without = [
        one["name"]
        for one in results["submissions"]
        if any(item["why"] == NEVER_ASKED for item in one["items"])
    ]
    return (
        [
            f"{plural(len(without), 'submission was', 'submissions were')} not timed with the threads and bodies of this rubric: "
            "./lab grade CLASS -o OUT measures them again"
        ]
        if without
        else []
    )


def rescore(out, options, files):
    """Writes results.json and everything made from it, and prints the table. `files`: from as_before()."""
    records = records_of(out)
    rubric = read_rubric(options.rubric or RUBRIC)
    manual = [row for file in options.manual for row in read_manual(Path(file))]
    late = [row for file in options.late for row in read_late(Path(file))]
    results = score(records, rubric, manual, late, parts=options.part or read_list(out).parts)
    write_text(out / "results.json", json.dumps(results, indent=1) + "\n")
    others = [Path(folder) for folder in options.earlier] + [
        folder for folder in [ROOT / "solutions"] if folder.is_dir()
    ]
    evidence(out / "measured", others, records={one["submission"]["name"]: one for one in records})
    keep_list(out, files=files)  # only those that could be read
    for line in [*remark_on_speeds(results), *outputs.write_all(out, results, options.moodle)]:
        print(line)
    return 0


def rescore_alone(out, options):
    """--rescore, without measuring before."""
    files = as_before(out, options)
    if options.part:
        demand_measured(
            parts_of(options, read_rubric(options.rubric or RUBRIC)), records_of(out), out
        )
    return rescore(out, options, files)


# --- measuring ---


def show_what_there_is(submissions, parts, place):
    """--dry-run: unpacks and lists the submissions."""
    every_part = part_folders(ROOT)
    for submission in submissions:
        folder = place / submission.name
        problems = unpack(submission, folder)
        taken = take(folder, [part for part in every_part if part.name in parts], every_part)
        submission, more = identified(submission, taken)
        problems += more
        print(
            f"{submission.name}  ({submission.kind}, {', '.join(submission.authors) or 'authors not known yet'})"
        )
        for name in sorted(taken.files):
            print(f"  {name}")
        for one in taken.ignored:
            print(f"  ignored: {one['file']}: {one['why']}")
        for text in problems:
            print(f"  problem: {text}")
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{plural(len(submissions), 'submission')}; nothing was run")
    return 0


def class_of(options):
    """(folder, all its submissions, the requested ones)"""
    folder = Path(options.folder).resolve()
    if not folder.is_dir():
        stop(
            f"{options.folder}: no such folder; ./lab grade needs one with a folder or an archive per submission"
        )
    submissions = find_submissions(folder)
    for name in options.only:
        if name not in [one.name for one in submissions]:
            stop(
                f"--only: there is no submission '{name}'{nearest(name, [one.name for one in submissions])}"
            )
    if not submissions:
        stop(f"{folder} holds no submissions: it needs a folder or an archive for each")
    names = [one.name for one in submissions]
    if options.regrade and options.regrade not in names:
        stop(
            f"--regrade: there is no submission '{options.regrade}'{nearest(options.regrade, names)}"
        )
    return (
        folder,
        submissions,
        [one for one in submissions if not options.only or one.name in options.only],
    )


def grade_class(lab, options):
    folder, found, submissions = class_of(options)
    files = as_before(Path(options.o), options) if options.o and not options.dry_run else {}
    rubric = read_rubric(options.rubric or RUBRIC)
    if options.dry_run:
        with tempfile.TemporaryDirectory() as place:
            return show_what_there_is(submissions, parts_of(options, rubric), Path(place))
    if not options.o:
        stop("where should the grades go? Add -o FOLDER")
    for part in parts_of(options, rubric):  # measured with the original all the same (pristine.py)
        warn_if_edited(ROOT, part)
    out = Path(options.o).resolve()
    out.mkdir(parents=True, exist_ok=True)
    if options.regrade:  # at least the parts it was measured for
        with contextlib.suppress(UserError):
            record = read_record(out / "measured" / f"{options.regrade}.json", options.regrade)
            options.part = sorted({*options.part, *record.parts})
    course = course_of(lab, out, folder, options, rubric, len(submissions))
    prove(course)
    if options.regrade:
        return regrade(course, found, options.regrade, rubric)
    keep_list(
        out,
        parts=options.part,
        submissions=[
            HandedIn(**told_of(one)) for one in submissions_to_keep(out, found, submissions)
        ],
    )
    drop_stale(course, submissions)
    measure_all(course, submissions, options.jobs or max(1, timing.cores()), Progress)
    return rescore(out, options, files)


def grade(lab, words):
    if not words or wants_help(words):
        print(HELP, end="")
        return 0 if words else 2
    options = parse(words)
    os.umask(0o022)  # the sandbox runs as another user
    try:
        if options.rescore:
            return rescore_alone(Path(options.rescore), options)
        if options.self:
            return self_grade(lab, options)
        if options.exchange:
            from nbody_lab.grade.exchange import exchange

            return exchange(options)
        if options.calibrate:
            from nbody_lab.grade.calibrate import calibrate

            return calibrate(lab, read_rubric(options.rubric or RUBRIC), options)
        if not options.folder:
            stop("which class? ./lab grade CLASS -o FOLDER; more: ./lab grade -h")
        try:
            return grade_class(lab, options)
        except KeyboardInterrupt:
            say(
                f"interrupted; measurements are kept in {options.o}; the same command continues from there"
            )
            return 130
    except InputError as fault:
        stop(str(fault))
