"""./lab roofline."""

from pathlib import Path
from typing import Annotated

import typer

from nbody_lab.build.arguments import InDouble, Names, OptionalPart
from nbody_lab.build.lab import Lab
from nbody_lab.core.errors import LabError


def _threads(text: str) -> str:
    if text != "all" and not (text.isascii() and text.isdigit() and int(text) > 0):
        raise typer.BadParameter(f"takes a number or all, not '{text}'")
    return text


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
    threads: Annotated[
        str, typer.Option(metavar="T", parser=_threads, help="1, the number of cores, or all")
    ] = "1",
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

    It writes PART.json, .csv, .svg and .png into build/roofline; for a selection of names, where
    PART has more, PART_selection. How to read them: docs/reading_roofline.md

    ./lab roofline part1 naive mine
    """
    from nbody_lab.commands import roofline_steps as steps  # slow

    lab = Lab(part or "")
    chosen: list[str] = names or []
    if part is None:
        if not measure or bodies or double or file or threads != "1":
            raise LabError("roofline needs a part, for example: ./lab roofline part1 naive mine")
        steps.measure_again(lab)
        return 0
    if file and not measure:
        return steps.show_again(part, file)
    if measure:
        steps.measure_again(lab)
    if file:
        return steps.show_again(part, file)
    return steps.place(lab, chosen, "double" if double else "float", threads, bodies)
