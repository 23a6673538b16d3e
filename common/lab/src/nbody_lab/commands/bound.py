"""./lab bound: how fast the student's loop could be, given the ports that its machine code needs."""

import platform
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from nbody_lab.arguments import InDouble, JsonFile, Names, PartName, option
from nbody_lab.bound.analysis import Options, analyse, choose_program
from nbody_lab.bound.machine_symbols import NoLoop
from nbody_lab.bound.ports import CannotCount
from nbody_lab.bound.report import format_bound, format_bounds, format_full
from nbody_lab.bound.sass import check_architecture
from nbody_lab.bound.speed import (
    STORED_ARCHITECTURE,
    add_speeds_of_gpu,
    add_speeds_of_processor,
    find_gpu,
)
from nbody_lab.core import cpuinfo
from nbody_lab.core.bound_file import Bound, BoundRow, BoundSummary, bound_file
from nbody_lab.core.console import show
from nbody_lab.core.manifest import Implementation
from nbody_lab.core.messages import Failure, UserError, say
from nbody_lab.core.whole_file import why_not_writable, write_text
from nbody_lab.core.words import nearest
from nbody_lab.hardware.cores import CORES, Core, core_called, core_in
from nbody_lab.programs.counting import seal_fields
from nbody_lab.workshop import Workshop


def _parse_core(text: str) -> Core:
    core = core_called(text)
    if core is None:
        names = list(dict.fromkeys(str(core.osaca or core.mca) for core in CORES))
        near = nearest(text, names)
        raise UserError(f"bound knows no core '{text}'{near}; it knows: {', '.join(names)}")
    return core


def _parse_positive(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise typer.BadParameter(f"needs a number above 0, not '{text}'")
    return number


def bound(
    part: PartName,
    names: Names = None,
    all_names: Annotated[bool, typer.Option("--all", help="every implementation")] = False,
    double: InDouble = False,
    arch: Annotated[
        str | None,
        option("--arch", "SET", "the program for sse2, avx2, ..., or a GPU's code (sm_80)"),
    ] = None,
    core: Annotated[
        Core | None,
        option("--core", "NAME", "the ports of another core: SPR, ZEN4, ...", parser=_parse_core),
    ] = None,
    kernel: Annotated[
        str | None, option("--kernel", "WORD", "part 3: the kernel with this in its name")
    ] = None,
    interactions: Annotated[
        float | None,
        option("--interactions", "K", "interactions per iteration", parser=_parse_positive),
    ] = None,
    no_measure: Annotated[
        bool, typer.Option("--no-measure", help="do not run the program; cycles only")
    ] = False,
    clock: Annotated[
        float | None,
        option("--clock", "HZ", "for --core or --no-measure", parser=_parse_positive),
    ] = None,
    json: JsonFile = None,
) -> None:
    """how fast could your loop be? the ports its machine code keeps busy

    Reads the innermost loop with the square roots from the program's machine code, counts the
    cycles for which it keeps each port busy, and measures the program on one thread. The fullest
    port is the bound (docs/reading_bound.md). Several names, or --all, give a table.

    ./lab bound part1 mine
    """
    lab = Workshop(part)
    options = Options(double, arch, core, kernel, interactions, clock, not no_measure)
    if json:
        _check_writable(json)
    _refuse_options(lab, options)
    rows = _find_rows(lab, names or ["naive"], all_names, options)
    seals = {row.name: seal_fields(lab, row.name) for row in rows}
    _build(lab, rows, options.precision)
    bounds = _analyse_on_gpu(lab, rows, options) if lab.on_gpu() else _analyse(lab, rows, options)
    lab.unlock()  # not before: a build at the same time would spoil the measurement
    if options.is_kept:
        for one in bounds:
            sealed = one.model_copy(update=seals[one.name])
            write_text(bound_file(part, one.name, one.precision), sealed.to_json())
    if json:
        write_text(json, _summarise(bounds).model_dump_json(indent=1) + "\n")
    for one in bounds:
        if "WRONG" in (one.why_not_measured or ""):
            what = f"{part}/{one.name} is WRONG, so this bound is for different work"
            show(f"{what}: ./lab check {part} {one.name}\n")
    show(format_bound(bounds[0]) if len(bounds) == 1 else format_bounds(bounds))


def _check_writable(file: Path) -> None:
    """Raises UserError."""
    if why := why_not_writable(file, makes_folder=False):
        raise UserError(f"bound: --json {file} cannot be written: {why}")


def _refuse_options(lab: Workshop, options: Options) -> None:
    """Those of a GPU's part for the others, and the other way round. Raises UserError."""
    if not lab.has_kernels():
        if options.kernel:
            raise UserError(f"{lab.part} has no kernels: --kernel is for the programs of a GPU")
        return
    if options.core:
        raise UserError(f"{lab.part} runs on a GPU: --arch names it, --core a processor's core")
    check_architecture(options.arch or STORED_ARCHITECTURE)


def _find_rows(
    lab: Workshop, names: Sequence[str], all_names: bool, options: Options
) -> list[Implementation]:
    """The implementations; each has a program that can be looked at. Raises UserError."""
    lab.begin()
    lab.demand_part()
    names = lab.names() if all_names else names
    for name in names:
        lab.demand_name(name)
    rows = [row for row in map(lab.find, names) if row]
    if not lab.on_gpu():
        for row in rows:
            choose_program(row, options.precision, options.arch)
    return rows


def _build(lab: Workshop, rows: Sequence[Implementation], precision: str) -> None:
    targets = ["bin/bench"]
    for row in rows:
        targets += lab.targets(row.name, precision)
    if len(rows) == 1:
        lab.demand_targets(f"{lab.part}/{rows[0].name}", *targets)
    elif not lab.build_targets(lab.part, *targets):
        say("continuing without what did not compile")


def _analyse(lab: Workshop, rows: Sequence[Implementation], options: Options) -> list[Bound]:
    bounds = _analyse_all(lab, rows, options, options.core or core_in())
    return add_speeds_of_processor(lab, bounds, options)


def _analyse_on_gpu(lab: Workshop, rows: Sequence[Implementation], options: Options) -> list[Bound]:
    gpu = find_gpu(lab)
    architecture = options.arch or (gpu.architecture if gpu else STORED_ARCHITECTURE)
    check_architecture(architecture)
    bounds = _analyse_all(lab, rows, options, architecture)
    return add_speeds_of_gpu(lab, bounds, options, gpu)


def _analyse_all(
    lab: Workshop, rows: Sequence[Implementation], options: Options, target: Core | str | None
) -> list[Bound]:
    """Without speeds. Of several, those without a bound are named in a message."""
    bounds: list[Bound] = []
    names: Mapping[str, list[str]] = defaultdict(list)
    for row in rows:
        try:
            bounds.append(analyse(lab, row, options, target))
        except (NoLoop, CannotCount) as error:
            if len(rows) == 1:
                raise
            names[str(error)].append(row.name)
    for message, those in names.items():
        say(f"{lab.part}: {' '.join(those)}: {message}")
    if not bounds:
        raise Failure(1)
    return bounds


def _summarise(bounds: Sequence[Bound]) -> BoundSummary:
    first = bounds[0]
    machine = f"{cpuinfo.fields().get('model name') or platform.machine()}, one thread"
    if first.tool == "cuobjdump":
        machine = f"machine code for {first.core}; {first.machine}"
    rows = [
        BoundRow(
            name=one.name,
            precision=one.precision,
            instruction_set=one.instruction_set,
            core=one.core,
            instructions=one.loop.instructions,
            interactions=one.interactions_per_iteration,
            cycles=round(one.cycles_per_iteration, 2),
            port=format_full(one),
            clock_hz=one.clock_hz,
            measured_interactions_per_s=one.measured_interactions_per_s,
            unknown=len(one.unknown),
        )
        for one in bounds
    ]
    return BoundSummary(machine=machine, summary=rows)
