"""The roofline of a GPU that is not here: made from data/results, which were measured on one."""

import re
from collections.abc import Sequence

from nbody_lab import ROOT
from nbody_lab.building.lab import Lab
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import Precision, load
from nbody_lab.core.words import is_own, nearest
from nbody_lab.limits.ceilings import Place
from nbody_lab.limits.inputs import work_of
from nbody_lab.limits.points import Setting, hidden_counts, hidden_reason, make_roofline
from nbody_lab.limits.roofline import Program, make_point, plain_code
from nbody_lab.measure.bench_file import BenchResult
from nbody_lab.measure.results import NoInput, Point, Roofline, read_ceilings
from nbody_lab.tasks.counting import stored_counts

RESULTS = ROOT / "data/results"
CEILINGS = RESULTS / "ceilings_h200.json"
_WHERE = "gpu 0"
_SIZE = 131072  # bodies
_WITHOUT = (
    "without a GPU: ./lab bound {part} mine shows how many instructions your kernel takes (needs nvcc: ./lab setup --cuda); "
    "./lab worksheet {part} judges your answers"
)


def _why_left_out(
    lab: Lab, name: str, precision: str, speeds: dict[str, float], hidden: Sequence[str]
) -> str | None:
    """Why a name has no point; None if it has one."""
    if name.startswith("mine"):
        return "your own code is only timed on a GPU"
    if not stored_counts(lab, name).exists():
        return "was not counted on that GPU, so it has a speed but no place under the roof"
    if name not in speeds:
        return f"not measured there in {precision}"
    return hidden_reason(lab.part) if name in hidden else None


def _demand_names(lab: Lab, names: Sequence[str], result: BenchResult) -> None:
    """Raises LabError for a name that is nowhere. Without a CUDA compiler the lab itself knows no name of part 3."""
    lists = [file.read_text() for file in ROOT.glob(f"solutions/{lab.part}_*/CMakeLists.txt")]
    rungs = re.findall(r"add_implementation\((\w+)", "".join(lists))
    known = {"naive", *rungs, *lab.names(), *(row.name for row in result.summary)}
    for name in names:
        if name not in known and not is_own(name):
            advice = nearest(name, known) or f"; ./lab list {lab.part} shows what there is"
            raise LabError(f"{lab.part} has no implementation '{name}'{advice}")


def _place_stored(lab: Lab, number: int, name: str, speed: float, place: Place, n: int) -> Point:
    kind = "naive" if name == "naive" else "rung"
    work = work_of(stored_counts(lab, name), n)
    return make_point(number, place, Program(name, kind, work, plain_code(""), speed), n)


def stored_roofline(lab: Lab, names: Sequence[str], precision: Precision) -> Roofline:
    """Of the names that were counted and timed there. Raises NoInput and LabError."""
    if not CEILINGS.exists():
        raise NoInput(
            f"no GPU answers here, and data/results has no {CEILINGS.name}: measure on a machine with a GPU"
        )
    ceilings, ladder = read_ceilings(CEILINGS), RESULTS / f"{lab.part}_study_ladder.json"
    # A handout has only the ceilings.
    result = load(BenchResult, ladder) if ladder.exists() else BenchResult(summary=())
    _demand_names(lab, names, result)
    n = result.summary[0].n if result.summary else _SIZE
    speeds, _ = result.speeds(precision, 1)
    hidden = hidden_counts(lab)
    place = Place(ceilings.of_place(_WHERE), precision, 0)
    points: list[Point] = []
    left_out: dict[str, str] = {}
    # mine in that file is not the student's.
    for name in names or [name for name in speeds if name != "mine"]:
        why = _why_left_out(lab, name, precision, speeds, hidden)
        if why is not None:
            left_out[name] = why
        else:
            points.append(_place_stored(lab, len(points) + 1, name, speeds[name], place, n))
    device = ceilings.device(_WHERE)
    figures = f"the ceilings of {device}, from data/results"
    if points:
        figures = f"the figures of data/results, measured on {device} on {result.context.day}"
    return make_roofline(
        lab.part,
        device,
        Setting(_WHERE, precision, 0, n),
        ceilings,
        points,
        left_out,
        [f"no GPU answers here: these are {figures}", _WITHOUT.format(part=lab.part)],
    )
