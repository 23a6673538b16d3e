"""What the tests of grading share."""

from pathlib import Path

import pytest

from tests.grade.scored_for_tests import Graded


@pytest.fixture
def graded(tmp_path: Path) -> Graded:
    """A class that was measured, without submissions yet."""
    return Graded(tmp_path / "grades")
