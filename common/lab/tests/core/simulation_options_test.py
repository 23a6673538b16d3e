"""The options that ./lab knows are those that the programs have, word for word."""

import re

import pytest

from nbody_lab.core.simulation_options import (
    FILM_OPTIONS,
    PICTURE_OPTIONS,
    SIMULATION_OPTIONS,
    option_rows,
)
from tests import BUILD, said_by

OF_LAB_ITSELF = {"--manifest", "--help", "-h"}
TABLES = [("part1/naive", SIMULATION_OPTIONS), ("view", {**PICTURE_OPTIONS, **FILM_OPTIONS})]


@pytest.mark.parametrize(("program", "options"), TABLES)
def test_the_table_is_the_help_of_the_program(program, options):
    file = BUILD / "bin" / program
    if not file.exists():
        pytest.skip(f"{program} is not built")
    _, shown, _ = said_by([file, "-h"])
    lines = {" ".join(line.split()) for line in shown.splitlines()}
    for words, what in option_rows(options):
        assert " ".join(f"{words} {what}".split()) in lines
    in_program = {
        name for names in re.findall(r"^  (-\S+)", shown, re.M) for name in names.split(",")
    }
    assert in_program - OF_LAB_ITSELF == set(options)
