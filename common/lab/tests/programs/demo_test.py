"""What the demo says of each row. The demo itself runs in the suite fresh."""

import math
from dataclasses import replace
from typing import Any

import pytest

from nbody_lab.build.lab import Lab
from nbody_lab.check.result import Case, CheckedProgram
from nbody_lab.measure.bench_file import BenchRow
from nbody_lab.programs import demo
from nbody_lab.programs.demo import (
    Row,
    cells_of,
    earth_in,
    note_lines,
    way_of_earth,
)

ASTRONOMICAL_UNIT = 1.496e11


def _timed(seconds: float, outcome: str = "right", **more: Any) -> BenchRow:
    median = 1e9 / seconds if seconds else 0
    quartiles = {"median": median, "lower_quartile": 0.99e9, "upper_quartile": 1.01e9}
    row = {"name": "x", "outcome": outcome, "interactions_per_s": quartiles}
    row |= {"seconds_of_rounds": [seconds] * 3, "cores_of_others_in_rounds": [0.0] * 3}
    return BenchRow.model_validate({**row, "error": 1e-6, "limit": 1e-5, "more": 1, **more})


def _checked(
    verdict: str = "passed", as_expected: bool = True, sentence: str = ""
) -> CheckedProgram:
    return CheckedProgram(
        name="x",
        verdict=verdict,
        as_expected=as_expected,
        sentence=sentence,
        cases=(Case(group="forces", verdict="passed"),),
    )


NAIVE = Row("naive", None, 1e-6, _checked(), _timed(1.0))


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        (NAIVE, "passed"),
        (Row("mine", "not built"), "skipped: not built"),
        (replace(NAIVE, checked=_checked("FAILED", False)), "FAILED"),
        (replace(NAIVE, timed=_timed(0.5, "wrong")), "FAILED while timed"),
        (
            replace(
                NAIVE,
                checked=_checked("fails as expected"),
                timed=_timed(0.5, "wrong as expected"),
            ),
            "fails as expected",
        ),
        (replace(NAIVE, timed=_timed(0, "busy")), "passed; not timed"),
        (replace(NAIVE, timed=None), "passed; not timed"),
    ],
)
def test_each_row_has_a_verdict(row: Row, verdict: str) -> None:
    """Of the check, unless timing it showed something worse."""
    assert cells_of(row, NAIVE)[-1] == verdict


def test_rows_are_compared_with_naive() -> None:
    """Speed, spread, ratio, error with its limit, and the Earth."""
    row = Row("mine", None, math.inf, _checked(), _timed(0.5))
    assert " ".join(cells_of(row, NAIVE)) == "mine 2.000 1 % 2.00 1.0e-06 1e-05 inf passed"


def test_notes_name_their_program() -> None:
    """What was not timed, a busy machine, and the diagnosis of the check."""
    checked = _checked("FAILED", False, "a tail is skipped")
    row = Row("mine", None, 1e-6, checked, _timed(0, "busy", verdict="too busy", busy_machine=True))
    assert list(note_lines([NAIVE, row])) == [
        "  mine not timed: too busy",
        "  the machine is busy: ratios mean little now; run again when it is quiet",
        "",
        "  mine: a tail is skipped",
    ]


def test_a_ratio_that_is_noise_is_named() -> None:
    """Where some rounds are faster than naive's and some slower; always faster or always slower is no noise."""

    def row(name: str, *seconds: float) -> Row:
        return Row(name, None, 1e-6, _checked(), _timed(1.0, seconds_of_rounds=seconds))

    rows = [
        row("mine", 0.9, 1.1, 0.95, 1.05, 0.9, 1.1, 1.0),
        row("fast", 0.9, 0.8, 1.3, 0.9, 0.85, 0.8, 0.9),
        row("slow", 1.1, 1.2, 1.3, 1.1, 1.2, 1.1, 0.8),
        row("wild", 0.7, 0.75, 0.8, 1.0, 1.2, 1.3, 1.4),  # and so not "as fast as naive"
    ]
    assert list(note_lines([row("naive", *[1.0] * 7), *rows])) == [
        "  wild: x is left out, since its rounds differ by more than 30 %: try again when the machine is",
        "    quiet",
        "  mine: as fast as naive: faster in some rounds, slower in others",
    ]


def test_the_earth_is_the_fourth_body() -> None:
    """One astronomical unit from the Sun, on a circle."""
    position, _ = earth_in(demo.SOLAR_SYSTEM)
    assert math.hypot(*position) == pytest.approx(ASTRONOMICAL_UNIT, rel=0.03)
    assert way_of_earth() == pytest.approx(2 * math.pi * ASTRONOMICAL_UNIT, rel=0.03)


def test_a_first_look_tells_how_far_the_earth_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing, if a program gives no answer: the table says why."""
    way = way_of_earth()
    ends: dict[str, tuple[float, float, float] | None] = {
        "naive": (way, 0, 0),
        "naive_double": (0, 0, 0),
    }
    monkeypatch.setattr(demo, "_earth_after_a_year", lambda program: ends[program.name])
    lab = Lab("part1")
    assert "its Earth ends 1e+00 of its way off" in demo.first_look(lab)
    ends["naive"] = None
    assert demo.first_look(lab) == ""
