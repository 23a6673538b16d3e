"""This processor's names in the tools that know its ports. One row per kind of core."""

from collections import namedtuple

from nbody_lab.core import cpuinfo

# name: in common use; which: (vendor, family, models) of /proc/cpuinfo, for ARM (implementer, "", parts); osaca, mca: its
# names in these tools, "" if unknown; width: most instructions started per cycle; like: the core whose ports are counted
# instead if no tool knows this one.
Core = namedtuple("Core", "name which osaca mca width like", defaults=("",))
INTEL, AMD = "GenuineIntel", "AuthenticAMD"


def models(text):
    """{85, 86} for "85-86", as in /proc/cpuinfo, which is decimal for x86."""
    found = set()
    for word in text.split():
        first, _, last = word.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


CORES = (
    Core("Sandy Bridge", (INTEL, 6, "42 45"), "SNB", "sandybridge", 4),
    Core("Ivy Bridge", (INTEL, 6, "58 62"), "IVB", "ivybridge", 4),
    Core("Haswell", (INTEL, 6, "60 63 69 70"), "HSW", "haswell", 4),
    Core("Broadwell", (INTEL, 6, "61 71 79 86"), "BDW", "broadwell", 4),
    Core("Skylake", (INTEL, 6, "78 94 142 158 165-166"), "SKX", "skylake", 4),
    Core("Skylake SP", (INTEL, 6, "85"), "SKX", "skylake-avx512", 4),
    Core("Ice Lake", (INTEL, 6, "125-126 140-141 167"), "ICL", "icelake-client", 5),
    Core("Ice Lake Server", (INTEL, 6, "106 108"), "ICX", "icelake-server", 5),
    Core(
        "Sapphire Rapids", (INTEL, 6, "143 207"), "SPR", "sapphirerapids", 6
    ),  # 207: Emerald Rapids, the same core
    Core("Alder Lake", (INTEL, 6, "151 154 183 186 191"), "SPR", "alderlake", 6),
    Core("Granite Rapids", (INTEL, 6, "173-174"), "", "graniterapids", 6, "Sapphire Rapids"),
    Core("Zen", (AMD, 23, "1-47"), "ZEN1", "znver1", 6),
    Core("Zen 2", (AMD, 23, "48-255"), "ZEN2", "znver2", 6),
    Core("Zen 4", (AMD, 25, "16-31 96-127 160-175"), "ZEN4", "znver4", 6),
    Core("Zen 3", (AMD, 25, "0-255"), "ZEN3", "znver3", 6),
    Core("Zen 5", (AMD, 26, "0-255"), "", "znver5", 8, "Zen 4"),
    Core("Neoverse N1", ("0x41", "", "3340"), "N1", "neoverse-n1", 4),
    Core("Neoverse V1", ("0x41", "", "3392"), "", "neoverse-v1", 8),
    Core("Neoverse V2", ("0x41", "", "3407"), "V2", "neoverse-v2", 8),
    Core("Cortex-A72", ("0x41", "", "3336"), "A72", "cortex-a72", 3),
    Core("A64FX", ("0x46", "", "1"), "A64FX", "a64fx", 4),
    Core("ThunderX2", ("0x43", "", "175"), "TX2", "thunderx2t99", 4),
    Core("TaiShan v110", ("0x48", "", "3329"), "TSV110", "tsv110", 4),
    Core("Apple M1", ("0x61", "", "34-41"), "M1", "apple-m1", 8),
)


def core_in(text=None):
    """The core that /proc/cpuinfo describes, or None. `text`: from another machine."""
    fields = cpuinfo.fields(text)
    vendor = fields.get("vendor_id") or fields.get("CPU implementer", "")
    family = int(fields["cpu family"]) if fields.get("cpu family", "").isdigit() else ""
    model = fields.get("model") or fields.get("CPU part") or "-1"
    number = int(model, 0)
    return next(
        (
            core
            for core in CORES
            if core.which[:2] == (vendor, family) and number in models(core.which[2])
        ),
        None,
    )


def core_called(word):
    """The core with this name, or its name in OSACA or LLVM; None if there is none."""
    plain = word.lower().replace(" ", "")
    return next(
        (
            core
            for core in CORES
            if plain in (core.name.lower().replace(" ", ""), core.osaca.lower(), core.mca)
        ),
        None,
    )
