"""The options that ./lab knows are those that the programs have, word for word."""

import re

import pytest

from nbody_lab.core.simulation_options import SIMULATION_OPTIONS, option_rows
from tests import BUILD, said_by

OF_LAB_ITSELF = {"--manifest", "--help", "-h"}


def test_the_table_is_the_help_of_the_programs():
    file = BUILD / "bin/part1/naive"
    if not file.exists():
        pytest.skip("part1/naive is not built")
    _, shown, _ = said_by([file, "-h"])
    lines = {" ".join(line.split()) for line in shown.splitlines()}
    for words, what in option_rows(SIMULATION_OPTIONS):
        assert " ".join(f"{words} {what}".split()) in lines
    in_program = {
        name for names in re.findall(r"^  (-\S+)", shown, re.M) for name in names.split(",")
    }
    assert in_program - OF_LAB_ITSELF == set(SIMULATION_OPTIONS)
