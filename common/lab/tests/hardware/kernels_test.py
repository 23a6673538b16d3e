"""Do the programs measure what their rows say? objdump shows the instructions of each kernel (x86-64 only).

kernels_test.py [BUILD_FOLDER]
"""

import re
import shutil
import subprocess
import unittest

from tests import BUILD

# For each set: its registers, and the endings of its instructions in float and double.
SETS = {
    "scalar": ("xmm", "ss", "sd"),
    "sse2": ("xmm", "ps", "pd"),
    "avx2": ("ymm", "ps", "pd"),
    "avx512f": ("zmm", "ps", "pd"),
}
# For each kernel: a part of its function's name, and its arithmetic instructions.
KERNELS = (
    ("Add, nbody::machine::Mul", {"add", "mul"}),
    ("Fma<", {"fmadd"}),
    ("Sqrt<", {"sqrt", "add"}),
    ("Div, ", {"div"}),
    ("Estimate<", {"rsqrt"}),
)
ARITHMETIC = re.compile(r"^v?(fmadd|add|mul|rsqrt|sqrt|div|sub)(?:\d*)(ss|sd|ps|pd)$")
IN_FLIGHT = 14  # crowd.hpp


def functions(program):
    """{name: [(instruction, operands)]} for the lab's own functions."""
    text = subprocess.run(
        ["objdump", "-dC", "--no-show-raw-insn", program],
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
        elif lines is not None and line.count("\t") >= 1:
            instruction, _, operands = line.split("\t")[1].partition(" ")
            lines.append((instruction, operands.strip()))
    return found


@unittest.skipUnless(
    shutil.which("objdump") and (BUILD / "bin/ceilings_avx2").exists(),
    "no objdump, or not built for x86-64",
)
class KernelsTest(unittest.TestCase):
    def setUp(self):
        self.functions = {name: functions(BUILD / f"bin/ceilings_{name}") for name in SETS}

    def kernels(self, instruction_set, fragment, number):
        pattern = re.compile(rf"independent<.*{re.escape(fragment)}.*, {number}, [^,]*>\(int\)$")
        return [
            lines for name, lines in self.functions[instruction_set].items() if pattern.search(name)
        ]

    def test_arithmetic(self):
        """Only the expected arithmetic, in the right registers, with enough of it in flight."""
        for instruction_set, (registers, *endings) in SETS.items():
            for fragment, expected in KERNELS:
                for number, ending in zip(("float", "double"), endings):
                    with self.subTest(f"{instruction_set} {fragment} {number}"):
                        kernels = self.kernels(instruction_set, fragment, number)
                        absent = (instruction_set == "sse2" and fragment == "Fma<") or (
                            fragment == "Estimate<"
                            and number == "double"
                            and instruction_set in ("sse2", "avx2")
                        )
                        self.assertEqual(len(kernels), 0 if absent else 1)
                        for lines in kernels:
                            self.expect_only(lines, expected, ending, registers)

    def expect_only(self, lines, expected, ending, registers):
        found = [
            (match[1], match[2], operands)
            for name, operands in lines
            for match in [ARITHMETIC.match(re.sub("rsqrt14", "rsqrt", name))]
            if match
        ]
        self.assertEqual({name for name, _, _ in found}, expected)
        self.assertEqual({kind for _, kind, _ in found}, {ending})
        self.assertGreaterEqual(len(found), IN_FLIGHT)
        for _, _, operands in found:
            self.assertEqual(set(re.findall("[xyz]mm", operands)), {registers}, operands)
            if expected != {
                "div"
            }:  # with SSE, div needs one register more, and it is too slow to wait for memory
                self.assertNotIn("(", operands)  # from registers, not from memory

    def test_memory(self):
        """Accesses are as wide as the set, with one instruction per vector."""
        for instruction_set, (registers, *endings) in SETS.items():
            for name, loads, stores in (("load", 8, 0), ("copy", 8, 8), ("triad", 16, 8)):
                kernels = [
                    lines
                    for function, lines in self.functions[instruction_set].items()
                    if f"void nbody::machine::{name}<" in function
                ]
                with self.subTest(f"{instruction_set} {name}"):
                    self.assertEqual(
                        len(kernels), 2 if (instruction_set, name) == ("scalar", "load") else 1
                    )
                    for lines in kernels:
                        moved = [
                            operands
                            for _, operands in lines
                            if re.search(rf"%{registers}\d+", operands)
                            and "(" in operands
                            and "%rip" not in operands
                        ]
                        stored = [operands for operands in moved if operands.endswith(")")]
                        self.assertEqual((len(moved) - len(stored), len(stored)), (loads, stores))
                        other = {"xmm", "ymm", "zmm"} - {registers}
                        for _, operands in lines:
                            self.assertFalse(
                                "(" in operands
                                and "%rip" not in operands
                                and other & set(re.findall("[xyz]mm", operands)),
                                operands,
                            )
                        self.assertFalse(
                            [instruction for instruction, _ in lines if "fmadd" in instruction]
                        )  # s c + b: two
                        if instruction_set == "scalar":
                            moves = {
                                instruction
                                for instruction, operands in lines
                                if operands in moved and instruction.startswith("mov")
                            }
                            self.assertLessEqual(moves, {f"mov{ending}" for ending in endings})
