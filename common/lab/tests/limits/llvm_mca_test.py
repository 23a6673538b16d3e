"""What llvm-mca says of loops, and whose cycles they are."""

import shutil

import pytest

from nbody_lab.limits.llvm_mca import Model, bound_of_loop, model_of, plain
from nbody_lab.limits.machine_code import Instruction, Loop, NoBound

needs_llvm = pytest.mark.skipif(not shutil.which("llvm-mca"), reason="no llvm-mca")
SKYLAKE = Model("14.0.6", ("skylake-avx512",), is_this_processor=True)


def loop(*texts: str) -> Loop:
    return Loop("f()", [Instruction(0, text) for text in texts])


PROCESSORS = [  # vendor, family, model, LLVM; the models, and whether the first is its own
    ("GenuineIntel 6 143", "14.0.6", ("skylake-avx512",), True),  # Sapphire Rapids
    ("GenuineIntel 6 151", "14.0.6", ("skylake", "skylake-avx512"), False),  # Alder Lake
    ("AuthenticAMD 23 49", "14.0.6", ("znver3", "skylake-avx512"), False),  # Zen 2: right from 16
    ("AuthenticAMD 23 49", "19.1.7", ("znver2",), True),
    ("AuthenticAMD 25 17", "14.0.6", ("znver3", "skylake-avx512"), False),  # Zen 4: right from 19
    ("AuthenticAMD 26 2", "19.1.7", ("znver3", "skylake-avx512"), False),  # Zen 5: in none
    ("Unheard 1 1", "19.1.7", ("skylake", "skylake-avx512"), False),
]


@pytest.mark.parametrize(("processor", "llvm", "names", "is_own"), PROCESSORS)
def test_model_of_a_processor(
    processor: str, llvm: str, names: tuple[str, ...], is_own: bool
) -> None:
    fields = dict(zip(("vendor_id", "cpu family", "model"), processor.split(), strict=True))
    assert model_of(fields, llvm) == Model(llvm, names, is_own)


def test_instructions_as_in_source() -> None:
    assert plain("bnd ja 1234 <f()+0x20>") == "ja .L0"
    assert plain("mulss 0x10(%rip),%xmm0 # 4010 <c>") == "mulss 0x10(%rip),%xmm0"


LOOPS = [  # instructions, bound, what limits
    ("vdivss %xmm1,%xmm1,%xmm2; vdivss %xmm1,%xmm1,%xmm3; jne 0 <f>", 6.0, ("FPDivider",)),
    ("vmulps %zmm4,%zmm5,%zmm6; vmulps %zmm4,%zmm5,%zmm7", 1.0, ("Port0", "Port5")),
    ("addss %xmm1,%xmm2; jne 0 <f>", 0.5, ()),  # each sum waits four cycles for the one before
]


@needs_llvm
@pytest.mark.parametrize(("text", "cycles", "limit"), LOOPS)
def test_bound_and_limit(text: str, cycles: float, limit: tuple[str, ...]) -> None:
    found = bound_of_loop(loop(*text.split("; ")), 2, SKYLAKE)
    assert (found.cycles, found.limit, found.cycles_per_interaction) == (cycles, limit, cycles / 2)
    assert found.simulated_cycles and found.simulated_cycles > 0.95 * cycles


@needs_llvm
def test_one_instruction_fewer() -> None:
    """Of two divisions one; a jump costs nothing."""
    found = bound_of_loop(loop(*LOOPS[0][0].split("; ")), 1, SKYLAKE)
    bounds = [round(bound) for bound, _ in found.without]
    assert bounds == [3, 3, 6]
    assert [round(simulated) for _, simulated in found.without] == bounds
    assert [units.split()[0] for units in found.units[:2]] == ["FPDivider", "FPDivider"]


@needs_llvm
def test_the_first_model_that_knows_all_instructions() -> None:
    models = Model("14.0.6", ("znver3", "skylake-avx512"))
    assert bound_of_loop(loop("vmulps %ymm1,%ymm2,%ymm3"), 1, models).core == "znver3"
    assert bound_of_loop(loop("vmulps %zmm1,%zmm2,%zmm3"), 1, models).core == "skylake-avx512"


NO_NUMBER = [
    ("vmulps %zmm1,%zmm2,%zmm3", "llvm-mca 14.0.6 lacks 'vmulps %zmm1, %zmm2, %zmm3'"),
    ("frobnicate %eax,%ebx; addss %xmm1,%xmm2", "error: invalid instruction mnemonic"),
    ("addss %xmm1,%xmm2; call 1040 <sqrtf@plt>", "the loop has 'call 1040 <sqrtf@plt>'"),
]


@needs_llvm
@pytest.mark.parametrize(("text", "why"), NO_NUMBER)
def test_no_number(text: str, why: str) -> None:
    """Where it would leave out an instruction, in its own words."""
    with pytest.raises(NoBound, match=why):
        bound_of_loop(loop(*text.split("; ")), 1, Model("14.0.6", ("znver3",)))
