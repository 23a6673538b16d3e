"""The lab's Python environment: what is said where it cannot be made, and that one that is there is used."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from nbody_lab import ROOT

TOOLS = "bash dirname readlink cmp mkdir cp grep tail rm cat flock uname cut".split()
# A python3 without venv and pip, as Debian's without packages.
BARE = """#!/bin/sh
case "$1 $2" in "-m venv" | "-m pip") echo 'No module named it' >&2; exit 1 ;; esac
exec {python} "$@"
"""


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
    if not path.exists():
        path.mkdir()
        for tool in filter(shutil.which, TOOLS):
            (path / tool).symlink_to(shutil.which(tool))
    if python:
        (path / "python3").write_text(python, encoding="utf-8")
        (path / "python3").chmod(0o755)
    done = subprocess.run(
        [shutil.which("bash"), tree / "lab", *words],
        env={**os.environ, "PATH": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr.splitlines()


def test_neither_venv_nor_pip(tree):
    status, lines = lab(tree, "list", python=BARE.format(python=sys.executable))
    assert (status, lines[-1]) == (
        2,
        "lab: python3-venv is missing, which makes the lab its environment; run: ./lab setup",
    )
    assert not (tree / "build/venv").exists()


def test_an_older_python(tree):
    old = "#!/bin/sh\\ncase $1 in --version) echo Python 3.9.2 ;; *) exit 1 ;; esac\\n".replace(
        "\\n", "\n"
    )
    assert lab(tree, "list", python=old) == (
        2,
        ["lab: python3 is 3.9.2, the lab needs 3.10 or newer"],
    )


def test_one_that_is_there_is_used(tree):
    (tree / "build").mkdir()
    (tree / "build/venv").symlink_to(ROOT / "build/venv")
    assert lab(tree, "chekc") == (2, ["lab: unknown command 'chekc'; did you mean check?"])


def test_one_of_another_python(tree):
    """As after an upgrade of the system: its packages are where the new Python does not look."""
    folder = tree / "build/venv/bin"
    folder.mkdir(parents=True)
    shutil.copy(tree / "common/setup/python/core.txt", tree / "build/venv/core.txt")
    (folder / "python").write_text(
        f'#!/bin/sh\nexec {sys.executable} -I -S "$@"\n', encoding="utf-8"
    )
    (folder / "python").chmod(0o755)
    status, lines = lab(tree, "list")
    assert (status, len(lines)) == (2, 1)
    assert "build/venv belongs to another Python: remove it (rm -r build/venv)" in lines[0]


LOCKS = ROOT / "common/setup/python"


def locked(lock: str) -> Iterator[Requirement]:
    """What the text of a lock asks for on this system: its lines that begin a requirement."""
    for line in lock.splitlines():
        if line and not line.startswith((" ", "#")):
            requirement = Requirement(line.rstrip("\\ "))
            if requirement.marker is None or requirement.marker.evaluate():
                yield requirement


def not_locked(locks: list[str]) -> list[str]:
    """What a locked package needs on this system and no lock holds: pip then refuses them all."""
    packages = {canonicalize_name(it.name): it for lock in locks for it in locked(lock)}
    return [
        f"{name} needs {needed.name}"
        for name in packages
        for needed in map(Requirement, metadata.requires(name) or [])
        if needed.marker is None or needed.marker.evaluate({"extra": ""})
        if canonicalize_name(needed.name) not in packages
    ]


def test_the_locks_hold_all_that_their_packages_need():
    locks = [(LOCKS / f"{level}.txt").read_text() for level in ("core", "pictures", "tests")]
    assert not_locked(locks) == []
    elsewhere = [
        lock.replace("cycler==0.12.1 \\", "cycler==0.12.1 ; sys_platform == 'win32' \\")
        for lock in locks
    ]
    assert not_locked(elsewhere) == ["matplotlib needs cycler"]
