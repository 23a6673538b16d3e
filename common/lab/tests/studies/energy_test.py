"""The energy study: its runs, and its results from their logs, by a made-up simulator."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.core.messages import UserError
from nbody_lab.studies import energy
from nbody_lab.studies.energy import Experiment, Run

TWO = Experiment(
    "two bodies", "--scene two-body", 10, (400, 800), schemes=("kdk", "rk4"), series=True
)
# The error in its log is the square of its step.
PROGRAM = """#!{python}
import sys
words = sys.argv[1:]
option = lambda name: words[words.index(name) + 1]
if option("--integrator") in ("hermite4", "dkd"):
    sys.exit("no such scheme")
if "--log" not in words:
    sys.exit()
error = float(option("--dt")) ** 2 if "--dt" in words else float("nan")
with open(option("--log"), "w") as log:
    log.write("iteration,time,dt,energy,force_evaluations,wall_s\\n0,0,0,-2,0,0\\n")
    log.write(f"{{option('-i')}},10,1,{{-2 + 2 * error!r}},{{option('-i')}},0.5\\n")
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "naive"
    file.write_text(PROGRAM.format(python=sys.executable))
    file.chmod(0o755)
    return file


def measure(program: Path, experiment: Experiment = TWO) -> list[energy.EnergyRow]:
    return energy.measure({"float": program, "double": program}, [experiment])


@pytest.mark.parametrize(
    ("scheme", "adaptive", "options"),
    [
        ("kdk", False, "--integrator kdk --dt 0.025 -i 400 --every 1"),
        ("rk4", False, "--integrator rk4 --dt 0.1 -i 100 --every 1"),
        ("rk4", True, "--integrator rk4 --vdt -i 400 --every 1"),
    ],
)
def test_all_schemes_get_as_many_evaluations(scheme: str, adaptive: bool, options: str) -> None:
    """With an adaptive step as many steps, and the cost follows."""
    run = Run(replace(TWO, adaptive=adaptive), "double", scheme, 400)
    assert " ".join(run.options) == f"--scene two-body {options}"


def test_errors_and_orders(program: Path) -> None:
    """The largest error of each run; with the step halved, a quarter of it is of second order."""
    rows = measure(program)
    assert [row.scheme for row in rows] == ["kdk", "kdk", "rk4", "rk4"]
    assert rows[0].largest_error == pytest.approx(0.025**2)
    assert isinstance(rows[0], energy.EnergySeries) and rows[0].times == (10.0,)
    assert energy.order_of(rows[:2]) == "2.0"
    (line,) = (line for line in energy.text_of(rows).splitlines() if line.startswith("  kdk"))
    assert line.split() == "kdk 400 6.2e-04 800 1.6e-04 2.0 0.5".split()


def test_rounding_has_no_order(program: Path) -> None:
    """Nor has a single run."""
    rows = measure(program)[:2]
    tiny = rows[1].model_copy(update={"largest_error": 1e-12})
    assert energy.order_of([rows[0], tiny]) == energy.order_of(rows[:1]) == ""


def test_what_is_not_finite_is_null(program: Path) -> None:
    """In the file, whose reader knows no NaN."""
    rows = measure(program, replace(TWO, adaptive=True))
    assert rows[0].largest_error is rows[0].dt is None
    json.dumps([row.model_dump() for row in rows], allow_nan=False)
    assert "not finite" in energy.text_of(rows)
    assert energy.order_of(rows[:2]) == ""


def test_a_program_without_jerk_has_no_hermite(program: Path) -> None:
    """It is left out; another scheme that fails is named."""
    schemes = {row.scheme for row in measure(program, replace(TWO, schemes=("kdk", "hermite4")))}
    assert schemes == {"kdk"}
    with pytest.raises(UserError, match=r"naive .*--integrator dkd .*stopped: no such scheme"):
        measure(program, replace(TWO, schemes=("dkd",)))


def test_the_stored_results_have_this_form() -> None:
    """Keys and their order are those that pictures of before are drawn from."""
    kept = json.loads((ROOT / "data/results/part1_energy.json").read_text(encoding="utf-8"))
    for row in kept["rows"]:
        model = energy.EnergySeries if "times" in row else energy.EnergyRow
        assert list(model.model_validate(row).model_dump()) == list(row)
