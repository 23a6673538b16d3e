"""The lab's Python environment: what is said where it cannot be made, and that one that is there is used."""

import os
import shutil
import sys

import pytest

from nbody_lab import ROOT
from tests import said_by

TOOLS = "bash dirname readlink cmp mkdir cp grep tail rm cat flock uname cut".split()
# Without venv and pip, as Debian's without packages; and one that is too old.
NO_VENV = f"""#!/bin/sh
case "$1 $2" in "-m venv" | "-m pip") echo 'No module named it' >&2; exit 1 ;; esac
exec {sys.executable} "$@"
"""
OLD = "#!/bin/sh\ncase $1 in --version) echo Python 3.9.2 ;; *) exit 1 ;; esac\n"


def write_program(file, text):
    file.write_text(text, encoding="utf-8")
    file.chmod(0o755)


@pytest.fixture
def tree(tmp_path):
    """What ./lab needs to begin, with nothing built."""
    shutil.copytree(ROOT / "common/setup", tmp_path / "common/setup")
    shutil.copytree(ROOT / "common/lab/src", tmp_path / "common/lab/src")
    shutil.copy(ROOT / "lab", tmp_path)
    return tmp_path


def lab(tree, *words, python=None):
    """(status, messages) of ./lab where PATH has these tools and this text as python3."""
    path = tree / "path"
    path.mkdir()
    for tool in filter(shutil.which, TOOLS):
        (path / tool).symlink_to(shutil.which(tool))
    if python:
        write_program(path / "python3", python)
    environment = {**os.environ, "PATH": str(path)}
    status, _, error = said_by([shutil.which("bash"), tree / "lab", *words], env=environment)
    return status, error.splitlines()


@pytest.mark.parametrize(
    ("python", "line"),
    [
        (NO_VENV, "python3-venv is missing, which makes the lab its environment; run: ./lab setup"),
        (OLD, "python3 is 3.9.2, the lab needs 3.10 or newer"),
        (None, "python3 is missing; run: ./lab setup"),
    ],
)
def test_a_python_that_cannot_make_it(python, line, tree):
    status, lines = lab(tree, "list", python=python)
    assert (status, lines[-1]) == (2, f"lab: {line}")
    assert not (tree / "build/venv").exists()


def test_one_that_is_there_is_used(tree):
    (tree / "build").mkdir()
    (tree / "build/venv").symlink_to(ROOT / "build/venv")
    assert lab(tree, "chekc") == (2, ["lab: unknown command 'chekc'; did you mean check?"])
    _, said, _ = said_by(["bash", tree / "lab"])
    assert "./lab demo" in said  # nothing is built yet


def test_one_of_another_python(tree):
    """As after an upgrade of the system: its packages are where the new Python does not look."""
    python = tree / "build/venv/bin/python"
    python.parent.mkdir(parents=True)
    shutil.copy(tree / "common/setup/python/core.txt", tree / "build/venv/core.txt")
    write_program(python, f'#!/bin/sh\nexec {sys.executable} -I -S "$@"\n')
    status, lines = lab(tree, "list")
    assert (status, len(lines)) == (2, 1)
    assert "build/venv belongs to another Python: remove it (rm -r build/venv)" in lines[0]
