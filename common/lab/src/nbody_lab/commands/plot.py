"""./lab plot."""

from pathlib import Path
from typing import Annotated

import typer

from nbody_lab.core.messages import UserError
from nbody_lab.draw import pictures
from nbody_lab.draw.pictures import Request, What


def _folder(text: str) -> Path:
    if not text:
        raise typer.BadParameter("is empty")
    return Path(text)


def plot(
    what: Annotated[
        What, typer.Argument(metavar="WHAT", help=", ".join(one.value for one in What))
    ],
    source: Annotated[str, typer.Argument(metavar="FILE", help="or BASE, or PART, as above")],
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help="for the pictures", parser=_folder)
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="roofline: replace the previous picture")
    ] = False,
    if_any: Annotated[
        bool, typer.Option("--if-any", help="notebook: print nothing if no row has a speed yet")
    ] = False,
    slide: Annotated[
        bool,
        typer.Option(
            "--slide", help="for a lecture hall: large type, the finding as title, no footnote"
        ),
    ] = False,
) -> None:
    """draw a result again

    Draws SVG and PNG, and names the files.

    What ./lab bench --json wrote: ladder, sizes, threads, ranks, blocks:

    ./lab plot bench data/results/part1_sizes.json build/pictures

    What ./lab roofline wrote: ceilings, points and limits:

    ./lab plot roofline build/roofline/part1.json build/pictures

    What ./lab bench --simulated wrote: speed against ranks, and what each rank does:

    ./lab plot simulated build/simulated/ring_gbe.json build/pictures

    Your own rows: what each ./lab try gained and what you predicted:

    ./lab plot notebook part1

    For a lecture hall, as NAME_slide:

    ./lab plot bench data/results/part1_sizes.json build/pictures --slide
    """
    if not pictures.can_draw():
        raise UserError(f"nothing here can draw: {pictures.BRING}")
    pictures.draw_and_name(what, Request(source, folder, again, if_any, slide))
