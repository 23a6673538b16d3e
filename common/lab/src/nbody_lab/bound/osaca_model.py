"""Counts the ports of a loop by OSACA.

For an unknown instruction it tries other spellings, then older cores whose ports have the same
names. If none is known, the instruction is listed and takes no port: the bound is then too low.
"""

from collections.abc import Sequence
from typing import Any

import osaca  # type: ignore[import-untyped]
from osaca.osaca import get_asm_parser  # type: ignore[import-untyped]
from osaca.semantics import (  # type: ignore[import-untyped]
    INSTR_FLAGS,
    ArchSemantics,
    KernelDG,
    MachineModel,
)

from nbody_lab.bound.instruction_kinds import spellings
from nbody_lab.bound.ports import PortCounts

_OLDER = {
    "SPR": ("ICX", "SKX", "HSW"),
    "ICX": ("SKX", "HSW"),
    "ICL": ("SKX", "HSW"),
    "CSX": ("SKX", "HSW"),
    "SKX": ("HSW",),
}
_CHAIN_LIMIT_S = 60


class _OsacaCore:
    def __init__(self, name: str) -> None:
        self.parser, self.model = get_asm_parser(name), MachineModel(arch=name)
        self.semantics = ArchSemantics(self.parser, self.model)
        self.older = [MachineModel(arch=older) for older in _OLDER.get(name, ())]

    def parse(self, text: str) -> Any:
        """The instructions, with what OSACA knows of them."""
        kernel = self.parser.parse_file(text)
        self.semantics.normalize_instruction_forms(kernel)
        self.semantics.add_semantics(kernel)
        return kernel

    def knows(self, line: str) -> bool:
        try:
            return not any(INSTR_FLAGS.TP_UNKWN in one.flags for one in self.parse(line + "\n"))
        except Exception:  # OSACA raises anything: for unreadable lines, errors in its own tables
            return False

    def borrow(self, line: str) -> str | None:
        """Takes the entry of an older core into this one's table, and returns that core's name.
        Loads and stores keep this core's ports."""
        for older in self.older:
            try:
                (form,) = self.parser.parse_file(line + "\n")
                operands = self.semantics.substitute_mem_address(form.operands)
                entry = older.get_instruction(form.mnemonic, operands)
                entry = entry or older.get_instruction(form.mnemonic, form.operands)
            except Exception:
                continue
            if entry:
                table = self.model["instruction_forms_dict"].setdefault(form.mnemonic.upper(), [])
                table.append(entry)
                if self.knows(line):
                    return str(older["micro_architecture"])
                table.pop()
        return None

    def find_known(self, choices: Sequence[str]) -> tuple[str | None, str | None]:
        """(the first spelling with known ports, the older core that they are borrowed from)"""
        for spelling in choices:
            if self.knows(spelling):
                return spelling, None
        for spelling in choices:
            if older := self.borrow(spelling):
                return spelling, older
        return None, None


def _find_longest_chain(graph: Any) -> tuple[float, list[int]]:
    """(cycles, indices of its instructions) of the longest dependency chain from one iteration to
    the next."""
    chains = graph.get_loopcarried_dependencies().values()
    longest = max(chains, key=lambda chain: chain["latency"], default=None)
    if longest is None:
        return 0.0, []
    indices = [int(line.line_number) - 1 for line, _ in longest["dependencies"]]
    return float(longest["latency"]), indices


def count_by_osaca(name: str, texts: Sequence[str]) -> PortCounts:
    """The ports of a loop, given as objdump shows it, on the core that OSACA calls `name`."""
    core = _OsacaCore(name)
    lines: list[str] = []
    borrowed: dict[str, str] = {}
    unknown: list[str] = []
    for text in texts:
        choices = spellings(text)
        known, older = core.find_known(choices)
        lines.append(known or "nop")
        if known is None:
            unknown.append(choices[0])
        elif older:
            borrowed[choices[0]] = older
    kernel = core.parse("\n".join(lines) + "\n")
    # Twice, as OSACA itself does: the second pass evens out what the first one left.
    core.semantics.assign_optimal_throughput(kernel)
    core.semantics.assign_optimal_throughput(kernel)
    graph = KernelDG(kernel, core.parser, core.model, core.semantics, _CHAIN_LIMIT_S, False)
    chain_cycles, chain = _find_longest_chain(graph)
    return PortCounts(
        tool=f"OSACA {osaca.osaca.get_version()}",
        core=core.model["micro_architecture"] or name,
        ports={
            port: round(sum(line.port_pressure[k] for line in kernel), 2)
            for k, port in enumerate(core.model.get_ports())
        },
        lines=[[round(cycles, 2) for cycles in line.port_pressure] for line in kernel],
        chain_cycles=chain_cycles,
        chain=[texts[k] for k in chain],
        borrowed=borrowed,
        unknown=unknown,
    )
