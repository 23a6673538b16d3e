"""The packages of Python that ./lab needs, as files in the handout: common/setup/environment.sh installs from them."""

import re
import shutil
import sys
import tempfile
from itertools import product
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.run import output_of
from nbody_lab.handout.archive import Member

_LOCK = ROOT / "common/setup/python/core.txt"
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")  # compiled packages have a wheel for each
_MACHINES = ("x86_64", "aarch64")
_LIBRARIES = ("manylinux2014", "manylinux_2_17", "manylinux_2_28")  # of the oldest systems served
_OPTIONS = (
    *("download", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:", "--no-deps"),
    *("--require-hashes", "--implementation", "cp", "--platform", "any"),
)


def download_wheels() -> dict[str, Member]:
    """By path in the archive."""
    # uv makes environments without pip.
    pip = ["uvx", "pip"] if shutil.which("uvx") else [sys.executable, "-m", "pip"]
    with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile("w") as lock:
        # pip compares conditions ("; python_full_version < '3.11'") with the Python that it runs in: all are fetched.
        lock.write(re.sub(r" ; [^\\\n]*", " ", _LOCK.read_text(encoding="utf-8")))
        lock.flush()
        for version, machine in product(PYTHONS, _MACHINES):
            platforms = [f"--platform={library}_{machine}" for library in _LIBRARIES]
            argv = [*pip, *_OPTIONS, f"--python-version={version}", *platforms]
            output_of("pip download", *argv, "--dest", folder, "-r", lock.name)
        return {f"wheels/{file.name}": Member(file.read_bytes()) for file in Path(folder).iterdir()}
