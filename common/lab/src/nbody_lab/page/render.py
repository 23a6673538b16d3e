"""The page of ./lab report: one HTML file with its pictures, from the model of what there is to show."""

from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup

from nbody_lab.core.clean_text import clean
from nbody_lab.draw import sweeps
from nbody_lab.draw.attempts import drawable, own_ladder
from nbody_lab.draw.bench import ladder
from nbody_lab.draw.roofline import roofline
from nbody_lab.draw.sheet import Sheet, inline_svg
from nbody_lab.notebook.file import write_text
from nbody_lab.page.collect import collect
from nbody_lab.page.environment import embedded, environment, located, look, machine_line
from nbody_lab.page.part import Part, roofline_command

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
        machine_line=machine_line(data["machine"]),
        roofline_command=roofline_command,
        style=look(),
        script=Markup((_HERE / "report.js").read_text(encoding="utf-8")),
    )


def write_page(root: Path, file: Path, parts: Sequence[str]) -> None:
    """Raises UserError."""
    write_text(file, render(root, parts))
