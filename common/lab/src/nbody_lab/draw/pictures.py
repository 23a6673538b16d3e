"""Draws pictures where ./lab setup --pictures has installed matplotlib.

They are optional: measurements are in tables and files, and can be drawn later.
"""

import contextlib
import datetime
import os
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.messages import ended, say, stop
from nbody_lab.core.packages import has

MEASURED = (0, 1)  # statuses of bench: all right, or a wrong result, reported in its row
BRING_PAGE = (
    "needs ./lab setup --pictures once (400 MB)"  # follows the name of what cannot be written
)
BRING = "./lab setup --pictures installs the plotting tools (400 MB)"


def can_draw():
    return has("matplotlib")


def can_write_page():
    return has("matplotlib", "jinja2")


def draw(*words):
    """Runs ./lab plot, which names the files it writes; returns its status."""
    from nbody_lab.draw import command  # slow

    try:
        return ended(command.main, [str(word) for word in words])
    except SystemExit as end:  # of its parser
        return end.code


def take_folder(options):
    """(folder of --plot or '', the other options)"""
    folder, left, words = "", [], iter(options)
    for word in words:
        if word == "--plot":
            folder = next(words, "")
        elif word.startswith("--plot="):
            folder = word[len("--plot=") :]
        else:
            left.append(word)
            continue
        if not folder:
            stop("--plot needs a folder")
    return folder, left


def demand_folder(folder):
    """Complains before measuring starts, not minutes later."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        stop(f"--plot {folder} cannot be written: {fault.strerror}")
    if not os.access(folder, os.W_OK):
        stop(f"--plot {folder} cannot be written")


def folder_of_now(part):
    """A new folder for the pictures of a measurement without --plot."""
    return ROOT / "build/pictures" / f"{datetime.datetime.now():%Y-%m-%d_%H%M%S}_{part}"


def free_file(folder, name, ending):
    """The first free name of NAME.ENDING, NAME-2.ENDING, ..., so that no measurement is overwritten."""
    file, number = Path(folder) / f"{name}.{ending}", 2
    while file.exists():
        file, number = Path(folder) / f"{name}-{number}.{ending}", number + 1
    return file


def result_file(options, folder):
    """(bench's result file, the options with it). A file the user named is kept."""
    for k, word in enumerate(options):
        if word == "--json" and k + 1 < len(options):
            return options[k + 1], options
        if word.startswith("--json="):
            return word[len("--json=") :], options
    file = free_file(folder, "result", "json")
    return file, [*options, "--json", str(file)]


def measured_and_drawn(measure, part, options):
    """Runs measure(options), draws its result file, and returns the status of the measurement."""
    folder, options = take_folder(options)
    asked = bool(folder)
    if not asked and not can_draw():
        return measure(options)
    folder = folder or folder_of_now(part)
    if asked:
        demand_folder(folder)
    else:
        folder.mkdir(parents=True, exist_ok=True)
    file, options = result_file(options, folder)
    try:
        status = measure(options)
    finally:
        remove_empty(folder)
    if status not in MEASURED or not Path(file).is_file():
        return status
    if can_draw():
        print()
        draw("bench", file, folder)
    else:
        say(f"no picture: {BRING}; then: ./lab plot bench {file} {folder}")
    return status


def remove_empty(folder):
    with contextlib.suppress(OSError):
        Path(folder).rmdir()
