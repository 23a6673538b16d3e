"""./lab report: one page of everything measured, written by the Python that draws (common/lab/page). It builds and
measures nothing, so it takes seconds. Below it ./lab site."""

from pathlib import Path

import pictures
from messages import say, stop
from running import run_python
from words import nearest
from workshop import ROOT, known_parts

PAGE = ROOT / "common/lab/page"


def write(file, parts):
    """Runs the program that writes the page and prints its path; returns its status."""
    return run_python(pictures.PYTHON, PAGE, ROOT, file, *parts)


def parse(words):
    """(file, names of parts)"""
    file, named, rest = ROOT / "build/report.html", [], iter(words)
    for word in rest:
        if word == "-o":
            given = next(rest, "")
            if not given:
                stop("report: -o needs a file")
            file = Path(given)
        elif word.startswith("-"):
            stop(f"report has no option '{word}'{nearest(word, ['-o'])}; its only option is -o FILE")
        else:
            named.append(word)
    if file.is_dir():
        stop(f"report: {file} is a folder: -o needs a file, for example {file / 'report.html'}")
    return file, named


def parts_named(lab, named):
    parts = []
    for word in named:
        lab.choose_part("report", [word])
        parts.append(lab.part)
    return sorted(set(parts)) or known_parts()


def report(lab, words):
    file, named = parse(words)
    parts = parts_named(lab, named)
    if not pictures.can_write_page():
        stop(f"the page {pictures.BRING_PAGE}; then run ./lab report again")
    return write(file, parts)


def after_demo():
    """Writes a page of everything measured so far, or tells how to get one."""
    if pictures.can_write_page():
        write(ROOT / "build/report.html", known_parts())
    else:
        say(f"a page of all this {pictures.BRING_PAGE}; then run ./lab report")


# ./lab site: the documents as web pages, built by the Python that draws (common/lab/documents).
DOCUMENTS = ROOT / "common/lab/documents"
NEEDED = ("mkdocs", "material", "latex2mathml")


def can_build():
    """Checks the packages too: an older lab may have set up pictures without them."""
    packages = pictures.PYTHON.parents[1]
    return pictures.can_draw() and all(any(packages.glob(f"lib/python3*/site-packages/{name}")) for name in NEEDED)


def site(_, words):
    for word in words:
        if word != "--students":
            stop(f"site has no option '{word}'; its only option is --students")
    if not can_build():
        stop("the site needs ./lab setup --pictures once (400 MB); then run ./lab site again")
    return run_python(pictures.PYTHON, DOCUMENTS, ROOT, *words)
