"""Where the time goes, and which loops are vectorised: ./lab profile."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from nbody_lab.build.arguments import Name, PartName, flag
from nbody_lab.build.lab import Lab
from nbody_lab.build.ranks import demand_one_process
from nbody_lab.build.vec_report import DoesNotCompile, find_compilation, report_loops
from nbody_lab.core.errors import LabError
from nbody_lab.core.run import run_program
from nbody_lab.profiles import gpu
from nbody_lab.profiles.gprof import Profiled, profile_program, require_tools


def _refuse_options(what: str, instead: str, **given: bool) -> None:
    """Refuses options that are for the other kind of program."""
    for name, is_given in given.items():
        if is_given:
            raise LabError(f"profile: --{name} is {what}; {instead}")


def _profile_kernels(lab: Lab, name: str, bodies: int | None, double: bool, ncu: bool) -> None:
    """The program itself times its kernels and copies."""
    lab.refuse_without_gpu(
        f"./lab check {lab.part} {name} --on-cpu checks its kernels without one, but cannot tell their time"
    )
    profiler = gpu.find_ncu() if ncu else ""
    lab.begin()
    lab.demand_name(name)
    lab.demand_gpu()
    in_double = lab.targets(name, "double") if double else []
    lab.demand_targets(f"{lab.part}/{name}", f"bin/{lab.part}/{name}", *in_double)
    lab.unlock()
    program = gpu.GpuProgram(lab.part, name, lab.build, bodies, double)
    if ncu:
        raise SystemExit(run_program(gpu.make_counting_command(program, profiler)))
    raise SystemExit(run_program(gpu.make_profiling_command(program)))


def _profile_functions(
    lab: Lab, name: str, bodies: int | None, debug: bool, annotate: bool
) -> None:
    """The program of the same build with -pg in the implementation's own file (common/cmake/gprof.cmake)."""
    require_tools(annotate)
    lab.begin()
    demand_one_process(lab, "profile")
    lab.demand_name(name)
    row = lab.find(name)
    source = row.source if row else ""
    profiled = Profiled(lab.part, name, lab.build, source, debug, bodies)
    lab.demand_targets(f"{profiled.label} for gprof", profiled.program)
    lab.unlock()
    print(profile_program(profiled, annotate))


def _explain_loops(lab: Lab, name: str, double: bool) -> None:
    """What the compiler made of the innermost loops, with the flags that the implementation has now."""
    precision = "double" if double else "float"
    lab.begin()
    # Reconfigures if flags.txt has changed.
    lab.step("looking at the flags", "ninja", "-C", lab.build, "build.ninja")
    lab.demand_name(name)
    lab.unlock()
    row = lab.find(name)
    assert row  # demanded above
    compilation = find_compilation(row, lab.build, precision)
    print(f"{lab.part}/{name}, {precision},", *compilation.list_code_flags(), flush=True)
    try:
        with tempfile.TemporaryDirectory() as folder:
            print("\n".join(report_loops(compilation, Path(folder))))
    except DoesNotCompile as error:
        print(error, end="")
        raise SystemExit(1) from error


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
    annotate: Annotated[
        bool, flag("--annotate", "lines and instructions of the hottest function, by perf")
    ] = False,
    vectors: Annotated[
        bool, flag("--vectors", "which loops the compiler vectorises, and why not the others")
    ] = False,
    double: Annotated[bool, flag("--double", "part 3 and --vectors: in double precision")] = False,
    ncu: Annotated[bool, flag("--ncu", "part 3: the GPU's counters, by NVIDIA's profiler")] = False,
) -> None:
    """which functions, lines or kernels take the time? which loops are vectorised?

    On the CPU: functions by gprof. Optimised means -O2 here, whatever flags.txt says: -O3 merges and
    copies more functions, and gprof can name only those that are left.
    On a GPU: each kernel, each copy, and the host.
    --vectors asks the compiler about the innermost loops, with the flags that NAME has now; then
    clang++, if it is here.

    ./lab profile part1 mine
    ./lab profile part2 mine --vectors
    """
    lab = Lab(part)
    if lab.has_kernels():
        instead = "for kernels there are --double and --ncu"
        _refuse_options("for the CPU", instead, debug=debug, annotate=annotate, vectors=vectors)
        _profile_kernels(lab, name, bodies, double, ncu)
    elif vectors:
        others = {"-n": bodies, "--debug": debug, "--annotate": annotate, "--ncu": ncu}
        for option, given in others.items():
            if given:
                raise LabError(f"profile --vectors runs nothing: leave out {option}")
        _explain_loops(lab, name, double)
    else:
        instead = "for functions there are --debug and --annotate"
        _refuse_options("for kernels on a GPU", instead, double=double, ncu=ncu)
        _profile_functions(lab, name, bodies, debug, annotate)
