"""What llvm-mca says of loops, whose cycles they are, and what ./lab bound prints."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from nbody_lab.building import cpuinfo
from nbody_lab.building.lab import Lab
from nbody_lab.commands.bound import where_found
from nbody_lab.limits.bound_text import text_of
from nbody_lab.limits.llvm_mca import Model, bound_of_loop, model_of
from nbody_lab.limits.machine_code import Instruction, Loop, NoBound
from tests.limits.roofline_for_tests import make_bound

needs_llvm = pytest.mark.skipif(not shutil.which("llvm-mca"), reason="no llvm-mca")

PROCESSORS = [  # vendor, family, model, perhaps flags; LLVM; the models, and whether the first is its own
    ("GenuineIntel 6 143", "14.0.6", ("skylake-avx512",), True),  # Sapphire Rapids
    ("GenuineIntel 6 151", "14.0.6", ("skylake", "skylake-avx512"), False),  # Alder Lake
    ("GenuineIntel 6 167 avx512f", "14.0.6", ("skylake-avx512",), False),  # Rocket Lake
    ("AuthenticAMD 23 49", "14.0.6", ("znver3", "skylake-avx512"), False),  # Zen 2: right from 16
    ("Unheard 1 1", "19.1.7", ("skylake", "skylake-avx512"), False),
]


@pytest.mark.parametrize(("processor", "llvm", "names", "own"), PROCESSORS)
def test_model_of_a_processor(processor: str, llvm: str, names: Any, own: bool) -> None:
    fields = dict(zip(("vendor_id", "cpu family", "model", "flags"), processor.split()))
    assert model_of(fields, llvm) == Model(llvm, names, own)


def test_what_json_says_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpuinfo, "fields", lambda: {"model name": "Intel(R) Xeon(R) Processor"})
    lab = Lab("part1")
    monkeypatch.setattr(lab, "build_dir", tmp_path)
    (tmp_path / "compiler.txt").write_text("g++ 12.2.0\n")
    found = where_found(lab, None)
    assert (found["machine"], found["compiler"]) == ("Intel(R) Xeon(R) Processor", "g++ 12.2.0")
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", found["date"])


SKYLAKE, ZEN = Model("14.0.6", ("skylake-avx512",)), Model("14.0.6", ("znver3",))
EITHER = Model("14.0.6", ("znver3", "skylake-avx512"))  # the first that has all instructions
DIVISIONS = "vdivss %xmm1,%xmm1,%xmm2; vdivss %xmm1,%xmm1,%xmm3; bnd jne 0 <f+0x9>"
CALL = "addss %xmm1,%xmm2; call 1040 <sqrtf@plt>"


@needs_llvm
@pytest.mark.parametrize(
    ("text", "model", "core", "cycles", "limit", "without"),
    [
        (DIVISIONS, SKYLAKE, "skylake-avx512", 6, ("FPDivider",), [3, 3, 6]),
        ("vmulps %zmm4,%zmm5,%zmm6", EITHER, "skylake-avx512", 0.5, ("Port0", "Port5"), None),
        # Each sum waits four cycles for the one before.
        ("addss %xmm1,%xmm2; jne 0 <f>", SKYLAKE, "skylake-avx512", 0.5, (), None),
        # Where it would leave out an instruction there is no number, in its own words.
        ("vmulps %zmm1,%zmm2,%zmm3", ZEN, "14.0.6: .*vmulps %zmm1, ", None, None, None),
        (CALL, ZEN, "the loop has 'call 1040 <sqrtf@plt>'", None, None, None),
    ],
)
def test_bound_of_a_loop(
    text: str, model: Model, core: str, cycles: float | None, limit: Any, without: Any
) -> None:
    loop = Loop("f()", [Instruction(0, one) for one in text.split("; ")])
    if cycles is None:
        with pytest.raises(NoBound, match=core):
            bound_of_loop(loop, 1, model)
        return
    found = bound_of_loop(loop, 2, model)
    assert (found.core, found.cycles, found.cycles_per_interaction) == (core, cycles, cycles / 2)
    assert found.simulated_cycles and found.simulated_cycles > 0.95 * cycles
    assert limit in (None, found.limit)
    assert without in (None, [round(bound) for bound, _ in found.without])


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"limit": ()}, "limit: it waits: no unit is busy for 85 % of the time"),
        ({"is_this_machine": False}, "cycles of skylake-avx512, not of this processor: no share"),
        ({}, "   1.10  FPDivider         vdivss %xmm1,%xmm1,%xmm2   <- 200% faster"),
        ({}, " 3.00          -  Port6 Port0       jne"),  # 4.2 instead of 3.3
        ({"without": ((0.5, 1.1), (3.0, 3.4))}, " 3.00       3.40  Port6 Port0       jne"),
        ({"text": ()}, "which one is shown once the worksheet's counts are right"),
        ({"simulated_cycles": None, "text": ("@!P0 FADD R1",)}, "FADD      1, 1.00/inter"),
    ],
)
def test_what_else_it_says(fields: dict[str, Any], line: str) -> None:
    assert line in " ".join(text_of(make_bound(**fields)))
