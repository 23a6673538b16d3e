"""The bound of one loop: its full port, the least cycles of an iteration and of an interaction, and
what one instruction fewer on its full ports would gain."""

import re
from collections.abc import Callable, Mapping, Sequence

from nbody_lab.bound.instruction_kinds import count_issue_slots, count_kinds, count_results, plain
from nbody_lab.bound.machine_code import HotLoop
from nbody_lab.bound.ports import PortCounts, count_ports
from nbody_lab.core.bound_file import Beside, Gain, Loop, PortBound
from nbody_lab.hardware.cores import Core

_FRONT_END, _CHAIN = "front end", "chain"
_STEP = re.compile(r"add \$(0x[0-9a-f]+),(%r\w+)$")
_FULL = 0.99  # a port is full if it is this close to the fullest, to allow for rounding
# One instruction fewer for the unit of a GPU that is full (sass.py).
ON_GPU = {
    "slots": "one instruction fewer",
    "float": "one instruction fewer for the float units",
    "double": "one instruction fewer for the double units",
    "special": "one estimate fewer for the special function unit",
    "integer": "one instruction fewer for the integer units",
    "shuffle": "one shuffle fewer between lanes",
    "shared": "one load or store of shared memory fewer",
}


def find_step(texts: Sequence[str]) -> int | None:
    """The smallest number of bytes by which the loop advances in an array; None if unknown."""
    steps = []
    for increment in filter(None, map(_STEP.match, texts)):
        register = increment[2]
        scales = [
            int(scale)
            for text in texts
            for scale in re.findall(rf"\([^()]*,{register},(\d)\)", text)
        ]
        if scales or any(re.search(rf"\({register}[,)]", text) for text in texts):
            steps.append(int(increment[1], 16) * max([*scales, 1]))
    return min(steps, default=None)


def times_beside(hot: HotLoop, other: HotLoop) -> float | None:
    """Iterations of the other loop per iteration of the hot one, as both process the same bodies."""
    hot_step, other_step = (
        find_step([one.text for one in loop.instructions]) for loop in (hot, other)
    )
    if not hot_step or not other_step or hot_step < other_step:
        return None
    return hot_step / other_step


def least_cycles(counts: PortCounts, texts: Sequence[str], width: int | None) -> tuple[float, str]:
    """(cycles, limit) of an iteration: the fullest port, the front end, or the dependency chain."""
    limits = {**counts.ports, _FRONT_END: count_issue_slots(texts) / width if width else 0.0}
    limit = max(limits, key=limits.__getitem__)
    chain = counts.chain_cycles or 0.0
    return (chain, _CHAIN) if chain > limits[limit] else (limits[limit], limit)


def find_full_ports(ports: Mapping[str, float]) -> list[str]:
    """The ports with the most cycles."""
    most = max(ports.values(), default=0.0)
    return [port for port, cycles in ports.items() if most and cycles >= _FULL * most]


def _find_slot(counts: PortCounts, full: Sequence[str]) -> float | None:
    """Cycles of the divider for its fastest division or root, if only the divider is full; else
    None, where a slot is one cycle of one port."""
    if len(full) != 1 or "DV" not in full[0]:
        return None
    column = list(counts.ports).index(full[0])
    return min((line[column] for line in counts.lines if line[column] > 0), default=None)


Counter = Callable[[Core | None, Sequence[str]], PortCounts]


def _bound_beside(count: Counter, core: Core | None, hot: HotLoop, other: HotLoop) -> Beside:
    times = times_beside(hot, other)
    cycles, limit = None, None
    if times:
        counts = count(core, other.texts)
        cycles, limit = least_cycles(counts, other.texts, core.width if core else None)
    return Beside(instructions=len(other.texts), times=times, cycles=cycles, limit=limit)


def _add_up(cycles: float, limit: str, beside: Sequence[Beside]) -> dict[str, float]:
    """{limit: cycles per iteration with all neighbouring loops}, largest first."""
    taken = {limit: cycles}
    for other in beside:
        if other.times and other.limit and other.cycles is not None:
            taken[other.limit] = taken.get(other.limit, 0.0) + other.times * other.cycles
    return dict(sorted(taken.items(), key=lambda item: -item[1]))


def bound_of_loop(
    loop: HotLoop, core: Core | None, interactions: float, count: Counter = count_ports
) -> PortBound:
    """Raises CannotCount."""
    texts = loop.texts
    width = core.width if core else None
    counts = count(core, texts)
    cycles, limit = least_cycles(counts, texts, width)
    beside = [_bound_beside(count, core, loop, other) for other in loop.others]
    taken = _add_up(cycles, limit, beside)
    full = find_full_ports(counts.ports)
    bound = PortBound(
        core=counts.core,
        instead_of=counts.instead_of,
        tool=counts.tool,
        loop=Loop(
            function=loop.function,
            instructions=len(texts),
            by_kind=count_kinds(texts),
            operations=count_results(texts),
            text=tuple(map(plain, texts)),
            calls=tuple(loop.calls),
        ),
        instruction_set=loop.instruction_set,
        lanes=loop.lanes,
        interactions_per_iteration=interactions,
        ports=dict(counts.ports),
        full_ports=tuple(full),
        full_port=full[0] if full else None,
        limit=limit,
        slot=_find_slot(counts, full),
        ports_cycles=max(counts.ports.values(), default=0.0),
        front_end_cycles=round(count_issue_slots(texts) / width, 2) if width else None,
        chain_cycles=counts.chain_cycles,
        chain=tuple(counts.chain),
        beside=tuple(beside),
        taken_by=taken,
        borrowed=dict(counts.borrowed),
        unknown=tuple(counts.unknown),
        cycles_per_iteration=sum(taken.values()),
        cycles_per_interaction=sum(taken.values()) / interactions,
    )
    return with_gain(bound)


def with_gain(bound: PortBound) -> PortBound:
    """With what one instruction fewer would gain; nothing if ports are not the limit. On a GPU
    every instruction also takes a slot."""
    full = bound.full_ports
    if bound.limit not in full:
        return bound
    others = [
        cycles - (1 if port == "slots" else 0)
        for port, cycles in bound.ports.items()
        if port not in full
    ]
    waits = [bound.front_end_cycles or 0.0, bound.chain_cycles or 0.0]
    shortened = bound.ports_cycles - (bound.slot or 1 / len(full))
    less = bound.cycles_per_iteration - bound.ports_cycles + max([shortened, *others, *waits])
    gain = Gain(
        words=_gain_words(full, is_divider=bool(bound.slot)),
        cycles_per_iteration=round(less, 3),
        speedup=bound.cycles_per_iteration / less,
    )
    return bound.model_copy(update={"one_slot_less": gain})


def _gain_words(full: Sequence[str], is_divider: bool) -> str:
    if full[0] in ON_GPU:
        return ON_GPU[full[0]]
    ports = f"port {full[0]}" if len(full) == 1 else f"ports {', '.join(full)}"
    return f"one {'division or root' if is_divider else 'instruction'} fewer for {ports}"
