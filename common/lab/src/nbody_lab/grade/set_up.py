"""The preparation before measuring: isolation, references, the lab as handed out, limits of the machine; and a proof
that all of it works here."""

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
from nbody_lab.grade import timing
from nbody_lab.grade.course import ON_GPU, Course, cores
from nbody_lab.grade.intake import Taken
from nbody_lab.grade.isolation import Isolation, choose
from nbody_lab.grade.kept import keep_list, read_list
from nbody_lab.grade.limits import Allowance, is_busy, require_space
from nbody_lab.grade.measure import Work, judge_part
from nbody_lab.grade.models import HandedIn, Machine, Record
from nbody_lab.grade.pristine import Pristine
from nbody_lab.grade.rubric import Rubric
from nbody_lab.measure import doctor
from nbody_lab.measure.ceilings import measure_ceilings, with_gpu_rows, write_ceilings
from nbody_lab.tasks.evidence import Ceilings

_CEILINGS = ROOT / "build/ceilings.json"


def require_own_folder(out: Path, class_folder: Path) -> None:
    """Before anything is written there: results neither lie among what was handed in nor replace another file's."""
    if out.exists() and not out.is_dir():
        raise LabError(f"{out} is a file, not a folder for the results (-o)")
    if out == class_folder:
        raise LabError(f"{out} is the class itself: choose another folder for the results (-o)")
    if (out / "grades.csv").exists() and not read_list(out).class_folder:
        raise LabError(
            f"{out / 'grades.csv'} was not written by ./lab grade: choose another folder (-o)"
        )


def claim(out: Path, class_folder: Path) -> None:
    """Claims a folder for one class; refuses one that belongs to another."""
    held = read_list(out).class_folder
    if held not in ("", str(class_folder)):
        raise LabError(f"{out} holds the grades of another class, {held}: choose another -o")
    keep_list(out, class_folder=str(class_folder))


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


def _parts_without_bound(
    references: Manifest, parts: Sequence[str], ceilings: Ceilings, gpu: str
) -> list[str]:
    """Those whose impossible rates go unseen."""
    found = []
    for part in parts:
        row = references.part(part)
        on_gpu = row is not None and row.device == "gpu"
        threads = ON_GPU if on_gpu else cores()
        if (gpu or not on_gpu) and timing.find_bound(ceilings, threads) is None:
            found.append(part)
    return found


def _describe_machine(gpu: str, no_bound: Sequence[str]) -> Machine:
    if no_bound:
        say(
            f"impossible rates of {' '.join(no_bound)} go unseen until you measure this machine's limits: "
            "./lab roofline --measure"
        )
    return Machine(
        cpu=cpuinfo.fields().get("model name") or platform.machine(),
        cores=cores(),
        compiler=doctor.first_line("c++", "--version"),
        gpu=gpu,
        no_bound=" ".join(no_bound),
    )


def _measure_limits(lab: Lab) -> Ceilings:
    """A minute, once on a machine: without it, nobody sees rates that are impossible."""
    lab.begin()
    write_ceilings(with_gpu_rows(lab, measure_ceilings(lab)))
    lab.unlock()
    return Ceilings.of_this_machine(_CEILINGS)


def _version_of_lab() -> str:
    """The last commit that changes measurements; documents and rubrics do not. Empty without git."""
    git, of = ("git", "-C", str(ROOT)), ("--", ".", ":!docs", ":!data", ":!*.md")
    changed = doctor.first_line(*git, "status", "--porcelain", *of)
    return doctor.first_line(*git, "log", "-1", "--format=%h", *of) + ("-dirty" if changed else "")


def course_of(
    lab: Lab,
    out: Path,
    rubric: Rubric,
    parts: Sequence[str],
    count: int,
) -> Course:
    """`count`: of submissions."""
    isolation = choose(ROOT)
    try:
        require_space(out)
    except OSError as fault:
        raise LabError(f"{out}: {fault.strerror}") from fault
    folders = {part: next(ROOT.glob(f"{part}_*")).name for part in parts}
    pristine = Pristine(ROOT, ROOT / "build/grading/pristine", folders)
    if not pristine.build.exists():
        say(
            "the first class on this machine takes five to ten minutes more: what it is compared with, and the lab as "
            "handed out, are built once"
        )
    references = _build_references(lab, parts)
    pristine.prepare()
    lab.part = parts[0]
    devices = [row.device for row in references.parts if row.name in parts]
    gpu = lab.gpu() if "gpu" in devices else ""
    ceilings = Ceilings.of_this_machine(_CEILINGS)
    no_bound = _parts_without_bound(references, parts, ceilings, gpu)
    if no_bound and count > 1:
        ceilings = _measure_limits(lab)
        no_bound = _parts_without_bound(references, parts, ceilings, gpu)
    return Course(
        out=out,
        pristine=pristine,
        references=references,
        programs=lab.build_dir / "bin",
        isolation=isolation,
        ceilings=ceilings,
        rubric=rubric,
        parts=parts,
        machine=_describe_machine(gpu, no_bound),
        lab=_version_of_lab(),
    )


# --- the proof ---

# The given code, as a submission, must build, pass and answer in the sandbox. So an unreachable folder or a broken tool
# stops here and does not cost a hundred marks.
_GIVEN = "_given"  # no submission has this name
_MARK = "this very file was compiled"


def _given_files(course: Course, folder: Path) -> dict[str, Path]:
    """mine of each part, marked with a text that shows whether the submitted file was compiled."""
    files = {}
    for part, place in course.pristine.parts.items():
        for source in (course.pristine.tree / place).glob("mine.*"):
            if part in course.parts and not course.reason_against(part):
                copy = folder / place / source.name
                copy.parent.mkdir(parents=True, exist_ok=True)
                proof = f'[[gnu::used]] static const char proof[] = "{_MARK}";\n'
                copy.write_text(source.read_text(encoding="utf-8") + proof, encoding="utf-8")
                files[f"{place}/{source.name}"] = copy
    return files


def _find_failure(work: Work, isolation: Isolation, part: str) -> str:
    judged = judge_part(work, isolation, part)
    row, check = judged.rows[0], judged.rows[0].check
    if not row.built or check is None:
        why = row.build_problem or "; ".join(one.text for one in work.problems)
        return f"{part}/mine as handed out does not build in the sandbox: {why}"
    program = work.box(part).program(part, "mine")
    if _MARK.encode() not in program.read_bytes():
        return f"{part}/mine was not built from what was handed in"
    if check.verdict != "passed":
        case = check.first_failures[0].diagnosis if check.first_failures else check.verdict
        return f"{part}/mine as handed out does not pass in the sandbox: {check.problem or case}"
    problem = judged.worksheet.problem if judged.worksheet else ""
    return problem and f"{part}: {problem}"


def _time_references(course: Course, part: str) -> float:
    """Seconds that the clock needs for a part, by what every submission is timed beside."""
    start, names = time.monotonic(), ["naive", *filter(None, [course.solution(part)])]
    bench, manifest = course.programs / "bench", course.references.file
    for setup in course.setups(part):
        file, allowance = course.out / "work/bench.json", Allowance(None, timing.BENCH_S)
        timing.Clock(bench, manifest, part, file, allowance).time(names, setup, 1)
    return time.monotonic() - start


def describe_duration(count: int, jobs: int, check_s: float, timing_s: float) -> str:
    minutes = count * (check_s / max(1, min(jobs, count)) + timing_s) / 60
    about = (
        f"{minutes:.0f} minutes" if minutes >= 1.5 else "a minute" if minutes > 0.5 else "seconds"
    )
    return (
        f"{plural(count, 'submission')}: about {about} ({check_s:.0f} s each to build and check, {jobs} at a time, then "
        f"{timing_s:.0f} s alone to time); further versions in a submission take more"
    )


def prove(course: Course, count: int = 1, jobs: int = 1) -> None:
    """`count` submissions will be graded, `jobs` at a time. Raises LabError if the grader does not work here."""
    say(
        "the given code is built and checked in the sandbox first, to see that the grader works here"
    )
    start, folder = time.monotonic(), course.out / "work" / _GIVEN
    given = Record(submission=HandedIn(name=_GIVEN), seed=1)
    work = Work(course, given, Taken(_given_files(course, folder / "files")))
    parts = [part for part in course.parts if not course.reason_against(part)]
    with course.own_isolation() as isolation:
        for part in parts:
            failure = _find_failure(work, isolation, part)
            if failure:
                raise LabError(f"the grader does not work here, so nothing was graded: {failure}")
    shutil.rmtree(folder, ignore_errors=True)
    check_s = time.monotonic() - start
    say(f"the given code passes in the sandbox ({course.isolation.kind}; {check_s:.0f} s)")
    if count > 1 and is_busy():
        say("the machine is busy: timings wait for free cores, and many will be for a person")
    elif count > 1:
        try:
            timing_s = sum(_time_references(course, part) for part in parts) * 1.5  # and mine
        except timing.NotTimed as why:
            say(f"how long the class takes is not known: {why}")
            return
        say(describe_duration(count, jobs, check_s, timing_s))
