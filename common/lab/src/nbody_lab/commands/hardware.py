"""What this machine can do: ./lab machine."""

from pathlib import Path
from typing import Annotated, Any

import typer

from nbody_lab.build.lab import Lab
from nbody_lab.core.errors import LabError
from nbody_lab.core.run import run_program
from nbody_lab.core.whole_file import why_not_writable, write_text


def _writable(text: str) -> Path:
    """Refuses a place that cannot be written before anything is built or measured."""
    file = Path(text)
    if why_not_writable(file, makes_folder=False):
        raise LabError(f"{file}: cannot be written")
    return file


def _json(what: str) -> Any:
    return typer.Option("--json", metavar="FILE", parser=_writable, help=what)


def machine(
    everything: Annotated[
        bool,
        typer.Option(
            "--all", help="also each instruction set, each memory level, and GPU 0's limits"
        ),
    ] = False,
    json: Annotated[
        Path | None, _json("write everything about the processor to this file, too")
    ] = None,
) -> int:
    """your processor and GPUs: what operations cost, how fast they can be

    It measures the processor for a minute, once: run nothing else meanwhile. A question mark means
    that something else ran, or that figures contradict each other: ./lab roofline --measure measures
    again. Of GPUs it shows what they have and what keeps them busy; --all also measures how fast GPU
    0 can be, in a dozen seconds.

    ./lab machine --all
    """
    from nbody_lab.hardware.card import format_card
    from nbody_lab.hardware.ceilings import known_ceilings
    from nbody_lab.measure.results import format_ceilings

    lab = Lab()
    lab.begin()
    ceilings = known_ceilings(lab)
    if json:
        write_text(json, format_ceilings(ceilings))
    print(format_card(ceilings, everything))
    if not lab.gpu():
        return 0
    lab.unlock()
    print()
    return run_program([lab.build / "bin/devices", *(["--measure"] if everything else [])])
