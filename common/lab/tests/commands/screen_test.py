"""The help of the programs fits 100 columns, whatever the terminal."""

import os

import pytest

from tests import BUILD, said_by

PROGRAMS = (
    "part1/naive part2/mine part3/naive part1/naive_count check bench machine devices".split()
)


@pytest.mark.parametrize("name", PROGRAMS)
def test_help_of_programs(name):
    program = BUILD / "bin" / name
    if not program.exists():
        pytest.skip(f"{name} is not built")
    _, shown, error = said_by([program, "-h"], env={**os.environ, "COLUMNS": "300"})
    assert shown.strip()
    assert max(map(len, (shown + error).splitlines())) <= 100
