"""Does the doctor's page report what is there, even if almost nothing is?"""

import pytest

from nbody_lab.measure import doctor

PACKAGES = """[needed]
sh tool:sh  # it runs
libnone-dev header:no/such.hpp  # none: text
[wanted]
other tool:no-such-tool
"""


@pytest.fixture
def ask(tmp_path):
    """{name: what the doctor says} in a nearly empty lab."""
    packages = tmp_path / "common/setup/packages.txt"
    packages.parent.mkdir(parents=True)
    packages.write_text(PACKAGES)
    return lambda: {line[:12].strip(): line[14:] for line in doctor.report(tmp_path)}


def test_packages_and_what_is_built(ask, tmp_path, monkeypatch):
    """In the order of names, and what the environment sets."""
    assert ask()["built"] == "nothing yet"
    for preset in ("release", "debug"):
        (tmp_path / "build" / preset).mkdir(parents=True)
        (tmp_path / "build" / preset / "manifest.json").write_text("{}")
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    rows = ask()
    assert rows["packages"] == "missing: libnone-dev (./lab setup)"
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
    assert rows["CUDA"] == "no nvcc (part 3 needs it: ./lab setup --cuda)"
    assert rows["GPU"] == "no GPU answers"


@pytest.mark.parametrize(
    ("cores", "words"), [(0.1, "0.1 cores busy now"), (1.4, "1.4 cores busy now: measure later")]
)
def test_a_busy_machine(ask, monkeypatch, cores, words):
    """By what runs now, as ./lab machine judges it: the load of the last minute may be over."""
    monkeypatch.setattr(doctor.cpuinfo, "busy_cores", lambda: cores)
    assert ask()["load"].endswith(words)
