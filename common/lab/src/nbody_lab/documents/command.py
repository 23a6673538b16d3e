"""./lab site: the documents as web pages."""

from typing import Annotated

import typer

from nbody_lab import ROOT
from nbody_lab.core.messages import Failure, UserError, say
from nbody_lab.core.packages import has
from nbody_lab.documents.stage import is_handed_out

_PACKAGES = ("matplotlib", "sphinx", "myst_parser", "furo", "sphinx_copybutton", "latex2mathml")


def site(
    students: Annotated[
        bool, typer.Option("--students", help="only what students get: pages that may be published")
    ] = False,
) -> None:
    """all documents as pages for a browser, with search

    In a lab that was handed out it is always the edition for students.

    ./lab site --students
    """
    if not has(*_PACKAGES):
        raise UserError(
            "the site needs ./lab setup --pictures once (400 MB); then run ./lab site again"
        )
    from nbody_lab.documents.build_site import build_site  # slow

    folder = ROOT / ("build/site_students" if students else "build/site")
    for_students = students or is_handed_out(ROOT)
    complaints = build_site(ROOT, ROOT / "build/site_source", folder, for_students)
    for complaint in complaints:
        say(complaint)
    if complaints:
        say("correct these errors, then run ./lab site again")
        raise Failure(1)
    edition = " (the edition for students)" if for_students else ""
    print(f"open in a browser: {folder / 'index.html'}{edition}")
