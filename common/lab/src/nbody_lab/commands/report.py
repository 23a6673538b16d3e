"""./lab report: one page of what has been measured here, in the commands' own tables. It measures and draws nothing."""

import base64
import contextlib
import io
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markupsafe import Markup

from nbody_lab import ROOT
from nbody_lab.check.kept import Verdict, now, seal_of
from nbody_lab.core.console import show, wrapped
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.html import day, make_environment
from nbody_lab.core.model import load
from nbody_lab.core.whole_file import read_text, write_text
from nbody_lab.draw import pictures
from nbody_lab.limits.bound_text import table
from nbody_lab.limits.roofline_text import format_roofline
from nbody_lab.measure.bench_file import BenchResult, Setup, read_result
from nbody_lab.measure.bench_text import bench_text
from nbody_lab.measure.bound_file import Bound
from nbody_lab.measure.card import card
from nbody_lab.measure.results import Ceilings, Roofline
from nbody_lab.notebook.notebook import MARKDOWN

FILE = ROOT / "build/report.html"


class Section(NamedTuple):
    """What a command has found, as it showed it; its pictures."""

    title: str
    text: str = ""
    html: Markup = Markup()


def _kept(pattern: str, reader: Callable[[Path], Any], problems: list[str]) -> list[Any]:
    """What commands have kept, with its file, the newest last; and what of it cannot be read."""
    found = []
    for file in sorted(ROOT.glob(pattern), key=lambda one: one.stat().st_mtime):
        try:
            found.append((reader(file), file))
        except (LabError, OSError) as error:
            problems.append(str(error).replace(f"{ROOT}/", ""))
    return found


def _shown(*items: Any) -> str:
    """What show() prints, without a terminal's width and colours."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        show(*items)
    return out.getvalue()


def _age(record: Any) -> str:
    """Of what was found out about a source."""
    seal = seal_of(ROOT / record.source)
    changed = record.source and seal != record.source_sha256
    what = "has changed since" if seal else "is gone"
    return day(record.date) + (f"; its source {what}" if changed else "")


def _pictures(files: Iterator[Path]) -> Markup:
    """As elements: what is inside an SVG stays apart from the page."""
    element = Markup('<p><img alt="picture {}" src="data:image/svg+xml;base64,{}"></p>')
    of_each = [(file.stem, base64.b64encode(file.read_bytes()).decode()) for file in sorted(files)]
    return Markup().join(element.format(*one) for one in of_each)


def _verdict(one: Verdict) -> Iterator[str]:
    asked = f", with {' '.join(one.options)}" if one.options else ""
    yield f"{one.name}: {one.verdict}, {one.failed} of {one.cases} cases failed{asked}; {_age(one)}"
    if one.diagnosis:
        yield from wrapped(f"  {one.diagnosis}", "  ")


def _kind(result: BenchResult) -> tuple[object, ...]:
    """A ladder or a single program, and what was varied: bodies, threads, ..."""
    rows = result.summary
    varied = [one for one in Setup._fields if len({getattr(row, one) for row in rows}) > 1]
    return (len(result.names) > 1, *varied)


def _part(folder: Path, problems: list[str]) -> Iterator[Section]:
    name = folder.name.split("_")[0]
    if verdicts := _kept(f"build/verdicts/{name}_*.json", partial(load, Verdict), problems):
        yield Section(
            "Is it right?", _shown(*(line for one, _ in verdicts for line in _verdict(one)))
        )
    results = _kept("build/pictures/*/result*.json", read_result, problems)
    newest = {_kind(one): (one, file) for one, file in results if one.context.part == name}
    for result, file in newest.values():
        drawn = _pictures(file.parent.glob("*.svg"))
        yield Section("Speed", _shown(bench_text(result)), drawn)
    for one, file in _kept(f"build/roofline/{name}*.json", partial(load, Roofline), problems):
        drawn = _pictures(file.parent.glob(f"{file.stem}.svg"))
        yield Section("Roofline", _shown(*format_roofline(one)), drawn)
    if bounds := _kept(f"build/bound/{name}_*.json", partial(load, Bound), problems):
        ages = [f"{one.name}: found {_age(one)}" for one, _ in bounds]
        text = _shown(*table([one for one, _ in bounds], {}), *ages)
        yield Section("The bound of the innermost loop", text)
    if (folder / "notebook.csv").exists():
        for text, _ in _kept(f"{folder.name}/{MARKDOWN}", read_text, problems):
            html = MarkdownIt("js-default").render(re.sub(r"^<!--.*-->\n", "", text, flags=re.M))
            # Relative links lead from build/ to the part.
            html = re.sub(r'(src|href)="(?![a-z]+:|#)', rf'\1="../{folder.name}/', html)
            drawn = _pictures(folder.glob("notebook/ladder.svg"))
            yield Section("Notebook", "", drawn + Markup(f'<div class="notebook">{html}</div>'))


def _page() -> str:
    problems: list[str] = []
    chapters = []
    for folder in sorted(file.parent for file in ROOT.glob("part*_*/CMakeLists.txt")):
        title = read_text(folder / "README.md").partition("\n")[0].strip("# ")
        chapters.append((title, list(_part(folder, problems))))
    of_machine = _kept("build/ceilings.json", partial(load, Ceilings), problems)
    machine = [Section("", _shown(*card(one, everything=True))) for one, _ in of_machine]
    environment = make_environment(Path(__file__).parent)
    environment.filters["day"] = day
    return environment.get_template("report.html.j2").render(
        date=now(),
        chapters=[*chapters, ("This machine", machine)],
        problems=dict.fromkeys(problems),
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
