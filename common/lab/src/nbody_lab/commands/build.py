"""./lab list, build and run."""

from typing import Annotated

import typer

from nbody_lab.building.arguments import (
    InDouble,
    Name,
    OnCpu,
    OptionalName,
    OptionalPart,
    PartName,
    Ranks,
)
from nbody_lab.building.lab import Lab, parse_part, show_built
from nbody_lab.building.manifest import Manifest
from nbody_lab.building.ranks import words_to_start
from nbody_lab.core.command_line import HandedOn, hands_on
from nbody_lab.core.console import LabTable, show
from nbody_lab.core.errors import LabError
from nbody_lab.core.run import run_program
from nbody_lab.core.words import asks_for_double

_KIND = {"guest": "other language"}  # as it is printed


def list_table(manifest: Manifest, part: str | None) -> LabTable:
    """The implementations of a part with their flags; without one those of all parts, except the checker's own."""
    columns = ["part", "implementation", "kind", "what it is", *(["flags"] if part else [])]
    rows = [
        (row.part, row.name, _KIND.get(row.kind, row.kind), row.summary, " ".join(row.flags))[
            : len(columns)
        ]
        for of in manifest.parts
        for row in manifest.of_part(of.name)
        if (row.part == part if part else row.kind not in ("honest", "wrong"))
    ]
    return LabTable(columns, rows)


def list_all(part: OptionalPart = None) -> None:
    """the available implementations

    Of one part: with the flags that compile them, if the terminal is wide enough.

    ./lab list part1
    """
    lab = Lab(part or "")
    lab.begin()
    if part:
        lab.demand_part()
    lab.unlock()
    show(list_table(Manifest(lab.manifest), part))
    if not part:
        show("\nwith flags: ./lab list PART")


PartOrAll = Annotated[
    str | None, typer.Argument(metavar="PART|all", help="part1, part2, ...; all: everything")
]


def build(part: PartOrAll = None, name: OptionalName = None, double: InDouble = False) -> None:
    """build one implementation, a part, or everything

    The other commands build what they need by themselves.

    ./lab build part1 mine
    """
    everything = part is None or part == "all"
    if everything and name:
        raise LabError("build all takes no name: ./lab build all, or ./lab build PART NAME")
    lab = Lab("" if part is None or everything else parse_part(part))
    lab.begin()
    if everything:
        show_built(lab.build("everything", "all"))
    elif name:
        precision = "double" if double else "float"
        lab.demand_name(name)
        show_built(lab.build(f"{lab.part}/{name} in {precision}", *lab.targets(name, precision)))
    else:
        lab.demand_part()
        label, target = (" in double", "_in_double") if double else ("", "")
        show_built(lab.build(f"{lab.part}{label}", f"{lab.part}{target}"))


@hands_on
def run(
    context: typer.Context,
    part: PartName,
    name: Name,
    ranks: Ranks = None,
    on_cpu: OnCpu = False,
) -> None:
    """simulate

    Runs one program. All other options are the program's: ./lab run part1 naive -h lists them. ./lab view shows it.

    ./lab run part1 naive -n 1000 -i 100 -v
    """
    given: HandedOn = context.obj
    lab = Lab(part)
    if not on_cpu:
        lab.refuse_without_gpu(
            f"./lab run {part} {name} --on-cpu runs its kernels on the CPU, slowly"
        )
    lab.begin()
    if on_cpu:
        lab.begin_on_cpu([name])
    lab.demand_name(name)
    lab.demand_gpu()
    in_double = lab.targets(name, "double") if asks_for_double(given) else []
    show_built(lab.build(f"{part}/{name}", lab.program(name), *in_double))
    argv = words_to_start(lab, name, given, ranks)
    lab.unlock()
    with_cpu = " --on-cpu" if on_cpu else ""
    advice = f"; ./lab check {part} {name}{with_cpu} --sanitize names the line"
    if lab.on_gpu():
        advice = ""
    raise SystemExit(run_program(argv, f"{part}/{name}", advice))
