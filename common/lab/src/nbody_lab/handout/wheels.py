"""The packages of Python that ./lab needs, as files in the handout: common/setup/environment.sh installs from them."""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.messages import UserError
from nbody_lab.handout.archive import Member

_LOCK = ROOT / "common/setup/python/core.txt"
_FOLDER = "wheels"
_PLATFORMS = ("manylinux2014_x86_64", "manylinux2014_aarch64")
# What can download: pip of this environment or of the system; uv makes environments without it.
_DOWNLOADERS = ([sys.executable, "-m", "pip"], ["python3", "-m", "pip"], ["uvx", "pip"])
_OPTIONS = (
    *("download", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:", "--no-deps"),
    *("--require-hashes", "--python-version", "3.10", "--implementation", "cp"),
    *("--abi", "abi3", "--abi", "none", "--platform", "any"),
)


def _find_downloader() -> Sequence[str]:
    for argv in _DOWNLOADERS:
        try:
            version = subprocess.run([*argv, "--version"], capture_output=True, check=False)
        except FileNotFoundError:
            continue
        if version.returncode == 0:
            return argv
    raise UserError("handout --wheels needs pip: install the package python3-pip")


def download_wheels() -> dict[str, Member]:
    """By path in the archive."""
    pip = _find_downloader()
    with tempfile.TemporaryDirectory() as folder:
        for platform in _PLATFORMS:
            argv = [*pip, *_OPTIONS, "--platform", platform, "--dest", folder, "-r", str(_LOCK)]
            done = subprocess.run(argv, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
                raise UserError(f"handout --wheels: pip cannot download for {platform}: {reason}")
        return {
            f"{_FOLDER}/{file.name}": Member(file.read_bytes()) for file in Path(folder).iterdir()
        }
