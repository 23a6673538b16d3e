"""The functions of a program, and which of them a simulation calls: symbols and relocations."""

import re
import shutil
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from nbody_lab.bound.machine_loops import Instruction
from nbody_lab.core.messages import UserError
from nbody_lab.core.running import capture, last_line

# The host's wrapper; the search for neighbours.
_NOT_A_STEP = ("ScaledSimulation<", "largest_time_step(")
_TYPE = "typeinfo for "


class Symbol(NamedTuple):
    """A function or an object of a program."""

    address: int
    size: int
    name: str


class NoLoop(UserError):
    """Why there is no hot loop to show."""


def _run_binutils(tool: str, *argv: str | Path) -> str:
    """The output. Raises NoLoop."""
    if not shutil.which(tool):
        raise NoLoop(f"{tool} is missing; install the package binutils")
    run = capture(tool, *argv)
    if run.returncode != 0:
        raise NoLoop(f"{argv[-1]}: {last_line(run.stderr, run.returncode)}")
    return run.stdout


def parse_symbols(text: str) -> tuple[list[Symbol], list[Symbol]]:
    """(functions, data) in the output of `nm -CS`."""
    functions: list[Symbol] = []
    data: list[Symbol] = []
    for address, size, kind, name in re.findall(r"^([0-9a-f]+) ([0-9a-f]+) (\w) (.*)", text, re.M):
        symbols = functions if kind in "tTwWiu" else data
        symbols.append(Symbol(int(address, 16), int(size, 16), name))
    return functions, data


def parse_pointers(text: str) -> dict[int, int]:
    """{address: target} in the output of `readelf -rW`: virtual tables consist of such pointers."""
    relocation = r"^([0-9a-f]+) +[0-9a-f]+ +R_\w+_(?:RELATIVE|64|ABS64) +(?:.* \+ )?([0-9a-f]+)$"
    return {int(at, 16): int(to, 16) for at, to in re.findall(relocation, text, re.M)}


def parse_instructions(text: str) -> list[Instruction]:
    """The instructions in objdump's output, including the padding before the next function."""
    return [
        Instruction(int(address, 16), " ".join(rest.split()))
        for address, rest in re.findall(r"^ +([0-9a-f]+):\t(.+)$", text, re.M)
    ]


def find_addresses(text: str) -> list[int]:
    """Every address that an instruction jumps to, calls or takes."""
    matches = re.findall(r"(?:\b|\$0x)([0-9a-f]+) <|\$0x([0-9a-f]+)\b", text)
    return [int(named or immediate, 16) for named, immediate in matches]


def find_most_derived(data: Sequence[Symbol], pointers: dict[int, int]) -> Symbol | None:
    """The virtual table of the lab's most derived simulator class; None if that is ambiguous.
    A class's type information points to its base's."""
    types = {
        symbol.address: symbol.name.removeprefix(_TYPE)
        for symbol in data
        if symbol.name.startswith(f"{_TYPE}nbody::")
    }
    bases = {name: types.get(pointers.get(address + 16, -1)) for address, name in types.items()}

    def is_simulator(name: str | None) -> bool:
        while name and not name.startswith("nbody::SimulatorOf<"):
            name = bases.get(name)
        return bool(name)

    leaves = [name for name in bases if name not in bases.values() and is_simulator(bases[name])]
    tables = [symbol for symbol in data if leaves and symbol.name == f"vtable for {leaves[0]}"]
    return tables[0] if len(leaves) == 1 and tables else None


def find_entries(
    functions: Sequence[Symbol], data: Sequence[Symbol], pointers: dict[int, int], function: str
) -> list[Symbol]:
    """The functions where the search begins: the named one, and its clones and lambdas. A program
    has those of its class and of its base classes; the virtual table tells which one it calls."""
    named = [
        symbol
        for symbol in functions
        if re.search(rf"\b{function}(\(|$)", symbol.name) and _is_of_step(symbol)
    ]
    whole = re.compile(rf"(.*\b)?{function}(\([^()]*\))?")
    own = [symbol for symbol in named if whole.fullmatch(symbol.name)]
    table = find_most_derived(data, pointers) if len(own) > 1 else None
    if table:
        slots = range(table.address, table.address + table.size, 8)
        called = {pointers.get(slot) for slot in slots}
        own = [symbol for symbol in own if symbol.address in called] or own
    return [
        symbol
        for symbol in named
        if any(symbol.name.startswith(one.name) or f"{one.name}::" in symbol.name for one in own)
    ]


def _is_of_step(symbol: Symbol) -> bool:
    return not any(word in symbol.name for word in _NOT_A_STEP)


class Code:
    """The functions of one program, disassembled on demand. Raises NoLoop."""

    def __init__(self, program: Path) -> None:
        self.program = program
        self.functions, self.data = parse_symbols(_run_binutils("nm", "-CS", program))
        if not self.functions:
            raise NoLoop(f"{program} has no symbols, so its functions cannot be told apart")

    @cached_property
    def _texts(self) -> dict[int, str]:
        """Of every function; objdump runs once, since its start takes longer than its output."""
        output = _run_binutils("objdump", "-dC", "--no-show-raw-insn", self.program)
        function = r"^([0-9a-f]+) <.*>:\n((?: .*\n)*)"
        return {int(at, 16): text for at, text in re.findall(function, output, re.M)}

    def entries(self, function: str) -> list[Symbol]:
        pointers = parse_pointers(_run_binutils("readelf", "-rW", self.program))
        return find_entries(self.functions, self.data, pointers, function)

    def reached_from(self, entries: Iterable[Symbol]) -> dict[Symbol, list[Instruction]]:
        """Everything that these functions call or hand to OpenMP or a thread."""
        symbols = {symbol.address: symbol for symbol in self.functions}
        reached: dict[Symbol, list[Instruction]] = {}
        waiting = list(entries)
        while waiting:
            symbol = waiting.pop()
            if symbol in reached or not _is_of_step(symbol):
                continue
            reached[symbol] = parse_instructions(self._texts.get(symbol.address, ""))
            for instruction in reached[symbol]:
                targets = find_addresses(instruction.text)
                waiting += [symbols[address] for address in targets if address in symbols]
        return reached
