"""The preparation before measuring: the references, the lab as handed out, the limits of the machine; and a proof that the
grader works here."""

import platform
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.building import cpuinfo
from nbody_lab.building.lab import Lab
from nbody_lab.building.manifest import Manifest
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.turns import turn
from nbody_lab.core.words import plural
from nbody_lab.grade.course import ON_GPU, Course, cores, patience, require_space
from nbody_lab.grade.measure import judge_part
from nbody_lab.grade.models import Machine
from nbody_lab.grade.overlay import Taken
from nbody_lab.grade.rubric import Rubric
from nbody_lab.grade.sandbox import require_isolation
from nbody_lab.grade.timing import BENCH_S, Clock, NotTimed, find_bound
from nbody_lab.grade.tree import Given
from nbody_lab.measure import doctor
from nbody_lab.measure.ceilings import measure_ceilings, with_gpu_rows, write_ceilings
from nbody_lab.tasks.evidence import Ceilings

_CEILINGS = ROOT / "build/ceilings.json"
_BUSY = 1.5  # times as many runnable programs as cores


def _build_references(lab: Lab, parts: Sequence[str]) -> Manifest:
    """Builds naive, solution, check and bench of this lab, which is trusted."""
    for part in parts:
        lab.part = part
        lab.begin()
        if lab.names("mine"):
            naive, solutions = lab.names("naive"), lab.names("solution")
            lab.build(
                f"the references of {part}",
                *("bin/check", "bin/bench"),
                *(one.count.result for name in naive if (one := lab.find(name)) and one.count),
                *(lab.program(name) for name in naive + solutions),
                *(target for name in naive for target in lab.targets(name, "double")),
            )
        lab.unlock()
    return Manifest(lab.manifest)


def parts_without_bound(
    references: Manifest, parts: Sequence[str], ceilings: Ceilings, gpu: str
) -> list[str]:
    """Those whose impossible rates go unseen."""
    found = []
    for part in parts:
        row = references.part(part)
        on_gpu = row is not None and row.device == "gpu"
        threads = ON_GPU if on_gpu else cores()
        if (gpu or not on_gpu) and find_bound(ceilings, threads) is None:
            found.append(part)
    return found


def _version_of_lab() -> str:
    """The last commit that changes measurements; documents and rubrics do not. Empty without git."""
    git, of = ("git", "-C", str(ROOT)), ("--", ".", ":!docs", ":!data", ":!*.md")
    changed = doctor.first_line(*git, "status", "--porcelain", *of)
    return doctor.first_line(*git, "log", "-1", "--format=%h", *of) + ("-dirty" if changed else "")


def course_of(
    lab: Lab, out: Path, rubric: Rubric, parts: Sequence[str], count: int, timed: bool
) -> Course:
    """`count`: of submissions. Raises LabError."""
    require_isolation(ROOT)
    try:
        require_space(out)
    except OSError as fault:
        raise LabError(f"{out}: {fault.strerror}") from fault
    folders = {part: next(ROOT.glob(f"{part}_*")).name for part in parts}
    given = Given(ROOT, ROOT / "build/grading/given", folders)
    if not given.build.exists():
        say(
            "the first class on this machine takes five to ten minutes more, for programs to compare"
        )
    references = _build_references(lab, parts)
    given.prepare()
    lab.part = parts[0]
    devices = [row.device for row in references.parts if row.name in parts]
    gpu = lab.gpu() if "gpu" in devices else ""
    ceilings = Ceilings.of_this_machine(_CEILINGS)
    no_bound = parts_without_bound(references, parts, ceilings, gpu)
    if no_bound and count > 1 and timed:  # a minute, once on a machine
        lab.begin()
        write_ceilings(with_gpu_rows(lab, measure_ceilings(lab)))
        lab.unlock()
        ceilings = Ceilings.of_this_machine(_CEILINGS)
        no_bound = parts_without_bound(references, parts, ceilings, gpu)
    if no_bound and timed:
        say(
            f"impossible rates of {' '.join(no_bound)} go unseen until you measure this machine's limits: "
            "./lab roofline --measure"
        )
    machine = Machine(
        cpu=cpuinfo.fields().get("model name") or platform.machine(),
        cores=cores(),
        compiler=doctor.first_line("c++", "--version"),
        gpu=gpu,
        no_bound=" ".join(no_bound),
    )
    programs, version = lab.build_dir / "bin", _version_of_lab()
    return Course(
        out, given, references, programs, ceilings, rubric, parts, machine, version, timed
    )


# --- the proof ---

# The given code, as a submission, must build, pass and answer in the sandbox. So an unreachable folder or a broken tool
# stops here and does not cost a hundred marks.
_GIVEN = "_given"  # no submission has this name
_MARK = "this very file was compiled"


def _find_failure(course: Course, part: str) -> str:
    """Why the given code, marked with a text that shows whether the submitted file was compiled, does not pass; "" if it does."""
    place, folder = course.given.parts[part], course.out / "work" / _GIVEN / "files"
    files = {}
    for source in (course.given.tree / place).glob("mine.*"):
        proof = f'[[gnu::used]] static const char proof[] = "{_MARK}";\n'
        files[f"{place}/{source.name}"] = copy = folder / place / source.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(source.read_text(encoding="utf-8") + proof, encoding="utf-8")
    judged, problems = judge_part(course, _GIVEN, part, Taken(files), seed=1)
    row, check = judged.rows[0], judged.rows[0].check
    program = course.box(_GIVEN, part).program("mine")
    if not program or check is None:
        why = row.build_problem or "; ".join(one.text for one in problems)
        return f"{part}/mine as handed out does not build in the sandbox: {why}"
    if _MARK.encode() not in program.read_bytes():
        return f"{part}/mine was not built from what was handed in"
    if check.verdict != "passed":
        case = check.first_failures[0].diagnosis if check.first_failures else check.verdict
        return f"{part}/mine as handed out does not pass in the sandbox: {check.problem or case}"
    problem = judged.worksheet.problem if judged.worksheet else ""
    return problem and f"{part}: {problem}"


def describe_duration(count: int, check_s: float, timing_s: float) -> str:
    """Of a class, checked on all cores and then timed one by one."""
    seconds = count * (check_s / max(1, min(cores(), count)) + timing_s)
    about = f"{seconds / 60:.0f} minutes" if seconds > 90 else f"{seconds:.0f} s"
    return f"{plural(count, 'submission')}: about {about}, more if they hold several versions"


def prove(course: Course, count: int) -> None:
    """`count` submissions will be measured. Raises LabError if the grader does not work here."""
    say(
        "the given code is built and checked in the sandbox first, to see that the grader works here"
    )
    start = time.monotonic()
    parts = [part for part in course.parts if not course.reason_against(part)]
    for part in parts:
        failure = _find_failure(course, part)
        if failure:
            raise LabError(f"the grader does not work here, so nothing was graded: {failure}")
    shutil.rmtree(course.out / "work" / _GIVEN, ignore_errors=True)
    check_s = timing_s = time.monotonic() - start
    if count > 1 and course.timed and patience() > _BUSY:
        say("the machine is busy: timings wait for free cores, and many will be for a person")
    try:
        start = time.monotonic()
        with turn("how long ./lab grade takes"):
            for part in parts if count > 1 else ():
                manifest = course.references.file
                clock = Clock(course.programs / "bench", manifest, part, lambda: BENCH_S)
                beside = ["naive", *filter(None, [course.solution(part)])]
                for setup in course.timings()[part]:
                    clock.time(beside, setup, 1)
        timing_s = 1.5 * (time.monotonic() - start)  # and the submission's
    except NotTimed as why:
        say(f"how long it takes is not known: {why}")
    else:
        say(describe_duration(count, check_s, timing_s))
