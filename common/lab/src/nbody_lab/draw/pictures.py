"""What ./lab plot draws: a function for each kind of earlier result. It reads the files, draws, and saves the pictures,
where ./lab setup --pictures has installed matplotlib.

Pictures are optional: measurements are in tables and files, and can be drawn later.
"""

import contextlib
import datetime
import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from nbody_lab import ROOT
from nbody_lab.core.messages import UserError, ended, say
from nbody_lab.core.model import load
from nbody_lab.core.packages import has

if TYPE_CHECKING:  # slow
    from nbody_lab.draw.sheet import Sheet

_MEASURED = (0, 1)  # statuses of bench: all right, or a wrong result, reported in its row
BRING_PAGE = (
    "needs ./lab setup --pictures once (400 MB)"  # follows the name of what cannot be written
)
BRING = "./lab setup --pictures installs the plotting tools (400 MB)"


class What(str, Enum):
    """The kinds of pictures."""

    BENCH = "bench"
    ROOFLINE = "roofline"
    COPIES = "copies"
    NOTEBOOK = "notebook"
    ORBITS = "orbits"
    ENERGY = "energy"
    SIMULATED = "simulated"


@dataclass(frozen=True)
class Request:
    """What to draw from, and where to. Pictures of a run or a notebook go beside its files: they have no folder."""

    source: str
    folder: Path | None = None
    around: str | None = None  # a body's name or number
    again: bool = False  # replace the previous picture
    if_any: bool = False  # draw nothing where there is nothing yet
    slide: bool = False  # for a lecture hall

    @property
    def file(self) -> Path:
        return Path(self.source)


def _is_energy_study(file: Path) -> bool:
    with contextlib.suppress(OSError), file.open(encoding="utf-8", errors="replace") as stream:
        return '"what": "energy study"' in stream.read(200)
    return False


def _draw_bench(request: Request) -> "list[Sheet]":
    from nbody_lab.core.study_results import EnergyStudy
    from nbody_lab.draw import bench, studies, sweeps

    if _is_energy_study(request.file):
        return studies.pictures_of_energies(load(EnergyStudy, request.file))
    if request.if_any and not bench.has_speeds(request.file):
        return []
    return sweeps.pictures_of(bench.read_measured(request.file))


def _draw_roofline(request: Request) -> "list[Sheet]":
    from nbody_lab.core.results import read_roofline
    from nbody_lab.draw.roofline import roofline

    sheet = roofline(read_roofline(request.file))
    sheet.name = request.file.stem + ("_slide" if request.slide else "")
    return [sheet]


def _draw_copies(request: Request) -> "list[Sheet]":
    from nbody_lab.draw import studies

    return [studies.picture_of_copies(*studies.read_copies(request.file))]


def _draw_simulated(request: Request) -> "list[Sheet]":
    from nbody_lab.core.study_results import Simulated
    from nbody_lab.draw import studies

    return studies.pictures_of_simulated(load(Simulated, request.file))


def _draw_orbits(request: Request) -> "list[Sheet]":
    from nbody_lab.draw.orbits import pictures_of_orbits
    from nbody_lab.draw.runs import Run

    if request.source.endswith(".csv"):
        raise UserError(f"{request.source}: orbits needs a BASE of -w; a log has no positions")
    return pictures_of_orbits(Run(request.source), request.around)


def _draw_energy(request: Request) -> "list[Sheet]":
    from nbody_lab.draw.energy import energy_of_log, energy_of_run
    from nbody_lab.draw.runs import Run
    from nbody_lab.export.body_text import found_files

    if request.source.endswith(".csv"):
        return [energy_of_log(request.file)]
    if request.file.is_file() and not found_files(request.source):
        raise UserError(f"{request.source}: is not a BASE of -w; a log of --log must end with .csv")
    return [energy_of_run(Run(request.source))]


def _folder_of_part(word: str) -> Path:
    """The folder of a part: `part1` or `part1_standard_opti`, from any working directory."""
    if word and Path(word).is_dir():
        return Path(word)
    found = sorted(ROOT.glob(f"{word}_*/CMakeLists.txt")) if word else []
    if not found:
        raise UserError(
            f"there is no part or folder '{word}'; for example: ./lab plot notebook part1"
        )
    return found[0].parent


def _draw_notebook(request: Request) -> "list[Sheet]":
    from nbody_lab.draw.attempts import drawable, own_ladder
    from nbody_lab.notebook import notebook

    folder = _folder_of_part(request.source)
    rows = notebook.load(folder).rows
    if request.if_any and not drawable(rows):
        return []
    return [own_ladder(folder.resolve().name.split("_")[0], rows)]


_DRAW: dict[What, Callable[[Request], "list[Sheet]"]] = {
    What.BENCH: _draw_bench,
    What.ROOFLINE: _draw_roofline,
    What.COPIES: _draw_copies,
    What.SIMULATED: _draw_simulated,
    What.NOTEBOOK: _draw_notebook,
    What.ORBITS: _draw_orbits,
    What.ENERGY: _draw_energy,
}
_BESIDE_ITS_FILES = (What.NOTEBOOK, What.ORBITS, What.ENERGY)
_ALWAYS_AGAIN = (What.SIMULATED, What.NOTEBOOK)  # only the latest is of use


def _folder_for(what: What, request: Request) -> Path:
    """Where the pictures go. Raises UserError for a folder that is missing or of no use."""
    name, folder = what.value, request.folder
    if what in _BESIDE_ITS_FILES and folder:
        raise UserError(f"plot {name} takes no FOLDER: its pictures go beside the files")
    if what is What.NOTEBOOK:
        return _folder_of_part(request.source) / "notebook"
    if what in _BESIDE_ITS_FILES:
        return request.file.parent
    if not folder:
        raise UserError(
            f"plot {name} needs a FOLDER: ./lab plot {name} {request.source} build/pictures"
        )
    return folder


def _draw(what: What, request: Request) -> list[Path]:
    """Draws and saves; the pictures' paths without their endings. Raises UserError."""
    name = what.value
    if request.around and what is not What.ORBITS:
        raise UserError(f"plot {name}: --around is for orbits")
    if request.again and what is not What.ROOFLINE:
        raise UserError(f"plot {name}: --again is for roofline; the others keep older pictures")
    folder = _folder_for(what, request)
    from nbody_lab.draw import theme
    from nbody_lab.draw.sheet import save

    with theme.drawn_as(theme.SLIDE if request.slide else theme.PAGE):
        sheets = _DRAW[what](request)
        return save(sheets, folder, request.again or what in _ALWAYS_AGAIN) if sheets else []


def can_draw() -> bool:
    return has("matplotlib")


def can_write_page() -> bool:
    return has("matplotlib", "jinja2")


def draw_and_name(what: What, request: Request) -> None:
    """Raises UserError."""
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
        raise UserError(f"--plot {folder} cannot be written: {error.strerror}") from error
    if not os.access(folder, os.W_OK):
        raise UserError(f"--plot {folder} cannot be written")


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
    else:
        say(f"no picture: {BRING}; then: ./lab plot bench {file} {folder}")
    return status
