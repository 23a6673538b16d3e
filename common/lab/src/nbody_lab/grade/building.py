"""Builds the rows of a submission in the sandbox, explains what did not compile, and lists what was built for the checker and
the clock."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbody_lab.building.explain import explain_failure
from nbody_lab.building.manifest import VERSION, Implementation, Manifest, ManifestError
from nbody_lab.core.whole_file import write_text
from nbody_lab.grade.course import Allowance, Course, require_space
from nbody_lab.grade.models import Problem, Row
from nbody_lab.grade.sandbox import ANSWER, COMPILE, Ended, Limits, Sandbox
from nbody_lab.grade.tree import Box

# Processor time of one compiler; extra time per program, which takes one or two.
_ONE_S, _EACH_S = 30, 6
_MOST_ROWS = 12  # mine*.hpp files in a part
_MOST_LINES, _LONGEST_LINE = 2000, 500  # longest log that is explained: long logs take long
_NOT_CONFIGURED = "rebuilding 'build.ninja'"  # Ninja's message when CMake refuses flags.txt
_LOG_KEPT = 16_000  # characters kept from the end
_PROGRAMS = ("", "_double", "_count")  # of a row


@dataclass(frozen=True)
class Job:
    """One part of a submission, while it is built and judged."""

    course: Course
    box: Box
    allowance: Allowance

    @property
    def part(self) -> str:
        return self.box.part

    def sandbox(self, limits: Limits = ANSWER) -> Sandbox:
        """Of a student's program: it can write nothing but its own /tmp."""
        course, ranks = self.course, bool(self.course.launcher(self.part))
        tools = [(folder, folder) for folder in self.box.given.tools()] if ranks else []
        binds = [(self.box.programs, self.box.programs), *tools]
        return Sandbox(limits, binds, gpu=course.on_gpu(self.part), ranks=ranks)


def row_names(folder: Path) -> list[str]:
    """The rows that become programs, found as common/cmake/student_flags.cmake finds them."""
    found = sorted(
        file.stem
        for file in folder.iterdir()
        if re.fullmatch(r"mine(_[A-Za-z0-9_]+)?\.(hpp|cuh)", file.name)
    )
    return [name for name in found if not name.endswith(("_count", "_double"))]


def _run_ninja(job: Job, targets: Sequence[str]) -> Ended:
    """_ONE_S limits each compiler, and all together get more: processor time, because compilers wait for nothing else than
    a core. Raises OSError if the disk is full, TimeoutError after too much wall time: neither says anything about the
    submission."""
    box = job.box
    limits = COMPILE._replace(cpu_s=_ONE_S + len(targets) * _EACH_S, wall_s=job.allowance.left())
    argv = ["prlimit", f"--cpu={_ONE_S}:{_ONE_S + 1}"]
    argv += ["ninja", "-C", str(box.given.build), "-j1", "-k0", *targets]
    require_space(box.folder)
    ended = Sandbox(limits, *box.to_build(), path=box.given.path()).run(argv)
    require_space(box.folder)
    if ended.why == "wall time":
        raise TimeoutError(f"the machine was too busy to build it in {limits.wall_s:.0f} s")
    return ended


def blocks_of_row(log: str, part: str, name: str) -> str:
    """What Ninja says about the programs of a row: other rows have their own errors."""
    objects = [f"{part}_{name}{suffix}.dir/" for suffix in _PROGRAMS]
    programs = {f"bin/{part}/{name}{suffix}" for suffix in _PROGRAMS}
    blocks = re.split(r"^(?=FAILED: |\[\d+/\d+\] |ninja: )", log, flags=re.M)
    return "".join(
        block
        for block in blocks
        if (found := re.match(r"FAILED: (?:\[[^]]*\] )?(\S+)", block))
        and (found[1] in programs or any(one in found[1] for one in objects))
    )


def _explain(box: Box, log: str) -> str:
    """The build log as ./lab explains it to the student."""
    lines = log.replace(str(box.given.tree), str(box.tree)).splitlines()[:_MOST_LINES]
    file = box.folder / "build.log"
    write_text(file, "\n".join(line[:_LONGEST_LINE] for line in lines) + "\n")
    try:
        text = explain_failure(file, box.tree, box.build).report()
    except Exception as fault:  # a strange log never costs a student his row
        text = f"(not explained: {type(fault).__name__})"
    return text.replace(str(box.tree) + "/", "").replace(f"; log: {file}", "").strip()


def _why_ended(ended: Ended) -> str:
    return f"building was stopped: {ended.too_much}" if ended.why else "building failed"


# Headers of the lab for the checker and its references, not for simulators.
_NOT_GIVEN = re.compile(
    r"^[ \t]*#[ \t]*include[ \t]*[<\"](?:[./]*common/)?"
    r"((?:core|check|bench|protocol|work|attempt)/[^>\"]*)",
    re.M,
)


def find_foreign_includes(box: Box) -> list[Problem]:
    """Falling back to the reference gives right results that are not the student's."""
    found = []
    for file in sorted((box.tree / box.name).iterdir()):
        name = f"{box.name}/{file.name}"
        if file.suffix in (".hpp", ".cuh", ".h") and not box.given.has(name, file):
            for header in _NOT_GIVEN.findall(file.read_text(encoding="utf-8", errors="replace")):
                owner = "which belongs to the checker: a person should look"
                found.append(Problem(stage="code", text=f"{name} includes {header}, {owner}"))
    return found


def _known_rows(box: Box) -> dict[str, Implementation]:
    """By name, of CMake's manifest, written before any code of the submission could run."""
    try:
        found = Manifest(box.build / "manifest.json").of_part(box.part)
    except ManifestError:
        return {}
    return {row.name: row for row in found}


def _make_row(box: Box, name: str, known: Implementation | None, ended: Ended) -> Row:
    log = f"{ended.stdout}\n{ended.stderr}"
    sources = [f"{box.name}/{name}.hpp", f"{box.name}/{name}.cuh"]
    source = next((file for file in sources if (box.tree / file).exists()), "")
    built = (box.build / "bin" / box.part / name).is_file()
    problem = ""
    if not built:
        own = blocks_of_row(log, box.part, name)
        has_errors = ended.status and (own or not ended.why)
        problem = _explain(box, own or log) if has_errors else _why_ended(ended)
    for tree in (box.given.tree, box.tree):
        log = log.replace(f"{tree}/", "")
    return Row(
        name=name,
        source=source,
        flags=" ".join(known.flags) if known else "",
        untouched=bool(source) and box.given.has(source, box.tree / source),
        built=built,
        build_problem=problem,
        build_log=log[-_LOG_KEPT:] if not built or "warning:" in log else "",
    )


def build(job: Job) -> tuple[list[Row], list[Problem]]:
    """All rows, and what a person is told. The programs are in `box.programs`."""
    box, part = job.box, job.part
    found = row_names(box.tree / box.name)
    names = found[:_MOST_ROWS]
    worksheet = f"{part}_worksheet_program"
    is_counted = any(row.count for row in _known_rows(box).values())
    suffixes = [suffix for suffix in _PROGRAMS if suffix != "_count" or is_counted]
    targets = [f"{part}_{name}{suffix}" for name in names for suffix in suffixes]
    problems = []
    if len(found) > len(names):
        problems.append(f"{part}: {len(found)} rows; the first {len(names)} are graded")

    ended = _run_ninja(job, [*targets, worksheet])
    answers = box.build / "bin" / part / "worksheet_answers"
    if _NOT_CONFIGURED in ended.stdout and box.bring_back("flags.txt"):
        _run_ninja(job, [worksheet])  # bad flags must not cost the answers
    elif not answers.is_file() and box.bring_back("worksheet.hpp"):
        # worksheet.hpp is part of every row's program, for the Gflop/s display: it must not cost the code.
        error = re.search(r"worksheet\.hpp:(\d+):\d+: (?:fatal )?error: (.*)", ended.stdout)
        why = f"line {error[1]}: {error[2][:200]}" if error else _why_ended(ended)
        problems.append(f"{part}: worksheet.hpp does not compile: {why}")
        ended = _run_ninja(job, targets)
    if ended.why:
        problems.append(f"{part}: {_why_ended(ended)}")
    known = _known_rows(box)
    rows = [_make_row(box, name, known.get(name), ended) for name in names]
    notices = box.build / "notices.txt"  # what CMake left out
    if notices.exists():
        lines = notices.read_text(encoding="utf-8", errors="replace").splitlines()
        problems += [line for line in lines if line.startswith(f"{box.name}/")]
    box.keep_programs()
    told = [Problem(stage="build", text=text) for text in problems]
    return rows, told + find_foreign_includes(box)


def write_manifest(job: Job, rows: Iterable[Row]) -> Path:
    """A manifest for bin/check and bin/bench: this lab's references, and these rows in the sandbox."""
    box, part, references = job.box, job.part, job.course.references
    build = references.file.parent
    known = []
    for row in references.of_part(part):
        if row.kind in ("naive", "solution"):
            data = row.model_dump(by_alias=True) | {"count": None}
            for program in data["programs"]:
                program["program"] = str(build / program["program"])
            known.append(data)
    template = references.of_part(part, "mine")[0].model_dump(by_alias=True) | {"count": None}
    template["launcher"] = [*job.sandbox().launcher(serves=True), *job.course.launcher(part)]
    for one in rows:
        programs = [
            {"precision": precision, "instruction_set": "", "program": str(program)}
            for suffix, precision in (("", "float"), ("_double", "double"))
            if (program := box.program(one.name + suffix))
        ]
        own = {"name": one.name, "flags": one.flags.split(), "source": one.source}
        known.append(template | own | {"programs": programs})
    parts = [one.model_dump() for one in references.parts if one.name == part]
    file = box.folder / "manifest.json"
    write_text(file, json.dumps({"version": VERSION, "parts": parts, "implementations": known}))
    return file
