"""Do the programs measure what their rows say? objdump shows the instructions of each kernel (x86-64 only)."""

import re
import shutil
import subprocess
from functools import cache

import pytest

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
ARITHMETIC = re.compile(r"^v?(fmadd|add|mul|rsqrt|sqrt|div|sub)(?:\d*)(ss|sd|ps|pd)$")
IN_FLIGHT = 14  # crowd.hpp

pytestmark = pytest.mark.skipif(
    not shutil.which("objdump") or not (BUILD / "bin/ceilings_avx2").exists(),
    reason="no objdump, or not built for x86-64",
)


@cache
def functions(instruction_set):
    """{name: [(instruction, operands)]} of the lab's own functions."""
    text = subprocess.run(
        ["objdump", "-dC", "--no-show-raw-insn", BUILD / f"bin/ceilings_{instruction_set}"],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        check=True,
    ).stdout
    found, lines = {}, None
    for line in text.splitlines():
        begin = re.match(r"[0-9a-f]+ <(.*)>:$", line)
        if begin:
            lines = found.setdefault(begin[1], []) if "nbody::" in begin[1] else None
        elif lines is not None and "\t" in line:
            instruction, _, operands = line.split("\t")[1].partition(" ")
            lines.append((instruction, operands.strip()))
    return found


def in_memory(operands):
    return "(" in operands and "%rip" not in operands


@pytest.mark.parametrize("number", ["float", "double"])
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("instruction_set", SETS)
def test_arithmetic(instruction_set, kernel, number):
    """Only the expected arithmetic, in the right registers, with enough of it in flight."""
    registers, *endings = SETS[instruction_set]
    ending = endings[number == "double"]
    pattern = re.compile(rf"independent<.*{re.escape(kernel)}.*, {number}, [^,]*>\(int\)$")
    kernels = [lines for name, lines in functions(instruction_set).items() if pattern.search(name)]
    no_estimate = number == "double" and instruction_set in ("sse2", "avx2")
    if (instruction_set, kernel) == ("sse2", "Fma<") or (kernel == "Estimate<" and no_estimate):
        assert kernels == []  # there is no such instruction
        return
    ((*lines,),) = kernels
    arithmetic = [
        (match[1], match[2], operands)
        for name, operands in lines
        if (match := ARITHMETIC.match(name.replace("rsqrt14", "rsqrt")))
    ]
    assert {name for name, _, _ in arithmetic} == KERNELS[kernel]
    assert {kind for _, kind, _ in arithmetic} == {ending}
    assert len(arithmetic) >= IN_FLIGHT
    for _, _, operands in arithmetic:
        assert set(re.findall("[xyz]mm", operands)) == {registers}
        # With SSE, div needs one register more, and it is too slow to wait for memory.
        assert "(" not in operands or kernel == "Div, "


@pytest.mark.parametrize(
    ("name", "loads", "stores"), [("load", 8, 0), ("copy", 8, 8), ("triad", 16, 8)]
)
@pytest.mark.parametrize("instruction_set", SETS)
def test_memory(instruction_set, name, loads, stores):
    """Accesses are as wide as the set, with one instruction per vector."""
    registers = SETS[instruction_set][0]
    kernels = [
        lines
        for function, lines in functions(instruction_set).items()
        if f"void nbody::machine::{name}<" in function
    ]
    assert len(kernels) == (2 if (instruction_set, name) == ("scalar", "load") else 1)
    for lines in kernels:
        moves = [
            (instruction, operands)
            for instruction, operands in lines
            if in_memory(operands) and re.search(rf"%{registers}\d+", operands)
        ]
        stored = sum(operands.endswith(")") for _, operands in moves)
        assert (len(moves) - stored, stored) == (loads, stores)
        other = {"xmm", "ymm", "zmm"} - {registers}
        for instruction, operands in lines:
            assert not (in_memory(operands) and other & set(re.findall("[xyz]mm", operands)))
            assert "fmadd" not in instruction  # s c + b: two
