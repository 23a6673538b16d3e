"""What ./lab bench --simulated finds out: the answers of a simulation, the rows made from them, and their table."""

from itertools import islice
from typing import Literal

import pydantic

from nbody_lab.core.console import LabTable, show
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import LabModel

_MOST_RANKS_WITH_SPANS = 16  # more cannot be seen in a picture


class SimulatedRow(LabModel):
    """One number of ranks."""

    ranks: int
    n: int
    seconds: float
    interactions_per_s: float
    efficiency: float = pydantic.Field(description="relative to ranks that never wait")
    computing: float = pydantic.Field(description="share of the time, averaged over the ranks")
    spans: tuple[tuple[float, ...], ...] = pydantic.Field(
        description="of each rank: begin, end, begin, ... of its computing, s; empty for many ranks"
    )


class Simulated(LabModel):
    """build/simulated/NAME_NETWORK.json."""

    model_config = pydantic.ConfigDict(extra="ignore")  # older files have more

    what: Literal["simulated"] = "simulated"
    name: str
    network: str
    rate: float = pydantic.Field(description="10^9 interactions/s of a rank")
    rate_from: str
    rows: tuple[SimulatedRow, ...] = pydantic.Field(min_length=1)

    def bodies_in_words(self) -> str:
        first, last = self.rows[0].n, self.rows[-1].n
        return f"{first} bodies" if first == last else f"{first} to {last} bodies"


class Timing(LabModel):
    """What rank 0 prints: an iteration, and when each rank computed."""

    ranks: int
    n: int
    seconds: float
    counts: tuple[int, ...] = pydantic.Field(description="numbers in `spans` for each rank")
    spans: tuple[float, ...] = pydantic.Field(description="begin, end, begin, ... of each rank, s")


def row_of(timing: Timing, rate: float) -> SimulatedRow:
    """The row for one number of ranks."""
    if not timing.spans:
        raise LabError(
            "bench --simulated: the program does not declare its work: put  if (!charged(rows * n))  around the loop, as in part4_mpi/naive.hpp"
        )
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
