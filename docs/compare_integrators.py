"""Which integrator keeps the energy, and at what cost? Measures data/results/part1_energy.json; draw_pictures.py draws it.

    ./lab build part1 naive --double
    compare_integrators.py [FILE.json]     a minute

It runs the same bodies with every scheme and several time steps. Each run calls part1/naive with --log, so you can repeat it
by hand: its row has the `options`, and what came out: `evaluations` of the forces, `seconds`, the `largest_error` of the
energy, relative (null: no finite number); of two experiments also the `errors` at certain `times`.
"""

import csv
import datetime
import json
import math
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate, product
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.building.cpuinfo import fields
from nbody_lab.building.manifest import Manifest, ManifestError
from nbody_lab.core.errors import LabError
from nbody_lab.core.run import Step, output_of

RESULT = ROOT / "data/results/part1_energy.json"
SCHEMES = "euler eq45 semi-implicit kdk kdk-symmetric dkd yoshida4 rk4 hermite4".split()
ALL = [scheme for scheme in SCHEMES if scheme != "kdk-symmetric"]
GOOD = ["kdk", "yoshida4", "rk4", "hermite4"]
EVALUATIONS_PER_STEP = {"yoshida4": 3, "rk4": 4}  # 1 for the others
TURN = 2 * math.pi  # a period of scene two-body
ROWS_OF_A_LOG = 211  # a prime, so that the rows do not fall on the same place of every turn
FINE = (3000, 6000, 12000, 24000, 48000)


@dataclass(frozen=True)
class Experiment:
    """The same bodies, over the same span."""

    name: str
    scene: str  # options
    span: float
    evaluations: tuple[int, ...]  # over the whole span, one run for each
    schemes: tuple[str, ...] = tuple(ALL)
    precisions: tuple[str, ...] = ("double",)
    adaptive: bool = False
    series: bool = False  # keeps the error over time


BOTH = ("float", "double")
EXPERIMENTS = (
    Experiment("two bodies, 10 turns", "--scene two-body", 10 * TURN, FINE, precisions=BOTH),
    Experiment(
        "six bodies, softened by 0.5, to t = 20",
        "--scene six --soft 0.5",
        20,
        FINE,
        precisions=BOTH,
    ),
    Experiment(
        "Lagrange's triangle, 2 turns",
        "--scene lagrange",
        2 * TURN * 3**0.25,
        (600, 1200, 2400, 4800),
        precisions=BOTH,
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
        schemes=("eq45", *GOOD),
    ),
    Experiment(
        "two bodies, 1000 turns, fixed step",
        "--scene two-body",
        1000 * TURN,
        (200000,),
        schemes=tuple(GOOD),
        series=True,
    ),
    Experiment(
        "two bodies, 1000 turns, adaptive step",
        "--scene two-body --mdt 0",
        1000 * TURN,
        (51000,),
        schemes=("kdk", "kdk-symmetric", *GOOD[1:]),
        adaptive=True,
        series=True,
    ),
)


def options_of(experiment, scheme, evaluations):
    """All schemes get as many evaluations. With an adaptive step every scheme makes the same number of steps, and the cost
    follows."""
    cost = 1 if experiment.adaptive else EVALUATIONS_PER_STEP.get(scheme, 1)
    steps = max(1, round(evaluations / cost))
    step = "--vdt" if experiment.adaptive else f"--dt {experiment.span / steps!r}"
    every = max(1, steps // ROWS_OF_A_LOG)
    return f"{experiment.scene} --integrator {scheme} {step} -i {steps} --every {every}"


def finite(value):
    return value if math.isfinite(value) else None


def measured(program, experiment, precision, scheme, evaluations):
    """The row of a run, from its log."""
    options = options_of(experiment, scheme, evaluations)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "log.csv"
        words = (program, *options.split(), "--log", file, "--nv")
        output_of(f"{program.name} {options}", *words)
        with file.open(encoding="utf-8", newline="") as stream:
            log = list(csv.DictReader(stream))
    last = log[-1]
    errors = [finite(float(row["energy_error"])) for row in log[1:]]
    row = {
        "experiment": experiment.name,
        "scheme": scheme,
        "precision": precision,
        "options": options,
        "dt": None if experiment.adaptive else experiment.span / float(last["iteration"]),
        "evaluations": int(last["force_evaluations"]),
        "seconds": float(last["wall_s"]),
        "largest_error": None if None in errors else max(map(abs, errors)),
    }
    if experiment.series:
        row |= {"times": [float(one["time"]) for one in log[1:]], "errors": errors}
    return row


def measure(programs, experiments=EXPERIMENTS):
    """The rows of all runs. `programs`: by precision."""
    runs = [
        (one, *choice)
        for one in experiments
        for choice in product(one.precisions, one.schemes, one.evaluations)
    ]
    rows = []
    with Step("measuring energies") as step:
        for number, (experiment, precision, *how) in enumerate(runs):
            step.hear(f"[{number}/{len(runs)}]")
            rows.append(measured(programs[precision], experiment, precision, *how))
    return rows


# --- pictures ------------------------------------------------------------------------------------


def sheets(study):
    """Error against evaluations, of ordinary and of close encounters, and along time."""
    series = [row for row in study["rows"] if "times" in row]
    others = [
        row for row in study["rows"] if "times" not in row and "stars" not in row["experiment"]
    ]
    unsafe = [row for row in others if "not softened" in row["experiment"]]
    safe = [row for row in others if row not in unsafe]
    title = "Energy error against force evaluations"
    yield errors_against_cost(study, safe, "energy_by_evaluations", title)
    title = "Energy error in close encounters"
    yield errors_against_cost(study, unsafe, "energy_of_close_meetings", title)
    yield errors_along_time(study, series)


def by(rows, name):
    panels = {}
    for row in rows:
        panels.setdefault(name(row), []).append(row)
    return panels


def least_by(title, panels):
    """Which scheme errs least, in how many of the panels."""
    errors = [{row["largest_error"]: row["scheme"] for row in reversed(rows)} for rows in panels]
    best = [own[min(filter(None, own))] for own in errors if any(own)]
    scheme, count = Counter(best).most_common(1)[0]
    if count == 1:
        return f"{title}: least by {' and '.join(best)}"
    return f"{title}: least by {scheme} in {count} of {len(best)}"


def errors_against_cost(study, rows, name, title):
    """One panel per experiment and precision."""
    from nbody_lab.draw.sheet import Sheet, set_log_ticks

    panels = by(rows, lambda row: f"{row['experiment']}, {row['precision']}")
    columns = min(2, len(panels))
    lines = math.ceil(len(panels) / columns)
    sheet = Sheet(
        name,
        least_by(title, list(panels.values())),
        "",
        source(study),
        width=900 if columns == 2 else 620,
        height=120 + 270 * lines + (0 if columns == 2 else 60),
        rows=lines,
        columns=columns,
    )
    for axes, (words, own) in zip(sheet.all_axes, panels.items()):
        for scheme in SCHEMES:
            points = [row for row in own if row["scheme"] == scheme and row["largest_error"]]
            if points:
                costs, errors = zip(*((row["evaluations"], row["largest_error"]) for row in points))
                axes.plot(costs, errors, **look(scheme))
        axes.set_xlabel("force evaluations")
        ticks = sorted({row["evaluations"] // 100 * 100 or row["evaluations"] for row in own})[::2]
        millions = {tick: f"{tick // 10**6} million" for tick in ticks if tick % 10**6 == 0}
        set_log_ticks(axes, ticks, [millions.get(tick, str(tick)) for tick in ticks])
        set_axis_of_errors(axes)
        axes.set_title(words)
    for axes in sheet.all_axes[::columns]:
        axes.set_ylabel("largest |E - E0| / |E0|")
    sheet.legend_beside(sheet.all_axes[columns - 1])
    return sheet


def errors_along_time(study, rows):
    from nbody_lab.draw.sheet import Sheet

    panels = by(rows, lambda row: row["experiment"])
    sheet = Sheet(
        "energy_along_time",
        least_by("Energy error of two bodies over 1000 orbits", list(panels.values())),
        "",
        source(study),
        height=640,
        rows=len(panels),
        sharex=True,
    )
    for axes, (experiment, own) in zip(sheet.all_axes, panels.items()):
        for row in own:
            sizes = [math.inf if error is None else abs(error) for error in row["errors"]]
            turns = [time / TURN for time in row["times"]]
            axes.plot(turns, list(accumulate(sizes, max)), **look(row["scheme"]) | {"marker": ""})
        set_axis_of_errors(axes)
        axes.set_ylabel("|E - E0| / |E0|, largest so far", fontsize=9)
        axes.set_title(experiment.split(", ")[-1])
        sheet.legend_beside(axes)
    sheet.all_axes[-1].set_xlabel("turns")
    return sheet


def look(scheme):
    """The same in every picture."""
    from matplotlib import rcParams

    return list(rcParams["axes.prop_cycle"])[SCHEMES.index(scheme)] | {"label": scheme}


def source(study):
    program = f"{study['part']}/{study['name']}, {study['cpu']}, {study['date']}"
    return f"{program}. E: kinetic and potential energy, in double."


def set_axis_of_errors(axes):
    from matplotlib.ticker import LogLocator, NullLocator

    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(numticks=8))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_locator(NullLocator())


def main(arguments):
    if len(arguments) > 1 or arguments[:1] in (["-h"], ["--help"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    file, build = Path(arguments[0]) if arguments else RESULT, ROOT / "build/release"
    try:
        naive = Manifest(build / "manifest.json").row("part1", "naive")
        programs = {one.precision: build / one.program for one in naive.programs}
        rows = measure(programs)
    except (ManifestError, LabError) as fault:
        print(f"compare_integrators: {fault}", file=sys.stderr)
        return 2
    study = {
        "what": "energy study",
        "version": 1,
        "date": f"{datetime.date.today()}",
        "part": "part1",
        "name": "naive",
        "cpu": fields().get("model name", ""),
        "rows": rows,
    }
    file.write_text(json.dumps(study, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
