"""The bound of a kernel's innermost loop, from the machine code of an NVIDIA GPU (SASS), by cuobjdump
and nvdisasm.

A quarter of a multiprocessor issues one warp instruction per cycle: a slot. Units narrower than a
warp are occupied for several cycles.
"""

import os
import re
import shutil
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from nbody_lab import ROOT
from nbody_lab.bound.loop_bound import with_gain
from nbody_lab.bound.machine_code import FORCES
from nbody_lab.bound.machine_loops import (
    GPU,
    Block,
    Instruction,
    find_innermost,
    find_loops,
    heaviest_path,
    split_into_blocks,
)
from nbody_lab.bound.machine_symbols import Code, NoLoop
from nbody_lab.bound.ports import CannotCount
from nbody_lab.core.bound_file import Loop, PortBound
from nbody_lab.core.running import capture

_FOLDERS = (ROOT / "build/tools/cuda/bin", Path("/usr/local/cuda/bin"))
_QUARTERS, _WARP = 4, 32


class Units(NamedTuple):
    """Results per cycle and multiprocessor."""

    float: int  # add, multiply, fma
    double: int
    special: int  # roots and reciprocals
    integer: int
    shuffle: int
    shared: int  # loads of shared memory, one word each


# By compute capability: CUDA C++ Programming Guide, "Arithmetic Instructions". sm_120 has as many
# integer units as float units ("NVIDIA RTX Blackwell GPU Architecture"). sm_60 and sm_61 are left
# out, because part of their multiprocessor may issue two instructions at once.
UNITS = {
    "sm_70": Units(64, 32, 16, 64, 32, 32),
    "sm_75": Units(64, 2, 16, 64, 32, 32),
    "sm_80": Units(64, 32, 16, 64, 32, 32),
    "sm_86": Units(128, 2, 16, 64, 32, 32),
    "sm_89": Units(128, 2, 16, 64, 32, 32),
    "sm_90": Units(128, 64, 16, 64, 32, 32),
    "sm_100": Units(128, 64, 16, 64, 32, 32),
    "sm_120": Units(128, 2, 16, 128, 32, 32),
}

# Kind, its unit (None: it cannot limit), and the start of the name as a pattern: the first match.
KINDS: tuple[tuple[str, str | None, str], ...] = (
    ("multiply and add", "float", "FFMA"),
    ("multiply", "float", "FMUL"),
    ("add or subtract", "float", "FADD"),
    ("double: multiply and add", "double", "DFMA"),
    ("double: multiply", "double", "DMUL"),
    ("double: add or subtract", "double", "DADD"),
    ("double: compare", "double", "DSETP|DMNMX"),
    ("estimate of 1/sqrt", "special", "MUFU.RSQ"),
    ("other estimates", "special", "MUFU"),
    ("compare, minimum, select", "integer", "FSETP|FMNMX|FSEL|FCHK"),
    ("load of shared memory", "shared", "LDS"),
    ("store to shared memory", "shared", "STS"),
    ("shuffle between lanes", "shuffle", "SHFL"),
    ("load of memory", None, "LDG|LD\\b|LDL|LDC|ULDC"),
    ("store to memory", None, "STG|ST\\b|STL|RED|ATOM"),
    ("control", None, "BRA|BSSY|BSYNC|CALL|RET|EXIT|BAR|WARPSYNC|BREAK|NOP|DEPBAR|YIELD|NANOSLEEP"),
    (
        "integers and addresses",
        "integer",
        "U?I[A-Z]|U?MOV|U?LEA|U?SHF|U?LOP|U?SEL|VI|P[LR]|S2|CS2R|R2|U[A-Z]|HFMA2.MMA|PRMT|F2|I2|VOTE|VABSDIFF",
    ),
)
_OTHER = "other"
_MATRIX_UNITS = re.compile(r"(UTC)?[A-Z]G?MMA\b")  # HMMA, IMMA, DMMA, HGMMA, UTCHMMA, ...
_NOT_A_STEP = ("time_step", "smallest", "nearest", "largest")  # kernels that search for neighbours
_AVOIDED = -1000  # weight of a path that is not taken


def _find_tool(name: str) -> str | None:
    folders = [str(folder) for folder in _FOLDERS]
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(folders))


def disassemble(program: Path, architecture: str) -> str:
    """The output of cuobjdump for a program or cubin; no functions if it has no code for that
    architecture. Raises CannotCount."""
    tool, disassembler = _find_tool("cuobjdump"), _find_tool("nvdisasm")
    if not tool or not disassembler:
        raise CannotCount(
            "cuobjdump or nvdisasm is missing: install NVIDIA's toolkit or run ./lab setup --cuda"
        )
    path = os.pathsep.join([os.path.dirname(disassembler), os.environ.get("PATH", "")])
    environment = {"PATH": path}
    return capture(tool, "-sass", "-arch", architecture, program, environment=environment).stdout


def has_kernels(sass: str) -> bool:
    return "Function : " in sass


def parse_kernels(sass: str) -> dict[str, list[Instruction]]:
    """{mangled name: instructions} in the output of cuobjdump."""
    kernels = {}
    for part in sass.split("Function : ")[1:]:
        lines = re.findall(r"^\s+/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;", part, re.M)
        kernels[part.split()[0]] = [
            Instruction(int(address, 16), " ".join(text.split())) for address, text in lines
        ]
    return kernels


def _without_condition(text: str) -> str:
    return re.sub(r"^@!?U?P\w+ ", "", text)


def kind_and_unit(text: str) -> tuple[str, str | None]:
    name = _without_condition(text)
    for kind, unit, pattern in KINDS:
        if re.match(f"(?:{pattern})", name):
            return kind, unit
    return _OTHER, None


def count_kinds(texts: Iterable[str]) -> dict[str, int]:
    """{kind: number of instructions}, in the order of the table."""
    counts = Counter(kind_and_unit(text)[0] for text in texts)
    return {
        kind: counts[kind] for kind in [*(kind for kind, *_ in KINDS), _OTHER] if kind in counts
    }


def count_roots(texts: Iterable[str]) -> int:
    """The hardware's estimates: one per root; in double it is RSQ64H, for the upper half."""
    return sum(1 for text in texts if "MUFU.RSQ" in text or "MUFU.SQRT" in text)


def _weigh(block: Block) -> float:
    """Instructions that compute. A block with a call is the slow path for very small numbers."""
    texts = [one.text for one in block.instructions]
    if any(_without_condition(text).startswith("CALL") for text in texts):
        return _AVOIDED
    return sum(1 for text in texts if kind_and_unit(text)[1] in ("float", "double", "special"))


def _find_main_loop(instructions: Sequence[Instruction]) -> list[str] | None:
    """The innermost loop with the most roots; the shortest if several have as many."""
    blocks = split_into_blocks(instructions, GPU)
    loops = find_loops(blocks)
    paths = [
        [one.text for one in heaviest_path(loop, loops, blocks, _weigh)]
        for loop in find_innermost(loops, blocks, lambda _: True)
    ]
    with_roots = [texts for texts in paths if count_roots(texts)]
    return max(with_roots, key=lambda texts: (count_roots(texts), -len(texts)), default=None)


def cycles_of_one(port: str, architecture: str) -> float:
    """Cycles for which one instruction of a warp occupies the port."""
    if port == "slots":
        return 1.0
    results: int = getattr(UNITS[architecture], port)
    return _WARP * _QUARTERS / results


def count_ports(texts: Sequence[str], architecture: str) -> dict[str, float]:
    """{port: cycles of a quarter per iteration of one warp}: the issue slots, and the units."""
    used = Counter(kind_and_unit(text)[1] for text in texts)
    units = {
        unit: used[unit] * cycles_of_one(unit, architecture)
        for unit in Units._fields
        if unit in used
    }
    return {"slots": float(len(texts)), **units}


def demangle(name: str) -> str:
    """As c++filt shows it, without types; as it is if c++filt is not installed."""
    if not shutil.which("c++filt"):
        return name
    output = capture("c++filt", name).stdout.strip()
    text = re.sub(r"\((?:int|bool|unsigned int)\)", "", output)  # of template arguments
    return re.sub(r"\(.*\)$", "", text).removeprefix("void ") or name


def find_launched(program: Path) -> set[str]:
    """Names of the kernels that a step launches, found by following calls to their host-side stubs.
    Empty if that is unknown (a table of kernels, no binutils)."""
    try:
        code = Code(program)
        entries = [*code.entries(FORCES), *code.entries("launch_accelerations")]
        names = [symbol.name for symbol in code.reached_from(entries)]
    except NoLoop:
        return set()
    plain = [name.replace("(anonymous namespace)", "").partition("(")[0] for name in names]
    return {name.replace("void ", "") for name in plain}


def _choose_kernels(
    sass: str, wanted: str | None, launched: Collection[str]
) -> dict[str, list[Instruction]]:
    """The kernels whose name contains `wanted`, else those that are launched, else all except the
    neighbour searches."""
    kernels = {demangle(name): code for name, code in parse_kernels(sass).items()}
    if wanted:
        chosen = [name for name in kernels if wanted in name]
    else:
        steps = [name for name in kernels if not any(word in name for word in _NOT_A_STEP)]
        chosen = [name for name in kernels if name in launched] or steps
    return {name: kernels[name] for name in chosen if kernels[name]}


def uses_matrix_units(sass: str, wanted: str | None, launched: Collection[str]) -> bool:
    """Whether one of these kernels does."""
    kernels = _choose_kernels(sass, wanted, launched).values()
    texts = (_without_condition(one.text) for code in kernels for one in code)
    return any(map(_MATRIX_UNITS.match, texts))


def find_main_loops(
    sass: str, wanted: str | None = None, launched: Collection[str] = ()
) -> dict[str, list[str]]:
    """{kernel: the instructions of its main loop}"""
    chosen = _choose_kernels(sass, wanted, launched)
    loops = {name: _find_main_loop(code) for name, code in chosen.items()}
    return {name: texts for name, texts in loops.items() if texts}


def _roots_per_interaction(kernel: str, counted: float | None) -> float:
    """As counted if possible, else 0.5 if the kernel's name says that it computes pairs."""
    return counted or (0.5 if "pair" in kernel else 1.0)


def check_architecture(architecture: str) -> None:
    if architecture not in UNITS:
        raise CannotCount(f"no table for '{architecture}'; known are {' '.join(UNITS)}")


def bound_of_kernel(
    sass: str,
    architecture: str,
    wanted: str | None = None,
    launched: Collection[str] = (),
    roots: float | None = None,
) -> PortBound:
    """Of the kernel with the fewest slots per interaction, in the output of cuobjdump. `roots`:
    counted per interaction. Raises CannotCount."""
    if uses_matrix_units(sass, wanted, launched):
        raise CannotCount(
            "the program computes on the matrix units, which have no such bound: only other units are counted"
            " (--kernel WORD takes a kernel without them)"
        )
    loops = find_main_loops(sass, wanted, launched)
    if not loops:
        kernel = f"no kernel{f' called {wanted}' if wanted else ''} with a square root in a loop"
        what = kernel if has_kernels(sass) else f"no code for {architecture}"
        raise CannotCount(f"the program has {what}")
    interactions = {
        name: count_roots(texts) / _roots_per_interaction(name, roots)
        for name, texts in loops.items()
    }
    kernel = min(loops, key=lambda name: len(loops[name]) / interactions[name])
    texts = loops[kernel]
    ports = count_ports(texts, architecture)
    full = max(ports, key=ports.__getitem__)
    cycles = ports[full]
    bound = PortBound(
        core=architecture,
        tool="cuobjdump",
        instruction_set=architecture,
        lanes=_WARP,
        loop=Loop(
            function=kernel,
            instructions=len(texts),
            by_kind=count_kinds(texts),
            text=tuple(texts),
        ),
        other_kernels=tuple(sorted(set(loops) - {kernel})),
        interactions_per_iteration=interactions[kernel],
        ports=ports,
        full_ports=(full,),
        full_port=full,
        limit=full,
        slot=cycles_of_one(full, architecture),
        ports_cycles=cycles,
        taken_by={full: cycles},
        unknown=tuple(text for text in texts if kind_and_unit(text)[0] == _OTHER),
        cycles_per_iteration=cycles,
        cycles_per_interaction=cycles / interactions[kernel],
    )
    return with_gain(bound)


def lanes_of(multiprocessors: int) -> int:
    """Interactions that a GPU computes at once: each quarter has 32 lanes."""
    return multiprocessors * _QUARTERS * _WARP
