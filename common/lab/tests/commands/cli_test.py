"""The command line: help. What it refuses: refused.toml."""

import inspect

import pytest

from nbody_lab import cli


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_help(name, run_lab):
    """`./lab help` need not import a command to describe it: its summary is the first line of the docstring."""
    summary = cli.COMMANDS[name].summary
    assert inspect.getdoc(cli.find_function(cli.COMMANDS[name])).splitlines()[0] == summary
    ended = run_lab(name, "-h")
    assert (ended.status, ended.error) == (0, "") and summary in ended.output
    assert run_lab("help", name) == ended == run_lab(name, "--help")
