"""What ./lab share writes: gathers this machine's ceilings and speeds from files that other commands left; measures
nothing."""

import contextlib
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import psutil

from nbody_lab import ROOT
from nbody_lab.core.bench_file import (
    WIDEST_SPREAD,
    BenchContext,
    BenchResult,
    BenchRow,
    read_result,
)
from nbody_lab.core.bound_file import Bound, BoundSummary
from nbody_lab.core.machine_file import Machine, Speed
from nbody_lab.core.messages import UserError
from nbody_lab.core.model import load, parse
from nbody_lab.core.results import (
    Ceiling,
    Ceilings,
    MachineFacts,
    Roofline,
    read_ceilings,
    read_json,
    read_roofline,
    shown,
)
from nbody_lab.core.words import is_own

FOLDER = ROOT / "build/share"  # what it measured itself, and what it wrote
_NOTHING = "nothing to share yet: {}; ./lab share --measure measures what is missing"
_DISTURBED = "nothing to share yet: something else ran while this machine's ceilings were measured; when it is quiet: ./lab roofline --measure"
_BODIES, _BODIES_ON_GPU = 5000, 131072  # those of bench and roofline unless told otherwise
_OPERATIONS = ("mul_add", "fma", "sqrt", "rsqrt", "load")
_PARTS, _NAME = ("part1", "part2", "part3"), re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_ODD = re.compile(r"(?<!GNU)/(?! )|[^\w ()+.,:/@-]", re.ASCII)

Shares = Mapping[tuple[str, str], float]  # of (part, name), on one thread or a GPU
Source = Ceilings | Roofline | Bound | BoundSummary | BenchResult


def kept_files() -> list[Path]:
    """Where the commands of this tree leave what they measured."""
    patterns = (
        "ceilings.json",
        "pictures/*/result*.json",
        "share/results/part?.json",
        "roofline/part?*.json",
        "bound/part?_*.json",
    )
    return [file for pattern in patterns for file in sorted((ROOT / "build").glob(pattern))]


def _read(file: Path) -> Source:
    """Raises UserError if it is none of the files that commands write."""
    data = read_json(file)
    what = data.get("what") if isinstance(data, dict) else None
    if what == "ceilings":
        return read_ceilings(file)
    if what == "roofline":
        return read_roofline(file)
    if what == "bound":
        return load(Bound, file)
    if isinstance(data, dict) and {"machine", "summary"} == set(data):
        return load(BoundSummary, file)
    return read_result(file)


def _read_all(files: Iterable[Path], are_named: bool) -> Iterator[tuple[Path, Source]]:
    """Of those that nobody named, what does not fit is another study: left out."""
    for file in files:
        with contextlib.nullcontext() if are_named else contextlib.suppress(UserError):
            yield file, _read(file)


def _is_of(here: Ceilings, source: Source) -> bool:
    """Whether it was measured on this machine with this compiler, as far as the file tells. Virtual machines call all
    their processors alike; the size of a cache may tell them apart."""
    facts, gpu = here.machine, here.device("gpu 0")
    if isinstance(source, Bound):
        return True
    if isinstance(source, BoundSummary):
        return source.machine.startswith(facts.cpu)
    if isinstance(source, BenchResult):
        there: BenchContext | MachineFacts = source.context
        device = source.context.device
    else:
        ceilings = source if isinstance(source, Ceilings) else source.ceilings
        there, device = ceilings.machine, ceilings.device("gpu 0")
    same_cache = there.l3_bytes == facts.l3_bytes or not (there.l3_bytes and facts.l3_bytes)
    # Without a GPU here, ./lab roofline part3 keeps figures of data/results.
    same_gpu = not device or (bool(gpu) and device.startswith(gpu))
    return (there.cpu, there.compiler) == (facts.cpu, facts.compiler) and same_cache and same_gpu


# Speeds: of each version and number of threads, the one that compares best.


def _speed(part: str, name: str, **more: object) -> Speed | None:
    """None of a version that is not the lab's."""
    if part not in _PARTS or is_own(name) or not _NAME.fullmatch(name):
        return None
    return parse(Speed, {"part": part, "name": name, **more}, f"{part}/{name}")


def _speeds_of(source: Source) -> Iterator[Speed | None]:
    """Without shares. ./lab roofline times what it places, too."""
    if isinstance(source, BenchResult) and source.context.day and not source.context.adaptive:
        for row in filter(_counts, source.summary):
            part, _, name = row.name.rpartition("/")
            part = part or source.context.part
            yield _speed(
                part,
                name,
                n=row.n,
                threads=0 if part == "part3" else row.threads,
                interactions_per_s=row.speed,
                spread=row.spread,
                day=source.context.day,
            )
    elif isinstance(source, Roofline) and source.precision == "float":
        for point in source.points:
            if point.kind != "mine" and not point.busy_machine:
                yield _speed(
                    source.part,
                    point.name,
                    n=source.n,
                    threads=point.threads,
                    interactions_per_s=point.interactions_per_s,
                    day=source.date,
                )


def _counts(row: BenchRow) -> bool:
    """Whether it is right, in float, as the program launches itself, and undisturbed."""
    is_plain = row.precision == "float" and row.setup == row.setup.untuned
    is_sure = row.is_right and row.spread <= WIDEST_SPREAD and not row.busy_machine
    return is_plain and is_sure and row.speed > 0


def _distance(speed: Speed) -> float:
    return abs(math.log(speed.n / (_BODIES if speed.threads else _BODIES_ON_GPU)))


def _choose(speeds: Iterable[Speed], bounds: Shares, roofs: Shares) -> tuple[Speed, ...]:
    """The one nearest to the usual number of bodies, and of those the newest."""
    kept: dict[tuple[str, str, int], Speed] = {}
    for speed in sorted(speeds, key=lambda one: one.day, reverse=True):
        key = (speed.part, speed.name, speed.threads)
        if key not in kept or _distance(speed) < _distance(kept[key]):
            kept[key] = speed
    return tuple(
        speed.model_copy(
            update={
                "share_of_bound": bounds.get((speed.part, speed.name)),
                "share_of_roof": roofs.get((speed.part, speed.name)),
            }
            if speed.threads < 2
            else {}
        )
        for speed in sorted(kept.values(), key=lambda one: (one.part, one.threads))
    )


# Shares of what the machine allows.


def _shares_of_bound(sources: Sequence[tuple[Path, Source]]) -> dict[tuple[str, str], float]:
    """None of a loop with instructions that were not counted, or by the ports of another core."""
    found: dict[tuple[str, str], float] = {}
    for file, source in sources:
        if isinstance(source, Bound):
            is_sure = not (source.unknown or source.instead_of or source.busy_machine)
            if source.share_of_bound and source.precision == "float" and is_sure:
                found[source.part, source.name] = source.share_of_bound
        elif isinstance(source, BoundSummary):
            for row in source.summary:  # its part is in its name only: part1_bounds.json
                if row.share_of_bound and row.precision == "float" and not row.unknown:
                    found[file.name.split("_")[0], row.name] = row.share_of_bound
    return found


def _shares_of_roof(sources: Sequence[tuple[Path, Source]]) -> dict[tuple[str, str], float]:
    return {
        (source.part, point.name): point.share_of_roof
        for _, source in sources
        if isinstance(source, Roofline) and source.precision == "float" and source.threads < 2
        for point in source.points
        if not (point.disturbed or point.busy_machine or point.above_roof)
    }


# The machine.


def _plain(facts: MachineFacts) -> MachineFacts:
    """Without signs that a file of a machine refuses: Debian GNU/Linux trixie/sid, Pop!_OS. A kernel's release may hold a
    name that somebody gave it: its numbers are enough."""
    texts = {name: getattr(facts, name) for name in ("cpu", "compiler", "system")}
    texts["system"] = re.sub(r"(Linux \d+(?:\.\d+){0,2})\S*", r"\1", texts["system"])
    plain = {name: _ODD.sub(" ", text).strip() for name, text in texts.items()}
    return facts.model_copy(update=plain)


def choose_ceilings(ceilings: Ceilings) -> tuple[Ceiling, ...]:
    """Those in float of the widest instruction set, and of the first GPU."""
    rows = [
        row
        for row in ceilings.ceilings
        if row.is_ceiling and row.precision != "double" and row.operation in _OPERATIONS
    ]
    flops = [row for row in rows if row.where == "cpu" and row.kind == "flops"]
    widest = max(flops, key=lambda row: row.best).instruction_set if flops else ""
    return tuple(
        row
        for row in rows
        if row.where == "gpu 0" or (row.where == "cpu" and row.instruction_set == widest)
    )


def gather(named: Sequence[Path] = ()) -> Machine:
    """From the named files, or from those that are kept here. Raises UserError: nothing measured, or what is wrong with
    a named file."""
    sources = list(_read_all(named or kept_files(), bool(named)))
    ceilings = next((one for _, one in sources if isinstance(one, Ceilings)), None)
    if ceilings is None:
        raise UserError(_NOTHING.format("this machine's ceilings are not measured"))
    if not choose_ceilings(ceilings):
        raise UserError(_DISTURBED)
    facts = ceilings.machine
    for file, source in sources:
        if named and not _is_of(ceilings, source):
            whose = f"{facts.cpu} with {facts.compiler}"
            raise UserError(f"{shown(file)}: not of the machine of the ceilings, {whose}")
    sources = [(file, source) for file, source in sources if _is_of(ceilings, source)]
    rows = [speed for _, source in sources for speed in _speeds_of(source) if speed]
    speeds = _choose(rows, _shares_of_bound(sources), _shares_of_roof(sources))
    if not speeds:
        raise UserError(_NOTHING.format("no speed of the lab's own versions is kept here"))
    data = {
        "what": "machine",
        "version": 1,
        "lab": lab_version(),
        "date": max(ceilings.date, *(speed.day for speed in speeds)),
        "machine": _plain(facts),
        "memory_bytes": None if named else psutil.virtual_memory().total,
        "gpu": _gpu([source for _, source in sources]) or None,
        "clock_hz": ceilings.clock_hz,
        "ceilings": choose_ceilings(ceilings),
        "speeds": speeds,
    }
    return parse(Machine, data, "this machine")


def _gpu(sources: Iterable[Source]) -> str:
    """As a bench of part 3 or the ceilings name it."""
    for source in sources:
        if isinstance(source, BenchResult) and source.context.part == "part3":
            return source.context.device.split(" (")[0]
        if isinstance(source, Ceilings) and (device := source.device("gpu 0")):
            return device
    return ""


def lab_version() -> str:
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"^project\(\w+ VERSION (\S+)", text, re.M)
    return found[1] if found else ""


def file_name(machine: Machine) -> str:
    """intel_xeon_16_cores_nvidia_h200.json"""
    return "_".join(re.findall(r"[a-z0-9]+", machine.title.lower())) + ".json"
