"""./lab report: one page of everything measured. It builds and
measures nothing, so it takes seconds. Below it ./lab site."""

from pathlib import Path

from nbody_lab.core.messages import say, stop
from nbody_lab.core.words import nearest
from nbody_lab.draw import pictures
from nbody_lab.workshop import ROOT, known_parts


def write(file, parts):
    """Writes the page and prints its path; returns the status."""
    from nbody_lab.page import command  # slow

    return command.write(ROOT, Path(file), parts)


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
            stop(
                f"report has no option '{word}'{nearest(word, ['-o'])}; its only option is -o FILE"
            )
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


# ./lab site: the documents as web pages.
NEEDED = ("mkdocs", "material", "latex2mathml")


def can_build():
    return pictures.has("matplotlib", *NEEDED)


def site(_, words):
    for word in words:
        if word != "--students":
            stop(f"site has no option '{word}'; its only option is --students")
    if not can_build():
        stop("the site needs ./lab setup --pictures once (400 MB); then run ./lab site again")
    from nbody_lab.documents import command  # slow

    return command.build(ROOT, "--students" in words)
