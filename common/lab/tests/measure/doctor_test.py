"""Does the doctor's page fit one screen and report what is there, even if almost nothing is?"""

import re
import shutil

import pytest

from nbody_lab import ROOT
from nbody_lab.measure import doctor

PACKAGES = """[needed]
sh tool:sh  # it runs
libnone-dev header:no/such.hpp  # none: text
[wanted]
other tool:no-such-tool
"""
NAMES = ["lab", "system", "processor", "load", "memory, disk", "compilers", "CMake, Ninja"]
NAMES += ["CUDA, GPU", "packages", "built", "threads"]


@pytest.fixture
def ask(tmp_path):
    """{name: what the doctor says} in a nearly empty lab."""
    packages = tmp_path / "common/setup/packages.txt"
    packages.parent.mkdir(parents=True)
    packages.write_text(PACKAGES)

    def rows():
        return {line[:12].strip(): line[14:] for line in doctor.report(tmp_path)}

    return rows


def test_one_screen(ask):
    rows = ask()
    assert list(rows) == NAMES
    assert rows["packages"] == "1 of 2 installed; missing: libnone-dev (./lab setup)"
    assert rows["built"] == "nothing yet"


def test_built_and_threads(ask, tmp_path, monkeypatch):
    """What is built, in the order of names, and what the environment sets."""
    for preset in ("release", "debug"):
        (tmp_path / "build" / preset).mkdir(parents=True)
        (tmp_path / "build" / preset / "manifest.json").write_text("{}")
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    rows = ask()
    assert rows["built"] == "build/debug build/release"
    assert rows["threads"] == "OMP_NUM_THREADS=3"


def test_next_to_nothing(ask, tmp_path, monkeypatch):
    """Missing tools are named, not stumbled over."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CXX", "")
    monkeypatch.setattr(doctor, "CUDA_COMPILERS", ())
    rows = ask()
    assert (rows["compilers"], rows["lab"]) == ("none", "unknown")
    assert rows["CMake, Ninja"] == "no cmake; ninja missing"
    assert rows["CUDA, GPU"] == "no nvcc (part 3 needs it: ./lab setup --cuda); no GPU answers"


def test_the_cuda_compiler_may_lie_elsewhere(ask, tmp_path, monkeypatch):
    """Outside PATH, where the lab installs it."""
    nvcc = tmp_path / "nvcc"
    nvcc.write_text("#!/bin/sh\necho 'Cuda compilation tools, release 12.4, V12.4.131'\n")
    nvcc.chmod(0o755)
    monkeypatch.setattr(doctor, "CUDA_COMPILERS", (nvcc,))
    if not shutil.which("nvcc"):
        assert re.match("nvcc 12.4; ", ask()["CUDA, GPU"])


def test_the_real_list_of_packages():
    installed, missing = doctor.find_packages(ROOT)
    assert len(installed) + len(missing) > 5


@pytest.mark.parametrize(
    ("cores", "words"), [(0.1, "in the last five"), (1.4, "1.4 cores busy now: measure later")]
)
def test_a_busy_machine(ask, monkeypatch, cores, words):
    """By what runs now, as ./lab machine judges it: the load of the last minute may be over."""
    monkeypatch.setattr(doctor.cpuinfo, "busy_cores", lambda: cores)
    assert ask()["load"].endswith(words)
