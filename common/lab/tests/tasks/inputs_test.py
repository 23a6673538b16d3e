"""What a worksheet is judged by: counts, ceilings and rows of the notebook."""

import json
from pathlib import Path
from typing import Any

from nbody_lab.notebook.notebook import Row
from nbody_lab.tasks.evidence import (
    FORCES,
    Counts,
    best_ceiling,
    ceilings_of_this_machine,
    count_ideas,
)
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
    functions = (FORCES, "kick", "drift", "update_bodies")
    assert [counts.at(10, "mine", "flops", one) for one in functions] == [630, 63, 55, None]
    assert counts.at(10, "mine", "loads") is counts.polynomials("nobody") is None


def test_ceilings_of_this_machine(tmp_path: Path) -> None:
    """The highest row counts, unless it was disturbed. A missing file and one of another machine have none."""
    doubtful, highest = {"best": 12e9, "is_ceiling": False}, {"best": 13e9}
    rows = [complete(one) for one in (doubtful, highest, {"kind": "bandwidth", "best": 99e9})]
    file = tmp_path / "ceilings.json"
    file.write_text(json.dumps(known(rows, cpu="Abacus").model_dump()))
    ceilings = ceilings_of_this_machine(file, "Abacus")
    assert best_ceiling(ceilings, {"kind": "flops"}) == 13e9
    assert best_ceiling(ceilings, {"kind": "nothing"}) is None
    higher = complete({"best": 14e9, "is_ceiling": False})
    assert best_ceiling((*ceilings, higher), {"kind": "flops"}) is None
    assert ceilings_of_this_machine(file, "Other") == ()
    assert ceilings_of_this_machine(tmp_path / "missing") == ()


def test_ideas_are_predicted_and_measured() -> None:
    rows = (Row(expected=1.5, measured=1.4), Row(measured=1.2), Row(expected=1.0))
    assert count_ideas(rows) == 1
