"""Builds the rows of a submission in isolation and explains what did not compile."""

import errno
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbody_lab.building.explain import explain_failure
from nbody_lab.building.manifest import Implementation, Manifest, ManifestError
from nbody_lab.grade.bubblewrap import Access, Binds
from nbody_lab.grade.contained import Ended
from nbody_lab.grade.course import Course
from nbody_lab.grade.isolation import Isolation
from nbody_lab.grade.limits import COMPILE, EXTRA_S, JUDGE, Allowance, require_space, too_much
from nbody_lab.grade.models import Problem, Row
from nbody_lab.grade.pristine import Box, row_names

# Processor time of one compiler; extra time per program, which takes one or two.
_ONE_S, _EACH_S = 30, 6
_MOST_LINES, _LONGEST_LINE = 2000, 500  # longest log that is explained: long logs take long
_NOT_CONFIGURED = "rebuilding 'build.ninja'"  # Ninja's message when CMake refuses flags.txt
_LOG_KEPT = 16_000  # characters kept from the end
_PROGRAMS = {"": "float", "_double": "double", "_count": "count"}  # of a row


@dataclass(frozen=True)
class Job:
    """One part of a submission, while it is built and judged."""

    course: Course
    box: Box
    isolation: Isolation
    allowance: Allowance
    part: str

    @property
    def folder(self) -> str:
        return self.box.pristine.parts[self.part]

    def access(self, writable: Binds = ()) -> Access:
        """What a student's program sees."""
        course = self.course
        ranks = bool(course.launcher(self.part))
        tools = [(folder, folder) for folder in self.box.pristine.tools()] if ranks else []
        binds = [*self.box.to_run(), *tools]
        return Access(binds, writable, gpu=course.on_gpu(self.part), ranks=ranks)


# --- Ninja ---


def _run_ninja(job: Job, targets: Sequence[str]) -> Ended:
    """_ONE_S limits each compiler, and all together get more: processor time, because compilers wait for nothing else than
    a core. Raises OSError if the disk was full, TimeoutError after too much wall time: neither says anything about the
    submission."""
    all_s = _ONE_S + len(targets) * _EACH_S
    box, limits = job.box, COMPILE._replace(cpu_s=all_s, wall_s=job.allowance.left())
    prlimit = ["prlimit", f"--cpu={_ONE_S}:{_ONE_S + EXTRA_S}"]
    ninja = ["ninja", "-C", str(box.build_inside), "-j1", "-k0", *targets]
    require_space(box.folder)
    ended = job.isolation.run(
        [*prlimit, *ninja],
        limits,
        Access(*box.to_build(), environment={"PATH": box.pristine.path()}),
    )
    require_space(box.folder)
    if says_disk_is_full(ended.text):
        raise OSError(errno.ENOSPC, "the disk was full while it was built", str(box.folder))
    if ended.why == "wall time":
        raise TimeoutError(f"the machine was too busy to build it in {limits.wall_s:.0f} s")
    return ended


# Not where a compiler quotes the code. /tmp inside is small, and who fills it is to blame.
_FULL = re.compile(r"^(?!\S+:\d+:\d+: |\s*\d* \|)(?!.*/tmp/).*No space left on device'?$", re.M)


def says_disk_is_full(log: str) -> bool:
    return _FULL.search(log) is not None


# --- why it does not compile ---

# What the tools say when they were stopped, at the beginning of their own lines. It explains and decides nothing.
_STOPPED = (
    (r"^(?:.*: )?(?:out of memory|virtual memory exhausted|memory exhausted)", "too much memory"),
    (r"^\S*(?:\+\+|cc1plus|clang\S*|as|ld|collect2): .*\bKilled\b", "too much memory"),
    (r"^\S*(?:\+\+|cc1plus|clang\S*|as|ld|collect2): .*CPU time limit", "too much cpu time"),
    (r"^\S*(?:\+\+|cc1plus|clang\S*|as|ld|collect2): .*File size limit", "too large files"),
)
_ASSEMBLER = re.compile(r"^.*: Assembler messages:\n.*?: (?:Error|Fatal error): (.*)$", re.M)


def why_stopped(log: str) -> str | None:
    """If it was not the compiler that found an error in the code."""
    for pattern, why in _STOPPED:
        if re.search(pattern, log, re.M):
            return f"building was stopped: {why}"
    refused = _ASSEMBLER.search(log)
    return f"the assembler refuses it: {refused[1][:200]}" if refused else None


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
    lines = log.replace(str(box.tree_inside), str(box.tree)).splitlines()[:_MOST_LINES]
    file = box.folder / "build.log"
    text = "\n".join(line[:_LONGEST_LINE] for line in lines) + "\n"
    file.write_text(text, encoding="utf-8")
    try:
        text = explain_failure(file, box.tree, box.build).report()
    except Exception as fault:  # a strange log never costs a student his row
        text = f"(not explained: {type(fault).__name__})"
    return text.replace(str(box.tree) + "/", "").replace(f"; log: {file}", "").strip()


def _first_worksheet_error(log: str) -> str | None:
    found = re.search(r"^[^\n]*worksheet\.hpp:(\d+):\d+: (?:fatal )?error: ([^\n]*)", log, re.M)
    return f"line {found[1]}: {found[2][:200]}" if found else None


def _why_ended(ended: Ended) -> str:
    return f"building was stopped: {too_much(ended.why)}" if ended.why else "building failed"


# --- what a person should look at ---

# Headers of the lab for the checker and its references, not for simulators.
_NOT_GIVEN = re.compile(
    r"^[ \t]*#[ \t]*include[ \t]*[<\"](?:[./]*common/)?"
    r"((?:core|check|bench|protocol|work|attempt)/[^>\"]*)",
    re.M,
)


def find_foreign_includes(box: Box, part: str) -> list[Problem]:
    """Falling back to the reference gives right results that are not the student's."""
    folder = box.pristine.parts[part]
    found = []
    for file in sorted((box.tree / folder).iterdir()):
        name = f"{folder}/{file.name}"
        if file.suffix in (".hpp", ".cuh", ".h") and not box.pristine.is_untouched(name, file):
            for header in _NOT_GIVEN.findall(file.read_text(encoding="utf-8", errors="replace")):
                owner = "which belongs to the checker: a person should look"
                found.append(Problem(stage="code", text=f"{name} includes {header}, {owner}"))
    return found


def _notices(box: Box, part: str) -> list[str]:
    """What CMake left out."""
    try:
        text = (box.build / "notices.txt").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [line for line in text.splitlines() if line.startswith(f"{box.pristine.parts[part]}/")]


# --- the rows ---


def _manifest_rows(box: Box, part: str) -> Mapping[str, Implementation]:
    """Of CMake's manifest, written before any code of the submission could run."""
    try:
        return {row.name: row for row in Manifest(box.build / "manifest.json").of_part(part)}
    except ManifestError:
        return {}


def _make_row(job: Job, name: str, known: Implementation | None, ended: Ended) -> Row:
    box, part, folder, log = job.box, job.part, job.folder, ended.text
    sources = [f"{folder}/{name}.hpp", f"{folder}/{name}.cuh"]
    source = next((file for file in sources if (box.tree / file).exists()), "")
    built = box.is_built(part, name)
    own = blocks_of_row(log, part, name)
    problem = ""
    if not built:
        told = why_stopped(own) or (_explain(box, own or log) if ended.status else "")
        problem = told or _why_ended(ended)
    for tree in (box.tree_inside, box.tree):
        log = log.replace(f"{tree}/", "")
    return Row(
        name=name,
        source=source,
        flags=" ".join(known.flags) if known else "",
        untouched=bool(source) and box.pristine.is_untouched(source, box.tree / source),
        built=built,
        build_problem=problem,
        build_log=log[-_LOG_KEPT:] if not built or "warning:" in log else "",
    )


def build(job: Job) -> tuple[list[Row], list[Problem]]:
    box, part = job.box, job.part
    names, too_many = row_names(box.tree / job.folder)
    worksheet = f"{part}_worksheet_program"
    is_counted = any(row.count for row in _manifest_rows(box, part).values())
    suffixes = [suffix for suffix in _PROGRAMS if suffix != "_count" or is_counted]
    targets = [f"{part}_{name}{suffix}" for name in names for suffix in suffixes]
    problems = []
    if too_many:
        count = len(names) + len(too_many)
        problems.append(f"{part}: {count} rows; the first {len(names)} are graded")

    ended = _run_ninja(job, [*targets, worksheet])
    if _NOT_CONFIGURED in ended.text and box.bring_back(part, "flags.txt"):
        _run_ninja(job, [worksheet])  # bad flags must not cost the answers
    elif not box.is_built(part, "worksheet_answers") and box.bring_back(part, "worksheet.hpp"):
        # worksheet.hpp is part of every row's program, for the Gflop/s display: it must not cost the code.
        why = _first_worksheet_error(ended.text) or _why_ended(ended)
        problems.append(f"{part}: worksheet.hpp does not compile: {why}")
        ended = _run_ninja(job, targets)
    if ended.why:
        problems.append(f"{part}: {_why_ended(ended)}")
    known = _manifest_rows(box, part)
    rows = [_make_row(job, name, known.get(name), ended) for name in names]
    texts = [Problem(stage="build", text=text) for text in [*problems, *_notices(box, part)]]
    return rows, texts + find_foreign_includes(box, part)


def write_manifest(job: Job, rows: Iterable[Row]) -> Path:
    """A manifest for bin/check and bin/bench: this lab's references, and these rows in the sandbox."""
    box, part, references = job.box, job.part, job.course.references
    ranks = job.course.launcher(part)
    launcher = job.isolation.words(ranks, JUDGE, job.access(), serves=True)
    here = references.file.parent
    known = []
    for row in references.of_part(part):
        if row.kind in ("naive", "solution"):
            data = row.model_dump(by_alias=True)
            for program in (data, *data["programs"]):
                program["program"] = str(here / program["program"])
            if data["count"]:
                data["count"]["result"] = str(here / data["count"]["result"])
            known.append(data)
    template = references.of_part(part, "mine")[0].model_dump(by_alias=True)
    for one in rows:
        programs = [
            {
                "precision": _PROGRAMS[suffix],
                "instruction_set": "",
                "program": str(box.program(part, one.name + suffix)),
                "target": "",
            }
            for suffix in ("", "_double")
            if box.is_built(part, one.name + suffix)
        ]
        known.append(
            template
            | {
                "name": one.name,
                "flags": one.flags.split(),
                "source": one.source,
                "count": None,
                "program": programs[0]["program"] if programs else "",
                "programs": programs,
                "launcher": launcher,
            }
        )
    parts = [one.model_dump() for one in references.parts if one.name == part]
    file = box.folder / f"{part}_manifest.json"
    data = {"version": 2, "parts": parts, "implementations": known}
    file.write_text(json.dumps(data), encoding="utf-8")
    return file
