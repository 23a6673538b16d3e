"""The innermost loop of a program, read from its machine code with binutils (x86-64).

The search begins at the virtual table of the class, whose compute_accelerations() may be inherited,
and goes on through everything that it calls or hands to OpenMP or a thread. Of the loops that take
square roots and hold no other loop, the hot one takes the most roots in an iteration: the vector
loop, not its remainder. On a tie it is the shortest.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from nbody_lab.core.errors import LabError
from nbody_lab.core.run import capture

# With which a simulator computes accelerations; in part 3 the half of it on the host.
_ENTRIES = ("compute_accelerations", "launch_accelerations")
JUMP = re.compile(r"(?:bnd |notrack )?j\w+ ([0-9a-f]+)\b")
_ROOT = re.compile(r"v?r?sqrt(?:14|28)?([ps])([sd])\b")


class Instruction(NamedTuple):
    """The text is mnemonic, operands, and the symbol that objdump adds."""

    address: int
    text: str


class Function(NamedTuple):
    name: str
    instructions: Sequence[Instruction]


class Loop(NamedTuple):
    """The instructions of one iteration."""

    function: str
    code: Sequence[Instruction]

    @property
    def texts(self) -> list[str]:
        return [one.text for one in self.code]


class NoBound(LabError):
    """Why a program has no bound."""


def lanes(text: str, double: bool) -> int:
    """Numbers in the widest register of an instruction."""
    width = 64 if "%zmm" in text else 32 if "%ymm" in text else 16
    return width // (8 if double else 4)


def count_roots(text: str) -> int:
    """Square roots, or estimates of 1/sqrt, that an instruction takes."""
    match = _ROOT.match(text)
    if not match:
        return 0
    return 1 if match[1] == "s" else lanes(text, match[2] == "d")


def roots_of(loop: Loop, double: bool) -> int:
    """Of one iteration. A root in double may begin with an estimate in float, whose register has
    room for more numbers than are used."""
    most = max(lanes(text, double=True) for text in loop.texts) if double else 16
    return sum(min(count_roots(text), most) for text in loop.texts)


def functions_of(program: Path) -> dict[int, Function]:
    """{address: function}"""
    output = capture("objdump", "-dC", "--no-show-raw-insn", program).stdout
    found = {}
    for address, name, body in re.findall(r"^([0-9a-f]+) <(.*)>:\n((?: .*\n)*)", output, re.M):
        lines = re.findall(r"^ +([0-9a-f]+):\t(.*)$", body, re.M)
        code = [Instruction(int(at, 16), " ".join(text.split())) for at, text in lines]
        found[int(address, 16)] = Function(name, code)
    return found


def entries_of(program: Path, class_name: str, functions: Mapping[int, Function]) -> list[int]:
    """The addresses of the functions with which a class computes accelerations. Relocations fill
    the virtual table of a position-independent program. Raises NoBound."""
    table = rf"^([0-9a-f]+) ([0-9a-f]+) \w vtable for nbody::(?:.*::)?{class_name}$"
    found = re.search(table, capture("nm", "-CS", program).stdout, re.M)
    if not found:
        raise NoBound(f"the program was not built, or has no virtual table of {class_name}")
    slots = range(int(found[1], 16), int(found[1], 16) + int(found[2], 16))
    relocation = r"^([0-9a-f]+) +[0-9a-f]+ +R_\w+_(?:RELATIVE|64) +(?:.* \+ )?([0-9a-f]+)$"
    pointers = re.findall(relocation, capture("readelf", "-rW", program).stdout, re.M)
    targets = [int(target, 16) for slot, target in pointers if int(slot, 16) in slots]
    return [
        target
        for target in targets
        if target in functions and any(name in functions[target].name for name in _ENTRIES)
    ]


def functions_of_forces(program: Path, class_name: str) -> list[Function]:
    """Those with which a class computes accelerations, and everything that they call, or whose address they take. Raises
    NoBound."""
    functions, reached = functions_of(program), dict[int, Function]()
    waiting = entries_of(program, class_name, functions)
    while waiting:
        address = waiting.pop()
        if address in functions and address not in reached:
            reached[address] = functions[address]
            for one in functions[address].instructions:
                waiting += [int(to, 16) for to in re.findall(r"\b([0-9a-f]+) <", one.text)]
    return list(reached.values())


def _innermost(
    code: Sequence[Instruction], jump: re.Pattern[str]
) -> Iterator[Sequence[Instruction]]:
    """What stands between a backward jump and its target, if no other such interval lies within."""
    index = {one.address: k for k, one in enumerate(code)}
    intervals = []
    for last, one in enumerate(code):
        match = jump.match(one.text)
        first = index.get(int(match[1], 16)) if match else None
        if first is not None and first <= last:
            intervals.append((first, last))
    for first, last in intervals:
        if sum(first <= one and other <= last for one, other in intervals) == 1:
            yield code[first : last + 1]


def hottest(
    functions: Iterable[Function], jump: re.Pattern[str], roots: Callable[[str], int]
) -> Loop | None:
    """The innermost loop with the most roots. `jump` matches a jump and the address it goes to."""
    loops = [
        Loop(function.name, code)
        for function in functions
        for code in _innermost(function.instructions, jump)
        if any(roots(one.text) for one in code)
    ]
    return max(loops, key=lambda one: (sum(map(roots, one.texts)), -len(one.texts)), default=None)


def find_hot_loop(program: Path, class_name: str) -> Loop:
    """The loop in which a class computes accelerations. Raises NoBound."""
    found = hottest(functions_of_forces(program, class_name), JUMP, count_roots)
    if not found:
        raise NoBound(
            f"{class_name} reaches no loop with a square root in it: does pow() hide it, or a call"
            " that is not inlined?"
        )
    return found
