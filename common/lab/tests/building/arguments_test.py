"""What ./lab knows of options before there is a program to ask."""

import pytest

from nbody_lab.building.arguments import SCENES
from tests import BUILD, said_by

NAIVE = BUILD / "bin/part1/naive"


@pytest.mark.skipif(not NAIVE.exists(), reason="part1/naive is not built")
def test_scenes_are_those_of_the_programs() -> None:
    """In their order, as a program lists them when it refuses another."""
    status, _, error = said_by([NAIVE, "--scene", "unknown", "-i", "1"])
    assert status == 2
    assert error.strip().rpartition("known are ")[2].split(", ") == list(SCENES)
