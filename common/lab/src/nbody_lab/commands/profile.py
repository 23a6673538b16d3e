"""Where the time goes, and which loops are vectorised: ./lab profile."""

import re
import shutil
from typing import Annotated

import typer

from nbody_lab.building.arguments import Name, PartName, flag
from nbody_lab.building.lab import Lab, show_built
from nbody_lab.building.ranks import demand_one_process
from nbody_lab.building.vectors import find_compilation, report_loops
from nbody_lab.core.console import show
from nbody_lab.core.errors import LabError
from nbody_lab.core.run import run_program
from nbody_lab.measure.gprof import Profiled, profile_program
from nbody_lab.measure.gpu_profile import counting_command, profiling_command

_BODIES = typer.Option(
    "-n",
    metavar="N",
    min=2,
    max=1 << 20,
    help="bodies (default 1500; with --debug 500; on a GPU 16384)",
)


def profile(
    part: PartName,
    name: Name = "naive",
    bodies: Annotated[int | None, _BODIES] = None,
    debug: Annotated[bool, flag("--debug", "the program without optimisation")] = False,
    vectors: Annotated[
        bool, flag("--vectors", "which loops the compiler vectorises, and why not the others")
    ] = False,
    double: Annotated[bool, flag("--double", "part 3 and --vectors: in double precision")] = False,
    ncu: Annotated[bool, flag("--ncu", "part 3: the GPU's counters, by Nsight Compute")] = False,
) -> None:
    """which functions or kernels take the time? which loops are vectorised?

    On the CPU: functions by gprof. Optimised means -O2 here, whatever flags.txt says: -O3 merges and
    copies more functions, and gprof can name only those that are left.
    On a GPU: each kernel, each copy, and the host; --ncu: what each kernel's warps wait for.
    --vectors asks the compiler about the innermost loops, with the flags that NAME has now; then
    clang++, if it is here.

    ./lab profile part1 mine
    ./lab profile part2 mine --vectors
    """
    lab = Lab(part)
    kernels = lab.has_kernels()
    if (
        (kernels and (debug or vectors))
        or (vectors and (bodies or debug))
        or (double and not (kernels or vectors))
        or (ncu and not kernels)
    ):
        raise LabError(
            "profile: --debug is for functions, --ncu for kernels, --double for kernels and --vectors; --vectors runs nothing"
        )
    if ncu and not shutil.which("ncu"):
        raise LabError("ncu is missing; it comes with the CUDA toolkit (package nsight-compute)")
    if kernels:
        lab.refuse_without_gpu(
            f"./lab check {part} {name} --on-cpu checks its kernels without one, but cannot tell their time"
        )
    lab.begin()
    if not (kernels or vectors):
        demand_one_process(lab, "profile")
    lab.demand_name(name)
    precision = "double" if double else "float"
    if kernels:  # the program itself times its kernels and copies
        lab.demand_gpu()
        program = f"bin/{part}/{name}"
        show_built(lab.build(f"{part}/{name}", program, *lab.targets(name, precision)))
        lab.unlock()
        command = counting_command if ncu else profiling_command
        raise SystemExit(run_program(command(lab.build_dir / program, bodies, double)))
    if vectors:
        # Reconfigures if flags.txt has changed.
        lab.step("looking at the flags", "ninja", "-C", lab.build_dir, "build.ninja")
        lab.unlock()
        row = lab.find(name)
        assert row  # demanded above
        compilation = find_compilation(row, lab.build_dir, precision)
        code_flags = dict.fromkeys(word for word in compilation.flags if re.match(r"-[Ofm]", word))
        show(" ".join([f"{part}/{name}, {precision},", *code_flags]))
        show(*report_loops(compilation))
        return
    # Of the same build with -pg in the implementation's own file (common/cmake/variants.cmake).
    profiled = Profiled(f"{part}/{name}", lab.build_dir, debug, bodies)
    show_built(lab.build(f"{profiled.label} for gprof", profiled.program))
    lab.unlock()
    show(profile_program(profiled))
