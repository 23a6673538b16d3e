"""Writes the page of ./lab report."""

import sys
from pathlib import Path

from nbody_lab.page.render import write_page


def name_from_here(file):
    file = file.resolve()
    return file.relative_to(Path.cwd()) if Path.cwd() in file.parents else file


def write(root, file, parts):
    """Writes the page and prints its path; returns the status."""
    try:
        write_page(root, file, parts)
    except OSError as fault:
        print(
            f"lab: {file} cannot be written ({fault.strerror}): choose another place or make room",
            file=sys.stderr,
        )
        return 2
    print(f"written: {name_from_here(file)}")
    return 0
