"""The page of a made-up lab."""

from nbody_lab.page.render import write_page
from tests.page.page_reader import Page


def page_of(tree, parts=("part1", "part2")):
    """The page of a made-up lab (tree_for_tests.py), parsed."""
    write_page(tree.root, tree.root / "report.html", parts)
    return Page((tree.root / "report.html").read_text(encoding="utf-8"))
