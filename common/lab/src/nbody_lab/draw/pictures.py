"""Draws what was measured: it reads the files, draws, and saves the pictures, where ./lab setup --pictures has installed
matplotlib.

Pictures are optional: measurements are in tables and files, and can be drawn later.
"""

import datetime
import tempfile
from collections.abc import Callable
from enum import Enum
from importlib.util import find_spec
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.clean_text import shown
from nbody_lab.core.console import show
from nbody_lab.core.errors import ended, say
from nbody_lab.core.model import load

BRING = "./lab setup --pictures installs the plotting tools (250 MB)"


class What(str, Enum):
    """The kinds of pictures."""

    BENCH = "bench"
    ROOFLINE = "roofline"
    NOTEBOOK = "notebook"
    SIMULATED = "simulated"


def can_draw() -> bool:
    return bool(find_spec("matplotlib"))


def draw(what: What, source: Path, folder: Path) -> int:
    """Draws a file, or of a notebook the folder of its part, over the pictures that have its name, and says where. The
    status: where a picture fails, what was measured is kept."""
    return ended(_draw, what, source, folder)


def _draw(what: What, source: Path, folder: Path) -> None:
    from nbody_lab.draw import bench, notebook, ranks, roofline, sheet
    from nbody_lab.measure import results, simulated
    from nbody_lab.notebook.notebook import load as load_notebook

    if what is What.BENCH:
        sheets = bench.pictures_of(bench.read_measured(source))
        for one in sheets:  # measurements in the same folder have pictures of their own
            one.name = f"{source.stem}_{one.name}"
    elif what is What.SIMULATED:
        sheets = ranks.pictures_of_simulated(load(simulated.Simulated, source))
    elif what is What.ROOFLINE:
        sheets = [roofline.roofline(load(results.Roofline, source))]
        sheets[0].name = source.stem
    else:
        rows = load_notebook(source).rows
        ladder = notebook.own_ladder(source.resolve().name.split("_")[0], rows)
        sheets = [ladder] if ladder else []
    for path in sheet.save(sheets, folder):
        show(f"{shown(path)}.svg and .png")


def require_folder(folder: Path) -> None:
    """Raises OSError before measuring starts, not minutes later."""
    folder.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()


def say_how_to_draw(file: Path) -> None:
    say(f"no picture: {BRING}; then: ./lab bench --from {file}")


def measured_and_drawn(
    measure: Callable[[Path], int], label: str, plot: Path | None, json: Path | None
) -> int:
    """Runs measure(result file), draws that file into `plot`, or into a folder of its own, where pictures can be drawn,
    and returns the status of the measurement. The file is kept, and no other is overwritten."""
    now = f"{datetime.datetime.now():%Y-%m-%d_%H%M%S}"
    folder = plot or ROOT / "build/pictures" / f"{now}_{label}"
    file, number = json or folder / "result.json", 2
    while not json and file.exists():
        file, number = folder / f"result-{number}.json", number + 1
    status = measure(file)
    if status > 1 or not file.is_file():  # 1: a wrong result, reported in its row
        return status
    if can_draw():
        show("")
        draw(What.BENCH, file, folder)
    elif plot:
        say_how_to_draw(file)
    return status
