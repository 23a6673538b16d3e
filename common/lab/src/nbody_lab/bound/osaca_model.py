"""Counts the ports of a loop by OSACA.

For an unknown instruction it tries other spellings, then older cores whose ports have the same names. If none is known,
the instruction is listed and takes no port: the bound is then too low.
"""

import osaca
from osaca.osaca import get_asm_parser
from osaca.semantics import INSTR_FLAGS, ArchSemantics, KernelDG, MachineModel

from nbody_lab.bound.instruction_kinds import spellings

BEFORE = {
    "SPR": ("ICX", "SKX", "HSW"),
    "ICX": ("SKX", "HSW"),
    "ICL": ("SKX", "HSW"),
    "CSX": ("SKX", "HSW"),
    "SKX": ("HSW",),
}


class Core:
    def __init__(self, name):
        self.parser, self.model = get_asm_parser(name), MachineModel(arch=name)
        self.semantics = ArchSemantics(self.parser, self.model)
        self.before = [MachineModel(arch=older) for older in BEFORE.get(name, ())]

    def read(self, text):
        """The parsed instructions, with what OSACA knows of them."""
        kernel = self.parser.parse_file(text)
        self.semantics.normalize_instruction_forms(kernel)
        self.semantics.add_semantics(kernel)
        return kernel

    def knows(self, line):
        try:
            return not any(INSTR_FLAGS.TP_UNKWN in one.flags for one in self.read(line + "\n"))
        except (
            Exception
        ):  # OSACA raises anything, for unreadable lines and for errors in its own tables
            return False

    def borrow(self, line):
        """Borrows the entry of an older core and returns that core's name, or ''. Loads and stores keep this core's
        ports."""
        for older in self.before:
            try:
                (form,) = self.parser.parse_file(line + "\n")
                operands = self.semantics.substitute_mem_address(form.operands)
                found = older.get_instruction(form.mnemonic, operands) or older.get_instruction(
                    form.mnemonic, form.operands
                )
            except Exception:
                continue
            if found:
                table = self.model["instruction_forms_dict"].setdefault(form.mnemonic.upper(), [])
                table.append(found)
                if self.knows(line):
                    return older["micro_architecture"]
                table.pop()
        return ""


def known_lines(core, lines):
    """(lines as given to OSACA, {line: the core whose ports it borrows}, unknown lines)"""
    given, borrowed, unknown = [], {}, []
    for line in lines:
        choices = spellings(line)
        known = next((one for one in choices if core.knows(one)), None)
        for one in choices if known is None else ():
            older = core.borrow(one)
            if older:
                known, borrowed[choices[0]] = one, older
                break
        if known is None:
            unknown.append(choices[0])
        given.append(known if known is not None else "nop")
    return given, borrowed, unknown


def longest_chain(graph):
    """(cycles, lines counted from 0) of the longest dependency chain from one iteration to the next."""
    chains = graph.get_loopcarried_dependencies().values()
    longest = max(chains, key=lambda chain: chain["latency"], default=None)
    if longest is None:
        return 0.0, []
    return float(longest["latency"]), [
        int(line.line_number) - 1 for line, _ in longest["dependencies"]
    ]


def analysis(name, lines):
    """The ports of a loop, given as objdump shows it, on the core that OSACA calls `name`."""
    core = Core(name)
    given, borrowed, unknown = known_lines(core, lines)
    kernel = core.read("\n".join(given) + "\n")
    # Twice, as OSACA itself does: the second pass evens out what the first one left.
    core.semantics.assign_optimal_throughput(kernel)
    core.semantics.assign_optimal_throughput(kernel)
    graph = KernelDG(kernel, core.parser, core.model, core.semantics, 60, False)
    cycles, chain = longest_chain(graph)
    ports = core.model.get_ports()
    return {
        "tool": f"OSACA {osaca.osaca.get_version()}",
        "core": core.model["micro_architecture"] or name,
        "ports": {
            port: round(sum(line.port_pressure[k] for line in kernel), 2)
            for k, port in enumerate(ports)
        },
        "lines": [[round(value, 2) for value in line.port_pressure] for line in kernel],
        "chain_cycles": cycles,
        "chain": [lines[k] for k in chain],
        "borrowed": borrowed,
        "unknown": unknown,
    }
