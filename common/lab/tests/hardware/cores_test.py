"""Cores: by /proc/cpuinfo, and by any of their names."""

import pytest

from nbody_lab.hardware.cores import CORES, core_called, core_in, models

XEON = "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 207\nmodel name\t: Xeon\n\nprocessor\t: 1\n"
EPYC = XEON.replace("GenuineIntel", "AuthenticAMD").replace(": 6\n", ": 25\n").replace("207", "17")
GRACE = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (XEON, "Sapphire Rapids"),
        (EPYC, "Zen 4"),
        (GRACE, "Neoverse V2"),
        (XEON.replace("207", "999"), None),
        ("nothing", None),
    ],
)
def test_processor(text: str, name: str | None) -> None:
    """By vendor, family and model."""
    core = core_in(text)
    assert (core and core.name) == name


def test_names() -> None:
    """A core is called by its own name, or by that in a tool."""
    names = ("spr", "Sapphire Rapids", "sapphirerapids")
    assert {core_called(name).name for name in names} == {"Sapphire Rapids"}
    assert core_called("sparc") is None


def test_no_model_is_two_cores() -> None:
    """But Zen 3 takes the rest of its family."""
    rows = [
        (*core.which[:2], k)
        for core in CORES
        for k in models(core.which[2])
        if core.name != "Zen 3"
    ]
    assert len(rows) == len(set(rows))
