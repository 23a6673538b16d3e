"""./lab view."""

import asyncio
from typing import Annotated, Any

import typer

from nbody_lab.building.arguments import Names, PartName, option
from nbody_lab.building.lab import Lab, show_built
from nbody_lab.building.ranks import words_to_start
from nbody_lab.core.command_line import HandedOn, hands_on
from nbody_lab.core.errors import LabError
from nbody_lab.core.words import asks_for_double

_ONLY_RUN = "-h --help -v -w --every --log --nv --profile --serve".split()
_WITH_SIZE = ("galaxy", "collision", "plummer")  # scenes that take -n
_ENDLESS = "1000000000000"  # iterations


def _place(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not (host and port.isdecimal() and int(port) < 1 << 16):
        raise typer.BadParameter(f"needs HOST:PORT, for example 0.0.0.0:8000; not '{text}'")
    return host.strip("[]"), int(port)


WebPlace = Annotated[
    Any,
    option(
        "--web",
        "HOST:PORT",
        "where the page is served (default: any free port, for this machine alone)",
        parser=_place,
    ),
]


@hands_on
def view(
    context: typer.Context,
    part: PartName,
    names: Names = None,
    web: WebPlace = None,
) -> None:
    """watch a simulation in a browser, or two side by side

    Prints the address of a page, and opens it where there is a browser. Without -i the run has no end: Ctrl-C ends it. All
    other options are the program's: ./lab run part1 naive -h lists them.

    ./lab view part1 naive --scene galaxy -n 2000
    """
    given: HandedOn = context.obj
    if names is None or len(names) not in (1, 2):
        raise LabError(
            "view takes one name, or two side by side, for example: "
            f"./lab view {part} naive --scene galaxy -n 2000"
        )
    if only := next((name for name in _ONLY_RUN if given.has(name)), None):
        raise LabError(f"view has no {only}; ./lab run {part} {names[0]} {only} has")
    lab = Lab(part)
    lab.refuse_without_gpu()
    lab.begin()
    lab.demand_names(names)
    lab.demand_gpu()
    targets = [lab.program(name) for name in names]
    if asks_for_double(given):
        targets += [target for name in names for target in lab.targets(name, "double")]
    show_built(lab.build(f"{part}/{' '.join(names)}", *targets))
    lab.unlock()
    options = list(given)
    if not given.has("-f", "-n", "--scene"):
        options += ["--scene", "galaxy"]
    if not given.has("-f", "-n") and (given.value("--scene") or "galaxy") in _WITH_SIZE:
        options += ["-n", "2000"]
    if not given.has("-i"):
        options += ["-i", _ENDLESS]
    programs = [words_to_start(lab, name, options) for name in names]
    from nbody_lab.view.server import HERE, show

    asyncio.run(show(programs, f"{part}/{' and '.join(names)}", web or HERE))
