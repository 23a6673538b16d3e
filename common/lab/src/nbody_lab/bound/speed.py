"""The speeds beside a bound: measured if possible; without a GPU, the stored speeds of data/results."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import AliasPath, BaseModel, Field, PositiveFloat, PositiveInt

from nbody_lab import ROOT
from nbody_lab.bound.analysis import Options
from nbody_lab.bound.sass import lanes_of
from nbody_lab.core.bench_file import BenchResult
from nbody_lab.core.bound_file import Bound
from nbody_lab.core.messages import UserError
from nbody_lab.core.model import load
from nbody_lab.core.results import read_ceilings
from nbody_lab.core.running import capture, last_line
from nbody_lab.programs.quick_bench import bench_result
from nbody_lab.workshop import Workshop

_ROUNDS, _BODIES, _BODIES_ON_GPU = 3, 5000, 131072  # enough for a first look
_STORED = "data/results/part3_study_ladder.json"
_STORED_SLOTS = "data/results/part3_slots.json"
_STORED_GPU = "an NVIDIA H200"
STORED_ARCHITECTURE = "sm_90"


class Gpu(BaseModel):
    """A GPU that answers, as bin/devices describes it."""

    name: str = ""
    compute_capability: str
    multiprocessors: PositiveInt
    clock_hz: PositiveFloat

    @property
    def architecture(self) -> str:
        return "sm_" + self.compute_capability.replace(".", "")


class _Devices(BaseModel):
    devices: list[Gpu] = Field(min_length=1)


class _Slots(BaseModel):
    """The GPU of the stored speeds."""

    clock_hz: PositiveFloat = Field(validation_alias=AliasPath("summary", 0, "clock_hz"))
    lanes: PositiveInt = Field(validation_alias=AliasPath("summary", 0, "interactions"))


@dataclass(frozen=True)
class Speed:
    """What is known beside the bound's cycles."""

    clock_hz: float | None = None
    measured: float | None = None  # interactions/s
    why_not: str | None = None
    lanes: int = 1  # interactions computed at the same time: 1 for one thread of a processor
    machine: str | None = None  # None: this one
    busy_machine: bool | None = None


def with_speed(bound: Bound, speed: Speed) -> Bound:
    """The bound in interactions/s, and the share of it that was reached; none if the program's
    speed is not that of what was bounded."""
    at_best, measured = None, None if bound.why_not_measured else speed.measured
    if speed.clock_hz:
        at_best = speed.lanes * speed.clock_hz / bound.cycles_per_interaction
    share = measured / at_best if measured and at_best else None
    update = {
        "machine": speed.machine,
        "clock_hz": speed.clock_hz,
        "why_not_measured": bound.why_not_measured or speed.why_not,
        "bound_interactions_per_s": at_best,
        "measured_interactions_per_s": measured,
        "share_of_bound": share,
        "busy_machine": speed.busy_machine,
    }
    return bound.model_copy(update=update)


def find_gpu(lab: Workshop) -> Gpu | None:
    """The GPU that programs run on, if one answers. Raises UserError."""
    name = lab.gpu()
    if not name:
        return None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "devices.json"
        run = capture(lab.build / "bin/devices", "--json", file)
        if run.returncode != 0:
            message = last_line(run.stderr, run.returncode)
            raise UserError(f"{name} does not tell what it has: {message} (./lab doctor)")
        gpu = load(_Devices, file).devices[0]
    return gpu.model_copy(update={"name": name.split(", built")[0]})


def _measure(
    lab: Workshop, bounds: Sequence[Bound], options: Options, common: Speed | None, *words: object
) -> list[Bound]:
    """With the speeds on one thread of the processor or, with a `common` clock, on a GPU. A program
    for one instruction set is also found under its plain name."""
    names = [bound.name for bound in bounds]
    argv = ["--threads", 1, "--rounds", _ROUNDS, "--precision", options.precision, *words]
    result = bench_result(lab, names, *map(str, argv))
    common = common or Speed(result.context.clock_hz or read_clock())
    speeds, wrong = result.speeds(options.precision, 1)
    busy = result.timed_beside_others()
    measured = []
    for bound in bounds:
        aliases = (bound.name, f"{bound.name}_{options.arch}")
        speed = next((speeds[name] for name in aliases if name in speeds), None)
        why = next((wrong[name] for name in aliases if name in wrong), "no result")
        own = Speed(
            common.clock_hz,
            speed,
            None if speed else f"the bench says: {why}",
            common.lanes,
            common.machine,
            any(name in busy for name in aliases),
        )
        measured.append(with_speed(bound, own))
    return measured


def read_clock() -> float | None:
    """The clock in build/ceilings.json; None if not measured yet. Raises NoInput."""
    file = ROOT / "build/ceilings.json"
    return read_ceilings(file).clock_hz if file.exists() else None


def add_speeds_of_processor(
    lab: Workshop, bounds: Sequence[Bound], options: Options
) -> list[Bound]:
    """As bench measures them, with its clock; without measuring, only the clock of the ceilings."""
    if not options.measure or options.core:
        speed = Speed(options.clock_hz or read_clock())
        return [with_speed(bound, speed) for bound in bounds]
    arch = ["--arch", options.arch] if options.arch else []
    return _measure(lab, bounds, options, None, "-n", _BODIES, *arch)


def add_speeds_of_gpu(
    lab: Workshop, bounds: Sequence[Bound], options: Options, gpu: Gpu | None
) -> list[Bound]:
    """On this GPU, if the code is for it; without one, the stored speeds."""
    architecture = bounds[0].core
    if gpu is None:
        return _add_stored_speeds(lab, bounds, options)
    if architecture != gpu.architecture:
        why = f"no speeds: the code is for {architecture}, the GPU here is {gpu.architecture}"
        return [with_speed(bound, Speed(machine=why)) for bound in bounds]
    here = Speed(gpu.clock_hz, lanes=lanes_of(gpu.multiprocessors), machine=gpu.name)
    if not options.measure:
        return [with_speed(bound, here) for bound in bounds]
    return _measure(lab, bounds, options, here, "-n", _BODIES_ON_GPU, "--device", gpu.name)


def _why_none_stored(bounds: Sequence[Bound]) -> str | None:
    architecture = bounds[0].core
    if architecture != STORED_ARCHITECTURE:
        return (
            f"no speeds: the code is for {architecture}, no GPU answers here, and data/results was"
            f" measured on {_STORED_GPU}, {STORED_ARCHITECTURE}"
        )
    if not (ROOT / _STORED).exists():
        return "no GPU answers here, and there are no stored speeds"
    return None


def _add_stored_speeds(lab: Workshop, bounds: Sequence[Bound], options: Options) -> list[Bound]:
    if why := _why_none_stored(bounds):
        return [with_speed(bound, Speed(machine=why)) for bound in bounds]
    slots = load(_Slots, ROOT / _STORED_SLOTS)
    speeds, wrong = load(BenchResult, ROOT / _STORED).speeds(options.precision, 1)
    machine = f"{_STORED_GPU}; speeds from {_STORED}, because no GPU answers here"

    def find_speed(name: str) -> tuple[float | None, str | None]:
        """(interactions/s, why there is none)"""
        row = lab.find(name)
        if not options.measure:
            return None, None
        if row and row.kind == "mine":
            return None, "your own code was never measured on that GPU"
        if name in wrong:
            return None, f"the bench says: {wrong[name]}"
        lacking = f"{_STORED} lacks it in {options.precision}"
        return speeds.get(name), None if name in speeds else lacking

    return [
        with_speed(bound, Speed(slots.clock_hz, *find_speed(bound.name), slots.lanes, machine))
        for bound in bounds
    ]
