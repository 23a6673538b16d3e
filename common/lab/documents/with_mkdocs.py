"""Restarts a test of the site in the Python that has MkDocs, or skips it if there is none."""

import importlib.util
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(HERE.parent / "page"), str(HERE.parent)]


def go_over_to_mkdocs():
    from with_page import go_over_to_page, skip
    go_over_to_page()
    for name in ("mkdocs", "material", "latex2mathml"):
        if not importlib.util.find_spec(name):
            skip(f"no {name} (./lab setup --pictures)")
