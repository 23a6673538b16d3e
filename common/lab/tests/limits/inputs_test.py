"""What a roofline takes from other results: counts, limits that ./lab bound found, the price of pow."""

import os
from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.limits.inputs import limits_of_kernel, pow_seconds, work_of
from nbody_lab.measure.bound_file import Bound
from nbody_lab.measure.results import NoInput
from tests.limits import roofline_for_tests as made
from tests.limits.bounds_for_tests import make_bound


def test_the_counts_of_one_iteration(tmp_path: Path) -> None:
    """In place of a count program's file, none is one line."""
    work = work_of(ROOT / "data/results/part3_counts/naive_count.json", 131072)
    assert (work.flops, work.loads) == (pytest.approx(21, abs=1e-3), pytest.approx(7, abs=1e-3))
    assert work.shared_loads == 0
    file = tmp_path / "x.json"
    file.write_text('{"work": {}}')
    with pytest.raises(NoInput, match="was not written by a count program"):
        work_of(file, 10)


SLOTS = make_bound(limit=("slots",), bound_interactions_per_s=2e12)
NEWTON = "/build/bin/part2/newton"


@pytest.mark.parametrize(
    ("bound", "program", "precision", "found"),
    [
        (SLOTS, NEWTON, "float", {"issuing instructions": 2e12}),
        (make_bound(limit=("special",)), NEWTON, "float", {}),
        (SLOTS, NEWTON, "double", {}),
        (SLOTS, f"{NEWTON}_double", "float", {}),
    ],
)
def test_what_the_bound_found(
    tmp_path: Path, bound: Bound, program: str, precision: str, found: dict[str, float]
) -> None:
    """Of this program: a GPU issues so many instructions."""
    file = tmp_path / "x.json"
    file.write_text(bound.model_dump_json())
    limits = limits_of_kernel(file, precision, Path(program))
    assert {limit.name: limit.interactions_per_s for limit in limits} == found


def test_bounds_that_do_not_count(tmp_path: Path) -> None:
    """There is none; it is older than the program; or it is broken, which is one line."""
    program, file = tmp_path / "bin/part2/newton", tmp_path / "x.json"
    program.parent.mkdir(parents=True)
    program.touch()
    assert limits_of_kernel(file, "float", program) == []
    file.write_text(SLOTS.model_dump_json())
    assert limits_of_kernel(file, "float", program)
    os.utime(program, (file.stat().st_mtime + 10,) * 2)
    assert limits_of_kernel(file, "float", program) == []
    file.write_text('{"what": "bound"}')
    with pytest.raises(NoInput, match=r"tool is missing: \./lab bound PART NAME writes it again"):
        limits_of_kernel(file, "float", tmp_path / "none")


def test_the_price_of_pow() -> None:
    assert pow_seconds(made.ceilings_of_processor(), "float") == 30 / 3e9
    assert pow_seconds(made.ceilings_of_processor(), "double") == 0
