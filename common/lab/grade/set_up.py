"""Before anything is measured: the isolation, the references, the lab as it is given out, the secret of the class."""

import json
import platform
import secrets

import cpuinfo
import doctor
from grade import timing
from grade.course import Course
from grade.isolation import NotStarted, choose
from grade.pristine import Pristine
from manifest import Manifest
from messages import say, stop
from whole_file import write_text
from words import nearest
from workshop import ROOT, known_parts
from worksheet.own_machine import Ceilings

VERSION = 1


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


def version_of_lab():
    """The last commit of what measures: documents and rubrics do not. Empty without git."""
    of = ("-C", str(ROOT)), ("--", ".", ":!docs", ":!data", ":!*.md")
    changed = doctor.first_line("git", *of[0], "status", "--porcelain", *of[1])
    return doctor.first_line("git", *of[0], "log", "-1", "--format=%h", *of[1]) + ("-dirty" if changed else "")


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
                  machine_of(lab, parts), version_of_lab())
