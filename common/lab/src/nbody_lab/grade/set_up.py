"""The preparation before measuring: isolation, references, the lab as handed out, facts about the machine."""

import contextlib
import json
import platform
import shutil
import time
from pathlib import Path

from nbody_lab.core import cpuinfo
from nbody_lab.core.manifest import Manifest
from nbody_lab.core.messages import say, stop
from nbody_lab.core.whole_file import write_text
from nbody_lab.grade import timing
from nbody_lab.grade.isolation import Isolation, NotStarted, choose
from nbody_lab.grade.measure import box_of, judge_part
from nbody_lab.grade.models import Setup
from nbody_lab.grade.pristine import Pristine
from nbody_lab.grade.timing import times_wanted
from nbody_lab.hardware import doctor
from nbody_lab.programs.ranks import has_ranks
from nbody_lab.worksheet.ceilings import Ceilings
from nbody_lab.workshop import ROOT

# What all submissions of a class share while it is graded.


class Course:
    """What all submissions share. `references`: this lab's manifest, with solutions; `programs`: its bin folder;
    `ceilings`: rows of this machine."""

    def __init__(
        self, out, pristine, references, programs, isolation, ceilings, rubric, parts, machine, lab
    ):
        self.out, self.pristine, self.references, self.programs = (
            Path(out),
            pristine,
            references,
            Path(programs),
        )
        self.isolation, self.ceilings, self.rubric, self.parts = isolation, ceilings, rubric, parts
        self.machine, self.lab = machine, lab

    def measured(self, name):
        return self.out / "measured" / f"{name}.json"

    def judged(self, name):
        return self.out / "work" / name / "judged.json"

    def timings(self):
        """The speeds that the rubric asks for, per part."""
        return {
            part: tuple(
                Setup(threads=threads, n=n, scene=scene)
                for threads, n, scene in times_wanted(self.rubric, part)
            )
            for part in self.parts
        }

    @contextlib.contextmanager
    def own_isolation(self):
        """An isolation with its own user, so that parallel submissions are different users."""
        with Isolation(
            self.isolation.builder, self.isolation.groups, self.isolation.banner
        ) as isolation:
            yield isolation

    def solution(self, part):
        return next((row["name"] for row in self.references.of_part(part, "solution")), "")

    def on_gpu(self, part):
        return (self.references.part(part) or {}).get("device") == "gpu"

    def reason_against(self, part):
        """Why a part is not graded here; empty if it is."""
        if not self.references.of_part(part, "mine"):
            return "it cannot be built here"
        if self.on_gpu(part) and not self.machine.get("gpu"):
            return "needs a GPU"
        return ""


VERSION = 1


def claim(out, class_folder):
    """Claims a folder for one class; stops if it belongs to another."""
    file = out / "grading.json"
    if not file.exists():
        write_text(
            file, json.dumps({"version": VERSION, "class": str(class_folder)}, indent=1) + "\n"
        )
    told = json.loads(file.read_text(encoding="utf-8"))
    if told["class"] != str(class_folder):
        stop(f"{out} holds the grades of another class, {told['class']}: choose another -o")


def build_references(lab, parts):
    """Builds naive, solution, check and bench of this lab, which is trusted."""
    for part in parts:
        lab.part = part
        lab.begin()
        if has_ranks(lab):
            stop(
                f"{part} runs as several processes, which the sandbox cannot start: grade it by hand, with ./lab check {part} and bench"
            )
        if lab.names("mine"):
            lab.demand_targets(
                f"the references of {part}",
                "bin/check",
                "bin/bench",
                f"bin/{part}/naive_count.json",
                *(lab.program(name) for name in lab.names("naive") + lab.names("solution")),
                *(target for name in lab.names("naive") for target in lab.targets(name, "double")),
            )
        lab.unlock()
    return Manifest(lab.manifest)


def machine_of(lab, references, parts, ceilings):
    """Facts about the machine. `no_bound`: parts for which impossibly high rates cannot be recognised; reported before
    measuring."""
    on_gpu = [part for part in parts if (references.part(part) or {}).get("device") == "gpu"]
    gpu = lab.gpu() if on_gpu else ""
    no_bound = [
        part
        for part in parts
        if (gpu or part not in on_gpu)
        and timing.bound_of(ceilings, timing.ON_GPU if part in on_gpu else timing.cores()) is None
    ]
    if no_bound:
        say(
            f"impossible rates of {' '.join(no_bound)} go unseen until you measure this machine's limits: "
            f"./lab roofline --measure"
        )
    lab.part = parts[0]
    return {
        "cpu": cpuinfo.fields().get("model name") or platform.machine(),
        "cores": timing.cores(),
        "compiler": doctor.first_line("c++", "--version"),
        "gpu": gpu,
        "no_bound": " ".join(no_bound),
    }


def isolation_for(kind, accept_weaker, count):
    """Refuses weaker isolation for several submissions, unless it was requested."""
    try:
        isolation = choose(ROOT, kind)
    except NotStarted as fault:
        stop(f"no isolation: {fault}")
    if isolation.banner:
        say(isolation.banner)
        if count > 1 and not accept_weaker:
            stop(
                "several submissions are only graded in full isolation; --accept-weaker grades them anyway: "
                "each could then read or disturb the others"
            )
    return isolation


def version_of_lab():
    """The last commit that changes measurements; documents and rubrics do not. Empty without git."""
    of = ("-C", str(ROOT)), ("--", ".", ":!docs", ":!data", ":!*.md")
    changed = doctor.first_line("git", *of[0], "status", "--porcelain", *of[1])
    return doctor.first_line("git", *of[0], "log", "-1", "--format=%h", *of[1]) + (
        "-dirty" if changed else ""
    )


def course_of(lab, out, class_folder, rubric, parts, isolation, accept_weaker, count):
    isolation = isolation_for(isolation, accept_weaker, count)
    claim(out, class_folder)
    references = build_references(lab, parts)
    pristine = Pristine(
        ROOT,
        ROOT / "build/grading/pristine",
        {part: next(ROOT.glob(f"{part}_*")).name for part in parts},
    )
    pristine.prepare()
    ceilings = Ceilings.of_this_machine(ROOT / "build/ceilings.json")
    return Course(
        out,
        pristine,
        references,
        lab.build / "bin",
        isolation,
        ceilings,
        rubric,
        parts,
        machine_of(lab, references, parts, ceilings),
        version_of_lab(),
    )


# Tests the grader before it grades: the given code, as a submission, must build, pass and answer in the sandbox. So
# an unreachable folder or a broken tool stops here and does not cost a hundred marks.
GIVEN = "_given"  # no submission has this name
MARK = "this very file was compiled"


def given_files(course, folder):
    """mine of each part, marked with a text that shows whether the submitted file was compiled."""
    files = {}
    for part, place in course.pristine.parts.items():
        for source in (course.pristine.tree / place).glob("mine.*"):
            if part in course.parts and not course.reason_against(part):
                copy = folder / place / source.name
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_text(
                    source.read_text(encoding="utf-8")
                    + f'[[gnu::used]] static const char proof[] = "{MARK}";\n',
                    encoding="utf-8",
                )
                files[f"{place}/{source.name}"] = copy
    return files


def what_failed(course, isolation, part, files):
    record = {
        "submission": {"name": GIVEN},
        "seed": 1,
        "seconds": {},
        "problems": [],
        "parts": {part: {}},
    }
    judge_part(course, isolation, record, part, files, {})
    told = record["parts"][part]
    row, worksheet = told["rows"][0], told["worksheet"]["problem"]
    if not row["built"]:
        return f"{part}/mine as handed out does not build in the sandbox: {row['build_problem'] or record['problems']}"
    if MARK.encode() not in box_of(course, record, part).program(part, "mine").read_bytes():
        return f"{part}/mine was not built from what was handed in"
    if row["check"]["verdict"] != "passed":
        case = (row["check"]["first_failures"] or [{}])[0]
        return f"{part}/mine as handed out does not pass in the sandbox: {row['check']['problem'] or case.get('diagnosis', row['check']['verdict'])}"
    return worksheet and f"{part}: {worksheet}"


def prove(course):
    start, folder = time.monotonic(), course.out / "work" / GIVEN
    files = given_files(course, folder / "files")
    with course.own_isolation() as isolation:
        for part in course.parts:
            failed = (
                "" if course.reason_against(part) else what_failed(course, isolation, part, files)
            )
            if failed:
                stop(f"the grader does not work here, so nothing was graded: {failed}")
    shutil.rmtree(folder, ignore_errors=True)
    say(
        f"the given code passes in the sandbox ({course.isolation.kind}; {time.monotonic() - start:.0f} s)"
    )
