"""The functions of a program, and which of them a simulation calls, from symbols and relocations (binutils)."""

import os
import re
import shutil
import subprocess
from collections import namedtuple

from nbody_lab.core.messages import UserError

Symbol = namedtuple("Symbol", "address size name")
Instruction = namedtuple(
    "Instruction", "address text"
)  # text: mnemonic, operands, and the symbol added by objdump

NOT_A_STEP = (
    "ScaledSimulation<",
    "largest_time_step(",
)  # the host's wrapper; the search for neighbours


class NoLoop(UserError):
    """Explains in one sentence why there is no hot loop to show."""


def ask(*words):
    """The output of a binutils tool. Raises NoLoop."""
    if not shutil.which(words[0]):
        raise NoLoop(f"{words[0]} is missing; install the package binutils")
    done = subprocess.run(
        [str(word) for word in words],
        env={**os.environ, "LC_ALL": "C"},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        raise NoLoop(f"{words[-1]}: {(done.stderr.strip().splitlines() or ['no program'])[-1]}")
    return done.stdout


def symbols_in(text):
    """(functions, data) in the output of `nm -CS`."""
    functions, data = [], []
    for line in text.splitlines():
        found = re.match(r"([0-9a-f]+) ([0-9a-f]+) (\w) (.*)", line)
        if found:
            symbol = Symbol(int(found[1], 16), int(found[2], 16), found[4])
            (functions if found[3] in "tTwWiu" else data).append(symbol)
    return functions, data


def pointers_in(text):
    """{address: target} in the output of `readelf -rW`: virtual tables consist of such pointers."""
    found = re.findall(
        r"^([0-9a-f]+) +[0-9a-f]+ +R_\w+_(?:RELATIVE|64|ABS64) +(?:.* \+ )?([0-9a-f]+)$", text, re.M
    )
    return {int(where, 16): int(target, 16) for where, target in found}


def most_derived(data, pointers):
    """The virtual table of the lab's most derived simulator class; None if that is ambiguous. A class's type
    information points to its base's."""
    types = {
        symbol.address: symbol.name[len("typeinfo for ") :]
        for symbol in data
        if symbol.name.startswith("typeinfo for nbody::")
    }
    bases = {types.get(pointers.get(address + 16)) for address in types}
    roots = [name for name in types.values() if name.startswith("nbody::SimulatorOf<")]
    parent = {types[address]: types.get(pointers.get(address + 16)) for address in types}

    def is_simulator(name):
        while name and name not in roots:
            name = parent.get(name)
        return bool(name)

    ends = [
        name
        for name in types.values()
        if name not in bases and name not in roots and is_simulator(name)
    ]
    tables = [symbol for symbol in data if ends and symbol.name == f"vtable for {ends[0]}"]
    return tables[0] if len(ends) == 1 and tables else None


def entries(functions, data, pointers, function):
    """The functions where the search begins: the named one, and its clones and lambdas."""
    named = [
        symbol
        for symbol in functions
        if re.search(rf"\b{function}(\(|$)", symbol.name)
        and not any(word in symbol.name for word in NOT_A_STEP)
    ]
    own = [
        symbol for symbol in named if re.fullmatch(rf"(.*\b)?{function}(\([^()]*\))?", symbol.name)
    ]
    table = most_derived(data, pointers) if len(own) > 1 else None
    if table:
        pointed = {
            pointers.get(address) for address in range(table.address, table.address + table.size, 8)
        }
        own = [symbol for symbol in own if symbol.address in pointed] or own
    return [
        symbol
        for symbol in named
        if any(symbol.name.startswith(one.name) or f"{one.name}::" in symbol.name for one in own)
    ]


class Code:
    """The functions of one program, disassembled on demand."""

    def __init__(self, program):
        self.program, self.text = program, None
        self.functions, self.data = symbols_in(ask("nm", "-CS", program))
        self.at = {symbol.address: symbol for symbol in self.functions}
        if not self.functions:
            raise NoLoop(f"{program} has no symbols, so its functions cannot be told apart")

    def entries(self, function):
        return entries(
            self.functions, self.data, pointers_in(ask("readelf", "-rW", self.program)), function
        )

    def instructions(self, symbol):
        if self.text is None:  # only once: starting objdump takes longer than reading its output
            said = ask("objdump", "-dC", "--no-show-raw-insn", self.program)
            self.text = {
                int(found[1], 16): found[2]
                for found in re.finditer(r"^([0-9a-f]+) <.*>:\n((?: .*\n)*)", said, re.M)
            }
        return instructions_in(self.text.get(symbol.address, ""))

    def reached_from(self, first):
        """{symbol: instructions} of everything that these functions call or hand to OpenMP or a thread."""
        found, waiting = {}, list(first)
        while waiting:
            symbol = waiting.pop()
            if symbol in found or any(word in symbol.name for word in NOT_A_STEP):
                continue
            found[symbol] = self.instructions(symbol)
            for instruction in found[symbol]:
                waiting += [
                    self.at[address]
                    for address in addresses_in(instruction.text)
                    if address in self.at
                ]
        return found


def instructions_in(text):
    """The instructions in objdump's output, including the padding before the next function."""
    found = re.findall(r"^ +([0-9a-f]+):\t(.+)$", text, re.M)
    return [
        Instruction(int(address, 16), re.sub(r"\s+", " ", rest).strip()) for address, rest in found
    ]


def addresses_in(text):
    """Every address that an instruction jumps to, calls or takes."""
    return [
        int(number, 16)
        for number in re.findall(r"(?:\b|\$0x)([0-9a-f]+) <|\$0x([0-9a-f]+)\b", text)
        for number in number
        if number
    ]
