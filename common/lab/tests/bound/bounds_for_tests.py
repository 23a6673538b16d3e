"""Made-up loops and bounds for tests."""

from dataclasses import replace
from typing import Any

from nbody_lab.bound.analysis import complete
from nbody_lab.bound.loop_bound import bound_of_loop
from nbody_lab.bound.machine_code import HotLoop
from nbody_lab.bound.machine_loops import Instruction
from nbody_lab.bound.ports import PortCounts
from nbody_lab.bound.sass import bound_of_kernel
from nbody_lab.bound.work import Work
from nbody_lab.core.bound_file import Bound, PortBound
from nbody_lab.core.manifest import Implementation, Program
from nbody_lab.hardware.cores import core_called

SPR = core_called("SPR")
NEWTON = ("vmulps %zmm1,%zmm2,%zmm3", "vrsqrt14ps %zmm3,%zmm4", "sub $0x1,%rax", "jne 1000 <f>")
COUNTS = PortCounts(
    tool="OSACA 0.7.1",
    core="Sapphire Rapids",
    ports={"0": 9.0, "1": 0.0, "5": 9.0},
    chain_cycles=4.0,
    chain=["vaddps"],
)


def make_loop(*texts: str, roots: int = 16, **fields: Any) -> HotLoop:
    code = [Instruction(0x1000 + k, text) for k, text in enumerate(texts)]
    return HotLoop("f()", code, "avx512f", 16, roots, **fields)


def make_row(name: str = "newton", part: str = "part2", **fields: Any) -> Implementation:
    program = Program(precision="float", program=f"bin/{part}/{name}")
    row = Implementation(part=part, name=name, kind="rung", programs=(program,))
    return row.model_copy(update=fields)


def make_bound(
    name: str = "newton",
    loop: HotLoop | None = None,
    why: str = "one root each",
    interactions: float = 16,
    work: Work = Work({"multiply": 4.0}),
    hidden: bool = False,
    part: str = "part2",
    **counts: Any,
) -> Bound:
    """Of a loop of Newton's method, or another; `counts`: what a tool says of its ports."""

    def count(*_: object) -> PortCounts:
        return replace(COUNTS, **counts)

    bound = bound_of_loop(loop or make_loop(*NEWTON), SPR, interactions, count)
    return of_ports(bound, name, why=why, work=work, hidden=hidden, part=part)


def of_ports(
    bound: PortBound,
    name: str = "newton",
    why: str = "one root each",
    work: Work = Work(),
    hidden: bool = False,
    part: str = "part2",
) -> Bound:
    row = make_row(name, part)
    return complete(bound, row, row.programs[0], why, work, hidden)


def make_kernel_bound(name: str = "tiles", architecture: str = "sm_86") -> Bound:
    """Ten cycles per interaction, of one warp."""
    lines = ["MUFU.RSQ R6, R2", *["FADD R2, R3, R4"] * 8, "@P1 BRA 0x0"]
    code = [f"        /*{16 * k:04x}*/   {line} ;" for k, line in enumerate(lines)]
    sass = "\n".join(["\t\tFunction : _Z5tilesv", *code])
    return of_ports(bound_of_kernel(sass, architecture), name, part="part3")
