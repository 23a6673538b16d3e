"""./lab simulate: an implementation of part 4 on simulated clusters, by SimGrid's SMPI. Every figure is simulated.

The same header is compiled with common/mpi/simulated_main.cpp. Its messages travel through a model of a network, its
computation is charged at a given rate. Repeated runs agree to the last digit.
"""

import json
import math
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import pydantic
import typer

from nbody_lab import ROOT
from nbody_lab.arguments import Name, PartName, flag, numbers_up_to, option
from nbody_lab.core.console import show
from nbody_lab.core.manifest import Manifest
from nbody_lab.core.messages import Failure, UserError
from nbody_lab.core.model import fault_in
from nbody_lab.core.steps import progress, run_step
from nbody_lab.core.study_results import Simulated, SimulatedRow
from nbody_lab.core.whole_file import write_text
from nbody_lab.draw import pictures
from nbody_lab.draw.pictures import Request, What
from nbody_lab.notebook import notebook
from nbody_lab.programs.ranks import has_ranks
from nbody_lab.studies.simulated import (
    Correctness,
    Timing,
    row_of,
    show_result,
)
from nbody_lab.workshop import Workshop

MAIN = ROOT / "common/mpi/simulated_main.cpp"
CLUSTERS = ROOT / "common/mpi/clusters"
PLACE = ROOT / "build/simulated"
FLAGS = ("-O1", "-std=c++20", "-DLAB_REAL=float", "-DLAB_SIMULATED")

_SMPI_OPTIONS = (
    "--cfg=smpi/simulate-computation:no",
    "--cfg=smpi/display-timing:no",
    "--log=root.thres:critical",
)
_SPEED = 'speed="1Gf"'  # in a platform: replaced by the rate of a rank
_USUAL_RATE, _MOST_RANKS, _MOST_BODIES = 2.0, 256, 10**7
_PATIENCE_S = 300
_BODIES_OF_CHECK, _LIMIT_OF_CHECK = 200, 1e-5
# The help of its options.
_NETWORK = (
    "gbe (Gigabit Ethernet), ib (InfiniBand), fat_tree, or a platform FILE.xml of SimGrid"
    ' whose hosts have speed="1Gf", replaced by the rate'
)
_PER_RANK = (
    "bodies for one rank; sqrt(P) times as many for P ranks, so that each has as much to compute"
)
_RATE = f"10^9 interactions/s per rank (default: your best of part 2, else {_USUAL_RATE:g})"
_CHECK = f"compute for real, {_BODIES_OF_CHECK} bodies, and compare with a direct sum"

Model = TypeVar("Model", bound=pydantic.BaseModel)


def platform_of(network: str) -> str:
    """The text of a platform: a cluster of the lab, or the user's own file."""
    file = CLUSTERS / f"{network}.xml" if re.fullmatch(r"\w+", network) else Path(network)
    if not file.is_file():
        known = ", ".join(sorted(one.stem for one in CLUSTERS.glob("*.xml")))
        raise UserError(
            f"simulate: there is no network '{network}': choose from {known}, or name a platform file of SimGrid"
        )
    text = file.read_text(encoding="utf-8", errors="replace")
    if _SPEED not in text:
        raise UserError(
            f"simulate: in {file} the hosts need {_SPEED}, which is replaced by the rate of a rank (--rate)"
        )
    return text


def best_rate() -> tuple[float, str]:
    """(10^9 interactions/s of a rank, where it comes from)"""
    folders = ROOT.glob("part2_*")
    speeds = [
        row.interactions_per_s / 1e9
        for folder in folders
        for row in notebook.right_rows(folder)
        if row.threads == 1 and row.interactions_per_s
    ]
    if not speeds:
        return _USUAL_RATE, "no row of part 2 in its notebook yet"
    return max(speeds), "your best of part 2"


def _build(lab: Workshop, name: str) -> Path:
    """Compiles the program for SMPI every time: it takes a second."""
    row, source = Manifest(lab.manifest).row(lab.part, name), lab.source(name)
    program = PLACE / name
    if source.suffix == ".cuh":
        raise UserError(
            f"simulate: {name} computes on GPUs, which SimGrid does not model; choose another implementation of part 4"
        )
    PLACE.mkdir(parents=True, exist_ok=True)
    xsimd = [*lab.build.glob("_deps/xsimd*-src/include"), *ROOT.glob("build/tools/*/include")]
    words = ["smpicxx", *FLAGS, *(flag for flag in row.flags if flag.startswith("-m"))]
    words += [f"-I{folder}" for folder in (ROOT / "common", source.parent, ROOT / "part4_mpi")]
    words += [f"-I{folder}" for folder in sorted(xsimd)]
    words += [f'-DLAB_HEADER="{source}"', f"-DLAB_CLASS={row.class_name}"]
    log, label = PLACE / "build.log", f"building {lab.part}/{name} for SimGrid"
    if run_step(label, [*words, str(MAIN), "-o", str(program)], log, ROOT) != 0:
        raise UserError(
            f"simulate: {name} does not compile for SimGrid; what the compiler said: {log.relative_to(ROOT)}"
        )
    return program


def _complaint(output: str, ranks: int, status: int) -> str:
    """Why there is no answer."""
    if "Deadlock detected" in output:
        return f"deadlock on {ranks} ranks: each waits for a message that is never sent"
    lines = output.splitlines() or ["no message"]
    telling = (line for line in lines if re.search("[Dd]eadlock|rror|fault|[Tt]runcat", line))
    line = next(telling, lines[-1]).strip()[:300]
    return f"no answer on {ranks} ranks (status {status}): {line}; ./lab check may tell more"


def ask(
    answer: type[Model], program: Path, platform: str, rate: float, ranks: int, *words: object
) -> Model:
    """What rank 0 printed as JSON. Raises UserError."""
    with tempfile.NamedTemporaryFile("w", suffix=".xml", encoding="utf-8") as file:
        file.write(platform.replace(_SPEED, f'speed="{rate:g}Gf"'))
        file.flush()
        start = ["smpirun", "-np", str(ranks), "-platform", file.name, *_SMPI_OPTIONS]
        try:
            done = subprocess.run(
                [*start, str(program), *map(str, words)],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_PATIENCE_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise UserError(
                f"simulate: {ranks} ranks gave no answer in {_PATIENCE_S} s: an endless loop?"
            ) from None
    line = next((line for line in done.stdout.splitlines() if line.startswith("{")), None)
    if line is None:
        why = _complaint(done.stderr + done.stdout, ranks, done.returncode)
        raise UserError(f"simulate: {why}")
    try:
        return answer.model_validate_json(line)
    except pydantic.ValidationError as error:
        raise UserError(f"simulate: the answer on {ranks} ranks: {fault_in(error)}") from error


def _check(program: Path, platform: str, name: str, ranks: Sequence[int]) -> None:
    """Computes for real on each number of ranks and compares; status 1 if one is wrong."""
    limit, all_right = _LIMIT_OF_CHECK, True
    for count in ranks:
        error = ask(Correctness, program, platform, 1, count, _BODIES_OF_CHECK, "check").worst_error
        all_right = all_right and error <= limit
        verdict = "right" if error <= limit else "WRONG"
        show(
            f"part4/{name} on {count} simulated ranks: worst error {error:.1e} of sum |a_ij|, limit {limit:.0e}: {verdict}"
        )
    if not all_right:
        raise Failure(1)


def _rows(
    program: Path, platform: str, rate: float, sizes: dict[int, int]
) -> Iterator[SimulatedRow]:
    """One row for each number of ranks. `sizes`: bodies by ranks."""
    with progress(f"simulating {program.name}") as step:
        for number, (ranks, bodies) in enumerate(sizes.items()):
            step.hear(f"[{number}/{len(sizes)}]")
            yield row_of(ask(Timing, program, platform, rate, ranks, bodies), rate)


def _require_simgrid() -> None:
    try:
        subprocess.run(["smpicxx", "--version"], stdout=subprocess.DEVNULL, check=True)
    except (OSError, subprocess.CalledProcessError):
        raise UserError("simulate: no SimGrid here: ./lab setup --mpi installs it") from None


def simulate(
    part: PartName,
    name: Name,
    network: Annotated[str, typer.Option(metavar="X", help=_NETWORK)] = "gbe",
    ranks: Annotated[
        str,
        typer.Option(
            metavar="P,P,...",
            parser=numbers_up_to(_MOST_RANKS, "numbers of ranks"),
            help=f"numbers of ranks, up to {_MOST_RANKS}",
        ),
    ] = "1,4,16,64",
    bodies: Annotated[
        int | None,
        option("-n", "N", "bodies in all: strong scaling (default 65536)", min=1, max=_MOST_BODIES),
    ] = None,
    per_rank: Annotated[
        int | None, option("--per-rank", "N", _PER_RANK, min=1, max=_MOST_BODIES)
    ] = None,
    rate: Annotated[float | None, option("--rate", "R", _RATE, min=1e-3, max=1e6)] = None,
    check: Annotated[bool, flag("--check", _CHECK)] = False,
) -> None:
    """part 4 on a simulated cluster: how fast, and who waits?

    Simulates one iteration of NAME on each number of ranks. Writes
    build/simulated/NAME_NETWORK.json and, if plotting is installed, pictures beside it.

    ./lab simulate part4 mine --network ib --ranks 1,16,256
    """
    if bodies and per_rank:
        raise UserError("simulate: -n or --per-rank: bodies in all, or for each rank, not both")
    numbers = sorted(map(int, ranks.split(",")))
    platform = platform_of(network)
    lab = Workshop(part)
    lab.begin()
    lab.demand_part()
    if not has_ranks(lab):
        raise UserError(f"simulate: {part} runs as one process; part 4 runs as several")
    lab.demand_name(name)
    _require_simgrid()
    program = _build(lab, name)
    lab.unlock()
    if check:
        _check(program, platform, name, numbers)
        return
    speed, rate_from = (rate, "as asked") if rate else best_rate()
    sizes = {
        count: round(per_rank * math.sqrt(count)) if per_rank else bodies or 65536
        for count in numbers
    }
    result = Simulated(
        name=name,
        network=Path(network).stem,
        rate=speed,
        rate_from=rate_from,
        per_rank=per_rank,
        rows=tuple(_rows(program, platform, speed, sizes)),
    )
    show_result(result)
    file = PLACE / f"{name}_{result.network}.json"
    write_text(file, json.dumps(result.model_dump()) + "\n")
    show(f"\n{file.relative_to(ROOT)}")
    if pictures.can_draw():
        pictures.draw(What.SIMULATED, Request(str(file), PLACE))
