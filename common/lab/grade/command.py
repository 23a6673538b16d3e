"""./lab grade: measures a class, scores it, writes its tables and pages. Options: options.py."""

import json
import os
import platform
import secrets
import shutil
import tempfile
from pathlib import Path

import cpuinfo
import doctor
from grade import outputs, timing
from grade.archives import unpack
from grade.evidence import evidence
from grade.identity import grouped, identified
from grade.isolation import NotStarted, choose
from grade.manual import read_manual
from grade.late import read_late
from grade.measure import RUN_LIMITS, Course, measure_all
from grade.options import HELP, parse
from grade.overlay import take
from grade.part_folders import part_folders
from grade.pristine import Pristine
from grade.progress import Progress
from grade.proof import prove
from grade.regrade import regrade
from grade.rubric import read_rubric
from grade.score import score
from grade.self_grade import self_grade
from grade.submissions import Submission, find_submissions
from manifest import Manifest
from messages import say, stop
from notebook_file import InputError
from whole_file import write_text
from words import nearest, wants_help
from workshop import ROOT, known_parts
from worksheet.own_machine import Ceilings

VERSION = 1
RUBRIC = ROOT / "data/rubric.json"


# --- scoring: runs nothing ---


def measured_in(out):
    records = [json.loads(file.read_text(encoding="utf-8")) for file in sorted((out / "measured").glob("*.json"))]
    if not records:
        stop(f"{out} has no measured/*.json: nothing was graded there; ./lab grade CLASS -o {out} does it")
    return records


def with_groups(records):
    """Sentences about authors of several submissions; who handed in together is told in each record."""
    told = [Submission(one["name"], one["authors"], one["student_id"], "", "", "", "") for one in (record["submission"] for record in records)]
    found, problems = grouped(told)
    for record, one in zip(records, found):
        record["submission"]["group"] = one.group
    return problems


def rescore(out, rubric_file, options):
    """Writes results.json and all that is made of it; prints the table."""
    records = measured_in(out)
    rubric = read_rubric(rubric_file)
    remarks = with_groups(records)
    manual = [row for file in options.manual for row in read_manual(Path(file))]
    late = [row for file in options.late for row in read_late(Path(file))]
    results = score(records, rubric, manual, late)
    write_text(out / "results.json", json.dumps(results, indent=1) + "\n")
    evidence(out / "measured", [Path(folder) for folder in options.earlier] + [folder for folder in [ROOT / "solutions"] if folder.is_dir()])
    for line in [*outputs.write_all(out, results, options.moodle), *remarks]:
        print(line)
    return 0


# --- measuring ---


def seed_of(out, class_folder):
    """The secret of a class, drawn once; whoever has it can repeat every question that was asked."""
    file = out / "grading.json"
    if file.exists():
        told = json.loads(file.read_text(encoding="utf-8"))
        if told["class"] != str(class_folder):
            stop(f"{out} holds the grading of another class, {told['class']}: choose another -o")
        return told["seed"]
    seed = secrets.randbelow(10**14) + 1
    write_text(file, json.dumps({"version": VERSION, "class": str(class_folder), "seed": seed}, indent=1) + "\n")
    file.chmod(0o600)
    return seed


def parts_of(options, rubric):
    parts = options.part or sorted(rubric["parts"])
    for part in parts:
        if part not in known_parts():
            stop(f"there is no part '{part}'{nearest(part, known_parts())}; parts: {' '.join(known_parts())}")
    return parts


def build_references(lab, parts):
    """Naive, solution, check and bench of this lab, which is trusted."""
    for part in parts:
        lab.part = part
        lab.begin()
        if lab.names("mine"):
            lab.demand_targets(f"the references of {part}", "bin/check", "bin/bench", f"bin/{part}/naive_count.json",
                               *(lab.program(name) for name in lab.names("naive") + lab.names("solution")),
                               *(target for name in lab.names("naive") for target in lab.targets(name, "double")))
        lab.unlock()
    return Manifest(lab.manifest)


def machine_of(lab, parts):
    lab.part = parts[0]
    return {"cpu": cpuinfo.fields().get("model name") or platform.machine(), "cores": timing.cores(),
            "compiler": doctor.first_line("c++", "--version"), "gpu": lab.gpu() if "part3" in parts else ""}


def isolation_for(out, options, count):
    """Weaker isolation is refused for more than one submission, unless it was asked for."""
    try:
        isolation = choose(ROOT, options.isolation)
    except NotStarted as fault:
        stop(f"no isolation: {fault}")
    if isolation.banner:
        say(isolation.banner)
        if count > 1 and not options.accept_weaker:
            stop("more than one submission is graded with full isolation only; --accept-weaker grades them nevertheless: "
                 "each could then read or disturb what runs beside it")
    return isolation


def show_what_there_is(submissions, parts, place):
    """--dry-run: unpacks and lists."""
    every_part = part_folders(ROOT)
    for submission in submissions:
        folder = place / submission.name
        problems = unpack(submission, folder)
        taken = take(folder, [part for part in every_part if part.name in parts], every_part)
        submission, more = identified(submission, taken)
        problems += more
        print(f"{submission.name}  ({submission.kind}, {', '.join(submission.authors) or 'authors not known yet'})")
        for name in sorted(taken.files):
            print(f"  {name}")
        for one in taken.ignored:
            print(f"  ignored: {one['file']}: {one['why']}"[:100])
        for text in problems:
            print(f"  problem: {text}"[:100])
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(submissions)} submissions; nothing was run")
    return 0


def course_of(lab, out, class_folder, options, rubric, count):
    parts = parts_of(options, rubric)
    isolation = isolation_for(out, options, count)
    references = build_references(lab, parts)
    tree = ROOT / "build/grading/pristine"
    pristine = Pristine(ROOT, tree, {part: next(ROOT.glob(f"{part}_*")).name for part in parts})
    pristine.prepare()
    ceilings = Ceilings.of_this_machine(ROOT / "build/ceilings.json")
    if not ceilings.rows:
        say("the speed of this machine is not known, so no rate can be seen to be above it: ./lab roofline --measure")
    return Course(out, pristine, references, lab.build / "bin", isolation, ceilings, rubric, parts, seed_of(out, class_folder),
                  machine_of(lab, parts), doctor.first_line("git", "-C", str(ROOT), "describe", "--always", "--dirty"))


def class_of(options):
    folder = Path(options.folder).resolve()
    if not folder.is_dir():
        stop(f"{options.folder}: no such folder; ./lab grade wants one with a folder or an archive for each submission")
    submissions = find_submissions(folder)
    for name in options.only:
        if name not in [one.name for one in submissions]:
            stop(f"--only: there is no submission '{name}'{nearest(name, [one.name for one in submissions])}")
    if not submissions:
        stop(f"{folder} holds no submissions: a folder or an archive for each is expected")
    return folder, [one for one in submissions if not options.only or one.name in options.only]


def grade_class(lab, options):
    rubric = read_rubric(options.rubric or RUBRIC)
    folder, submissions = class_of(options)
    if options.dry_run:
        with tempfile.TemporaryDirectory() as place:
            return show_what_there_is(submissions, parts_of(options, rubric), Path(place))
    if not options.o:
        stop("where should the grades go? -o FOLDER")
    out = Path(options.o).resolve()
    out.mkdir(parents=True, exist_ok=True)
    course = course_of(lab, out, folder, options, rubric, len(submissions))
    prove(course, RUN_LIMITS)
    if options.regrade:
        return regrade(course, find_submissions(folder), options.regrade, rubric)
    measure_all(course, submissions, options.jobs or max(1, timing.cores()), Progress)
    shutil.rmtree(out / "work", ignore_errors=True)
    return rescore(out, options.rubric or RUBRIC, options)


def grade(lab, words):
    if not words or wants_help(words):
        print(HELP, end="")
        return 0 if words else 2
    options = parse(words)
    os.umask(0o022)
    try:
        if options.rescore:
            return rescore(Path(options.rescore), options.rubric or RUBRIC, options)
        if options.self:
            return self_grade(lab, options)
        if options.calibrate:
            from grade.calibrate import calibrate  # pylint: disable=import-outside-toplevel
            return calibrate(lab, read_rubric(options.rubric or RUBRIC), options)
        if not options.folder:
            stop("which class? ./lab grade CLASS -o FOLDER; more: ./lab grade -h")
        return grade_class(lab, options)
    except InputError as fault:
        stop(str(fault))
