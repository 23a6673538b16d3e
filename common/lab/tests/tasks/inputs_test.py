"""What a worksheet is judged by: counts, ceilings and rows of the notebook."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.notebook.notebook import Row
from nbody_lab.tasks.evidence import (
    FORCES,
    Ceilings,
    Counts,
    Evidence,
    Place,
    count_ideas,
    describe_disagreement,
)
from nbody_lab.tasks.hypothetical_machine import HypotheticalMachine
from nbody_lab.tasks.program import Answers
from nbody_lab.tasks.questions import Questions, Worksheet
from tests.measure.ceilings_for_tests import complete, known


def _flops(n2: int, n: int, over: int = 1, constant: int = 0) -> dict[str, Any]:
    terms = {"n2": n2, "n": n, "1": constant, "over": over, "text": ""}
    return {"flops": {"polynomial": terms, "counted": {}}}


def _counts(folder: Path, work: object) -> Counts:
    (folder / "mine_count.json").write_text(json.dumps({"work": work}))
    return Counts(folder)


def test_counts_of_each_function(tmp_path: Path) -> None:
    """Each function has its own; those of integrators may be missing, as may a file."""
    work = {FORCES: _flops(7, -7), "kick": _flops(0, 6, constant=3), "drift": _flops(1, 1, 2)}
    counts = _counts(tmp_path, work)
    functions = (FORCES, "kick", "drift", "accelerations_and_jerk")
    assert [counts.at(10, "mine", "flops", one) for one in functions] == [630, 63, 55, None]
    assert counts.at(10, "mine", "loads") is counts.polynomials("nobody") is None


@pytest.mark.parametrize("work", [{"kick": _flops(0, 6)}, {FORCES: {"add": 1}}])
def test_no_counts(work: object, tmp_path: Path) -> None:
    """A file without the counts that all have is named."""
    with pytest.raises(LabError, match=r"mine_count.json: not written by a count program"):
        _counts(tmp_path, work).at(10, "mine", "flops")


def test_ceilings_of_this_machine(tmp_path: Path) -> None:
    """The highest row counts, unless it was disturbed. A missing file and one of another machine have none."""
    doubtful, highest = {"best": 12e9, "is_ceiling": False}, {"best": 13e9}
    rows = [complete(one) for one in (doubtful, highest, {"kind": "bandwidth", "best": 99e9})]
    file = tmp_path / "ceilings.json"
    file.write_text(json.dumps(known(rows, cpu="Abacus").model_dump()))
    ceilings = Ceilings.of_this_machine(file, "Abacus")
    assert ceilings.best({"kind": "flops"}) == 13e9
    assert ceilings.best({"kind": "nothing"}) is None
    higher = complete({"best": 14e9, "is_ceiling": False})
    assert Ceilings(rows=(*ceilings.rows, higher)).best({"kind": "flops"}) is None
    assert Ceilings.of_this_machine(file, "Other") == Ceilings()
    assert Ceilings.of_this_machine(tmp_path / "missing") == Ceilings()


_COLUMNS = ("row", "name", "n", "threads", "expected", "measured", "interactions_per_s")
ROWS = tuple(
    Row.model_validate(dict(zip(_COLUMNS, row)))
    for row in (
        (1, "mine", 5000, 1, 1.5, 1.4, 2e9),
        (2, "mine", 5000, 2, 2, 1.9, 3.8e9),
        (3, "mine_fused", 5000, 1, None, 1.2, 2.5e9),
        (4, "mine_fused", 256, 2, 1, 0.9, 1e9),
        (7, "mine_fused", 256, 1, 1, 1.1, 1.25e9),
        (8, "mine", 2000, 1, None, None, 2e9),
        (9, "mine", 2000, 1, None, None, 2.4e9),
    )
)


@pytest.mark.parametrize(
    ("function", "which", "places"),
    [
        ("latest_speed", {"name": "mine", "n": 2000, "threads": 1}, [(2.4, "row 9")]),
        ("latest_speed", {"name": "mine_fused", "n": 256}, [(1.25, "row 7")]),
        ("expected_gains", {}, [(1.5, "row 1"), (2, "row 2"), (1, "row 4"), (1, "row 7")]),
        ("speed_ups", {"threads": 2}, [(1.9, "rows 1, 2"), (0.8, "rows 7, 4")]),
        ("speed_ups", {"n": 256}, [(0.8, "rows 7, 4")]),
    ],
)
def test_numbers_of_rows(function: str, which: dict[str, Any], places: list[Place]) -> None:
    """A question gets the numbers of the rows that it is about; speed-ups are of one name and size."""
    part = Questions("part0", HypotheticalMachine(lambda draw: {}, ""), ())
    sheet = Worksheet(part, Evidence((Answers(), Answers()), notebook=ROWS))
    assert getattr(sheet, function)(**which) == places
    assert [one for one, _ in sheet.measured_gains()] == [1.4, 1.9, 1.2, 0.9, 1.1]
    assert count_ideas(ROWS) == 4  # predicted and measured


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (6.1, "4.2 in the notebook (row 5)"),
        (4.8, ""),
        (math.inf, ""),
    ],
)
def test_disagreement(answer: float, words: str) -> None:
    """The nearest number is named, unless it is within 15 %."""
    assert describe_disagreement(answer, [(2.0, "row 1"), (4.2, "row 5")]) == words
    assert describe_disagreement(answer, []) == ""
