"""Builds the rows of a submission in the sandbox, explains what did not compile, and lists what was built for the checker and
the clock."""

import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from nbody_lab.building.explain import explain_failure
from nbody_lab.building.manifest import VERSION, Manifest, ManifestError
from nbody_lab.core.whole_file import write_bytes, write_text
from nbody_lab.grade.course import Course, patience, require_space
from nbody_lab.grade.models import Problem, Row
from nbody_lab.grade.sandbox import ANSWER, COMPILE, Ended, Limits, Sandbox, run_beside

# How long building and checking a part of a submission may take, and how long timing it; docs/teaching.md states it.
# A correct row takes ten seconds, so there is room for many. Wall time, because a program may sleep; more of it on a busy
# machine, where an honest program waits for a core.
BUDGET_S, MORE_S = 120, 15  # for the first row; for each further one
_MOST_ROWS = 12  # mine*.hpp files in a part
_MOST_LINES, _LONGEST_LINE = 2000, 500  # longest log that is explained: long logs take long
_NOT_CONFIGURED = "rebuilding 'build.ninja'"  # Ninja's message when CMake refuses flags.txt


class Job:
    """A part of a submission while it is graded, in OUT/work/NAME/PART: its `tree` and `build`, which a build sees where the
    given lab was configured, and its `programs`. Each part is built separately, so that an error in one cannot affect
    another."""

    def __init__(self, course: Course, name: str, part: str) -> None:
        self.course, self.given, self.part = course, course.given, part
        self.place = course.given.parts[part]  # "part1_standard_opti"
        self.folder = course.out / "work" / name / part
        self.tree, self.build = self.folder / "tree", self.folder / "build"
        self.programs = self.folder / "bin"
        self.allow(1)

    def allow(self, rows: int) -> None:
        """From now on, the wall time for so many rows."""
        seconds = BUDGET_S + MORE_S * max(0, rows - 1)
        self._end = time.monotonic() + seconds * patience()
        why = "is it slow, or was the machine busy?"
        self.used_up = f"it was not done in {seconds} s of wall time: {why}"

    def left(self) -> float:
        """Seconds."""
        return max(0.0, self._end - time.monotonic())

    def fill(self, files: Mapping[str, Path]) -> None:
        """Lays `files`, {"part1_standard_opti/mine.hpp": Path}, over the given tree: all of them, because a part may use
        another's, except the flags.txt of other parts, which can stop CMake."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.tree.mkdir(parents=True)
        for entry in self.given.tree.iterdir():
            if entry.name in self.given.parts.values():
                shutil.copytree(entry, self.tree / entry.name)
            elif entry.name != "build":
                os.symlink(entry, self.tree / entry.name)

        def of_given_mine(folder: str, names: list[str]) -> list[str]:
            inside = os.path.relpath(folder, self.given.build)
            return names if inside == "bin" or "_mine" in inside else []

        shutil.copytree(self.given.build, self.build, symlinks=True, ignore=of_given_mine)
        for name, file in files.items():
            if not name.endswith("/flags.txt") or name.startswith(f"{self.place}/"):
                write_bytes(self.tree / name, file.read_bytes())
                (self.tree / name).chmod(0o644)

    def bring_back(self, name: str) -> bool:
        """Replaces the student's file by the given one; False if they are the same."""
        file, given = self.tree / self.place / name, self.given.tree / self.place / name
        if not given.is_file() or self.given.has(f"{self.place}/{name}", file):
            return False
        write_bytes(file, given.read_bytes())
        return True

    def program(self, name: str) -> Path | None:
        """None if it was not built."""
        file = self.programs / name
        return file if file.is_file() else None

    def sandbox(self, limits: Limits = ANSWER) -> Sandbox:
        """Of a student's program: it can write nothing but its own /tmp."""
        course, ranks = self.course, bool(self.course.launcher(self.part))
        tools = [(folder, folder) for folder in self.given.tools()] if ranks else []
        binds = [(self.programs, self.programs), *tools]
        return Sandbox(limits, binds, gpu=course.on_gpu(self.part), ranks=ranks)


def row_files(folder: Path) -> dict[str, str]:
    """{row: file} of those that become programs, found as common/cmake/student_flags.py finds them."""
    return {
        file.stem: file.name
        for file in sorted(folder.iterdir())
        if re.fullmatch(r"mine(_[A-Za-z0-9_]+)?(?<!_count)(?<!_double)\.(hpp|cuh)", file.name)
    }


def _run_ninja(job: Job, targets: Sequence[str]) -> Ended:
    """Raises OSError if the disk is full, TimeoutError after too much wall time: neither says anything about the
    submission."""
    given, tools = job.given, job.given.tools()
    binds = [(one, one) for one in (given.tree, *tools)]
    binds += [(job.tree / place, given.tree / place) for place in given.parts.values()]
    path = ":".join([*(f"{one}/bin" for one in tools), "/usr/local/bin:/usr/bin:/bin"])
    limits = COMPILE._replace(wall_s=job.left())
    require_space(job.folder)
    argv = ["ninja", "-C", given.build, "-j1", "-k0", *targets]
    ended = Sandbox(limits, binds, [(job.build, given.build)], path=path).run(argv)
    require_space(job.folder)
    if ended.why == "wall time":
        raise TimeoutError(f"the machine was too busy to build it in {limits.wall_s:.0f} s")
    return ended


def _explain(job: Job, ended: Ended) -> str:
    """Why nothing was built, as ./lab explains the log to the student."""
    if ended.why:
        return f"building was stopped: {ended.too_much}"
    log = f"{ended.stdout}\n{ended.stderr}".replace(str(job.given.tree), str(job.tree))
    file, lines = job.folder / "build.log", log.splitlines()[:_MOST_LINES]
    write_text(file, "\n".join(line[:_LONGEST_LINE] for line in lines) + "\n")
    try:
        text = explain_failure(file, job.tree, job.build).report()
    except Exception as fault:  # a strange log never costs a student his row
        text = f"(not explained: {type(fault).__name__})"
    return text.replace(f"{job.tree}/", "").replace(f"; log: {file}", "").strip()


# Headers of the lab for the checker and its references, not for simulators.
_NOT_GIVEN = r"(?m)^[ \t]*#[ \t]*include[ \t]*[<\"][./]*(?:common/)?((?:core|check|bench|session|work)/[^>\"]*)"


def find_foreign_includes(job: Job) -> list[Problem]:
    """Falling back to the reference gives right results that are not the student's."""
    owner = "which belongs to the checker: a person should look"
    return [
        Problem(stage="code", text=f"{job.place}/{file.name} includes {header}, {owner}")
        for file in sorted((job.tree / job.place).iterdir())
        if file.suffix in (".hpp", ".cuh", ".h")
        and not job.given.has(f"{job.place}/{file.name}", file)
        for header in re.findall(_NOT_GIVEN, file.read_text(encoding="utf-8", errors="replace"))
    ]


def build(job: Job) -> tuple[list[Row], list[Problem]]:
    """All rows, and what a person is told. The programs are in `job.programs`."""
    part, place = job.part, job.tree / job.place
    names = row_files(place)
    job.allow(len(names))
    problems = [f"{part}: only the first {_MOST_ROWS} rows are graded"] * (len(names) > _MOST_ROWS)
    built, worksheet = job.build / "bin" / part, f"{part}_worksheet_program"

    ended = _run_ninja(job, [worksheet])
    is_refused = _NOT_CONFIGURED in ended.stdout + ended.stderr  # which one depends on Ninja
    refused = ended if is_refused and job.bring_back("flags.txt") else None
    if refused:  # bad flags must not cost the answers
        ended = _run_ninja(job, [worksheet])
    if not (built / "worksheet_answers").is_file() and job.bring_back("worksheet.hpp"):
        # It is part of every row's program, for the Gflop/s display: it must not cost the code.
        error = re.search(r"worksheet\.hpp:(\d+):\d+: (?:fatal )?error: (.*)", ended.stdout)
        why = f"line {error[1]}: {error[2][:200]}" if error else _explain(job, ended)
        problems.append(f"{part}: worksheet.hpp does not compile: {why}")
    try:  # written by CMake before any code of the submission could run
        known = {row.name: row for row in Manifest(job.build / "manifest.json").of_part(part)}
    except ManifestError:
        known = {}
    suffixes = ["", "_double", *(["_count"] if any(row.count for row in known.values()) else [])]
    rows = []
    for name, source in list(names.items())[:_MOST_ROWS]:
        targets = [f"{part}_{name}{suffix}" for suffix in suffixes]
        ended = refused or _run_ninja(job, targets)
        is_built = (built / name).is_file()
        row = Row(
            name=name,
            source=f"{job.place}/{source}",
            flags=" ".join(known[name].flags) if name in known and not refused else "",
            untouched=job.given.has_code(f"{job.place}/{source}", place / source),
            built=is_built,
            build_problem="" if is_built else _explain(job, ended),
        )
        rows.append(row)
    notices = job.build / "notices.txt"  # what CMake left out
    if notices.exists():
        lines = notices.read_text(encoding="utf-8", errors="replace").splitlines()
        problems += [line for line in lines if line.startswith(f"{job.place}/")]
    built.mkdir(parents=True, exist_ok=True)
    built.replace(job.programs)
    shutil.rmtree(job.build)
    told = [Problem(stage="build", text=text) for text in problems]
    return rows, told + find_foreign_includes(job)


def ask(
    job: Job, program: str, plan: str, wall_s: float, hear: Callable[[dict[str, Any]], object]
) -> Ended:
    """Runs the lab's own checker or clock, bin/PROGRAM, on a plan, and tells `hear` each line of its answers."""
    files = job.folder / f"{program}_plan.json", job.folder / f"{program}_answers.txt"
    files[1].unlink(missing_ok=True)
    write_text(files[0], plan)
    words = ["sh", "-c", 'exec "$0" <"$1" >"$2"', job.course.programs / program, *files]
    ended = run_beside(words, wall_s)
    for line in files[1].read_text(encoding="utf-8").splitlines() if files[1].exists() else ():
        with suppress(ValueError):  # it was killed within a line
            hear(json.loads(line))
    return ended


def write_manifest(job: Job, rows: Iterable[Row]) -> None:
    """A manifest for bin/check and bin/bench: this lab's references, and these rows in the sandbox."""
    part, references = job.part, job.course.references
    known = []
    for row in references.of_part(part):
        if row.kind in ("naive", "solution"):
            data = row.model_dump(by_alias=True, exclude={"launcher"}) | {"count": None}
            for program in data["programs"]:
                program["program"] = str(references.file.parent / program["program"])
            known.append(data)
    template = references.of_part(part, "mine")[0].model_dump(by_alias=True) | {"count": None}
    template["launcher"] = [*job.sandbox().launcher(serves=True), *job.course.launcher(part)]
    for one in rows:
        programs = [
            {"precision": precision, "instruction_set": "", "program": str(program)}
            for suffix, precision in (("", "float"), ("_double", "double"))
            if (program := job.program(one.name + suffix))
        ]
        own = {"name": one.name, "flags": one.flags.split(), "source": one.source}
        known.append(template | own | {"programs": programs})
    parts = [one.model_dump() for one in references.parts if one.name == part]
    text = json.dumps({"version": VERSION, "parts": parts, "implementations": known})
    write_text(job.folder / "manifest.json", text)
