"""Draws what was measured: it reads the files, draws, and saves the pictures, where ./lab setup --pictures has installed
matplotlib.

Pictures are optional: measurements are in tables and files, and can be drawn later.
"""

import contextlib
import datetime
import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError, ended, say
from nbody_lab.core.model import load

if TYPE_CHECKING:  # slow
    from nbody_lab.draw.sheet import Sheet

_MEASURED = (0, 1)  # statuses of bench: all right, or a wrong result, reported in its row
BRING = "./lab setup --pictures installs the plotting tools (250 MB)"


class What(str, Enum):
    """The kinds of pictures."""

    BENCH = "bench"
    ROOFLINE = "roofline"
    NOTEBOOK = "notebook"
    SIMULATED = "simulated"


@dataclass(frozen=True)
class Request:
    """What to draw from, and where to. The picture of a notebook, whose source is its part's folder, goes beside its files: it has no folder."""

    source: str
    folder: Path | None = None
    again: bool = False  # replace the previous picture
    if_any: bool = False  # draw nothing where there is nothing yet

    @property
    def file(self) -> Path:
        return Path(self.source)


def _sheets_of(what: What, request: Request) -> "list[Sheet]":
    """Reads the files, and draws. Raises LabError."""
    from nbody_lab.draw import attempts, roofline, studies
    from nbody_lab.measure import results, study_results
    from nbody_lab.notebook import notebook

    file = request.file
    if what is What.BENCH:
        return _sheets_of_bench(request)
    if what is What.ROOFLINE:
        sheet = roofline.roofline(results.read_roofline(file))
        sheet.name = file.stem
        return [sheet]
    if what is What.SIMULATED:
        return studies.pictures_of_simulated(load(study_results.Simulated, file))
    rows = notebook.load(file).rows
    if request.if_any and not attempts.drawable(rows):
        return []
    return [attempts.own_ladder(file.resolve().name.split("_")[0], rows)]


def _sheets_of_bench(request: Request) -> "list[Sheet]":
    from nbody_lab.draw import bench, sweeps

    if request.if_any and not bench.has_speeds(request.file):
        return []
    return sweeps.pictures_of(bench.read_measured(request.file))


# Only the latest is of use.
_ALWAYS_AGAIN = (What.SIMULATED, What.NOTEBOOK)


def _draw(what: What, request: Request) -> list[Path]:
    """Draws and saves; the pictures' paths without their endings. Raises LabError."""
    folder = request.folder or request.file / "notebook"
    from nbody_lab.draw.sheet import save

    sheets = _sheets_of(what, request)
    return save(sheets, folder, request.again or what in _ALWAYS_AGAIN) if sheets else []


def can_draw() -> bool:
    return bool(find_spec("matplotlib"))


def draw_and_name(what: What, request: Request) -> None:
    """Raises LabError."""
    for path in _draw(what, request):
        shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
        print(f"{shown}.svg and .png")


def draw(what: What, request: Request) -> int:
    """Draws, and names the files. The status: where a picture fails, what was measured is kept."""
    return ended(draw_and_name, what, request)


# Pictures of what has just been measured.


def require_folder(folder: Path) -> None:
    """Complains before measuring starts, not minutes later."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LabError(f"--plot {folder} cannot be written: {error.strerror}") from error
    if not os.access(folder, os.W_OK):
        raise LabError(f"--plot {folder} cannot be written")


def free_file(folder: Path, name: str, ending: str) -> Path:
    """The first free name of NAME.ENDING, NAME-2.ENDING, ..., so that no measurement is overwritten."""
    file, number = folder / f"{name}.{ending}", 2
    while file.exists():
        file, number = folder / f"{name}-{number}.{ending}", number + 1
    return file


def measured_and_drawn(
    measure: Callable[[Path], int], label: str, plot: Path | None, json: Path | None
) -> int:
    """Runs measure(result file), draws that file into `plot`, or into a folder of its own, where pictures can be drawn,
    and returns the status of the measurement. The file is kept."""
    now = f"{datetime.datetime.now():%Y-%m-%d_%H%M%S}"
    folder = plot or ROOT / "build/pictures" / f"{now}_{label}"
    require_folder(folder)
    file = json or free_file(folder, "result", "json")
    try:
        status = measure(file)
    finally:
        with contextlib.suppress(OSError):
            folder.rmdir()  # empty
    if status not in _MEASURED or not file.is_file():
        return status
    if can_draw():
        print()
        draw(What.BENCH, Request(str(file), folder, if_any=True))
    elif plot:
        say(f"no picture: {BRING}; then: ./lab bench --from {file}")
    return status
