"""./lab report: one page of everything measured. It builds and measures nothing, so it takes seconds."""

from pathlib import Path
from typing import Annotated

import typer

from nbody_lab import ROOT
from nbody_lab.arguments import complete_part
from nbody_lab.core.console import show
from nbody_lab.core.messages import UserError, say
from nbody_lab.draw import pictures
from nbody_lab.workshop import known_parts, parse_part

_FILE = ROOT / "build/report.html"


def _page_file(text: str) -> Path:
    if Path(text).is_dir():
        example = Path(text) / "report.html"
        raise UserError(f"report: {text} is a folder: -o needs a file, for example {example}")
    return Path(text)


def write_page(file: Path, parts: list[str]) -> None:
    """Writes the page and prints its path."""
    from nbody_lab.page import render  # slow

    render.write_page(ROOT, file, parts)
    inside = Path.cwd() in file.resolve().parents
    show(f"written: {file.resolve().relative_to(Path.cwd()) if inside else file}")


def report(
    parts: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PART",
            help="only these (default: all)",
            parser=parse_part,
            autocompletion=complete_part,
        ),
    ] = None,
    file: Annotated[
        Path,
        typer.Option(
            "-o",
            metavar="FILE",
            help="the page (default build/report.html)",
            parser=_page_file,
            show_default=False,
        ),
    ] = _FILE,
) -> None:
    """everything measured on one page: build/report.html

    It measures nothing: the page names the command for what is missing.

    ./lab report part1 -o report.html
    """
    if not pictures.can_draw():
        raise UserError(f"the page {pictures.BRING_PAGE}; then run ./lab report again")
    write_page(file, sorted(set(parts or known_parts())))


def after_demo() -> None:
    """Writes a page of everything measured so far, or tells how to get one."""
    if pictures.can_draw():
        write_page(_FILE, known_parts())
    else:
        say(f"a page of all this {pictures.BRING_PAGE}; then run ./lab report")
