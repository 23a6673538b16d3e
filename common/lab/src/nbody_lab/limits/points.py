"""Makes the points of a roofline: counts, times and examines programs, and places them under the ceilings."""

import datetime
from collections.abc import Sequence

from nbody_lab.building.cpuinfo import best_program
from nbody_lab.building.lab import Lab
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.model import Precision, load
from nbody_lab.limits.code import analyse_program
from nbody_lab.limits.roofline import Place, Program, make_point, plain_code
from nbody_lab.measure.bench import bench_result
from nbody_lab.measure.bench_plan import QUICK, Asked
from nbody_lab.measure.count_file import CountFile
from nbody_lab.measure.results import Ceilings, LeftOut, Point, Roofline, Work
from nbody_lab.tasks.counting import (
    build_worksheet,
    count_to_file,
    counts_of,
    has_worksheet,
    names_with_hidden_counts,
    seal_fields,
)

_KINDS = ("naive", "mine", "rung", "solution")  # exhibits only if named
_SETS_OF_MANIFEST = {"": "scalar", "avx512": "avx512f"}


def hidden_counts(lab: Lab) -> list[str]:
    """Names whose counts are an answer that the student has not found yet."""
    if has_worksheet(lab):
        build_worksheet(lab)
    return names_with_hidden_counts(lab)


def names_to_place(lab: Lab, names: Sequence[str]) -> list[str]:
    """The names, all of which exist, or without any those that a roofline shows."""
    lab.demand_part()
    for name in names:
        lab.demand_name(name)
    return list(names) or [row.name for row in lab.rows() if row.kind in _KINDS]


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
        otherwise = _SETS_OF_MANIFEST.get(best.instruction_set, best.instruction_set)
        program = lab.build_dir / best.program
        code = analyse_program(program, row.class_name, work, precision, otherwise)
    return Program(name, row.kind, work, code, speed)


def gather(
    lab: Lab,
    names: Sequence[str],
    where: str,
    precision: Precision,
    n: int,
    ceilings: Ceilings,
    all_needed: bool = True,
) -> Roofline:
    """The roofline of these names; builds, counts and times what is missing. What does not compile ends the command if all
    are needed, or only costs the points."""
    place = Place(ceilings.of_place(where), precision, 1 if where == "cpu" else 0)
    left_out: dict[str, str] = {}
    seals = {name: seal_fields(lab, name) for name in names}
    targets = [one for name in names for one in (lab.program(name), *lab.targets(name, precision))]
    if not lab.try_to_build(lab.part, "bin/bench", *targets):
        if all_needed:
            raise SystemExit(1)
        say("continuing without what did not compile")
    for name in names:
        row = lab.find(name)
        if not row or not row.count:
            left_out[name] = "not counted"
            continue
        count_to_file(lab, name)
        if not counts_of(lab, name).exists():
            left_out[name] = f"cannot be counted (./lab count {lab.part} {name} says why)"
    # Counts of the given code stay hidden until the student found them.
    until = f"counts are hidden until the worksheet's counts are right (./lab worksheet {lab.part})"
    left_out |= {name: until for name in hidden_counts(lab) if name in names}
    timed: list[str] = [name for name in names if name not in left_out]
    points: list[Point] = []
    if timed:
        result = bench_result(lab, Asked(timed, (n,), precision=(precision,), clock=QUICK))
        rows = {row.name: row for row in result.summary}
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
        what="roofline",
        version=1,
        part=lab.part,
        date=f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}",
        machine=ceilings.device(where) or ceilings.machine.cpu,
        where=where,
        precision=precision,
        threads=place.threads,
        n=n,
        ceilings=ceilings,
        points=tuple(points),
        left_out=tuple(LeftOut(name=name, why=why) for name, why in left_out.items()),
    )
