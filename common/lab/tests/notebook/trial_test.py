"""What ./lab try asks of check and bench, and what it says and records of their answers, made up here."""

from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from nbody_lab.building.manifest import Implementation, manifest_text
from nbody_lab.check.result import CheckedProgram, CheckResult
from nbody_lab.core.errors import LabError
from nbody_lab.measure.bench_file import BenchResult, BenchRow, Rates
from nbody_lab.notebook import trial as trial_module
from nbody_lab.notebook.gain import BUSY
from nbody_lab.notebook.notebook import Row
from nbody_lab.notebook.text import describe
from nbody_lab.notebook.trial import Question, answered, run_trial

KEPT = {"before": Row(row=3, name="mine"), "before_program": Path("/kept/3")}


def question(**more):
    return Question("mine", "an idea", **{"expected": 2.0, "flags": "-O3", **more})


def row(seconds=1.0, outcome="right", verdict="", **more):
    """A row of bench: nine rounds."""
    speed = [share * 1e9 / seconds for share in (1, 0.99, 1.01)]
    rates = Rates(median=speed[0], lower_quartile=speed[1], upper_quartile=speed[2])
    known = {"interactions_per_s": rates, "seconds_of_rounds": [seconds] * 9, "cores_used": 1.0}
    return BenchRow(**{**known, "outcome": outcome, "verdict": verdict or outcome, **more})


CASES = [{"group": "forces", "verdict": verdict} for verdict in ("passed", "failed")]
CHECKED = {"name": "mine", "verdict": "passed", "as_expected": True, "cases": [CASES[0]] * 700}
WRONG = {**CHECKED, "as_expected": False, "sentence": "it is NaN", "cases": CASES}
BUSY_ROW = row(1.0, "busy", "too busy to measure", about_cores="its 2 threads had 1.0 cores")


# --- what is asked -------------------------------------------------------------------------------


@pytest.fixture
def lab(tmp_path):
    made = {"part": "part1", "kind": "mine", "parent": "naive"}
    rows = [Implementation.model_validate({"name": name, **made}) for name in ("naive", "mine")]
    file = tmp_path / "manifest.json"
    file.write_text(manifest_text(rows))
    return SimpleNamespace(part="part1", build_dir=tmp_path, manifest=file)


@pytest.fixture
def programs(lab, monkeypatch):
    """Stand-ins for check, which answers with the first argument, and bench, with the other; what was called, and how long
    for cores was waited."""

    def programs(checked, rows=()):
        calls = []
        found = {"implementations": [checked], "tolerance": "standard", "precision": "float"}

        def measure(program, plan, label):
            calls.append((program.name, plan.asked.clock.wait_s))
            return 0 if rows else 130, BenchResult(summary=rows), ""

        monkeypatch.setattr(trial_module, "check", lambda *_: CheckResult.model_validate(found))
        monkeypatch.setattr(trial_module, "check_plan", lambda *_: None)
        monkeypatch.setattr(trial_module, "plan_of", lambda *given: SimpleNamespace(asked=given[2]))
        monkeypatch.setattr(trial_module, "measure", measure)
        monkeypatch.setattr(trial_module, "turn", lambda what: nullcontext(calls.append((what, 0))))
        return calls

    return programs


RIGHT = [row(2.0), row(1.0)]
OTHERS_CAME = [row(2.0, cores_of_others_in_rounds=[1.0] * 9), row(1.0)]


@pytest.mark.parametrize(
    "checked, rows, verdict",
    [
        (CHECKED, RIGHT, "as expected"),
        (CHECKED, [BUSY_ROW, row(1.0)], BUSY),
        (CHECKED, OTHERS_CAME, BUSY),
        (WRONG, [], "wrong: it is NaN"),  # it is not timed
        (
            CHECKED,
            [row(2.0), row(1.0, "wrong", "WRONG: joined steps")],
            "wrong: while it was timed: WRONG: joined steps",
        ),
    ],
)
def test_a_trial(lab, programs, checked, rows, verdict):
    calls = programs(checked, rows)
    trial = run_trial(lab, question(threads=1, wait_s=40))
    assert trial.verdict == verdict
    assert calls == ([("part1/mine with ./lab try", 0), ("bench", 40)] if rows else [])
    text = describe(trial, "part1/mine")
    assert ("not timed, since the machine was busy: " in text) == (verdict == BUSY)
    assert ("WRONG in 1 of 2 cases; ./lab check shows which\n" in text) == (checked is WRONG)


def test_an_interrupted_or_skipped_program_has_no_verdict(lab, programs):
    programs(CHECKED)
    with pytest.raises(KeyboardInterrupt):
        run_trial(lab, question())
    programs({**CHECKED, "verdict": "skipped: needs avx512", "cases": []})
    with pytest.raises(LabError, match=r"^part1/mine: skipped: needs avx512$"):
        run_trial(lab, question())


# --- what is answered ----------------------------------------------------------------------------

WILD = row(1.0, seconds_of_rounds=[0.3, 0.7, 0.5] * 3)


def trial_of(*rows, **more):
    return answered(question(threads=1, **more), CheckedProgram.model_validate(CHECKED), rows)


@pytest.mark.parametrize(
    "rows, before, said",
    [
        (
            [row(3.0), row(1.0), row(1.5)],
            KEPT,
            """
  row 3, mine                0.667     2 %     2.00
  mine                       1.000     2 %     3.00
  speeds: medians of all rounds; x: median of the rounds' ratios, not the ratio of the speeds

  expected  2.00 x row 3, mine (1.70 to 2.30 is as expected)
  measured  1.50 x, 1.50 to 1.50 in the middle half
  cores     1.0 in use on average while it was timed
  verdict   less than expected""",
        ),
        ([row(1.0), row(1.0)], {}, "within the noise of this measurement"),
        ([row(1.0), WILD], {}, "rounds differ by more than 30 %"),
        ([row(2.0), BUSY_ROW], {}, "busy: its 2 threads had 1.0 cores\n  verdict   no verdict"),
        ([row(2.0), row(1.0, "wrong")], {}, "part1/mine: WRONG\n"),
    ],
)
def test_what_is_said_of_a_measurement(rows, before, said):
    assert said in describe(trial_of(*rows, **before), "part1/mine")


def test_there_is_no_factor_over_what_does_not_run():
    with pytest.raises(LabError, match=r"^naive does not run: died$"):
        trial_of(row(2.0, "failed", "died"), row(1.0))
    with pytest.raises(LabError, match=r"^row 3, mine does not run: WRONG$"):
        trial_of(row(2.0), row(1.0), row(1.0, "wrong", "WRONG"), **KEPT)


def test_what_a_row_of_the_notebook_holds():
    found = trial_of(row(3.0), row(1.0), row(1.5), **KEPT).row()
    known = Row(
        name="mine", idea="an idea", expected=2, against="3", n=2000, threads=1, flags="-O3"
    )
    measured = {"measured": 1.5, "lower": 1.5, "upper": 1.5, "times_naive": 3, "spread": 0.02}
    measured |= {"interactions_per_s": 1e9, "verdict": "less than expected"}
    where = {"step": "fixed", "scene": "plummer", "precision": "float"}
    assert found.cells() == known.model_copy(update=measured | where).cells()
    assert trial_of(row(2.0), BUSY_ROW).row().times_naive is None
