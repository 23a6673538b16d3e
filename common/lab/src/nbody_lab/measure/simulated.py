"""./lab bench --simulated: an implementation of part 4 on simulated clusters, by SimGrid's SMPI. Every figure is simulated.

The same header is compiled with common/mpi/simulated_main.cpp. Its messages travel through a model of a network, its
computation is charged at a given rate. Repeated runs agree to the last digit.
"""

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from nbody_lab import ROOT
from nbody_lab.building.arguments import option
from nbody_lab.building.lab import Lab
from nbody_lab.building.manifest import Manifest
from nbody_lab.building.ranks import has_ranks
from nbody_lab.core.console import LabTable, show
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import LabModel
from nbody_lab.core.run import Step, capture, last_line, run_step

MAIN = ROOT / "common/mpi/simulated_main.cpp"
PLACE = ROOT / "build/simulated"
FLAGS = ("-O1", "-std=c++20", "-DLAB_REAL=float", "-DLAB_SIMULATED")

_SMPI_OPTIONS = (
    "--cfg=smpi/simulate-computation:no",
    "--cfg=smpi/display-timing:no",
    "--log=root.thres:critical",
)
_SPEED = 'speed="1Gf"'  # in a platform: replaced by the rate of a rank
USUAL_RATE, _MOST_RANKS, _MOST_BODIES = 2.0, 256, 10**7
_PATIENCE_S = 300
_RATE = f"10^9 interactions/s per rank (default: your best of part 2, else {USUAL_RATE:g})"
_MOST_RANKS_WITH_SPANS = 16  # more cannot be seen in a picture


class Network(str, Enum):
    """The clusters."""

    GBE = "gbe"
    IB = "ib"
    FAT_TREE = "fat_tree"


# Options of bench.
OnNetwork = Annotated[
    Network | None,
    option(
        "--simulated",
        "NET",
        "part 4 on a simulated cluster: gbe (Gigabit Ethernet), ib (InfiniBand) or fat_tree",
    ),
]
Rate = Annotated[float | None, option("--rate", "R", f"simulated: {_RATE}", min=1e-3, max=1e6)]


class SimulatedRow(LabModel):
    """One number of ranks."""

    ranks: int
    n: int
    seconds: float
    interactions_per_s: float
    efficiency: float = Field(description="relative to ranks that never wait")
    computing: float = Field(description="share of the time, averaged over the ranks")
    spans: tuple[tuple[float, ...], ...] = Field(
        description="of each rank: begin, end, begin, ... of its computing, s; empty for many ranks"
    )


class Simulated(LabModel):
    """build/simulated/NAME_NETWORK.json."""

    model_config = ConfigDict(extra="ignore")  # older files have more

    what: Literal["simulated"] = "simulated"
    name: str
    network: str
    rate: float = Field(description="10^9 interactions/s of a rank")
    rate_from: str
    rows: tuple[SimulatedRow, ...] = Field(min_length=1)

    def bodies_in_words(self) -> str:
        first, last = self.rows[0].n, self.rows[-1].n
        return f"{first} bodies" if first == last else f"{first} to {last} bodies"


class Timing(LabModel):
    """What rank 0 prints: an iteration, and when each rank computed."""

    ranks: int
    n: int
    seconds: float
    counts: tuple[int, ...] = Field(description="numbers in `spans` for each rank")
    spans: tuple[float, ...] = Field(description="begin, end, begin, ... of each rank, s")


def row_of(timing: Timing, rate: float) -> SimulatedRow:
    """The row for one number of ranks."""
    if not timing.spans:
        what = "put  if (!simulated_work(bodies * n))  around the loop, as in part4_mpi/naive.hpp"
        raise LabError(f"bench --simulated: the program does not declare its work: {what}")
    times = iter(timing.spans)
    spans = tuple(tuple(islice(times, count)) for count in timing.counts)
    computing = sum(sum(own[1::2]) - sum(own[::2]) for own in spans)
    speed = timing.n**2 / timing.seconds
    return SimulatedRow(
        ranks=timing.ranks,
        n=timing.n,
        seconds=timing.seconds,
        interactions_per_s=speed,
        efficiency=speed / (timing.ranks * rate * 1e9),
        computing=computing / len(spans) / timing.seconds,
        spans=spans if timing.ranks <= _MOST_RANKS_WITH_SPANS else (),
    )


def show_result(result: Simulated) -> None:
    """Prints the rows."""
    cells = [
        (
            row.ranks,
            row.n,
            f"{row.seconds * 1e3:.4g}",
            f"{row.interactions_per_s / 1e9:.4g}",
            f"{100 * row.efficiency:.0f} %",
            f"{100 * row.computing:.0f} %",
        )
        for row in result.rows
    ]
    show(
        f"simulated: part4/{result.name} on {result.network}, {result.bodies_in_words()};\n"
        f"a rank computes {result.rate:g} x 10^9 interactions/s ({result.rate_from})\n",
        LabTable(("ranks", "bodies", "ms", "10^9/s", "efficiency", "computing"), cells),
        "\nefficiency: relative to ranks that never wait; computing: its share of the time, the rest is sending and waiting",
    )


def sizes_of(ranks: Sequence[int], bodies: Sequence[int]) -> dict[int, int]:
    """Bodies by ranks. Raises LabError."""
    counts, sizes = sorted(ranks), sorted(bodies)
    if counts[-1] > _MOST_RANKS:
        raise LabError(f"bench --simulated: --ranks needs numbers from 1 to {_MOST_RANKS}")
    if len(sizes) not in (1, len(counts)) or sizes[-1] > _MOST_BODIES:
        many = f"one number of bodies, or one for each of --ranks, up to {_MOST_BODIES}"
        raise LabError(f"bench --simulated: -n needs {many}")
    return dict(zip(counts, sizes * len(counts)))


def _build(lab: Lab, name: str) -> Path:
    """Compiles the program for SMPI every time: it takes a second."""
    row, source = Manifest(lab.manifest).row(lab.part, name), lab.source(name)
    program, log = PLACE / name, PLACE / "build.log"
    xsimd = [*lab.build_dir.glob("_deps/xsimd*-src/include"), *ROOT.glob("build/tools/*/include")]
    words = ["smpicxx", *FLAGS, *(flag for flag in row.flags if flag.startswith("-m"))]
    words += [f"-I{folder}" for folder in (ROOT / "common", source.parent, ROOT / "part4_mpi")]
    words += [f"-I{folder}" for folder in xsimd]
    words += [f'-DLAB_HEADER="{source}"', f"-DLAB_CLASS={row.class_name}"]
    label = f"building {lab.part}/{name} for SimGrid"
    if run_step(label, [*words, str(MAIN), "-o", str(program)], log, ROOT) != 0:
        raise LabError(f"bench --simulated: {name} does not compile: see {log.relative_to(ROOT)}")
    return program


def ask(program: Path, network: Network, rate: float, ranks: int, bodies: int) -> Timing:
    """What rank 0 printed as JSON. Raises LabError."""
    platform = (ROOT / f"common/mpi/clusters/{network.value}.xml").read_text(encoding="utf-8")
    with tempfile.NamedTemporaryFile("w", suffix=".xml", encoding="utf-8") as file:
        file.write(platform.replace(_SPEED, f'speed="{rate:g}Gf"'))
        file.flush()
        words = ["smpirun", "-np", ranks, "-platform", file.name, *_SMPI_OPTIONS, program, bodies]
        done = capture("timeout", _PATIENCE_S, *words)
    line = next((line for line in done.stdout.splitlines() if line.startswith("{")), None)
    if line:
        return Timing.model_validate_json(line)
    said = done.stderr + done.stdout
    why = f"no answer on {ranks} ranks: {last_line(said, done.returncode)[:300]}"
    if "Deadlock detected" in said:
        why = f"deadlock on {ranks} ranks: each waits for another, to send or to receive"
    raise LabError(f"bench --simulated: {why}; ./lab check may tell more")


def simulate(
    lab: Lab, name: str, network: Network, sizes: Mapping[int, int], rate: float, rate_from: str
) -> Simulated:
    """One iteration of NAME for each number of ranks, which compute `rate` x 10^9 interactions/s."""
    lab.begin()
    lab.demand_part()
    if not has_ranks(lab):
        raise LabError(f"bench --simulated: {lab.part} runs as one process; part 4 runs as several")
    lab.demand_name(name)
    if not shutil.which("smpicxx"):
        raise LabError("bench --simulated: no SimGrid here: ./lab setup --mpi installs it")
    program = _build(lab, name)
    lab.unlock()
    rows: list[SimulatedRow] = []
    with Step(f"simulating {name}") as step:
        for ranks, bodies in sizes.items():
            step.hear(f"[{len(rows)}/{len(sizes)}]")
            rows.append(row_of(ask(program, network, rate, ranks, bodies), rate))
    return Simulated(
        name=name, network=network.value, rate=rate, rate_from=rate_from, rows=tuple(rows)
    )
