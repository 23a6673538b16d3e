"""What a roofline takes from other results: counts, limits that ./lab bound found, the price of pow."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from nbody_lab import ROOT
from nbody_lab.core.bound_file import Bound
from nbody_lab.core.results import NoInput
from nbody_lab.roofline.inputs import limits_of_loop, pow_seconds, work_of
from tests.bound.bounds_for_tests import make_bound
from tests.roofline import roofline_for_tests as made


def write(folder: Path, content: Any) -> Path:
    file = folder / "x.json"
    text = content.to_json() if isinstance(content, Bound) else json.dumps(content)
    file.write_text(text)
    return file


def test_the_counts_of_one_iteration(tmp_path: Path) -> None:
    entry = {"polynomial": {"n2": 1, "n": 5, "1": 0, "over": 2}, "counted": {}}
    counted = {"polynomial": None, "counted": {"1024": 2 * 1024 * 1024}}
    content = {"work": {"fixed_step": {"add": entry, "stores": counted, "memops": entry}}}
    work = work_of(write(tmp_path, content), 1000)
    assert (work.add, work.stores, work.shared_loads) == (pytest.approx(0.5025), 2, 0)
    kept = work_of(ROOT / "data/results/part3_counts/naive_count.json", 131072)
    assert (kept.flops, kept.loads) == (pytest.approx(21, abs=1e-3), pytest.approx(7, abs=1e-3))


def test_no_counts(tmp_path: Path) -> None:
    with pytest.raises(NoInput, match="was not written by a count program"):
        work_of(write(tmp_path, {"work": {}}), 10)
    with pytest.raises(NoInput, match="cannot be read: No such file"):
        work_of(tmp_path / "none.json", 10)


CHAIN = make_bound(chain_cycles=4.0).model_copy(update={"clock_hz": 2e9})
SLOTS = CHAIN.model_copy(
    update={"chain_cycles": None, "limit": "slots", "bound_interactions_per_s": 2e12}
)


@pytest.mark.parametrize(
    ("bound", "where", "found"),
    [
        (CHAIN, {}, {"latency": 8e9}),
        (CHAIN, {"threads": 2}, {"latency": 16e9}),
        (CHAIN, {"threads": 0}, {"latency": 8e9}),
        (CHAIN.model_copy(update={"clock_hz": None}), {}, {"latency": 4e9}),
        (SLOTS, {}, {"issuing instructions": 2e12}),
        (CHAIN, {"precision": "double"}, {}),
        (CHAIN, {"program": Path("/build/bin/part2/newton_sse2")}, {}),
        (None, {}, {}),
    ],
)
def test_what_the_bound_found(
    tmp_path: Path, bound: Bound | None, where: dict[str, Any], found: dict[str, float]
) -> None:
    """Of this program: each thread has its chain, a GPU issues so many instructions."""
    file = write(tmp_path, bound) if bound else tmp_path / "none.json"
    program = Path("/build/bin/part2/newton")
    known = {"precision": "float", "program": program, "clock_hz": 1e9, **where}
    limits = limits_of_loop(file, **known)
    assert {limit.name: limit.interactions_per_s for limit in limits} == found


def test_a_bound_of_before_the_program_was_compiled_does_not_count(tmp_path: Path) -> None:
    program = tmp_path / "bin/part2/newton"
    program.parent.mkdir(parents=True)
    program.touch()
    file = write(tmp_path, CHAIN)
    assert limits_of_loop(file, "float", program, 1e9)
    os.utime(program, (file.stat().st_mtime + 10,) * 2)
    assert limits_of_loop(file, "float", program, 1e9) == []


def test_a_broken_bound_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(NoInput, match=r"core is missing: \./lab bound PART NAME writes it again"):
        limits_of_loop(write(tmp_path, {"what": "bound"}), "float", tmp_path / "none", 1e9)


def test_the_price_of_pow() -> None:
    assert pow_seconds(made.ceilings_of_processor(), "float") == 30 / 3e9
    assert pow_seconds(made.ceilings_of_processor(), "double") == 0
