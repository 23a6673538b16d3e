"""This processor's names in the tools that know its ports. One row per kind of core."""

from dataclasses import dataclass

from nbody_lab.core import cpuinfo


@dataclass(frozen=True)
class Core:
    """One kind of core. `vendor`, `family` and `models` are those of /proc/cpuinfo; for ARM, the implementer, None and
    the parts."""

    name: str  # in common use
    vendor: str
    family: int | None
    models: frozenset[int]
    osaca: str | None  # its name there; None: not known there
    mca: str | None
    width: int  # most instructions issued per cycle
    like: str | None = None  # the core whose ports are counted instead if no tool knows this one


def models(text: str) -> frozenset[int]:
    """{85, 86} for "85-86", as in /proc/cpuinfo, which is decimal for x86."""
    numbers: set[int] = set()
    for word in text.split():
        first, _, last = word.partition("-")
        numbers |= set(range(int(first), int(last or first) + 1))
    return frozenset(numbers)


_INTEL, _AMD = ("GenuineIntel", 6), "AuthenticAMD"
# Vendor and family, models, name, in OSACA, in LLVM, width, the core to count instead.
_TABLE = (
    (*_INTEL, "42 45", "Sandy Bridge", "SNB", "sandybridge", 4),
    (*_INTEL, "58 62", "Ivy Bridge", "IVB", "ivybridge", 4),
    (*_INTEL, "60 63 69 70", "Haswell", "HSW", "haswell", 4),
    (*_INTEL, "61 71 79 86", "Broadwell", "BDW", "broadwell", 4),
    (*_INTEL, "78 94 142 158 165-166", "Skylake", "SKX", "skylake", 4),
    (*_INTEL, "85", "Skylake SP", "SKX", "skylake-avx512", 4),
    (*_INTEL, "125-126 140-141 167", "Ice Lake", "ICL", "icelake-client", 5),
    (*_INTEL, "106 108", "Ice Lake Server", "ICX", "icelake-server", 5),
    (*_INTEL, "143 207", "Sapphire Rapids", "SPR", "sapphirerapids", 6),  # 207: Emerald Rapids
    (*_INTEL, "151 154 183 186 191", "Alder Lake", "SPR", "alderlake", 6),
    (*_INTEL, "173-174", "Granite Rapids", None, "graniterapids", 6, "Sapphire Rapids"),
    (_AMD, 23, "1-47", "Zen", "ZEN1", "znver1", 6),
    (_AMD, 23, "48-255", "Zen 2", "ZEN2", "znver2", 6),
    (_AMD, 25, "16-31 96-127 160-175", "Zen 4", "ZEN4", "znver4", 6),
    (_AMD, 25, "0-255", "Zen 3", "ZEN3", "znver3", 6),
    (_AMD, 26, "0-255", "Zen 5", None, "znver5", 8, "Zen 4"),
    ("0x41", None, "3340", "Neoverse N1", "N1", "neoverse-n1", 4),
    ("0x41", None, "3392", "Neoverse V1", None, "neoverse-v1", 8),
    ("0x41", None, "3407", "Neoverse V2", "V2", "neoverse-v2", 8),
    ("0x41", None, "3336", "Cortex-A72", "A72", "cortex-a72", 3),
    ("0x46", None, "1", "A64FX", "A64FX", "a64fx", 4),
    ("0x43", None, "175", "ThunderX2", "TX2", "thunderx2t99", 4),
    ("0x48", None, "3329", "TaiShan v110", "TSV110", "tsv110", 4),
    ("0x61", None, "34-41", "Apple M1", "M1", "apple-m1", 8),
)
CORES = tuple(
    Core(name, vendor, family, models(numbers), *rest)
    for vendor, family, numbers, name, *rest in _TABLE
)


def _number(text: str) -> int | None:
    """85 for 85, 3340 for 0xd0c; None for words such as 8335-GTG."""
    try:
        return int(text, 16 if text.lower().startswith("0x") else 10)
    except ValueError:
        return None


def core_in(text: str | None = None) -> Core | None:
    """The core that /proc/cpuinfo describes, if it is known. `text`: from another machine."""
    fields = cpuinfo.fields(text)
    vendor = fields.get("vendor_id") or fields.get("CPU implementer", "")
    family = _number(fields.get("cpu family", ""))
    model = _number(fields.get("model") or fields.get("CPU part", ""))
    return next(
        (
            core
            for core in CORES
            if (core.vendor, core.family) == (vendor, family) and model in core.models
        ),
        None,
    )


def core_called(word: str) -> Core | None:
    """The core with this name, or its name in OSACA or LLVM."""

    def plain(name: str | None) -> str | None:
        return name and name.lower().replace(" ", "")

    named = plain(word)
    return next(
        (core for core in CORES if named in map(plain, (core.name, core.osaca, core.mca))), None
    )
