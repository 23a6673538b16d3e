"""The slots of a kernel's innermost loop, read from the machine code of an NVIDIA GPU (SASS).

A quarter of a multiprocessor starts one instruction of a warp per cycle: a slot. A unit with fewer
lanes than a warp is occupied for several cycles.
"""

import os
import re
import shutil
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.building.gpus import UNITS, WARP, Gpu
from nbody_lab.core.run import capture
from nbody_lab.limits.machine_code import (
    Function,
    Instruction,
    Loop,
    NoBound,
    functions_of_forces,
    hottest,
)
from nbody_lab.measure.bound_file import Bound

QUARTERS = 4
_FOLDERS = (ROOT / "build/tools/cuda/bin", Path("/usr/local/cuda/bin"))
_PREDICATE = r"(?:@!?U?P\w+ )?"
_JUMP = re.compile(_PREDICATE + r"BRA (?:!?U?P\w+, ?)?(?:`\()?0x([0-9a-f]+)")
_MATRIX_UNITS = re.compile(_PREDICATE + r"(?:UTC)?[A-Z]G?MMA\b")  # HMMA, IMMA, HGMMA, ...
# Results per cycle of a multiprocessor, in the order of _UNIT_OF.
_NEWEST = (128, 2)  # in float and double, of those that are not listed
_SPECIAL, _SHARED = 16, 32  # roots and reciprocals; loads and stores of shared memory, a word each
_UNIT_OF = {
    "float": re.compile(_PREDICATE + r"F(?:FMA|MUL|ADD)\b"),
    "double": re.compile(_PREDICATE + r"D(?:FMA|MUL|ADD|SETP|MNMX)\b"),
    "special": re.compile(_PREDICATE + r"MUFU\b"),
    "shared": re.compile(_PREDICATE + r"(?:LDS|STS)\b"),
}


def disassemble(program: Path) -> str:
    """The output of cuobjdump for the GPU that a program is made for. Raises NoBound."""
    path = os.pathsep.join([os.environ.get("PATH", ""), *map(str, _FOLDERS)])
    if not all(shutil.which(tool, path=path) for tool in ("cuobjdump", "nvdisasm")):
        raise NoBound("cuobjdump or nvdisasm is missing: ./lab setup --cuda installs them")
    tool = shutil.which("cuobjdump", path=path)
    return capture(tool, "-sass", program, environment={"PATH": path}).stdout


def parse_kernels(sass: str) -> list[Function]:
    """The kernels in the output of cuobjdump, by their names without types."""
    kernels = []
    for part in sass.split("Function : ")[1:]:
        name = capture("c++filt", part.split()[0]).stdout.strip()
        name = re.sub(r"\((?:int|bool|unsigned int)\)", "", name)  # of template arguments
        lines = re.findall(r"^\s+/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;", part, re.M)
        # Behind the last end stand the slow ways, such as lanes that diverge at a shuffle: they jump back, but are no loop.
        ends = [k for k, (_, text) in enumerate(lines, 1) if "EXIT" in text]
        code = [
            Instruction(int(at, 16), " ".join(text.split()))
            for at, text in lines[: max(ends, default=len(lines))]
        ]
        kernels.append(Function(re.sub(r"\(.*\)$", "", name).removeprefix("void "), code))
    return kernels


def find_launched(program: Path, class_name: str) -> set[str]:
    """Names of the kernels that an iteration launches, by the calls of their stubs on the host. Raises NoBound."""
    reached = functions_of_forces(program, class_name)
    names = [one.name.replace("(anonymous namespace)", "").partition("(")[0] for one in reached]
    return {name.removeprefix("void ") for name in names}


def count_roots(text: str) -> int:
    """The estimates of the hardware: one for each root; in double of its upper half."""
    return 1 if "MUFU.RSQ" in text or "MUFU.SQRT" in text else 0


def _without_slow_paths(loop: Loop) -> Loop:
    """A block with a call serves very small numbers: it is jumped over."""
    targets = {int(match[1], 16) for one in loop.code if (match := _JUMP.match(one.text))}
    blocks: list[list[Instruction]] = [[]]
    for one in loop.code:
        if one.address in targets:
            blocks.append([])
        blocks[-1].append(one)
        if _JUMP.match(one.text):
            blocks.append([])
    fast = [block for block in blocks if not any("CALL" in one.text for one in block)]
    return Loop(loop.function, [one for block in fast for one in block])


def find_kernel(sass: str, launched: Collection[str]) -> Loop:
    """The innermost loop with the fewest slots for a root, of the launched kernels. Raises NoBound."""
    chosen = [one for one in parse_kernels(sass) if one.name in launched]
    if any(_MATRIX_UNITS.match(one.text) for kernel in chosen for one in kernel.instructions):
        raise NoBound("the program computes on the tensor cores, which have no such bound")
    loops = [
        _without_slow_paths(loop) for one in chosen if (loop := hottest([one], _JUMP, count_roots))
    ]
    if not loops:
        raise NoBound("the program has no kernel with a square root in a loop")
    return min(loops, key=lambda loop: len(loop.code) / roots_of(loop))


def roots_of(loop: Loop) -> int:
    return sum(map(count_roots, loop.texts))


def count_busy(texts: Sequence[str], architecture: str) -> dict[str, float]:
    """{unit: cycles of a quarter for one iteration of a warp}: the slots, and narrower units."""
    results = (*UNITS.get(architecture, _NEWEST), _SPECIAL, _SHARED)
    used = Counter(unit for text in texts for unit, names in _UNIT_OF.items() if names.match(text))
    each = {unit: QUARTERS * WARP / result for unit, result in zip(_UNIT_OF, results)}
    busy = {unit: used[unit] * each[unit] for unit in each if used[unit]}
    return {"slots": float(len(texts)), **busy}


def bound_of_kernel(program: Path, class_name: str, roots: float, gpu: Gpu | None) -> Bound:
    """The bound of a program's kernel. `roots`: of an interaction. Raises NoBound."""
    sass = disassemble(program)
    loop = find_kernel(sass, find_launched(program, class_name))
    architecture = re.findall(r"arch = (sm_\w+)", sass)[0]
    busy = count_busy(loop.texts, architecture)
    return Bound(
        tool="cuobjdump",
        core=architecture,
        is_this_machine=gpu is not None and architecture == gpu.architecture,
        function=loop.function,
        text=tuple(loop.texts),
        instructions=len(loop.texts),
        interactions=roots_of(loop) / roots,
        cycles=max(busy.values()),
        busy=busy,
        limit=(max(busy, key=busy.__getitem__),),
        at_once=QUARTERS * WARP * gpu.multiprocessors if gpu else 1,
    )
