"""What a tool says about the ports that a loop keeps busy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from nbody_lab.core.messages import UserError


class CannotCount(UserError):
    """Why the ports cannot be counted."""


@dataclass(frozen=True)
class PortCounts:
    """Of one iteration. `lines`: the ports of each instruction, in the order of `ports`."""

    tool: str
    core: str
    ports: Mapping[str, float]  # cycles
    chain_cycles: float | None = None  # of the longest dependency chain between iterations
    chain: Sequence[str] = ()
    lines: Sequence[Sequence[float]] = ()
    borrowed: Mapping[str, str] = field(default_factory=dict)  # instruction: an older core
    unknown: Sequence[str] = ()  # instructions that are not counted
    instead_of: str | None = None
