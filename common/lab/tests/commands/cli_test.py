"""The command line: help, mistakes."""

import inspect

import pytest

from nbody_lab import cli
from nbody_lab.core.words import nearest

# A command with the arguments that it cannot do without.
COMPLETE = {
    "hint": ["part1", "2"],
    "run": ["part1", "naive"],
    "try": ["part1", "mine", "an idea", "--expect", "2"],
    "handout": ["-o", "lab.tar.gz"],
    "grade": ["class", "-o", "folder"],
    **{
        name: ["part1", "naive"]
        for name in ("view check worksheet bench count profile roofline bound").split()
    },
}


# --- help ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_help(name, run_lab):
    """`./lab help` need not import a command to describe it: its summary is the first line of the docstring."""
    summary = cli.COMMANDS[name].summary
    assert inspect.getdoc(cli.find_function(cli.COMMANDS[name])).splitlines()[0] == summary
    ended = run_lab(name, "-h")
    assert (ended.status, ended.error) == (0, "") and summary in ended.output
    assert run_lab("help", name) == ended == run_lab(name, "--help")


# --- mistakes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(cli.COMMANDS.keys() - {"run", "view"}))
def test_a_wrong_option_is_refused_before_anything_is_built(name, run_lab, nothing_is_built):
    status, output, error = run_lab(name, *COMPLETE.get(name, []), "--bogus")
    assert (status, output, error.count("\n")) == (2, "", 1), error
    assert "--bogus" in error


@pytest.mark.parametrize(
    ("typed", "meant"), [("rum", "run"), ("rnu", "run"), ("tyr", "try"), ("go", ""), ("fox", "")]
)
def test_the_nearest_word(typed, meant):
    assert nearest(typed, cli.COMMANDS) == (f"; did you mean {meant}?" if meant else "")
