"""Restarts a test of the page in the Python that can write it, or skips it if there is none."""

import importlib.util
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import folders  # noqa: E402, F401
from with_matplotlib import NOTHING_DRAWS, go_over  # noqa: E402


def go_over_to_page():
    go_over()
    if not importlib.util.find_spec("jinja2"):
        skip("no jinja2 (./lab setup --pictures)")


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(NOTHING_DRAWS)


def page_of(tree, parts=("part1", "part2")):
    """The page of a made-up lab (tree_for_tests.py), parsed."""
    from page_reader import Page
    from render import write_page
    write_page(tree.root, tree.root / "report.html", parts)
    return Page((tree.root / "report.html").read_text(encoding="utf-8"))


# Restarts a test of the site in the Python that has MkDocs, or skips it if there is none.
ROOT = HERE.parents[2]


def go_over_to_mkdocs():
    go_over_to_page()
    for name in ("mkdocs", "material", "latex2mathml"):
        if not importlib.util.find_spec(name):
            skip(f"no {name} (./lab setup --pictures)")
