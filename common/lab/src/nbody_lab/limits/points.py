"""Makes the points of a roofline: counts, times and examines programs, and places them under the ceilings."""

import re
import time
from collections import defaultdict
from collections.abc import Sequence

from nbody_lab.building.cpuinfo import best_program
from nbody_lab.building.lab import Lab, show_built
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import Precision, load
from nbody_lab.limits.machine_code import Loop, NoBound, count_roots, find_hot_loop, lanes, roots_of
from nbody_lab.limits.roofline import Code, Place, Program, make_point, plain_code
from nbody_lab.measure.bench import bench_result
from nbody_lab.measure.bench_plan import QUICK, Asked
from nbody_lab.measure.count_file import CountFile
from nbody_lab.measure.results import Ceilings, Point, Roofline, Work
from nbody_lab.tasks.counting import (
    build_worksheet,
    count_to_file,
    counts_of,
    has_worksheet,
    names_with_hidden_counts,
    seal_fields,
)

# The operation of a floating-point instruction, and the name that a ceiling gives it.
_OPERATION = re.compile(r"v?(r?sqrt|div|add|sub|mul|fn?m(?:add|sub))\d*([ps])[sd]\b")
_UNITS = {"sqrt": "sqrt", "rsqrt": "rsqrt", "div": "div"}  # all others: "arithmetic"
_SETS = {16: "sse2", 32: "avx2", 64: "avx512f"}  # by bytes of a register


def analyse_loop(loop: Loop, work: Work, precision: str) -> Code:
    """Its instruction set is the widest, if it takes its roots in vectors; a compiler may keep two coordinates of a scalar
    loop in one register."""
    widths = [4 * lanes(text, double=False) for text in loop.texts if _OPERATION.match(text)]
    scalar = any(count_roots(text) == 1 for text in loop.texts)
    instruction_set = "scalar" if scalar else _SETS[max(widths, default=16)]
    fused = any(re.match(r"vfn?m", text) for text in loop.texts)
    roots = roots_of(loop, precision == "double")
    if not roots or not work.sqrt + work.rsqrt:
        return Code(instruction_set, fused)
    interactions = roots / (work.sqrt + work.rsqrt)
    units: dict[tuple[str, str], float] = defaultdict(float)
    for text in loop.texts:
        if match := _OPERATION.match(text):
            unit = _UNITS.get(match[1], "arithmetic")
            if match[2] == "s":
                units[unit, "scalar"] += 1 / interactions
            else:
                vectors = _SETS[4 * lanes(text, double=False)]
                units[unit, vectors] += lanes(text, precision == "double") / interactions
    return Code(instruction_set, fused, dict(units))


def hidden_counts(lab: Lab) -> list[str]:
    """Names whose counts are an answer that the student has not found yet."""
    if has_worksheet(lab):
        build_worksheet(lab)
    return names_with_hidden_counts(lab)


def examine(lab: Lab, name: str, speed: float, place: Place, n: int) -> Program:
    """What is known of a program that was timed. Raises LabError."""
    row, precision = lab.find(name), place.precision
    best = best_program(row.programs, precision) if row else None
    if not row or not best:
        raise LabError(f"it has no program in {precision}")
    counted = load(CountFile, counts_of(lab, name)).work["fixed_step"]
    classes = {one: counted[one] for one in Work.model_fields if one in counted}
    work = Work(**{one: found.per_interaction(n) for one, found in classes.items()})
    code = plain_code("")
    if place.threads:
        try:
            loop = find_hot_loop(lab.build_dir / best.program, row.class_name)
            code = analyse_loop(loop, work, precision)
        except NoBound:
            code = plain_code(best.instruction_set.replace("avx512", "avx512f") or "scalar")
    return Program(name, row.kind, work, code, speed)


def gather(
    lab: Lab, names: Sequence[str], where: str, precision: Precision, n: int, ceilings: Ceilings
) -> Roofline:
    """The roofline of these names; builds, counts and times what is missing."""
    place = Place(ceilings.of_place(where), precision, 1 if where == "cpu" else 0)
    left_out: dict[str, str] = {}
    seals = {name: seal_fields(lab, name) for name in names}
    targets = [one for name in names for one in (lab.program(name), *lab.targets(name, precision))]
    if not show_built(lab.try_to_build(lab.part, "bin/bench", *targets)):
        raise SystemExit(1)
    for name in names:
        row = lab.find(name)
        if not row or not row.count:
            left_out[name] = "not counted"
        elif count_to_file(lab, name):
            left_out[name] = f"cannot be counted (./lab count {lab.part} {name} says why)"
    # Counts of the given code stay hidden until the student found them.
    until = f"counts are hidden until the worksheet's counts are right (./lab worksheet {lab.part})"
    left_out |= {name: until for name in hidden_counts(lab) if name in names}
    timed = [name for name in names if name not in left_out]
    points: list[Point] = []
    asked = Asked(timed, (n,), precision=(precision,), clock=QUICK)
    rows = {row.name: row for row in bench_result(lab, asked).summary} if timed else {}
    for name in timed:
        try:
            if name not in rows or not rows[name].is_right:
                verdict = rows[name].verdict if name in rows else "not built"
                raise LabError(f"the bench says: {verdict}")
            program = examine(lab, name, rows[name].speed, place, n)
            point = make_point(len(points) + 1, place, program, n)
            measured = {**seals[name], "busy_machine": rows[name].busy_machine}
            points.append(point.model_copy(update=measured))
        except LabError as error:
            left_out[name] = str(error)
    return Roofline(
        part=lab.part,
        date=time.strftime("%Y-%m-%d", time.gmtime()),
        machine=ceilings.device(where) or ceilings.machine.cpu,
        where=where,
        precision=precision,
        threads=place.threads,
        n=n,
        ceilings=ceilings,
        points=tuple(points),
        left_out=left_out,
    )
