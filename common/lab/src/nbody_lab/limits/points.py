"""Makes the points of a roofline: counts, times and examines programs, and places them under the ceilings. Of a GPU that is
not here: what data/results has, measured on one."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.building.cpuinfo import best_program
from nbody_lab.building.lab import Lab
from nbody_lab.core.errors import LabError, say
from nbody_lab.core.model import Precision, load, load_if_whole
from nbody_lab.limits.ceilings import Place
from nbody_lab.limits.code import analyse_program
from nbody_lab.limits.roofline import Program, make_point, plain_code
from nbody_lab.measure.bench import bench_result
from nbody_lab.measure.bench_file import BenchResult
from nbody_lab.measure.bench_plan import QUICK, Asked
from nbody_lab.measure.bound_file import Bound, bound_file
from nbody_lab.measure.count_file import CountFile
from nbody_lab.measure.results import Ceilings, LeftOut, Limit, Point, Roofline, Work
from nbody_lab.tasks.counting import (
    build_worksheet,
    count_to_file,
    counts_of,
    has_worksheet,
    names_with_hidden_counts,
    seal_fields,
    stored_counts,
)

RESULTS = ROOT / "data/results"
_KINDS = ("naive", "mine", "rung", "solution")  # exhibits only if named
_SETS_OF_MANIFEST = {"": "scalar", "avx512": "avx512f"}
_WITHOUT_GPU = (
    "without a GPU: ./lab bound {part} mine shows how many instructions your kernel takes (needs nvcc: ./lab setup --cuda); "
    "./lab worksheet {part} judges your answers"
)


@dataclass(frozen=True)
class Setting:
    """How the programs of a roofline run."""

    where: str  # cpu, or gpu 0
    precision: Precision
    n: int

    @property
    def threads(self) -> int:
        return 1 if self.where == "cpu" else 0

    def place(self, ceilings: Ceilings) -> Place:
        return Place(ceilings.of_place(self.where), self.precision, self.threads)


class Points:
    """Points under the ceilings of a place, and why other names have none."""

    def __init__(self, lab: Lab, setting: Setting, ceilings: Ceilings) -> None:
        self.lab, self.setting, self.ceilings = lab, setting, ceilings
        self.points: list[Point] = []
        self.left_out: dict[str, str] = {}

    def leave_out(self, names: Sequence[str], why: str) -> None:
        self.left_out |= dict.fromkeys(names, why)

    def add(self, program: Program, **more: object) -> None:
        """`more`: what the point says of how it was measured. Raises LabError."""
        setting, number = self.setting, len(self.points) + 1
        point = make_point(number, setting.place(self.ceilings), program, setting.n)
        self.points.append(point.model_copy(update=more))

    def roofline(self, notes: Sequence[str] = ()) -> Roofline:
        device = self.ceilings.device(self.setting.where)
        return Roofline(
            what="roofline",
            version=1,
            part=self.lab.part,
            date=f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}",
            machine=device or self.ceilings.machine.cpu,
            where=self.setting.where,
            precision=self.setting.precision,
            threads=self.setting.threads,
            n=self.setting.n,
            ceilings=self.ceilings,
            points=tuple(self.points),
            left_out=tuple(LeftOut(name=name, why=why) for name, why in self.left_out.items()),
            notes=tuple(notes),
        )


def hidden_counts(lab: Lab) -> list[str]:
    """Names whose counts are an answer that the student has not found yet."""
    if has_worksheet(lab):
        build_worksheet(lab)
    return names_with_hidden_counts(lab)


def _why_hidden(lab: Lab) -> str:
    return f"counts are hidden until the worksheet's counts are right (./lab worksheet {lab.part})"


def names_to_place(lab: Lab, names: Sequence[str]) -> list[str]:
    """The names, all of which exist, or without any those that a roofline shows."""
    lab.demand_part()
    for name in names:
        lab.demand_name(name)
    return list(names) or [row.name for row in lab.rows() if row.kind in _KINDS]


def work_of(file: Path, n: int) -> Work:
    """The operations per interaction of one iteration with a fixed step."""
    counted = load(CountFile, file).work["fixed_step"]
    classes = {name: counted[name] for name in Work.model_fields if name in counted}
    return Work(**{name: found.per_interaction(n) for name, found in classes.items()})


def limits_of_kernel(file: Path, precision: str, program: Path) -> list[Limit]:
    """How fast a GPU starts the instructions that ./lab bound found in a kernel. Empty if the file belongs to another
    program."""
    bound = load_if_whole(Bound, file)
    if not bound or (program.exists() and program.stat().st_mtime > file.stat().st_mtime):
        return []
    if bound.precision != precision or not f"/{program.as_posix()}".endswith(f"/{bound.program}"):
        return []
    speed = bound.bound_interactions_per_s
    if bound.limit != ("slots",) or not speed:
        return []
    return [Limit(name="issuing instructions", interactions_per_s=speed)]


def examine(lab: Lab, name: str, speed: float, setting: Setting) -> Program:
    """What is known of a program that was timed. Raises LabError."""
    row, precision = lab.find(name), setting.precision
    best = best_program(row.programs, precision) if row else None
    if not row or not best:
        raise LabError(f"it has no program in {precision}")
    program = lab.build_dir / best.program
    work = work_of(counts_of(lab, name), setting.n)
    if setting.where != "cpu":
        limits = limits_of_kernel(bound_file(lab.part, name, precision), precision, program)
        return Program(name, row.kind, work, plain_code(""), speed, limits)
    otherwise = _SETS_OF_MANIFEST.get(best.instruction_set, best.instruction_set)
    code = analyse_program(program, row.class_name, work, precision, otherwise)
    return Program(name, row.kind, work, code, speed)


def gather(
    lab: Lab,
    names: Sequence[str],
    setting: Setting,
    ceilings: Ceilings,
    all_needed: bool = True,
) -> Roofline:
    """The roofline of these names; builds, counts and times what is missing. What does not compile ends the command if all
    are needed, or only costs the points."""
    found, precision = Points(lab, setting, ceilings), setting.precision
    seals = {name: seal_fields(lab, name) for name in names}
    targets = [one for name in names for one in (lab.program(name), *lab.targets(name, precision))]
    if not lab.try_to_build(lab.part, "bin/bench", *targets):
        if all_needed:
            raise SystemExit(1)
        say("continuing without what did not compile")
    for name in names:
        row = lab.find(name)
        if not row or not row.count:
            found.leave_out([name], "not counted")
            continue
        count_to_file(lab, name)
        if not counts_of(lab, name).exists():
            why = f"cannot be counted (./lab count {lab.part} {name} says why)"
            found.leave_out([name], why)
    # Counts of the given code stay hidden until the student found them.
    found.leave_out([name for name in hidden_counts(lab) if name in names], _why_hidden(lab))
    names = [name for name in names if name not in found.left_out]
    if not names:
        return found.roofline()
    result = bench_result(lab, Asked(names, (setting.n,), precision=(precision,), clock=QUICK))
    found.leave_out([name for name in names if name not in result.names], "not built")
    for row in result.summary:
        try:
            if not row.is_right:
                raise LabError(f"the bench says: {row.verdict}")
            program = examine(lab, row.name, row.speed, setting)
            found.add(program, **seals[row.name], busy_machine=row.busy_machine)
        except LabError as error:
            found.leave_out([row.name], str(error))
    return found.roofline()


def stored_roofline(lab: Lab, names: Sequence[str], precision: Precision) -> Roofline:
    """Of the names that were counted and timed on the GPU of data/results. A handout has the ceilings alone."""
    ladder = RESULTS / f"{lab.part}_study_ladder.json"
    result = load(BenchResult, ladder) if ladder.exists() else BenchResult(summary=())
    setting = Setting("gpu 0", precision, result.summary[0].n if result.summary else 131072)
    found = Points(lab, setting, load(Ceilings, RESULTS / "ceilings_h200.json"))
    speeds = {row.name: row.speed for row in result.summary if row.precision == precision}
    hidden = hidden_counts(lab)
    # mine in that file is not the student's.
    for name in names or [name for name in speeds if name != "mine"]:
        counts = stored_counts(lab, name)
        if name.startswith("mine"):
            found.leave_out([name], "your own code is only timed on a GPU")
        elif name not in speeds or not counts.exists():
            found.leave_out([name], f"was not measured there in {precision}, or not counted")
        elif name in hidden:
            found.leave_out([name], _why_hidden(lab))
        else:
            kind, work = "naive" if name == "naive" else "rung", work_of(counts, setting.n)
            found.add(Program(name, kind, work, plain_code(""), speeds[name]))
    device = found.ceilings.device(setting.where)
    figures = f"the ceilings of {device}, from data/results"
    if found.points:
        figures = f"the figures of data/results, measured on {device} on {result.context.day}"
    here = f"no GPU answers here: these are {figures}"
    return found.roofline([here, _WITHOUT_GPU.format(part=lab.part)])
