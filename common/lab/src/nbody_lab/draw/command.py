"""What ./lab plot draws: a function for each kind of earlier result. It reads the files, draws, and saves the pictures."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.messages import UserError
from nbody_lab.core.model import load
from nbody_lab.draw.save import save, save_again


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

    @property
    def file(self) -> Path:
        return Path(self.source)

    @property
    def place(self) -> Path:
        assert self.folder is not None, "draw() has looked"
        return self.folder


def _is_energy_study(file: Path) -> bool:
    try:
        with file.open(encoding="utf-8", errors="replace") as stream:
            return '"what": "energy study"' in stream.read(200)
    except OSError:
        return False


def _draw_bench(request: Request) -> list[Path]:
    if _is_energy_study(request.file):
        from nbody_lab.core.study_results import EnergyStudy
        from nbody_lab.draw.energy_study import pictures_of_energies

        return save(pictures_of_energies(load(EnergyStudy, request.file)), request.place)
    from nbody_lab.draw.bench import pictures_of
    from nbody_lab.draw.bench_rows import read_measured

    return save(pictures_of(read_measured(request.file)), request.place)


def _draw_roofline(request: Request) -> list[Path]:
    from nbody_lab.core.results import read_roofline
    from nbody_lab.draw.roofline import roofline

    sheet = roofline(read_roofline(request.file))
    sheet.name = request.file.stem
    if request.again:
        return [save_again(sheet, request.place)]
    return save([sheet], request.place)


def _draw_copies(request: Request) -> list[Path]:
    from nbody_lab.draw.shares import copies_picture, read_study

    return save([copies_picture(*read_study(request.file))], request.place)


def _draw_orbits(request: Request) -> list[Path]:
    from nbody_lab.draw.orbits import pictures_of_orbits
    from nbody_lab.draw.runs import Run

    if request.source.endswith(".csv"):
        raise UserError(f"{request.source}: orbits needs a BASE of -w; a log has no positions")
    run = Run(request.source)
    return save(pictures_of_orbits(run, request.around), run.base.parent)


def _draw_energy(request: Request) -> list[Path]:
    from nbody_lab.draw.energy import energy_of_log, energy_of_run
    from nbody_lab.draw.runs import Run
    from nbody_lab.export.body_text import found_files

    if request.source.endswith(".csv"):
        return save([energy_of_log(request.file)], request.file.parent)
    if request.file.is_file() and not found_files(request.source):
        raise UserError(f"{request.source}: is not a BASE of -w; a log of --log must end with .csv")
    run = Run(request.source)
    return save([energy_of_run(run)], run.base.parent)


def _draw_simulated(request: Request) -> list[Path]:
    from nbody_lab.core.study_results import Simulated
    from nbody_lab.draw.simulated import pictures_of_simulated

    result = load(Simulated, request.file)
    return [save_again(sheet, request.place) for sheet in pictures_of_simulated(result)]


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


def _draw_notebook(request: Request) -> list[Path]:
    from nbody_lab.draw.attempts import drawable, own_ladder
    from nbody_lab.notebook import notebook

    folder = _folder_of_part(request.source)
    part = folder.resolve().name.split("_")[0]
    rows = notebook.load(folder).rows
    if request.if_any and not drawable(rows):
        return []
    return [save_again(own_ladder(part, rows), folder / "notebook")]


_WITH_FOLDER: dict[What, Callable[[Request], list[Path]]] = {
    What.BENCH: _draw_bench,
    What.ROOFLINE: _draw_roofline,
    What.COPIES: _draw_copies,
    What.SIMULATED: _draw_simulated,
}
_BESIDE_ITS_FILES: dict[What, Callable[[Request], list[Path]]] = {
    What.NOTEBOOK: _draw_notebook,
    What.ORBITS: _draw_orbits,
    What.ENERGY: _draw_energy,
}


def draw(what: What, request: Request) -> list[Path]:
    """Draws and saves; the pictures' paths without their endings. Raises UserError."""
    name = what.value
    if request.around and what is not What.ORBITS:
        raise UserError(f"plot {name}: --around is for orbits")
    if request.again and what is not What.ROOFLINE:
        raise UserError(f"plot {name}: --again is for roofline; the others keep older pictures")
    if what in _BESIDE_ITS_FILES:
        if request.folder:
            raise UserError(f"plot {name} takes no FOLDER: its pictures go beside the files")
        return _BESIDE_ITS_FILES[what](request)
    if not request.folder:
        raise UserError(
            f"plot {name} needs a FOLDER: ./lab plot {name} {request.source} build/pictures"
        )
    return _WITH_FOLDER[what](request)
