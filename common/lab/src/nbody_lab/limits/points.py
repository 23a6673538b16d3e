"""Makes the points of a roofline: counts, times and examines programs, and places them under the ceilings."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbody_lab.building.cpuinfo import best_program
from nbody_lab.building.lab import Lab
from nbody_lab.core.errors import say
from nbody_lab.core.model import Precision
from nbody_lab.limits.ceilings import Place
from nbody_lab.limits.code import analyse_program
from nbody_lab.limits.inputs import limits_of_kernel, pow_seconds, work_of
from nbody_lab.limits.roofline import NoCeiling, Program, make_point, plain_code
from nbody_lab.measure.bench import bench_result
from nbody_lab.measure.bench_plan import QUICK, Asked
from nbody_lab.measure.bound_file import bound_file
from nbody_lab.measure.results import Ceilings, LeftOut, NoInput, Point, Roofline
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
# Calls that g++ and clang++ generate for `#pragma omp parallel`.
_STARTS_THREADS = (b"GOMP_parallel", b"__kmpc_fork_call")


@dataclass(frozen=True)
class Setting:
    """How the programs of a roofline run."""

    where: str  # cpu, or gpu 0
    precision: Precision
    threads: int  # 0 on a GPU
    n: int


def hidden_reason(part: str) -> str:
    return f"counts are hidden until the worksheet's counts are right (./lab worksheet {part})"


def hidden_counts(lab: Lab) -> list[str]:
    """Names whose counts are an answer that the student has not found yet."""
    if has_worksheet(lab):
        build_worksheet(lab)
    return names_with_hidden_counts(lab)


def make_roofline(
    part: str,
    machine: str,
    setting: Setting,
    ceilings: Ceilings,
    points: Sequence[Point],
    left_out: Mapping[str, str],
    notes: Sequence[str] = (),
) -> Roofline:
    """`left_out`: {name: why}"""
    return Roofline(
        what="roofline",
        version=1,
        part=part,
        date=f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}",
        machine=machine,
        where=setting.where,
        precision=setting.precision,
        threads=setting.threads,
        n=setting.n,
        ceilings=ceilings,
        points=tuple(points),
        left_out=tuple(LeftOut(name=name, why=why) for name, why in left_out.items()),
        notes=tuple(notes),
    )


def names_to_place(lab: Lab, names: Sequence[str]) -> list[str]:
    """The names, all of which exist, or without any those that a roofline shows."""
    lab.demand_part()
    for name in names:
        lab.demand_name(name)
    return list(names) or [row.name for row in lab.rows() if row.kind in _KINDS]


def _count(lab: Lab, names: Sequence[str]) -> dict[str, str]:
    """{name: why it has no counts}. Counts of the given code stay hidden until the student found them."""
    left_out = {}
    for name in names:
        row = lab.find(name)
        if not row or not row.count:
            left_out[name] = "not counted"
            continue
        count_to_file(lab, name)
        if not counts_of(lab, name).exists():
            left_out[name] = f"cannot be counted (./lab count {lab.part} {name} says why)"
    hidden = [name for name in hidden_counts(lab) if name in names]
    return left_out | dict.fromkeys(hidden, hidden_reason(lab.part))


def _threads_used(program: Path, threads: int) -> int:
    """The threads that the program really uses: one, if its code starts none."""
    if threads <= 1:
        return threads
    code = program.read_bytes()
    return threads if any(call in code for call in _STARTS_THREADS) else 1


def place_program(
    lab: Lab, number: int, name: str, speed: float, setting: Setting, ceilings: Ceilings
) -> Point:
    """A point of the roofline. Raises NoInput, NoCeiling."""
    rows, precision = ceilings.of_place(setting.where), setting.precision
    row = lab.find(name)
    best = best_program(row.programs, precision) if row else None
    if not row or not best:
        raise NoInput(f"it has no program in {precision}")
    program = lab.build_dir / best.program
    place = Place(rows, precision, _threads_used(program, setting.threads))
    work = work_of(counts_of(lab, name), setting.n)
    otherwise = _SETS_OF_MANIFEST.get(best.instruction_set, best.instruction_set)
    pow_s = pow_seconds(ceilings, precision)
    code = (
        plain_code("")
        if place.is_gpu
        else analyse_program(program, row.class_name, work, precision, pow_s, otherwise)
    )
    file = bound_file(lab.part, name, precision)
    limits = limits_of_kernel(file, precision, program) if place.is_gpu else []
    return make_point(
        number, place, Program(name, row.kind, work, code, speed, limits), n=setting.n
    )


def _build(lab: Lab, names: Sequence[str], precision: str, all_needed: bool) -> None:
    """Builds everything needed. A failure ends the command, or only costs the points."""
    targets = [
        target for name in names for target in (lab.program(name), *lab.targets(name, precision))
    ]
    if not lab.try_to_build(lab.part, "bin/bench", *targets):
        if all_needed:
            raise SystemExit(1)
        say("continuing without what did not compile")


def _measure_speeds(
    lab: Lab, names: Sequence[str], setting: Setting
) -> tuple[dict[str, float], dict[str, str], list[str]]:
    """({name: interactions/s}, {name: why not}, names that were timed on a busy machine), by a few short rounds of
    bench."""
    if not names:
        return {}, {}, []
    threads = max(setting.threads, 1)
    setup = ((setting.n,), (threads,), (setting.precision,))
    result = bench_result(lab, Asked(names, *setup, clock=QUICK))
    return (*result.speeds(setting.precision, threads), result.timed_beside_others())


def gather(
    lab: Lab,
    names: Sequence[str],
    setting: Setting,
    ceilings: Ceilings,
    all_needed: bool = True,
) -> Roofline:
    """The roofline of these names; builds, counts and times what is missing."""
    seals = {name: seal_fields(lab, name) for name in names}
    _build(lab, names, setting.precision, all_needed)
    left_out = _count(lab, names)
    names = [name for name in names if name not in left_out]
    speeds, wrong, busy = _measure_speeds(lab, names, setting)
    points: list[Point] = []
    for name in names:
        if name not in speeds:
            left_out[name] = f"the bench says: {wrong.get(name, 'not measured')}"
            continue
        try:
            point = place_program(lab, len(points) + 1, name, speeds[name], setting, ceilings)
        except NoInput as error:
            left_out[name] = str(error)
        except NoCeiling as error:
            left_out[name] = f"no ceiling for {error} was measured"
        else:
            more = {**seals[name], "busy_machine": name in busy}
            points.append(point.model_copy(update=more))
    machine = (names and ceilings.device(setting.where)) or ceilings.machine.cpu
    return make_roofline(lab.part, machine, setting, ceilings, points, left_out)
