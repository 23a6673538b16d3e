"""The watch with the real compiler and the real checker."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nbody_lab import ROOT
from tests import BUILD
from tests.watching.watch_test import Student

pytestmark = pytest.mark.slow
STAND_IN, REAL = (Path(__file__).with_name(name) for name in ("stand_in.py", "real_check.py"))
MINE = ROOT / "part1_standard_opti/mine.hpp"
PATIENCE_S = 120


@pytest.fixture(name="student")
def _student(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Student]:
    if not (BUILD / "bin/check").exists():
        pytest.skip("nothing is configured and built here")
    (tmp_path / "mine.hpp").write_text(MINE.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setenv("WATCH_STARTS", str(REAL))
    student = Student([sys.executable, str(STAND_IN), "shell", str(tmp_path)], tmp_path)
    yield student
    student.close()


def test_from_right_to_wrong_and_back(student: Student):
    """A mistake is named, an error of the compiler shown, and what is mended said."""
    student.wait_for("part1/mine passed (", PATIENCE_S)
    right = MINE.read_text(encoding="utf-8")
    student.save((ROOT / "common/check/zoo/cases/case_1.hpp").read_text(encoding="utf-8"))
    shown = student.wait_for("diagnosis: the mass of the pulled body", PATIENCE_S)
    assert "part1/mine FAILED (" in shown
    assert "fails now: forces (" in shown
    student.save(right.replace("const real dx", "const dx"))
    student.wait_for("no verdict", PATIENCE_S)
    student.wait_for("error", PATIENCE_S)
    student.save(right)
    student.wait_for("part1/mine passed (", PATIENCE_S)
