"""./lab roofline: measures what is missing, shows where each program lies under the roof, and draws it."""

from typing import Annotated

from nbody_lab import ROOT
from nbody_lab.building.arguments import InDouble, Names, OptionalPart, flag, option
from nbody_lab.building.lab import Lab
from nbody_lab.building.ranks import demand_one_process
from nbody_lab.core.console import show
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.model import Precision
from nbody_lab.core.whole_file import write_text
from nbody_lab.draw import pictures
from nbody_lab.draw.pictures import What
from nbody_lab.limits.points import gather
from nbody_lab.limits.roofline_text import format_roofline
from nbody_lab.measure.ceilings import known_ceilings, measure_ceilings, with_gpu_rows

FOLDER = ROOT / "build/roofline"
_KINDS = ("naive", "mine", "rung", "solution")  # exhibits only if named


def roofline(
    part: OptionalPart = None,
    names: Names = None,
    bodies: Annotated[
        int | None,
        option("-n", "N", "bodies (default 5000; on a GPU 131072)", min=2, max=1 << 20),
    ] = None,
    double: InDouble = False,
    measure: Annotated[
        bool, flag("--measure", "measure this machine's ceilings first, even if known")
    ] = False,
) -> int:
    """how close to this machine's roof, and what limits it?

    Without names: naive, every mine, and the rungs. What is missing is measured first: this
    machine's ceilings take a minute. ./lab roofline --measure measures only them.

    It writes PART.json, .svg and .png into build/roofline. How to read them:
    docs/measuring.md

    ./lab roofline part1 naive mine
    """
    if part is None and (not measure or bodies or double):
        raise LabError("roofline needs a part, for example: ./lab roofline part1 naive mine")
    lab = Lab(part or "")
    lab.refuse_without_gpu()
    lab.begin()
    if measure:
        ceilings = with_gpu_rows(lab, measure_ceilings(lab))
        show("measured: ./lab machine --all shows the figures")
    if part is None:
        return 0
    lab.demand_names(names or ())
    to_place = names or [row.name for row in lab.rows() if row.kind in _KINDS]
    demand_one_process(lab, "roofline")
    where, usual = ("gpu 0", 131072) if lab.on_gpu() else ("cpu", 5000)
    ceilings = known_ceilings(lab)
    if not ceilings.of_place(where):
        ceilings = with_gpu_rows(lab, ceilings)
    precision: Precision = "double" if double else "float"
    data = gather(lab, to_place, where, precision, bodies or usual, ceilings)
    lab.unlock()
    file = FOLDER / (f"{part}_double.json" if double else f"{part}.json")
    write_text(file, data.model_dump_json(indent=1) + "\n")
    show(*format_roofline(data), f"\n{file.relative_to(ROOT)}")
    if not pictures.can_draw():
        say(f"no picture: {pictures.BRING}")
        return 0
    return pictures.draw(What.ROOFLINE, file, FOLDER)
