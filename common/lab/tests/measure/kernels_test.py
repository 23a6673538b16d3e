"""Do the programs measure what their rows say? objdump shows the instructions of each kernel (x86-64 only)."""

import re
import shutil
from itertools import product

import pytest

from nbody_lab.core.run import capture
from tests import BUILD

# For each set: its registers, and the endings of its instructions in float and double.
SETS = {
    "scalar": ("xmm", "ss", "sd"),
    "sse2": ("xmm", "ps", "pd"),
    "avx2": ("ymm", "ps", "pd"),
    "avx512f": ("zmm", "ps", "pd"),
}
# For each kernel: a part of its function's name, and its arithmetic instructions.
KERNELS = {
    "Add, nbody::machine::Mul": {"add", "mul"},
    "Fma<": {"fmadd"},
    "Sqrt<": {"sqrt", "add"},
    "Div, ": {"div"},
    "Estimate<": {"rsqrt"},
}
ARITHMETIC = re.compile(
    r"^v?(fmadd|add|mul|rsqrt|sqrt|div|sub)(?:14)?(?:\d{3})?(ss|sd|ps|pd) +(.*)"
)
IN_FLIGHT = 14  # crowd.hpp


@pytest.mark.skipif(
    not shutil.which("objdump") or not (BUILD / "bin/ceilings_avx2").exists(),
    reason="no objdump, or not built for x86-64",
)
@pytest.mark.parametrize("instruction_set", SETS)
def test_instructions(instruction_set):
    """Only the expected arithmetic, in the right registers, with enough of it in flight. Loads and stores are as wide as the
    set, with one instruction per vector."""
    program = BUILD / f"bin/ceilings_{instruction_set}"
    text = capture("objdump", "-dC", "--no-show-raw-insn", program).stdout
    bodies = re.findall(r"^[0-9a-f]+ <(.*nbody::.*)>:\n((?: .*\n)*)", text, re.M)
    functions = {name: re.findall(r"\t(.*)$", body, re.M) for name, body in bodies}
    registers, *endings = SETS[instruction_set]
    for (kernel, names), number in product(KERNELS.items(), ("float", "double")):
        pattern = re.compile(rf"independent<.*{re.escape(kernel)}.*, {number}, [^,]*>\(int\)$")
        found = [lines for name, lines in functions.items() if pattern.search(name)]
        no_estimate = number == "double" and instruction_set in ("sse2", "avx2")
        if (instruction_set, kernel) == ("sse2", "Fma<") or (kernel == "Estimate<" and no_estimate):
            assert found == []  # there is no such instruction
            continue
        ((*lines,),) = found
        arithmetic = [match.groups() for line in lines if (match := ARITHMETIC.match(line))]
        assert {name for name, _, _ in arithmetic} == names
        assert {ending for _, ending, _ in arithmetic} == {endings[number == "double"]}
        assert len(arithmetic) >= IN_FLIGHT
        for _, _, operands in arithmetic:
            assert set(re.findall("[xyz]mm", operands)) == {registers}
            # With SSE, div needs one register more, and it is too slow to wait for memory.
            assert "(" not in operands or kernel == "Div, "
    for name, loads, stores in (("load", 8, 0), ("copy", 8, 8), ("triad", 16, 8)):
        whole = f"void nbody::machine::{name}<"
        kernels = [lines for function, lines in functions.items() if whole in function]
        assert len(kernels) == (2 if (instruction_set, name) == ("scalar", "load") else 1)
        for lines in kernels:
            assert not any("fmadd" in line for line in lines)  # s c + b: two
            moves = [line for line in lines if "(" in line and "%rip" not in line and "mm" in line]
            assert {one for line in moves for one in re.findall("[xyz]mm", line)} == {registers}
            stored = sum(line.endswith(")") for line in moves)
            assert (len(moves) - stored, stored) == (loads, stores)
