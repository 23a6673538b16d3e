"""Which integrator keeps the energy, and at what cost?

Runs the same bodies with every scheme and several time steps: the largest energy error against force evaluations,
and against seconds. Each run calls a simulator with --log, so you can repeat it by hand.
"""

import csv
import datetime
import json
import math
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from pathlib import Path

import pydantic

from nbody_lab.core.console import format_table, show
from nbody_lab.core.cpuinfo import fields
from nbody_lab.core.running import capture, output_of
from nbody_lab.core.steps import progress
from nbody_lab.core.study_results import EnergyRow, EnergySeries, EnergyStudy
from nbody_lab.core.whole_file import write_text

_TURN = 2 * math.pi  # a period of scene two-body
_EVALUATIONS_PER_STEP = {"yoshida4": 3, "rk4": 4}  # 1 for the others
_GOOD = ("kdk", "yoshida4", "rk4", "hermite4")
_ALL = ("euler", "eq45", "semi-implicit", "kdk", "dkd", "yoshida4", "rk4", "hermite4")
_BOTH = ("float", "double")
_ROWS_OF_A_LOG = 211  # a prime, so that the rows do not fall on the same place of every turn
_ROUNDING = 1e-11  # below it, an error says nothing about the order


@dataclass(frozen=True)
class Experiment:
    """The same bodies, over the same span."""

    name: str
    scene: str  # options
    span: float
    evaluations: tuple[int, ...]  # over the whole span, one run for each
    schemes: tuple[str, ...] = _ALL
    precisions: tuple[str, ...] = ("double",)
    adaptive: bool = False
    series: bool = False  # keeps the error over time


@dataclass(frozen=True)
class Run:
    """One call of a simulator."""

    experiment: Experiment
    precision: str
    scheme: str
    evaluations: int

    @property
    def options(self) -> list[str]:
        experiment, cost = self.experiment, _EVALUATIONS_PER_STEP.get(self.scheme, 1)
        # With an adaptive step every scheme makes the same number of steps, and the cost follows.
        steps = max(1, round(self.evaluations / (1 if experiment.adaptive else cost)))
        step = ["--vdt"] if experiment.adaptive else ["--dt", repr(experiment.span / steps)]
        words = [*experiment.scene.split(), "--integrator", self.scheme, *step]
        return [*words, "-i", str(steps), "--every", str(max(1, steps // _ROWS_OF_A_LOG))]


_FINE = (3000, 6000, 12000, 24000, 48000)
_EXPERIMENTS = (
    Experiment("two bodies, 10 turns", "--scene two-body", 10 * _TURN, _FINE, precisions=_BOTH),
    Experiment(
        "six bodies, softened by 0.5, to t = 20",
        "--scene six --soft 0.5",
        20,
        _FINE,
        precisions=_BOTH,
    ),
    Experiment(
        "Lagrange's triangle, 2 turns",
        "--scene lagrange",
        2 * _TURN * 3**0.25,
        (600, 1200, 2400, 4800),
        precisions=_BOTH,
    ),
    Experiment(
        "256 stars of a Plummer sphere, softened by 0.05, to t = 1",
        "--scene plummer -n 256 --soft 0.05",
        1,
        (96, 192, 384, 768, 1536),
    ),
    Experiment(
        "six bodies, not softened, to t = 50",
        "--scene six",
        50,
        (50000, 500000, 5000000),
        schemes=("eq45", *_GOOD),
    ),
    Experiment(
        "two bodies, 1000 turns, fixed step",
        "--scene two-body",
        1000 * _TURN,
        (200000,),
        schemes=_GOOD,
        series=True,
    ),
    Experiment(
        "two bodies, 1000 turns, adaptive step",
        "--scene two-body --mdt 0",
        1000 * _TURN,
        (51000,),
        schemes=("kdk", "kdk-symmetric", "yoshida4", "rk4", "hermite4"),
        adaptive=True,
        series=True,
    ),
)


class _LogRow(pydantic.BaseModel):
    """A line of a log, as far as it is read."""

    iteration: float
    time: float
    energy: float
    force_evaluations: int
    wall_s: float


def _run(program: Path, options: Sequence[str]) -> list[_LogRow]:
    """The lines of the log. Raises UserError."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.csv"
        whose = f"{program.name} {' '.join(options)}"
        output_of(whose, program, *options, "--log", log, "--nv")
        with open(log, encoding="utf-8", newline="") as file:
            return [_LogRow.model_validate(row) for row in csv.DictReader(file)]


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _row_of(run: Run, log: Sequence[_LogRow]) -> EnergyRow:
    start, last = log[0].energy, log[-1]
    errors = [_finite((row.energy - start) / abs(start)) for row in log[1:]]
    row = EnergyRow(
        experiment=run.experiment.name,
        scheme=run.scheme,
        precision=run.precision,
        options=" ".join(run.options),
        dt=None if run.experiment.adaptive else run.experiment.span / last.iteration,
        evaluations=last.force_evaluations,
        seconds=last.wall_s,
        largest_error=_finite(max(math.inf if error is None else abs(error) for error in errors)),
    )
    if not run.experiment.series:
        return row
    times = [row.time for row in log[1:]]
    return EnergySeries.model_validate({**row.model_dump(), "times": times, "errors": errors})


def has_jerk(program: Path) -> bool:
    """Tries a short run: a program without jerk refuses it."""
    words = "--scene two-body -i 1 --integrator hermite4 --nv".split()
    return capture(program, *words).returncode == 0


def measure(
    programs: Mapping[str, Path], experiments: Sequence[Experiment] = _EXPERIMENTS
) -> list[EnergyRow]:
    """The rows of all runs that the implementation can do. `programs`: by precision."""
    jerk = has_jerk(programs["float"])
    runs = [
        Run(one, *choice)
        for one in experiments
        for choice in product(one.precisions, one.schemes, one.evaluations)
        if jerk or "hermite4" not in choice
    ]
    rows = []
    with progress("measuring energies") as step:
        for number, run in enumerate(runs):
            step.hear(f"[{number}/{len(runs)}]")
            rows.append(_row_of(run, _run(programs[run.precision], run.options)))
    return rows


def order_of(rows: Sequence[EnergyRow]) -> str:
    """How the error falls with the step: the slope between the two runs with most evaluations. Empty where rounding
    dominates."""
    before, last = rows[-2:] if len(rows) > 1 else (rows[0], rows[0])
    if before is last or not before.largest_error or (last.largest_error or 0) < _ROUNDING:
        return ""
    assert last.largest_error
    fall = math.log(before.largest_error / last.largest_error)
    return f"{fall / math.log(last.evaluations / before.evaluations):.1f}"


def _cells(scheme: str, rows: Sequence[EnergyRow]) -> list[str]:
    cells = [scheme]
    for row in (rows[0] if len(rows) > 1 else None, rows[-1]):
        error = row and ("not finite" if row.largest_error is None else f"{row.largest_error:.1e}")
        cells += [str(row.evaluations) if row else "", error or ""]
    return [*cells, order_of(rows), f"{rows[-1].seconds:.2g}"]


def text_of(rows: Sequence[EnergyRow]) -> str:
    """A table for each experiment and precision."""
    columns = ("integrator", ">evaluations", ">error", ">evaluations", ">error", ">order")
    parts = []
    for (name, precision), block in groupby(rows, lambda row: (row.experiment, row.precision)):
        by_scheme = groupby(block, lambda row: row.scheme)
        cells = [_cells(scheme, list(own)) for scheme, own in by_scheme]
        table = format_table((*columns, ">seconds"), cells, indent=2)
        parts.append(f"{name}, {precision}: largest |E - E0| / |E0|\n\n{table}\n")
    return "\n".join(parts)


def study(part: str, name: str, programs: Mapping[str, Path], file: Path) -> None:
    """Measures, prints the tables and writes the file."""
    rows = measure(programs)
    result = EnergyStudy(
        date=f"{datetime.date.today()}",
        part=part,
        name=name,
        cpu=fields().get("model name", ""),
        rows=tuple(rows),
    )
    write_text(file, json.dumps(result.model_dump(), indent=1) + "\n")
    show(text_of(rows), f"written: {file}")
