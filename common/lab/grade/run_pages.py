"""Writes the pages of a graded class with the Python that can draw (common/lab/grade/pages)."""

import subprocess
import sys
from pathlib import Path

import pictures
from pictures import BRING_PAGE, can_write_page

PROGRAM = Path(__file__).resolve().parent / "pages"
WITHOUT = f"no pages for the class: writing them {BRING_PAGE}"


def write_pages(out):
    """Status of the program that writes OUT/index.html and OUT/students/*.html; None if there is no such program. The
    tables do not need it: print WITHOUT then."""
    if not can_write_page():
        return None
    sys.stdout.flush()
    return subprocess.run([str(pictures.PYTHON), str(PROGRAM), str(out)], check=False).returncode
