"""./lab report: one page of what has been measured here. It measures and draws nothing."""

import base64
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from nbody_lab import ROOT
from nbody_lab.check.kept import Verdict, now, seal_of
from nbody_lab.core.console import show
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.html import day, in_digits, in_percent, make_environment, mark_of
from nbody_lab.core.model import load
from nbody_lab.core.whole_file import read_text, write_text
from nbody_lab.draw import pictures
from nbody_lab.limits.roofline_text import short_limiter
from nbody_lab.measure.bench_file import BenchResult, Setup, read_result
from nbody_lab.measure.bound_file import Bound
from nbody_lab.measure.results import Ceilings, Roofline
from nbody_lab.notebook.notebook import CSV, MARKDOWN
from nbody_lab.tasks.sheet import KeptSheet, format_progress

FILE = ROOT / "build/report.html"


class _Kept:
    """What commands have kept, and what of it cannot be read."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def read(self, pattern: str, reader: Callable[[Path], Any]) -> list[tuple[Any, Path]]:
        """By name, with its file."""
        found = []
        for file in sorted(ROOT.glob(pattern)):
            try:
                found.append((reader(file), file))
            except (LabError, OSError) as error:
                self.problems.append(str(error).replace(f"{ROOT}/", ""))
        return found


def _number(value: float | None, per: float = 1) -> str:
    return "" if value is None else in_digits(value / per)


def _share(value: float | None) -> str:
    return "" if value is None else f"{in_percent(value)} %"


def _age(record: Any) -> str:
    """Of what was found out about a source."""
    changed = record.source and seal_of(ROOT / record.source) != record.source_sha256
    return day(record.date) + ("; its source has changed since" if changed else "")


def _picture(file: Path) -> Markup:
    """As an element: what is inside an SVG stays apart from the page."""
    content = base64.b64encode(file.read_bytes()).decode()
    element = Markup('<p><img alt="{}" src="data:image/svg+xml;base64,{}"></p>')
    return element.format(f"picture {file.stem}", content)


def _notebook(text: str, folder: Path) -> Markup:
    """As Markdown; its relative links lead from build/ to the part."""
    html = MarkdownIt("js-default").render(re.sub(r"^<!--.*-->\n", "", text, flags=re.M))
    return Markup(re.sub(r'(src|href)="(?![a-z]+:|#)', rf'\1="../{folder.name}/', html))


def _newest_of_each_kind(results: list[tuple[BenchResult, Path]]) -> Iterator[dict[str, Any]]:
    """Of ladders, of single programs, and by what was varied: bodies, threads, ..."""
    seen = set()
    for result, file in results:
        rows = result.summary
        varied = [one for one in Setup._fields if len({getattr(row, one) for row in rows}) > 1]
        kind = (len(result.names) > 1, *varied)
        if kind not in seen:
            drawn = [_picture(one) for one in sorted(file.parent.glob("*.svg"))]
            fixed = {
                name: one
                for name, one in rows[0].setup._asdict().items()
                if one and name not in varied
            }
            yield {"result": result, "varied": varied, "fixed": fixed, "pictures": drawn}
        seen.add(kind)


def _part(kept: _Kept, folder: Path, results: list[tuple[BenchResult, Path]]) -> dict[str, Any]:
    name = folder.name.split("_")[0]
    found: dict[str, Any] = {
        "verdicts": kept.read(f"build/verdicts/{name}_*.json", partial(load, Verdict)),
        "benches": [*_newest_of_each_kind([one for one in results if one[0].context.part == name])],
        "rooflines": kept.read(f"build/roofline/{name}*.json", partial(load, Roofline)),
        "bounds": kept.read(f"build/bound/{name}_*.json", partial(load, Bound)),
        "sheets": kept.read(f"build/worksheets/{name}.json", partial(load, KeptSheet)),
        "tried": kept.read(f"{folder.name}/{CSV}", read_text),
    }
    if not any(found.values()):
        return {}  # not begun
    titles = kept.read(f"{folder.name}/README.md", read_text)
    notebook = kept.read(f"{folder.name}/{MARKDOWN}", read_text)
    found["title"] = titles[0][0].partition("\n")[0].strip("# ") if titles else name
    found["notebook"] = [_notebook(text, folder) for text, _ in notebook]
    found["tries"] = [_picture(file) for file in folder.glob("notebook/ladder.svg")]
    return found


def _page() -> str:
    kept = _Kept()
    results = kept.read("build/pictures/*/result*.json", read_result)
    results.sort(key=lambda one: one[1].stat().st_mtime, reverse=True)
    folders = sorted(file.parent for file in ROOT.glob("part*_*/CMakeLists.txt"))
    parts = [_part(kept, folder, results) for folder in folders]
    ceilings = kept.read("build/ceilings.json", partial(load, Ceilings))
    environment = make_environment(Path(__file__).parent)
    environment.filters.update(day=day, mark=mark_of, number=_number, share=_share, age=_age)
    environment.globals.update(picture=_picture, progress=format_progress, limiter=short_limiter)
    return environment.get_template("report.html.j2").render(
        date=now(), parts=filter(None, parts), ceilings=ceilings, problems=kept.problems
    )


def report() -> None:
    """everything measured on one page: build/report.html

    It measures nothing: what commands have measured here, it shows.

    ./lab report
    """
    write_text(FILE, _page())
    show(f"written: {FILE.relative_to(ROOT)}")
    if not pictures.can_draw():
        say(f"without new pictures: {pictures.BRING}")
