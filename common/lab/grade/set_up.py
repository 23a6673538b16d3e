"""The preparation before measuring: isolation, references, the lab as handed out, facts about the machine."""

import json
import platform

import cpuinfo
import doctor
from grade import timing
from grade.course import Course
from grade.isolation import NotStarted, choose
from grade.pristine import Pristine
from manifest import Manifest
from messages import say, stop
from ranks import has_ranks
from whole_file import write_text
from words import nearest
from workshop import ROOT, known_parts
from worksheet.own_machine import Ceilings

VERSION = 1


def claim(out, class_folder):
    """Claims a folder for one class; stops if it belongs to another."""
    file = out / "grading.json"
    if not file.exists():
        write_text(file, json.dumps({"version": VERSION, "class": str(class_folder)}, indent=1) + "\n")
    told = json.loads(file.read_text(encoding="utf-8"))
    if told["class"] != str(class_folder):
        stop(f"{out} holds the grades of another class, {told['class']}: choose another -o")


def parts_of(options, rubric):
    parts = options.part or sorted(rubric["parts"])
    for part in parts:
        if part not in known_parts():
            stop(f"there is no part '{part}'{nearest(part, known_parts())}; parts: {' '.join(known_parts())}")
        if part not in rubric["parts"]:
            stop(f"the rubric gives no points for {part}, only for {' and '.join(sorted(rubric['parts']))}: --rubric FILE names another")
    return parts


def build_references(lab, parts):
    """Builds naive, solution, check and bench of this lab, which is trusted."""
    for part in parts:
        lab.part = part
        lab.begin()
        if has_ranks(lab):
            stop(f"{part} runs as several processes, which the sandbox cannot start: grade it by hand, with ./lab check {part} and bench")
        if lab.names("mine"):
            lab.demand_targets(f"the references of {part}", "bin/check", "bin/bench", f"bin/{part}/naive_count.json",
                               *(lab.program(name) for name in lab.names("naive") + lab.names("solution")),
                               *(target for name in lab.names("naive") for target in lab.targets(name, "double")))
        lab.unlock()
    return Manifest(lab.manifest)


def machine_of(lab, references, parts, ceilings):
    """Facts about the machine. `no_bound`: parts for which impossibly high rates cannot be recognised; reported before
    measuring."""
    on_gpu = [part for part in parts if (references.part(part) or {}).get("device") == "gpu"]
    gpu = lab.gpu() if on_gpu else ""
    no_bound = [part for part in parts if (gpu or part not in on_gpu)
                and timing.bound_of(ceilings, timing.ON_GPU if part in on_gpu else timing.cores()) is None]
    if no_bound:
        say(f"impossible rates of {' '.join(no_bound)} go unseen until you measure this machine's limits: "
            f"./lab roofline --measure")
    lab.part = parts[0]
    return {"cpu": cpuinfo.fields().get("model name") or platform.machine(), "cores": timing.cores(),
            "compiler": doctor.first_line("c++", "--version"), "gpu": gpu, "no_bound": " ".join(no_bound)}


def isolation_for(out, options, count):
    """Refuses weaker isolation for several submissions, unless it was requested."""
    try:
        isolation = choose(ROOT, options.isolation)
    except NotStarted as fault:
        stop(f"no isolation: {fault}")
    if isolation.banner:
        say(isolation.banner)
        if count > 1 and not options.accept_weaker:
            stop("several submissions are only graded in full isolation; --accept-weaker grades them anyway: "
                 "each could then read or disturb the others")
    return isolation


def version_of_lab():
    """The last commit that changes measurements; documents and rubrics do not. Empty without git."""
    of = ("-C", str(ROOT)), ("--", ".", ":!docs", ":!data", ":!*.md")
    changed = doctor.first_line("git", *of[0], "status", "--porcelain", *of[1])
    return doctor.first_line("git", *of[0], "log", "-1", "--format=%h", *of[1]) + ("-dirty" if changed else "")


def course_of(lab, out, class_folder, options, rubric, count):
    parts = parts_of(options, rubric)
    isolation = isolation_for(out, options, count)
    claim(out, class_folder)
    references = build_references(lab, parts)
    pristine = Pristine(ROOT, ROOT / "build/grading/pristine", {part: next(ROOT.glob(f"{part}_*")).name for part in parts})
    pristine.prepare()
    ceilings = Ceilings.of_this_machine(ROOT / "build/ceilings.json")
    return Course(out, pristine, references, lab.build / "bin", isolation, ceilings, rubric, parts, machine_of(lab, references, parts, ceilings),
                  version_of_lab())
