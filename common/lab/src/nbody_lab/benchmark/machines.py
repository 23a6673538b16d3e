"""Machines side by side: what one reaches, and how several compare. ./lab share prints it; docs/machines.md has the same
figures (docs/figures.py)."""

import math
from collections.abc import Callable, Iterator, Sequence

from nbody_lab.core.console import Column, LabTable, wrapped
from nbody_lab.core.machine_file import Machine, Speed
from nbody_lab.roofline.text import format_significant

# The axis of the chart: powers of ten of 10^9 interactions/s, with a mark every eighth of a decade.
_FIRST, _LAST, _MARKS = -1, 4, 8
AXIS = "0.1.....1.......10......100.....1000...."


def _giga(value: float | None) -> str:
    return format_significant(value / 1e9) if value else ""


def _percent(share: float | None) -> str:
    return f"{100 * share:.0f} %" if share else ""


def _speed(speed: Speed | None) -> str:
    return _giga(speed.interactions_per_s) if speed else ""


def _highest(machine: Machine, kind: str, level: str = "") -> float | None:
    """Of the processor's ceilings on all cores: in flop/s, or of loads from a level in byte/s."""
    rows = [row for row in machine.ceilings if row.where == "cpu"]
    rows = [row for row in rows if row.threads > 1 or machine.machine.cores == 1]
    return max((row.best for row in rows if (row.kind, row.level) == (kind, level)), default=None)


def _name(speed: Speed | None) -> str:
    return speed.name if speed else ""


def _share(machine: Machine, part: str, field: str) -> str:
    """Of the best on one thread."""
    best = machine.best(part)
    return _percent(getattr(best, field)) if best else ""


def _all_or_one(machine: Machine, part: str) -> Speed | None:
    return machine.best(part, on_all_threads=True) or machine.best(part)


def chart_line(machine: Machine) -> str:
    """Where its speeds are on the axis."""
    speeds = [("n", machine.naive())]
    speeds += [(part[-1], _all_or_one(machine, part)) for part in ("part1", "part2", "part3")]
    marks = ["."] * (_MARKS * (_LAST - _FIRST) + 1)
    for mark, speed in speeds:
        if speed:
            decades = math.log10(speed.interactions_per_s / 1e9) - _FIRST
            marks[min(max(round(_MARKS * decades), 0), len(marks) - 1)] = mark
    return "".join(marks)


# What a cell of docs/tables.json may ask for.
FIGURES: dict[str, Callable[[Machine], str]] = {
    "machine": lambda machine: machine.title,
    "naive": lambda machine: _speed(machine.naive()),
    "part1_one": lambda machine: _speed(machine.best("part1")),
    "part1_all": lambda machine: _speed(machine.best("part1", True)),
    "part2_one": lambda machine: _speed(machine.best("part2")),
    "part2_all": lambda machine: _speed(machine.best("part2", True)),
    "part3": lambda machine: _speed(machine.best("part3")),
    "clock": lambda machine: _giga(machine.clock_hz),
    "flops_all": lambda machine: _giga(_highest(machine, "flops")),
    "bytes_all": lambda machine: _giga(_highest(machine, "bandwidth", "DRAM")),
    "bound_part1": lambda machine: _share(machine, "part1", "share_of_bound"),
    "bound_part2": lambda machine: _share(machine, "part2", "share_of_bound"),
    "roof_part1": lambda machine: _share(machine, "part1", "share_of_roof"),
    "roof_part2": lambda machine: _share(machine, "part2", "share_of_roof"),
    "part1_name": lambda machine: _name(_all_or_one(machine, "part1")),
    "part2_name": lambda machine: _name(_all_or_one(machine, "part2")),
    "part3_name": lambda machine: _name(machine.best("part3")),
    "compiler": lambda machine: machine.machine.compiler,
    "date": lambda machine: machine.date,
    "chart": lambda machine: f"`{chart_line(machine)}`",
}


# One machine.


def _facts(machine: Machine) -> Iterator[str]:
    facts = machine.machine
    memory = f"{machine.memory_bytes / 2**30:.3g} GiB" if machine.memory_bytes else "not known"
    rows = (
        ("processor", facts.cpu + (", in a virtual machine" if facts.virtual_machine else "")),
        ("cores", f"{facts.cores}, hardware threads: {facts.hardware_threads}"),
        ("clock", f"{machine.clock_hz / 1e9:.2f} GHz while measuring"),
        ("memory", memory),
        ("GPU", machine.gpu or "none measured"),
        ("compiler", facts.compiler),
        ("system", facts.system),
        ("date, lab", f"{machine.date}, {machine.lab}"),
    )
    for name, value in rows:
        yield from wrapped(f"  {name:<11}{value}", " " * 13)


def _ceilings_table(machine: Machine) -> LabTable:
    rows = [
        [
            row.name,
            "GPU" if not row.threads else row.threads,
            _giga(row.best),
            row.unit.replace("operation", "op"),
        ]
        for row in machine.ceilings
    ]
    return LabTable(("ceiling, float", ">threads", ">10^9", ""), rows, indent=2)


def _speeds_table(machine: Machine) -> LabTable:
    rows = [
        [
            f"{one.part}/{one.name}",
            "GPU" if not one.threads else one.threads,
            one.n,
            _speed(one),
            "" if one.spread is None else f"{100 * one.spread:.0f} %",
            _percent(one.share_of_bound),
            _percent(one.share_of_roof),
            one.day,
        ]
        for one in machine.speeds
    ]
    columns = (
        *("version", ">threads", ">bodies", ">10^9/s"),
        Column("spread", right=True, drop=2),
        *(">of the port bound", ">of the roof"),
        Column("measured", drop=1),
    )
    return LabTable(columns, rows, indent=2)


def measured_parts(machine: Machine) -> set[str]:
    """Those with more than naive, on one thread and, where there are more cores, on several; or on a GPU."""
    wanted = [False, True] if machine.machine.cores > 1 else [False]
    return {
        part
        for part in ("part1", "part2", "part3")
        if all(machine.best(part, several) for several in (wanted if part != "part3" else [False]))
    }


def _missing(machine: Machine) -> Iterator[str]:
    """What others would compare, and what measures it."""
    if not (FIGURES["flops_all"](machine) and FIGURES["bytes_all"](machine)):
        yield "peak or memory on all cores: ./lab roofline --measure, when nothing else runs"
    for part in ("part1", "part2"):
        best = machine.best(part)
        if part not in measured_parts(machine):
            yield f"{part} on one thread and on all: ./lab share --measure"
        if best and not best.share_of_bound:
            yield f"share of the port bound: ./lab bound {part} {best.name}"
        if best and not best.share_of_roof:
            yield f"share of the roof: ./lab roofline {part} {best.name}"


def machine_card(machine: Machine) -> list[str | LabTable]:
    """What the file is about, to be shown before it is written, and what it lacks."""
    missing = [f"  missing: {line}" for line in _missing(machine)]
    return [
        "\n".join(_facts(machine)),
        "",
        _ceilings_table(machine),
        "",
        _speeds_table(machine),
        "\n".join(["", *missing, ""] if missing else [""]),
    ]


# Several.


def _table(machines: Sequence[Machine], figures: str, heads: Sequence[str]) -> LabTable:
    rows = [[FIGURES[name](machine).strip("`") for name in figures.split()] for machine in machines]
    return LabTable(heads, rows, indent=2)


def comparison(machines: Sequence[Machine]) -> list[str | LabTable]:
    """The first is this one."""
    speeds = "machine naive part1_one part1_all part2_one part2_all part3"
    limits = "machine flops_all bytes_all bound_part1 roof_part1 bound_part2 roof_part2"
    of_speeds = ("machine", ">naive", ">1: one", ">1: all", ">2: one", ">2: all", ">3: GPU")
    of_limits = ("machine", ">Gflop/s", ">GB/s", ">1: ports", ">roof", ">2: ports", ">roof")
    return [
        "This machine first. 10^9 interactions/s of naive and of the best of each part, on one\n"
        "thread and on all that were measured\n",
        _table(machines, speeds, of_speeds),
        "\nPeak and memory, all cores. Shares of port bound and roof: the best, one thread\n",
        _table(machines, limits, of_limits),
        "\nn is naive; 1, 2 and 3 the best of each part, on all threads that were measured\n",
        _table(machines, "machine chart", ("machine", AXIS)),
    ]
