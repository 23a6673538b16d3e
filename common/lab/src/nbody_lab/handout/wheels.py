"""The packages of Python that ./lab needs, as files in the handout: common/setup/environment.sh installs from them."""

import subprocess
import sys
import tempfile
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.core.messages import stop
from nbody_lab.handout.archive import Member

LOCK = ROOT / "common/setup/python/core.txt"
FOLDER = "wheels"
PLATFORMS = ("manylinux2014_x86_64", "manylinux2014_aarch64")
# What can download: pip of this environment or of the system; uv makes environments without it.
DOWNLOADERS = ([sys.executable, "-m", "pip"], ["python3", "-m", "pip"], ["uvx", "pip"])


def words_for(downloader, platform, folder):
    return [
        *(
            *downloader,
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--only-binary",
            ":all:",
        ),
        *("--no-deps", "--require-hashes", "--python-version", "3.10", "--implementation", "cp"),
        *("--abi", "abi3", "--abi", "none", "--platform", platform, "--platform", "any"),
        *("--dest", str(folder), "-r", str(LOCK)),
    ]


def downloader():
    for words in DOWNLOADERS:
        try:
            if (
                subprocess.run([*words, "--version"], capture_output=True, check=False).returncode
                == 0
            ):
                return words
        except FileNotFoundError:
            continue
    return stop("handout --wheels needs pip: install the package python3-pip")


def members():
    """{path in the archive: Member}"""
    with tempfile.TemporaryDirectory() as folder:
        for platform in PLATFORMS:
            words = words_for(downloader(), platform, folder)
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
                stop(f"handout --wheels: pip cannot download for {platform}: {reason}")
        return {
            f"{FOLDER}/{file.name}": Member(file.read_bytes()) for file in Path(folder).iterdir()
        }
