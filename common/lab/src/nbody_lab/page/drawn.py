"""The pictures of a page as SVG, drawn by the module that draws all others."""

from pathlib import Path

from markupsafe import Markup

from nbody_lab.draw import sweeps
from nbody_lab.draw.bench_result import NoResult
from nbody_lab.draw.ladder import drawable, ladder, own_ladder
from nbody_lab.draw.roofline import roofline
from nbody_lab.draw.sheet import inline_svg
from nbody_lab.export.body_text import BadFile
from nbody_lab.page.rooflines import model_of, setting_of

MOST_FILES, MOST_BYTES = (
    2000,
    8e6,
)  # limits for a run whose orbits are drawn, so that a page takes seconds


def drawn(sheet, name):
    svg = inline_svg(sheet, name)
    sheet.close()
    return Markup(svg)


def pictures_of(part, results, rooflines):
    """{name: SVG} for one part. `part`: its dict; `results`, `rooflines`: the data to draw."""
    name, found = part["name"], {}
    for one in rooflines:
        key = "-".join(setting_of(one))
        found[f"roofline-{key}"] = drawn(
            roofline(model_of(one), with_table=False), f"{name}-roofline-{key}-picture"
        )
    if "ladder" in results:
        found["ladder"] = drawn(ladder(results["ladder"][1]), f"{name}-ladder-picture")
    for kind, sheets_of in (("sizes", by_bodies), ("threads", by_threads)):
        if kind in results:
            found[kind] = [
                drawn(sheet, f"{name}-{kind}-{k}")
                for k, sheet in enumerate(sheets_of(results[kind][1]), 1)
            ]
    if drawable(part["notebook"]):
        found["notebook"] = drawn(own_ladder(name, part["notebook"]), f"{name}-notebook-picture")
    return found


def by_bodies(result):
    several = len({row.name for row in result.rows}) > 1
    return [sweeps.time_by_bodies(result), *([sweeps.ratio_by_bodies(result)] if several else [])]


def by_threads(result):
    return [sweeps.by_workers(result, "threads")]


def newest_run(root):
    """BASE of the newest files that ./lab run -w wrote to data/out; None if there are none, or too many for a page."""
    files = [
        file
        for file in Path(root, "data/out").glob("*.*.dat")
        if file.name.rsplit(".", 2)[1].isdigit()
    ]
    if not files:
        return None
    newest = max(files, key=lambda file: file.stat().st_mtime)
    base = newest.name.rsplit(".", 2)[0]
    own = [file for file in files if file.name.rsplit(".", 2)[0] == base]
    if not 2 <= len(own) <= MOST_FILES or sum(file.stat().st_size for file in own) > MOST_BYTES:
        return None
    return newest.parent / base


def orbits_picture(root):
    """(SVG, its run), or (None, why there is none)."""
    from nbody_lab.draw.body_files import Series
    from nbody_lab.draw.orbits import orbits

    base = newest_run(root)
    if not base:
        return None, ""
    try:
        return drawn(orbits(Series(base)), "orbits-picture"), str(base.relative_to(root))
    except (BadFile, NoResult) as fault:
        return None, str(fault)
