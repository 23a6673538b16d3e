"""Cycles of a loop by llvm-mca: which processor's model it takes, and what it says of a loop."""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from nbody_lab import ROOT
from nbody_lab.building import cpuinfo
from nbody_lab.core.errors import say
from nbody_lab.core.run import capture, output_of
from nbody_lab.limits.machine_code import Loop, NoBound
from nbody_lab.measure.bound_file import Bound

_ITERATIONS = 200  # simulated
_FULL = 0.85  # of the simulated time: a unit that is busy for so much of it is the limit
# Vendor and family in /proc/cpuinfo, models, LLVM's name, the oldest LLVM whose model is right. All
# Intel servers count as Skylake's: in LLVM 19 Sapphire Rapids has no divider, and Ice Lake half of
# the 512-bit arithmetic (docs/measuring.md).
_MODELS = (
    ("GenuineIntel 6", "60 63 69 70", "haswell", 14),
    ("GenuineIntel 6", "61 71 79 86", "broadwell", 14),
    ("GenuineIntel 6", "78 94 142 158 165 166", "skylake", 14),
    ("GenuineIntel 6", "85 106 108 143 173 174 207", "skylake-avx512", 14),
    ("AuthenticAMD 23", "1 8 17 24 32", "znver1", 14),
    ("AuthenticAMD 23", "49 71 96 104 113 144", "znver2", 16),
    ("AuthenticAMD 25", "0 1 8 33 64 68 80", "znver3", 14),
    ("AuthenticAMD 25", "16 17 24 97 116 117 120 160", "znver4", 19),
)
# For all others: tried in this order, until one has every instruction of the loop.
_NEAREST = {"AuthenticAMD": ("znver3", "skylake-avx512"), "": ("skylake", "skylake-avx512")}


class Model(NamedTuple):
    """LLVM's version and models to try, and whether that is the model of this processor."""

    llvm: str
    names: Sequence[str]
    is_this_processor: bool = False


def demand_model() -> Model:
    """For this processor. Installs the package llvm if llvm-mca is missing. Raises LabError."""
    if not shutil.which("llvm-mca"):
        say("bound needs llvm-mca: fetching the package llvm (log: build/setup.log)")
        output_of("installing llvm", "bash", ROOT / "common/setup/setup.sh", "--bound")
    version = re.search(r"LLVM version ([\d.]+)", capture("llvm-mca", "--version").stdout)
    return model_of(cpuinfo.fields(), version[1] if version else "0")


def model_of(processor: Mapping[str, str], llvm: str) -> Model:
    """`processor`: the fields of /proc/cpuinfo."""
    vendor = processor.get("vendor_id", "")
    family = f"{vendor} {processor.get('cpu family')}"
    for of, models, name, oldest in _MODELS:
        is_this = of == family and processor.get("model") in models.split()
        if is_this and int(llvm.partition(".")[0]) >= oldest:
            return Model(llvm, (name,), is_this_processor=True)
    nearest: Sequence[str] = _NEAREST.get(vendor, _NEAREST[""])
    if vendor not in _NEAREST and "avx512f" in processor.get("flags", "").split():
        nearest = nearest[1:]  # for every loop, so that parts 1 and 2 compare
    return Model(llvm, nearest)


def plain(text: str) -> str:
    """An instruction as in source: without the symbol that objdump adds; a jump goes to a label."""
    text = re.sub(r" *[<#].*", "", text)
    return re.sub(r"^(?:bnd |notrack )?(j\w+) [0-9a-f]+$", r"\1 .L0", text)


def _report(core: str, llvm: str, loops: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Of several loops. Raises NoBound if it would leave out an instruction."""
    regions = ("\n".join(["# LLVM-MCA-BEGIN", *loop, "# LLVM-MCA-END\n"]) for loop in loops)
    options = ("--json", f"-mcpu={core}", f"-iterations={_ITERATIONS}", "-")
    run = capture("llvm-mca", *options, input=".L0:\n" + "".join(regions))
    if run.returncode != 0 or "error:" in run.stderr:
        raise NoBound(f"{core} in llvm-mca {llvm}: {' '.join(run.stderr.split())}")
    return dict(json.loads(run.stdout))


def bound_of_loop(loop: Loop, interactions: float, model: Model) -> Bound:
    """Of one iteration, and of it without each of its instructions. Raises NoBound."""
    if calls := [text for text in loop.texts if text.startswith("call")]:
        raise NoBound(
            f"the loop has '{calls[0]}', and llvm-mca does not see what that does: let it be inlined"
            " (a root of its own takes -fno-math-errno)"
        )
    lines = [plain(text) for text in loop.texts]
    loops = [lines, *(lines[:k] + lines[k + 1 :] for k in range(len(lines)))]
    for core in model.names:
        try:
            report = _report(core, model.llvm, loops)
            break
        except NoBound:
            if core == model.names[-1]:
                raise
    summaries = [region["SummaryView"] for region in report["CodeRegions"]]
    cycles = [(one["BlockRThroughput"], one["TotalCycles"] / _ITERATIONS) for one in summaries]
    bound, simulated = cycles[0]
    units = [_unit(name) for name in report["TargetInfo"]["Resources"]]
    pressure: list[dict[str, float]] = [{} for _ in range(len(lines) + 1)]  # the last has the sums
    for one in report["CodeRegions"][0]["ResourcePressureView"]["ResourcePressureInfo"]:
        unit = units[one["ResourceIndex"]]
        pressure[one["InstructionIndex"]][unit] = round(one["ResourceUsage"], 2)
    *of_each, busy = pressure
    return Bound(
        tool=f"llvm-mca {model.llvm}",
        core=core,
        is_this_machine=model.is_this_processor,
        function=loop.function,
        text=tuple(lines),
        instructions=len(lines),
        interactions=interactions,
        cycles=bound,
        simulated_cycles=simulated,
        busy=busy,
        limit=tuple(unit for unit in busy if busy[unit] >= _FULL * simulated),
        without=tuple(cycles[1:]),
        units=tuple(" ".join(sorted(one, key=lambda unit: -one[unit])[:2]) for one in of_each),
    )


def _unit(name: str) -> str:
    """Port0 for LLVM's SKXPort0. Of several equal ones it gives the number as a character code."""
    name = re.sub(r"^(?:Zn\d|[A-Z]{2,3})(?=[A-Z])", "", name)
    return "".join(one if one.isprintable() else str(ord(one)) for one in name)
