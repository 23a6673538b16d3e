"""What was simulated on a cluster, as a model: written by studies/, drawn by draw/ (docs/fields.md)."""

from typing import Literal

from pydantic import Field

from nbody_lab.core.model import LabModel


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

    what: Literal["simulated"] = "simulated"
    name: str
    network: str
    rate: float = Field(description="10^9 interactions/s of a rank")
    rate_from: str
    per_rank: int | None = Field(description="bodies for one rank; null: strong scaling")
    rows: tuple[SimulatedRow, ...] = Field(min_length=1)

    def bodies_in_words(self) -> str:
        if self.per_rank:
            return f"{self.per_rank} bodies for one rank, sqrt(P) times as many for P ranks"
        return f"{self.rows[0].n} bodies"
