"""./lab roofline: measures what is missing, shows where each program lies under the roof, and draws it."""

from pathlib import Path
from typing import Annotated

import typer

from nbody_lab import ROOT
from nbody_lab.building.arguments import InDouble, Names, OptionalPart
from nbody_lab.building.lab import Lab
from nbody_lab.building.ranks import demand_one_process
from nbody_lab.core.console import show
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.model import Precision, load
from nbody_lab.core.whole_file import write_text
from nbody_lab.draw import pictures
from nbody_lab.draw.pictures import What
from nbody_lab.limits.points import Setting, gather, names_to_place, stored_roofline
from nbody_lab.limits.roofline_text import ceiling_lines, drawn_ceilings, format_roofline
from nbody_lab.measure.ceilings import (
    known_ceilings,
    measure_ceilings,
    with_gpu_rows,
    write_ceilings,
)
from nbody_lab.measure.results import Roofline

FOLDER = ROOT / "build/roofline"


def roofline(
    part: OptionalPart = None,
    names: Names = None,
    bodies: Annotated[
        int | None,
        typer.Option(
            "-n", metavar="N", min=2, max=1 << 20, help="bodies (default 5000; on a GPU 131072)"
        ),
    ] = None,
    double: InDouble = False,
    file: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="measure nothing: show what it wrote before"),
    ] = None,
    measure: Annotated[
        bool,
        typer.Option("--measure", help="measure this machine's ceilings first, even if known"),
    ] = False,
) -> int:
    """how close to this machine's roof, and what limits it?

    Without names: naive, every mine, and the rungs. What is missing is measured first: this
    machine's ceilings take a minute. ./lab roofline --measure measures only them.

    It writes PART.json, .svg and .png into build/roofline. How to read them:
    docs/measuring.md

    ./lab roofline part1 naive mine
    """
    lab = Lab(part or "")
    if part is None and not file and (not measure or bodies or double):
        raise LabError("roofline needs a part, for example: ./lab roofline part1 naive mine")
    if file:
        return _show(load(Roofline, file), file.stem)
    lab.begin()
    if measure:
        _measure_again(lab)
    if part is None:
        return 0
    precision: Precision = "double" if double else "float"
    if lab.on_gpu() and not lab.gpu():  # the figures of one that was measured
        data = stored_roofline(lab, names or [], precision)
    else:
        data = _roofline_here(lab, names or [], precision, bodies)
        lab.unlock()
    return _show(data, f"{part}_double" if double else part)


def _show(data: Roofline, stem: str) -> int:
    """Shows the text, and replaces JSON and picture in build/roofline; the status of drawing."""
    file = FOLDER / f"{stem}.json"
    write_text(file, data.model_dump_json(indent=1) + "\n")
    place = file.relative_to(ROOT)
    show(f"{format_roofline(data)}\n\n{place}")
    if not pictures.can_draw():
        say(f"no picture: {pictures.BRING}; then: ./lab roofline --from {place}")
        return 0
    return pictures.draw(What.ROOFLINE, file, FOLDER)


def _measure_again(lab: Lab) -> None:
    """Measures the ceilings and shows those of float, of the processor with one thread."""
    measured = measure_ceilings(lab)
    ceilings = with_gpu_rows(lab, measured)
    if ceilings is not measured:
        write_ceilings(ceilings)
    for where in sorted({row.where for row in ceilings.ceilings}):
        rows = ceilings.of_place(where)
        show(f"{where}, float{', 1 thread' if where == 'cpu' else ''}")
        show(*ceiling_lines(*drawn_ceilings(rows, "float", min(row.threads for row in rows))))


def _roofline_here(
    lab: Lab, names: list[str], precision: Precision, bodies: int | None
) -> Roofline:
    """Of this machine; measures its ceilings unless they are known."""
    to_place = names_to_place(lab, names)
    demand_one_process(lab, "roofline")
    ceilings = known_ceilings(lab)
    if lab.on_gpu() and not ceilings.of_place("gpu 0"):
        ceilings = with_gpu_rows(lab, ceilings)
        write_ceilings(ceilings)
    where, usual = ("gpu 0", 131072) if lab.on_gpu() else ("cpu", 5000)
    return gather(lab, to_place, Setting(where, precision, bodies or usual), ceilings, bool(names))
