"""The page of ./lab report: one HTML file with its pictures, from the model of what there is to show."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from nbody_lab.core.clean_text import clean
from nbody_lab.core.messages import UserError
from nbody_lab.draw import sweeps
from nbody_lab.draw.attempts import drawable, own_ladder
from nbody_lab.draw.bench import ladder
from nbody_lab.draw.orbits import pictures_of_orbits
from nbody_lab.draw.roofline import roofline
from nbody_lab.draw.runs import Run
from nbody_lab.draw.sheet import Sheet, inline_svg
from nbody_lab.notebook.file import write_text
from nbody_lab.page.collect import collect
from nbody_lab.page.environment import embedded, environment, located, look, machine_line
from nbody_lab.page.part import Part, roofline_command

# Limits for a run whose orbits are drawn, so that a page takes seconds.
_MOST_FILES, _MOST_BYTES = 2000, 8e6
_HERE = Path(__file__).resolve().parent


def _draw(sheet: Sheet, name: str) -> Markup:
    return Markup(inline_svg(sheet, name))


def draw_part(part: Part) -> dict[str, list[Markup]]:
    """The pictures by their places; of a roofline, `roofline-float-one`."""
    attempts = drawable(part.notebook)
    sheets: dict[str, list[Sheet]] = {
        "ladder": [ladder(part.ladder)] if part.bench and len(part.bench.rows) > 1 else [],
        "sizes": [],
        "threads": [sweeps.by_workers(part.threads, "threads")] if part.threads else [],
        "notebook": [own_ladder(part.name, attempts)] if attempts else [],
    }
    if part.sizes:
        sheets["sizes"] = [sweeps.time_by_bodies(part.sizes)]
        if len({row.name for row in part.sizes.summary}) > 1:
            sheets["sizes"].append(sweeps.ratio_by_bodies(part.sizes))
    for drawn in part.rooflines:
        sheets["-".join(("roofline", *drawn.setting))] = [roofline(drawn)]
    return {
        place: [_draw(sheet, f"{part.name}-{place}-{k}") for k, sheet in enumerate(some, 1)]
        for place, some in sheets.items()
    }


def find_newest_run(root: Path) -> Path | None:
    """BASE of the newest files that ./lab run -w wrote to data/out; None if there are none, or too many for a page."""
    files = [
        file
        for file in (root / "data/out").glob("*.*.dat")
        if file.name.rsplit(".", 2)[1].isdigit()
    ]
    if not files:
        return None
    newest = max(files, key=lambda file: file.stat().st_mtime)
    base = newest.name.rsplit(".", 2)[0]
    own = [file for file in files if file.name.rsplit(".", 2)[0] == base]
    if not 2 <= len(own) <= _MOST_FILES or sum(file.stat().st_size for file in own) > _MOST_BYTES:
        return None
    return newest.parent / base


def _draw_orbits(root: Path) -> dict[str, Any]:
    """The picture and its run; without a picture, why there is none."""
    run = find_newest_run(root)
    if not run:
        return {"picture": None, "about": ""}
    try:
        picture = _draw(pictures_of_orbits(Run(run))[0], "orbits-picture")
    except UserError as fault:
        return {"picture": None, "about": str(fault)}
    return {"picture": picture, "about": f"From the newest run: `{run.relative_to(root)}.*.dat`"}


def render(root: Path, parts: Sequence[str]) -> str:
    """The text of the page."""
    page = collect(root, parts)
    data = clean(page.model_dump())
    shown = located(data)
    template = environment().get_template("report.html.j2")
    return template.render(
        page=shown,
        begun=[one for one, part in zip(shown["parts"], page.parts) if part.begun],
        data=embedded(data),
        pictures={part.name: draw_part(part) for part in page.parts},
        orbits=_draw_orbits(root),
        machine_line=machine_line(data["machine"]),
        roofline_command=roofline_command,
        style=look(),
        script=Markup((_HERE / "report.js").read_text(encoding="utf-8")),
    )


def write_page(root: Path, file: Path, parts: Sequence[str]) -> None:
    """Raises UserError."""
    write_text(file, render(root, parts))
