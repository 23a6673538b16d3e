"""Writes the pages of a graded class."""

import sys

from nbody_lab.grade.pages.write_pages import write_pages
from nbody_lab.notebook.file import InputError


def write(out):
    """Writes OUT/index.html and OUT/students/*.html; returns the status."""
    try:
        file = write_pages(out)
    except InputError as fault:
        print(f"lab: {fault}", file=sys.stderr)
        return 2
    except OSError as fault:
        print(f"lab: {fault.filename or out} cannot be written: {fault.strerror}", file=sys.stderr)
        return 2
    print(f"written: {file}")
    return 0
