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
from nbody_lab.core.words import plural
from nbody_lab.grade.course import ON_GPU, Course, cores, require_space
from nbody_lab.grade.intake import Taken
from nbody_lab.grade.measure import judge_part
from nbody_lab.grade.models import Machine
from nbody_lab.grade.rubric import Rubric
from nbody_lab.grade.sandbox import require_isolation
from nbody_lab.grade.timing import find_bound
from nbody_lab.grade.tree import Given
from nbody_lab.measure import doctor
from nbody_lab.measure.ceilings import measure_ceilings, with_gpu_rows, write_ceilings
from nbody_lab.tasks.evidence import Ceilings

_CEILINGS = ROOT / "build/ceilings.json"


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

    def without_bound() -> list[str]:
        """The parts whose impossible rates go unseen."""
        on_gpu = {row.name: row.device == "gpu" for row in references.parts}
        return [
            part
            for part in parts
            if (gpu or not on_gpu.get(part))
            and find_bound(ceilings, ON_GPU if on_gpu.get(part) else cores()) is None
        ]

    if without_bound() and count > 1 and timed:  # a minute, once on a machine
        lab.begin()
        write_ceilings(with_gpu_rows(lab, measure_ceilings(lab)))
        lab.unlock()
        ceilings = Ceilings.of_this_machine(_CEILINGS)
    no_bound = " ".join(without_bound())
    if no_bound and timed:
        say(f"impossible rates of {no_bound} go unseen until you run ./lab roofline --measure")
    machine = Machine(
        cpu=cpuinfo.fields().get("model name") or platform.machine(),
        cores=cores(),
        compiler=doctor.first_line("c++", "--version"),
        gpu=gpu,
        no_bound=no_bound,
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
    minutes = round(count * (time.monotonic() - start) / min(cores(), count) / 60)
    about = plural(max(1, minutes), "minute")
    say(f"{plural(count, 'submission')}: about {about} to check, then timing one by one")
