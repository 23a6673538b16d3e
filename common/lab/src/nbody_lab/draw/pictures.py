"""Draws pictures where ./lab setup --pictures has installed matplotlib.

They are optional: measurements are in tables and files, and can be drawn later.
"""

import contextlib
import datetime
import os
from collections.abc import Callable
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.messages import UserError, ended, say
from nbody_lab.core.packages import has
from nbody_lab.draw import command
from nbody_lab.draw.command import Request, What

MEASURED = (0, 1)  # statuses of bench: all right, or a wrong result, reported in its row
BRING_PAGE = (
    "needs ./lab setup --pictures once (400 MB)"  # follows the name of what cannot be written
)
BRING = "./lab setup --pictures installs the plotting tools (400 MB)"


def can_draw() -> bool:
    return has("matplotlib")


def can_write_page() -> bool:
    return has("matplotlib", "jinja2")


def draw_and_name(what: What, request: Request) -> None:
    """Raises UserError."""
    for path in command.draw(what, request):
        shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
        print(f"{shown}.svg and .png")


def draw(what: What, request: Request) -> int:
    """Draws, and names the files. The status: where a picture fails, what was measured is kept."""
    return ended(draw_and_name, what, request)


def require_folder(folder: Path) -> None:
    """Complains before measuring starts, not minutes later."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"--plot {folder} cannot be written: {error.strerror}") from error
    if not os.access(folder, os.W_OK):
        raise UserError(f"--plot {folder} cannot be written")


def _folder_of_now(part: str) -> Path:
    """A new folder for the pictures of a measurement without --plot."""
    return ROOT / "build/pictures" / f"{datetime.datetime.now():%Y-%m-%d_%H%M%S}_{part}"


def free_file(folder: Path, name: str, ending: str) -> Path:
    """The first free name of NAME.ENDING, NAME-2.ENDING, ..., so that no measurement is overwritten."""
    file, number = folder / f"{name}.{ending}", 2
    while file.exists():
        file, number = folder / f"{name}-{number}.{ending}", number + 1
    return file


def measured_and_drawn(
    measure: Callable[[Path | None], int], label: str, plot: Path | None, json: Path | None
) -> int:
    """Runs measure(result file), draws that file into `plot`, or into a folder of its own where pictures can be drawn,
    and returns the status of the measurement. A file that the user named is kept."""
    if not plot and not can_draw():
        return measure(json)
    folder = plot or _folder_of_now(label)
    require_folder(folder)
    file = json or free_file(folder, "result", "json")
    try:
        status = measure(file)
    finally:
        _remove_empty(folder)
    if status not in MEASURED or not file.is_file():
        return status
    if can_draw():
        print()
        draw(What.BENCH, Request(str(file), folder))
    else:
        say(f"no picture: {BRING}; then: ./lab plot bench {file} {folder}")
    return status


def _remove_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()
