"""What ./lab bound prints."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from nbody_lab.core.console import LabTable, wrapped
from nbody_lab.core.words import plural
from nbody_lab.measure.bound_file import Bound

_BAR = 30  # length of the bar of a unit that is always busy
_SLOWER = 1.05  # less means nothing
_COLUMNS = ("name", ">instructions", ">interactions", ">bound", ">simulated", ">measured", "limit")


def _number(value: float | None, digits: int = 2) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _remarks(bounds: Sequence[Bound], reasons: Mapping[str, str]) -> Iterator[str]:
    """Why some have no share, no speed or no bound."""
    for core in dict.fromkeys(one.core for one in bounds if not one.is_this_machine):
        yield f"  cycles of {core}, not of this processor: no share"
    without = {one.name: one.why_not_measured for one in bounds if one.why_not_measured}
    for name, why in {**without, **reasons}.items():
        yield from wrapped(f"  {name}: {why}", "    ")


def table(bounds: Sequence[Bound], reasons: Mapping[str, str]) -> Iterator[str | LabTable]:
    """A row for each, in cycles per iteration."""
    rows = [
        (
            *(one.name, one.instructions, f"{one.interactions:g}"),
            *map(_number, (one.cycles, one.simulated_cycles, one.measured_cycles)),
            ", ".join(one.limit) or "waits",
            _number((one.measured_interactions_per_s or 0) / 1e9 or None, 3),
            one.share_of_bound and f"{one.share_of_bound:.0%}",
        )
        for one in bounds
    ]
    if rows:
        yield LabTable((*_COLUMNS, ">10^9/s", ">share"), rows, 2)
    yield from _remarks(bounds, reasons)


def _instructions(bound: Bound) -> Iterator[str]:
    """The loop, and its cycles without each of its instructions; on a GPU how often it has each."""
    if not bound.simulated_cycles:
        names = Counter(text.split()[text.startswith("@")] for text in bound.text)
        for name, count in names.most_common(12):
            yield f"  {name:>20} {count:6}, {count / bound.interactions:.2f}/interaction"
        return
    best = min(simulated for _, simulated in bound.without)
    gain = f"{bound.simulated_cycles / best - 1:.0%} faster by the simulation"
    if not bound.text:
        yield f"  one instruction fewer: {best:.2f} simulated cycles at best, {gain}"
        yield "  which one is shown once the worksheet's counts are right (./lab worksheet)"
        return
    yield "  one instruction fewer: cycles of an iteration without it"
    yield "     bound  simulated  units"
    for text, (cycles, simulated), units in zip(bound.text, bound.without, bound.units):
        most = f"   <- {gain}" if simulated == best else ""
        # Slower: what starts a register was removed, so its next user waits for the iteration before.
        after = "-" if simulated > _SLOWER * bound.simulated_cycles else f"{simulated:.2f}"
        yield f"    {cycles:6.2f}  {after:>9}  {units:<16}  {text}{most}"


def text_of(bound: Bound) -> Iterator[str]:
    """Of one implementation."""
    instructions = plural(bound.instructions, "instruction")
    interactions = plural(bound.interactions, "interaction")
    yield f"{bound.part}/{bound.name}, {bound.precision}: {bound.function}"
    yield f"  {instructions} for {interactions}; cycles of {bound.core} by {bound.tool}\n"
    yield f"  bound     {bound.cycles:9.2f} cycles, {bound.cycles_per_interaction:.3f}/interaction"
    if bound.simulated_cycles:
        yield f"  simulated {bound.simulated_cycles:9.2f}"
    if bound.measured_cycles and bound.measured_interactions_per_s and bound.clock_hz:
        share = f": {bound.share_of_bound:.0%} of the bound" if bound.share_of_bound else ""
        speed = f"{bound.measured_interactions_per_s / 1e9:.3f} x 10^9 interactions/s"
        clock = f"{bound.clock_hz / 1e9:.2f} GHz{share}"
        yield f"  measured  {bound.measured_cycles:9.2f}, {speed} at {clock}"
    limit = ", ".join(bound.limit) or "it waits: no unit is busy for 85 % of the time"
    yield f"\n  limit: {limit}"
    total = bound.simulated_cycles or bound.cycles
    for unit, cycles in bound.busy.items():
        if cycles >= 0.2 * total:
            bar = "#" * round(_BAR * cycles / total)
            yield f"  {unit:>12} {cycles:9.2f} {cycles / total:6.0%}  {bar}"
    yield ""
    yield from _instructions(bound)
    yield from _remarks([bound], {})
