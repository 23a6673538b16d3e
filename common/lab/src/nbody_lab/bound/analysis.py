"""The bound of one implementation, without speeds."""

import datetime
import tempfile
from dataclasses import dataclass
from pathlib import Path

from nbody_lab.bound import sass
from nbody_lab.bound.loop_bound import bound_of_loop
from nbody_lab.bound.machine_code import HotLoop, find_hot_loop
from nbody_lab.bound.work import Work, count_work, is_hidden
from nbody_lab.core.bound_file import Bound, PortBound
from nbody_lab.core.cpuinfo import best_program
from nbody_lab.core.manifest import Implementation, Program
from nbody_lab.core.messages import UserError
from nbody_lab.core.ninja_commands import NoCommands, commands_of
from nbody_lab.core.running import capture, last_line
from nbody_lab.hardware.cores import Core
from nbody_lab.workshop import Workshop

_SHARES = {1.0: "one root each", 0.5: "one root for every two: each pair is computed once"}
_GIVEN = "given by --interactions"
_OF_MATRIX_UNITS = "the program's speed is that of its matrix units, not of this kernel"


@dataclass(frozen=True)
class Options:
    """What is looked at, if it is not this machine's own program, and what is measured."""

    double: bool = False
    arch: str | None = None
    core: Core | None = None  # counted instead of this processor
    kernel: str | None = None
    interactions: float | None = None  # per iteration
    clock_hz: float | None = None
    measure: bool = True

    @property
    def precision(self) -> str:
        return "double" if self.double else "float"

    @property
    def is_kept(self) -> bool:
        """Whether to store the bound: roofline and report read those of this machine's programs."""
        others = (self.core, self.arch, self.kernel, self.interactions, self.clock_hz)
        return not any(others)


def choose_program(row: Implementation, precision: str, arch: str | None) -> Program:
    """The program to examine. Raises UserError."""
    program: Program | None = best_program(row.programs, precision, arch or "")
    if program:
        return program
    sets = [one.instruction_set for one in row.programs if one.precision == precision]
    there = f"it has: {' '.join(sets)}"
    if not sets:
        there = "it has none in this precision"
    elif not all(sets):
        there = "it has only one: leave out --arch"
    wanted = arch or "this processor"
    raise UserError(f"{row.part}/{row.name} has no program for {wanted} in {precision}; {there}")


def interactions_in(loop: HotLoop, work: Work) -> tuple[float, str]:
    """(interactions per iteration, how that is known)"""
    roots = work.roots
    if not roots:
        why = (
            "if an interaction takes one root (it cannot be counted: set it with --interactions K)"
        )
        return loop.roots, why
    why = _SHARES.get(roots, f"{roots:g} roots each")
    return loop.roots / roots, f"{why}, as in {work.counted_on}" if work.counted_on else why


def analyse(
    lab: Workshop, row: Implementation, options: Options, target: Core | str | None
) -> Bound:
    """The bound without speeds, on a core or, on a GPU, for an architecture. Raises NoLoop and
    CannotCount."""
    work = count_work(lab, row.name)
    hidden = is_hidden(lab, row)
    if isinstance(target, str):
        work = Work() if work.counted_on else work
        program = choose_program(row, options.precision, None)
        return _analyse_kernel(lab, row, program, options, target, work, hidden)
    program = choose_program(row, options.precision, options.arch)
    loop = find_hot_loop(lab.build / program.program)
    interactions, why = interactions_in(loop, work)
    if options.interactions:
        interactions, why = options.interactions, _GIVEN
    return complete(bound_of_loop(loop, target, interactions), row, program, why, work, hidden)


def complete(
    bound: PortBound, row: Implementation, program: Program, why: str, work: Work, hidden: bool
) -> Bound:
    """The bound with what the file says of its program. `why`: so many interactions."""
    whole = Bound(
        date=datetime.date.today().isoformat(),
        part=row.part,
        name=row.name,
        precision=program.precision,
        program=program.program,
        hidden=hidden,
        why_so_many=why,
        counted=work.per_interaction,
        **dict(bound),
    )
    return _hide(whole) if hidden else whole


def _hide(bound: Bound) -> Bound:
    """Without what would reveal the counts of the code, which are answers of the worksheet."""
    loop = bound.loop.model_copy(update={"by_kind": {}, "operations": {}, "text": ()})
    why = "from the count program"
    return bound.model_copy(update={"loop": loop, "counted": {}, "why_so_many": why})


def _analyse_kernel(
    lab: Workshop,
    row: Implementation,
    program: Program,
    options: Options,
    architecture: str,
    work: Work,
    hidden: bool,
) -> Bound:
    file = lab.build / program.program
    text = sass.disassemble(file, architecture)
    if not sass.has_kernels(text):
        with tempfile.TemporaryDirectory() as folder:
            cubin = Path(folder) / "kernels.cubin"
            _compile_cubin(lab, row, program, architecture, cubin)
            text = sass.disassemble(cubin, architecture)
    launched = sass.find_launched(file)
    bound = sass.bound_of_kernel(text, architecture, options.kernel, launched, work.roots)
    pairs = bound.interactions_per_iteration == 2 * sass.count_roots(bound.loop.text)
    why = "two per root: it computes pairs" if pairs else "one root each"
    if options.interactions:
        update = {
            "interactions_per_iteration": options.interactions,
            "cycles_per_interaction": bound.cycles_per_iteration / options.interactions,
        }
        bound, why = bound.model_copy(update=update), _GIVEN
    whole = complete(bound, row, program, why, work, hidden)
    if sass.uses_matrix_units(text, None, launched):
        return whole.model_copy(update={"why_not_measured": _OF_MATRIX_UNITS})
    return whole


def _compile_cubin(
    lab: Workshop, row: Implementation, program: Program, architecture: str, cubin: Path
) -> None:
    """Compiles for an architecture that the program has no code for, with its flags. Raises
    UserError."""
    where = f"{row.part}/{row.name}"
    try:
        argv, _ = commands_of(lab.build, program.program, row.name, ".cu")
    except NoCommands:
        raise UserError(
            f"{where} has no code for {architecture}, and there is no command to compile it"
        ) from None
    argv[argv.index("-c")], argv[argv.index("-o") + 1] = "-cubin", str(cubin)
    compiler, *flags = argv
    flags = [flag for flag in flags if not flag.startswith("--generate-code")]
    run = capture(compiler, f"-arch={architecture}", *flags, cwd=lab.build)
    if run.returncode != 0:
        message = last_line(run.stderr, run.returncode)
        raise UserError(f"{where} does not compile for {architecture}: {message}")
