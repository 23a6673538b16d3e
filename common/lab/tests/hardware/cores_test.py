"""Which core is it?"""

import pytest

from nbody_lab.hardware.cores import CORES, core_called, core_in, models


def cpuinfo(vendor, family, model):
    return f"vendor_id : {vendor}\ncpu family : {family}\nmodel : {model}\nmodel name : X\n\n"


ARM = "CPU implementer : 0x41\nCPU part : {}\n\n"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (cpuinfo("GenuineIntel", 6, 85), "Skylake SP"),
        (cpuinfo("GenuineIntel", 6, 207), "Sapphire Rapids"),
        (cpuinfo("AuthenticAMD", 25, 17), "Zen 4"),
        (cpuinfo("AuthenticAMD", 25, 33), "Zen 3"),
        (cpuinfo("AuthenticAMD", 25, "017"), "Zen 4"),
        (ARM.format("0xd0c"), "Neoverse N1"),
        (ARM.format("0xd4f"), "Neoverse V2"),
        (ARM.format("0xfff"), None),
        (cpuinfo("GenuineIntel", 15, 85), None),
        ("processor : 0\ncpu : POWER9\nmodel : 8335-GTG\n\n", None),
        (cpuinfo("GenuineIntel", 6, "unknown"), None),
        (cpuinfo("GenuineIntel", "", ""), None),
        ("", None),
    ],
)
def test_core_of_cpuinfo(text, name):
    """The first row of the table that fits; words in the place of numbers are of no known core."""
    core = core_in(text)
    assert (core and core.name) == name


@pytest.mark.parametrize("word", ["zen 4", "ZEN4", "znver4", "Zen4"])
def test_names_of_a_core(word):
    """In common use, in OSACA, in LLVM."""
    assert core_called(word) == next(core for core in CORES if core.name == "Zen 4")


def test_no_such_name():
    """An unknown tool has no name for a core, so nothing is called that."""
    assert core_called("NOSUCH") is None
    assert core_called("") is None
    assert core_called("None") is None


def test_no_model_is_two_cores():
    """But for Zen 3, which takes the rest of its family."""
    claimed = [
        (core.vendor, core.family, model)
        for core in CORES
        if core.name != "Zen 3"
        for model in core.models
    ]
    assert len(claimed) == len(set(claimed))


def test_the_core_to_count_instead_is_there():
    assert all(core_called(core.like) for core in CORES if core.like)


def test_ranges_of_models():
    assert models("85-86 90") == {85, 86, 90}
