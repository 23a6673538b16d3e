"""./lab bound: how fast the student's loop could be, given the units that its machine code needs."""

import datetime
import platform
from collections.abc import Sequence
from typing import Annotated

import typer

from nbody_lab.building import cpuinfo
from nbody_lab.building.arguments import InDouble, JsonFile, Names, PartName
from nbody_lab.building.gpus import Gpu
from nbody_lab.building.lab import Lab, show_built
from nbody_lab.building.manifest import Implementation
from nbody_lab.core.console import show
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import load_if_whole
from nbody_lab.core.whole_file import write_text
from nbody_lab.limits.bound_text import table, text_of
from nbody_lab.limits.llvm_mca import bound_of_loop, demand_model
from nbody_lab.limits.machine_code import NoBound, find_hot_loop, roots_of
from nbody_lab.limits.points import hidden_counts
from nbody_lab.limits.sass import bound_of_kernel
from nbody_lab.measure.bench import BUSY, bench_result
from nbody_lab.measure.bench_file import BenchRow
from nbody_lab.measure.bench_plan import Asked, Clock
from nbody_lab.measure.bound_file import Bound, BoundSummary, bound_file
from nbody_lab.measure.count_file import FORCES, CountFile
from nbody_lab.tasks import counting


def _roots_per_interaction(lab: Lab, row: Implementation | None) -> float:
    """1, or 0.5 if each pair is computed once: as the count program counted them, of the nearest
    ancestor that can be counted. Ignores the remainders of tiles."""
    while row:
        if row.count:
            counting.count_to_file(lab, row.name)
        counts = load_if_whole(CountFile, counting.counts_of(lab, row.name))
        work = counts.work.get(FORCES, {}) if counts else {}
        roots = sum(work[one].per_interaction() for one in ("sqrt", "rsqrt") if one in work)
        if counts:
            return round(2 * roots) / 2 or 1.0
        row = lab.find(row.parent) if row.parent != row.name else None
    return 1.0


def _with_speed(lab: Lab, bounds: Sequence[Bound], gpu: Gpu | None) -> list[Bound]:
    """With the speeds that bench finds in a few rounds, on one thread or on the GPU."""
    asked = Asked(
        [one.name for one in bounds],
        n=(131072 if gpu else 5000,),
        precision=(bounds[0].precision,),
        clock=Clock(rounds=3),
        device=gpu.name if gpu else "",
    )
    result = bench_result(lab, asked)
    clock_hz = gpu.clock_hz if gpu else result.context.clock_hz
    rows, measured = {row.name: row for row in result.summary}, []
    for one in bounds:
        row = rows.get(one.name, BenchRow(outcome="failed", verdict="cannot run here"))
        speed, at_best, share = row.speed if row.is_right else None, None, None
        if clock_hz:
            at_best = one.at_once * clock_hz / one.cycles_per_interaction
            share = speed and speed / at_best
        update = {
            "clock_hz": clock_hz,
            "bound_interactions_per_s": at_best,
            "measured_interactions_per_s": speed,
            "measured_cycles": share and one.cycles / share,
            "share_of_bound": share if one.is_this_machine else None,
            "why_not_measured": (BUSY if row.busy_machine else "") if speed else row.verdict,
        }
        measured.append(one.model_copy(update=update))
    return measured


def where_found(lab: Lab, gpu: Gpu | None) -> dict[str, str]:
    """The machine, the compiler whose loops these are, and the day."""
    compiler = lab.build_dir / "compiler.txt"
    return {
        "machine": gpu.name if gpu else cpuinfo.fields().get("model name", platform.machine()),
        "compiler": compiler.read_text(encoding="utf-8").strip() if compiler.exists() else "",
        "date": datetime.date.today().isoformat(),
    }


def bound(
    part: PartName,
    names: Names = None,
    all_names: Annotated[bool, typer.Option("--all", help="every implementation")] = False,
    double: InDouble = False,
    json: JsonFile = None,
) -> None:
    """how fast could your loop be? the units its machine code keeps busy

    Reads the innermost loop with the square roots from the program's machine code, asks llvm-mca
    for the cycles of an iteration, with and without each instruction, and measures the program on
    one thread (docs/measuring.md). Several names, or --all, give a table.

    ./lab bound part1 mine
    """
    lab, precision = Lab(part), "double" if double else "float"
    on_gpu = lab.has_kernels()
    if not on_gpu and platform.machine() != "x86_64":
        raise LabError(f"bound reads machine code of x86-64, not of {platform.machine()}")
    model = None if on_gpu else demand_model()
    lab.begin()
    lab.demand_names([] if all_names else names or ["naive"])
    chosen = []
    for name in lab.names() if all_names else names or ["naive"]:
        row = lab.find(name)
        program = row and cpuinfo.best_program(row.programs, precision)
        if not row or not program:
            raise LabError(f"{part}/{name} has no program in {precision} for this processor")
        chosen.append((row, program, counting.seal_fields(lab, row.name)))
    targets = [program.program for _, program, _ in chosen]
    built = show_built(lab.try_to_build(part, "bin/bench", *targets))
    if not built and len(chosen) == 1:
        raise SystemExit(1)
    gpu = next(iter(lab.gpus()), None) if on_gpu else None
    bounds: list[Bound] = []
    reasons = {}
    for row, program, seal in chosen:
        file, roots = lab.build_dir / program.program, _roots_per_interaction(lab, row)
        try:
            if model:
                loop = find_hot_loop(file, row.class_name)
                found = bound_of_loop(loop, roots_of(loop, double) / roots, model)
            else:
                found = bound_of_kernel(file, row.class_name, roots, gpu)
        except NoBound as error:
            reasons[row.name] = str(error)
            continue
        facts = {"date": datetime.date.today().isoformat(), "part": row.part, "name": row.name}
        facts |= {"precision": precision, "program": program.program, **seal}
        bounds.append(found.model_copy(update=facts))
    # Machine code would reveal answers of the worksheet that are not found yet.
    given = any(row.kind in ("naive", "mine") for row, _, _ in chosen)
    hidden = hidden_counts(lab) if given else []
    bounds = [one.model_copy(update={"text": ()} if one.name in hidden else {}) for one in bounds]
    if bounds and (gpu or model):
        bounds = _with_speed(lab, bounds, gpu)
    lab.unlock()
    for one in bounds:
        write_text(bound_file(part, one.name, precision), one.model_dump_json(indent=1) + "\n")
    if json:
        summary = BoundSummary(**where_found(lab, gpu), summary=bounds)
        without = {"summary": {"__all__": {"without", "units"}}}
        write_text(json, summary.model_dump_json(indent=1, exclude=without) + "\n")
    show(*(text_of(bounds[0]) if len(bounds) == len(chosen) == 1 else table(bounds, reasons)))
    if not bounds or not built:
        raise SystemExit(1)
