"""The command line: help, mistakes, a fresh clone, a machine without Python."""

import inspect
import os
import shutil

import pytest

from nbody_lab import ROOT, cli
from nbody_lab.core.tree_copy import link_tools
from nbody_lab.core.words import nearest
from tests import said_by

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


def lab(*words, root=ROOT, path=None):
    environment = {**os.environ, **({"PATH": str(path)} if path else {})}
    return said_by([shutil.which("bash"), root / "lab", *words], env=environment)


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


# --- where it is started -------------------------------------------------------------------------


def test_a_fresh_clone_says_where_to_begin(tmp_path):
    shutil.copy(ROOT / "lab", tmp_path)
    shutil.copytree(ROOT / "common/lab/src", tmp_path / "common/lab/src")
    shutil.copytree(ROOT / "common/setup", tmp_path / "common/setup")
    link_tools(tmp_path, ROOT)
    status, output, error = lab(root=tmp_path)
    assert (status, error) == (0, "")
    assert "./lab demo" in output


def test_without_python_it_says_what_to_do(tmp_path):
    for name in ("bash", "dirname", "readlink", "cmp"):
        (tmp_path / name).symlink_to(shutil.which(name))
    tree = tmp_path / "tree"  # with no environment yet
    shutil.copytree(ROOT / "common/setup", tree / "common/setup")
    shutil.copy(ROOT / "lab", tree)
    said = lab("check", "part1", path=tmp_path, root=tree)
    assert said == (2, "", "lab: python3 is missing; run: ./lab setup\n")
