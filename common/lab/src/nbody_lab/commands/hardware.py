"""What this machine can do: ./lab machine and devices."""

from pathlib import Path
from typing import Annotated, Any

import typer

from nbody_lab.core.messages import UserError
from nbody_lab.core.running import run_program
from nbody_lab.core.whole_file import why_not_writable, write_text
from nbody_lab.workshop import Workshop


def _writable(text: str) -> Path:
    """Refuses a place that cannot be written before anything is built or measured."""
    file = Path(text)
    if why_not_writable(file, makes_folder=False):
        raise UserError(f"{file}: cannot be written")
    return file


def _json(what: str) -> Any:
    return typer.Option("--json", metavar="FILE", parser=_writable, help=what)


def machine(
    everything: Annotated[
        bool, typer.Option("--all", help="also each instruction set and each memory level")
    ] = False,
    json: Annotated[Path | None, _json("write everything to this file, too")] = None,
) -> None:
    """your processor: what operations cost, how fast it can be

    It measures for a minute, once: run nothing else meanwhile. A question mark means that something
    else ran, or that figures contradict each other: ./lab roofline --measure measures again.

    ./lab machine --all
    """
    from nbody_lab.core.results import format_ceilings
    from nbody_lab.hardware.card import format_card
    from nbody_lab.hardware.ceilings import known_ceilings

    lab = Workshop()
    lab.begin()
    ceilings = known_ceilings(lab)
    if json:
        write_text(json, format_ceilings(ceilings))
    print(format_card(ceilings, everything))


def devices(
    measure: Annotated[
        bool,
        typer.Option("--measure", help="also measure how fast GPU 0 can be: a dozen seconds"),
    ] = False,
    name: Annotated[
        bool, typer.Option("--name", help="one line: the one that programs run on")
    ] = False,
    peak: Annotated[bool, typer.Option("--peak", help="one number: its flop/s in float")] = False,
    json: Annotated[Path | None, _json("write it to this file")] = None,
) -> int:
    """your GPUs: what they have, how fast they can be, what keeps them busy

    ./lab devices --measure
    """
    options = (("--measure", measure), ("--name", name), ("--peak", peak))
    lab = Workshop("part3")
    lab.refuse_without_gpu()
    lab.begin()
    lab.demand_part()
    lab.demand_targets("the devices program", "bin/devices")
    lab.unlock()
    argv = [lab.build / "bin/devices", *(option for option, given in options if given)]
    return run_program([*argv, *(["--json", json] if json else [])])
