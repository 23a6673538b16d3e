"""What the demo says of each row. The demo itself runs in the suite fresh."""

from typing import Any

import pytest

from nbody_lab.check.result import Case, CheckedProgram
from nbody_lab.measure.bench_file import BenchRow
from nbody_lab.measure.demo import cells_of, notes_on


def _timed(seconds: float, outcome: str = "right", **more: Any) -> BenchRow:
    median = 1e9 / seconds if seconds else 0
    quartiles = {"median": median, "lower_quartile": 0.99e9, "upper_quartile": 1.01e9}
    row = {"name": "x", "outcome": outcome, "interactions_per_s": quartiles}
    row |= {"seconds_of_rounds": [seconds] * 3, "cores_of_others_in_rounds": [0.0] * 3}
    return BenchRow.model_validate({**row, "error": 1e-6, "limit": 1e-5, "more": 1, **more})


def _checked(verdict: str = "passed", expected: bool = True, sentence: str = "") -> CheckedProgram:
    return CheckedProgram(
        name="x",
        verdict=verdict,
        as_expected=expected,
        sentence=sentence,
        cases=(Case(group="forces", verdict="passed"),),
    )


@pytest.mark.parametrize(
    ("checked", "timed", "cells"),
    [
        (_checked(), _timed(0.5), "x 2.000 1 % 2.00 1.0e-06 1e-05 passed"),
        (None, None, "x      not built"),
        (_checked("FAILED", False), _timed(0.5), "x 2.000 1 % 2.00 1.0e-06 1e-05 FAILED"),
        (_checked(), _timed(1, "wrong"), "x 1.000 2 % 1.00 1.0e-06 1e-05 FAILED while timed"),
        (_checked(), None, "x      passed; not timed"),
    ],
)
def test_a_row(checked: CheckedProgram | None, timed: BenchRow | None, cells: str) -> None:
    """Its verdict is the check's, unless timing it showed something worse."""
    assert " ".join(cells_of("x", checked, timed, _timed(1.0))) == cells


def test_notes_name_their_program() -> None:
    """A ratio that is noise, what was not timed, a busy machine, and the diagnosis of the check."""
    wild = [0.7, 0.75, 0.8, 1.0, 1.2, 1.3, 1.4]
    naive = _timed(1.0, seconds_of_rounds=[1.0] * 7)
    timed = {
        "naive": naive,
        "wild": _timed(1.0, seconds_of_rounds=wild),
        "mine": _timed(0, "busy", verdict="too busy", busy_machine=True),
    }
    checked = {"naive": _checked(), "mine": _checked("FAILED", False, "a tail is skipped")}
    noise, too_busy, busy, diagnosis = notes_on(checked, timed, naive)
    assert noise.startswith("wild: x is left out, since its rounds differ by more than 30 %")
    assert too_busy == "mine not timed: too busy"
    assert busy.startswith("the machine is busy: ratios mean little now")
    assert diagnosis == "mine: a tail is skipped"
