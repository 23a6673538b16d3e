"""Counts that are compared with naive's."""

import json
from pathlib import Path

import pytest

from nbody_lab.building.lab import Lab
from nbody_lab.tasks.counting import remark_on_needless_work


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    lab = Lab("part1")
    lab.build_dir = tmp_path
    (tmp_path / "bin/part1").mkdir(parents=True)
    return lab


def _count(lab: Lab, name: str, flops: int) -> None:
    """Stores a count of so many flops per interaction."""
    work = {"compute_accelerations": {"flops": {"counted": {"1000": flops * 1000**2}}}}
    file = lab.build_dir / f"bin/part1/{name}_count.json"
    file.write_text(json.dumps({"n": 1000, "work": work}))


def test_much_more_work_than_naives(lab: Lab) -> None:
    """It is told beside naive's; half as much again is none of our business."""
    _count(lab, "naive", 27)
    _count(lab, "mine", 427)
    remark = remark_on_needless_work(lab, "mine") or ""
    assert "note: 427 flops per interaction where naive has 27" in remark
    _count(lab, "mine", 40)
    assert remark_on_needless_work(lab, "mine") is None


def test_nothing_is_known_without_counts(lab: Lab) -> None:
    assert remark_on_needless_work(lab, "mine") is None
    _count(lab, "mine", 427)
    (lab.build_dir / "bin/part1/naive_count.json").write_text("{}")
    assert remark_on_needless_work(lab, "mine") is None
