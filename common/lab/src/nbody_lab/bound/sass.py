"""The bound of a kernel's innermost loop, from the machine code of an NVIDIA GPU (SASS), by cuobjdump and nvdisasm.

    sass_bound(program, architecture, ...)      of the kernel that a step launches

A quarter of a multiprocessor issues one warp instruction per cycle: a slot. Units narrower than a warp are occupied for
several cycles.
"""

import os
import re
import shutil
import subprocess
from collections import namedtuple
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.bound.machine_loops import GPU, blocks_of, innermost, longest_way, loops_of
from nbody_lab.bound.machine_symbols import Code, Instruction, NoLoop
from nbody_lab.bound.mca import CannotCount

FOLDERS = (ROOT / "build/tools/cuda/bin", Path("/usr/local/cuda/bin"))
QUARTERS, WARP = 4, 32

# Results per cycle and multiprocessor, by compute capability: CUDA C++ Programming Guide, "Arithmetic Instructions". Units:
# float add, multiply, fma; the same in double; roots and reciprocals; integers; shuffles; loads of shared memory (one word
# each).
Units = namedtuple("Units", "float double special integer shuffle shared")
# sm_120 has as many integer units as float units ("NVIDIA RTX Blackwell GPU Architecture"). sm_60 and sm_61 are left out,
# because part of their multiprocessor may issue two instructions at once.
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

# Kind, its unit ("" if it cannot limit), and the start of the name as a pattern. The first match wins.
KINDS = (
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
    ("load of memory", "", "LDG|LD\\b|LDL|LDC|ULDC"),
    ("store to memory", "", "STG|ST\\b|STL|RED|ATOM"),
    ("control", "", "BRA|BSSY|BSYNC|CALL|RET|EXIT|BAR|WARPSYNC|BREAK|NOP|DEPBAR|YIELD|NANOSLEEP"),
    (
        "integers and addresses",
        "integer",
        "U?I[A-Z]|U?MOV|U?LEA|U?SHF|U?LOP|U?SEL|VI|P[LR]|S2|CS2R|R2|U[A-Z]|HFMA2.MMA|PRMT|F2|I2|VOTE|VABSDIFF",
    ),
)
NOT_A_STEP = ("time_step", "smallest", "nearest", "largest")  # kernels that search for neighbours


def tool_called(name):
    folder = next((one for one in FOLDERS if (one / name).exists()), None)
    return shutil.which(name) or (str(folder / name) if folder else "")


def sass_of(program, architecture):
    """The output of cuobjdump for a program or cubin; no functions if it has no code for that architecture."""
    tool = tool_called("cuobjdump")
    if not tool or not tool_called("nvdisasm"):
        raise CannotCount(
            "cuobjdump or nvdisasm is missing: install NVIDIA's toolkit or run ./lab setup --cuda"
        )
    path = os.pathsep.join([os.path.dirname(tool_called("nvdisasm")), os.environ.get("PATH", "")])
    done = subprocess.run(
        [tool, "-sass", "-arch", architecture, str(program)],
        env={**os.environ, "PATH": path},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    return done.stdout


def kernels_in(text):
    """{mangled name: instructions} in the output of cuobjdump."""
    found = {}
    for part in text.split("Function : ")[1:]:
        lines = re.findall(r"^\s+/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;", part, re.M)
        found[part.split()[0]] = [
            Instruction(int(address, 16), re.sub(r"\s+", " ", rest)) for address, rest in lines
        ]
    return found


def without_condition(text):
    return re.sub(r"^@!?U?P\w+ ", "", text)


def kind_of(text):
    name = without_condition(text)
    return next(
        ((kind, unit) for kind, unit, pattern in KINDS if re.match(f"(?:{pattern})", name)),
        ("other", ""),
    )


def roots_of(texts):
    """Counts MUFU.RSQ, the hardware estimate: one per root; in double it is RSQ64H, for the upper half."""
    return sum(1 for text in texts if "MUFU.RSQ" in text or "MUFU.SQRT" in text)


def work_of(block):
    """Instructions that compute. A block with a call is the slow path for very small or large numbers: -1000."""
    if any(without_condition(one.text).startswith("CALL") for one in block.instructions):
        return -1000
    return sum(
        1 for one in block.instructions if kind_of(one.text)[1] in ("float", "double", "special")
    )


def loops_with_roots(instructions):
    """The instructions of every innermost loop that takes roots."""
    blocks = blocks_of(instructions, GPU)
    loops = loops_of(blocks)
    ways = [
        [one.text for one in longest_way(loop, loops, blocks, work_of)]
        for loop in innermost(loops, blocks, lambda _: True)
    ]
    return [way for way in ways if roots_of(way)]


def by_kind(texts):
    kinds = [kind_of(text)[0] for text in texts]
    return {
        kind: kinds.count(kind)
        for kind in [*(kind for kind, *_ in KINDS), "other"]
        if kind in kinds
    }


def slot_of(port, architecture):
    """Cycles for which one instruction of a warp occupies the port."""
    return 1.0 if port == "slots" else WARP * QUARTERS / getattr(UNITS[architecture], port)


def ports_of(texts, architecture):
    """{port: cycles of a quarter per iteration of one warp}: the issue slots, and the units narrower than a warp."""
    used = [kind_of(text)[1] for text in texts]
    cycles = {
        unit: used.count(unit) * slot_of(unit, architecture)
        for unit in Units._fields
        if unit in used
    }
    return {"slots": float(len(texts)), **cycles}


def readable(name):
    """The demangled name, if c++filt is installed."""
    if not shutil.which("c++filt"):
        return name
    plain = subprocess.run(
        ["c++filt", name], stdout=subprocess.PIPE, text=True, check=False
    ).stdout.strip()
    return (
        re.sub(
            r"^void ",
            "",
            re.sub(r"\(.*\)$", "", re.sub(r"\((?:int|bool|unsigned int)\)", "", plain)),
        )
        or name
    )


def launched_by(program):
    """Names of the kernels that a step launches, found by following calls to their host-side stubs. Empty if that is unknown
    (a table of kernels, no binutils)."""
    try:
        code = Code(program)
        reached = code.reached_from(
            [*code.entries("compute_accelerations"), *code.entries("launch_accelerations")]
        )
        return {
            re.sub(r"\(.*", "", symbol.name.replace("(anonymous namespace)", "")).replace(
                "void ", ""
            )
            for symbol in reached
        }
    except NoLoop:
        return set()


def main_loop(instructions):
    """The loop with the most roots; the shortest if several have as many."""
    return max(
        loops_with_roots(instructions),
        key=lambda texts: (roots_of(texts), -len(texts)),
        default=None,
    )


def kernels_with_roots(text, wanted="", launched=()):
    """{kernel: the instructions of its main loop} for kernels whose name contains `wanted`, else those that are launched,
    else all except the neighbour searches."""
    kernels = {readable(name): instructions for name, instructions in kernels_in(text).items()}
    chosen = (
        {name for name in kernels if wanted in name} if wanted else set(kernels) & set(launched)
    )
    chosen = chosen or {
        name for name in kernels if not wanted and not any(word in name for word in NOT_A_STEP)
    }
    loops = {name: main_loop(kernels[name]) for name in chosen if kernels[name]}
    return {name: texts for name, texts in loops.items() if texts}


def roots_each(kernel, counted):
    """Roots per interaction: as counted if possible, else 0.5 if the kernel's name says that it computes pairs."""
    return counted or (0.5 if "pair" in kernel else 1.0)


def sass_bound(program, architecture="sm_90", wanted="", launched=(), counted=0.0):
    """Like loop_bound.bound_of, for the kernel with the fewest slots per interaction. counted: roots per interaction, 0 if
    unknown. Raises CannotCount."""
    if architecture not in UNITS:
        raise CannotCount(f"no table for '{architecture}'; known are {' '.join(UNITS)}")
    text = sass_of(program, architecture)
    found = kernels_with_roots(text, wanted, launched)
    if not found:
        what = (
            f"no code for {architecture}"
            if "Function" not in text
            else f"no kernel{' called ' + wanted if wanted else ''} with a square root in a loop"
        )
        raise CannotCount(f"{Path(program).name} has {what}")
    function = min(
        found, key=lambda name: len(found[name]) / roots_of(found[name]) * roots_each(name, counted)
    )
    texts = found[function]
    interactions = roots_of(texts) / roots_each(function, counted)
    ports = ports_of(texts, architecture)
    full = max(ports, key=ports.get)
    return {
        "core": architecture,
        "tool": "cuobjdump",
        "instruction_set": architecture,
        "lanes": WARP,
        "loop": {
            "function": function,
            "instructions": len(texts),
            "by_kind": by_kind(texts),
            "operations": {},
            "text": texts,
            "calls": [],
        },
        "other_kernels": sorted(set(found) - {function}),
        "interactions_per_iteration": interactions,
        "ports": ports,
        "full_ports": [full],
        "full_port": full,
        "limit": full,
        "slot": slot_of(full, architecture),
        "ports_cycles": ports[full],
        "front_end_cycles": None,
        "chain_cycles": None,
        "chain": [],
        "beside": [],
        "borrowed": {},
        "unknown": [text for text in texts if kind_of(text)[0] == "other"],
        "cycles_per_iteration": ports[full],
        "cycles_per_interaction": ports[full] / interactions,
    }


def lanes_of(multiprocessors):
    """Interactions that a GPU computes at once: each quarter has 32 lanes."""
    return multiprocessors * QUARTERS * WARP
