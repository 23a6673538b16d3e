"""The packages of Python that ./lab needs, as files in the handout: common/setup/environment.sh installs from them."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.handout.archive import Member

_LOCK = ROOT / "common/setup/python/core.txt"
_FOLDER = "wheels"
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")  # compiled packages have a wheel for each
_MACHINES = ("x86_64", "aarch64")
_LIBRARIES = ("manylinux2014", "manylinux_2_17", "manylinux_2_28")  # of the oldest systems served
# What can download: pip of this environment or of the system; uv makes environments without it.
_DOWNLOADERS = ([sys.executable, "-m", "pip"], ["python3", "-m", "pip"], ["uvx", "pip"])
_OPTIONS = (
    *("download", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:", "--no-deps"),
    *("--require-hashes", "--implementation", "cp", "--platform", "any"),
)


def _find_downloader() -> Sequence[str]:
    for argv in _DOWNLOADERS:
        try:
            version = subprocess.run([*argv, "--version"], capture_output=True, check=False)
        except FileNotFoundError:
            continue
        if version.returncode == 0:
            return argv
    raise LabError("handout --wheels needs pip: install the package python3-pip")


def download_wheels() -> dict[str, Member]:
    """By path in the archive."""
    pip = _find_downloader()
    with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile("w") as lock:
        # pip compares conditions ("; python_full_version < '3.11'") with the Python that it runs in: all are fetched.
        lock.write(re.sub(r" ; [^\\\n]*", " ", _LOCK.read_text(encoding="utf-8")))
        lock.flush()
        for version, machine in product(PYTHONS, _MACHINES):
            platforms = [f"--platform={library}_{machine}" for library in _LIBRARIES]
            argv = [*pip, *_OPTIONS, f"--python-version={version}", *platforms]
            argv += ["--dest", folder, "-r", lock.name]
            done = subprocess.run(argv, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
                raise LabError(
                    f"handout --wheels: pip cannot download for Python {version} on {machine}: {reason}"
                )
        return {
            f"{_FOLDER}/{file.name}": Member(file.read_bytes()) for file in Path(folder).iterdir()
        }
