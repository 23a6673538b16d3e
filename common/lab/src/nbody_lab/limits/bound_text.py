"""What ./lab bound prints."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from nbody_lab.core.console import format_table, wrapped
from nbody_lab.core.words import plural
from nbody_lab.measure.bound_file import Bound

_BAR = 30  # length of the bar of a unit that is always busy
_COLUMNS: tuple[str, ...] = (
    "name",
    ">instructions",
    ">interactions",
    *(">bound", ">simulated", ">measured"),
    "limit",
    ">10^9/s",
    ">share",
)
_UNITS = 16  # width of the column of an instruction's units
_CHAIN = 0.1  # slower by so much without an instruction: others then wait for the iteration before


def _number(value: float | None, factor: float = 1, digits: int = 2) -> str:
    return "" if value is None else f"{value * factor:.{digits}f}"


def _remarks(bounds: Sequence[Bound], reasons: Mapping[str, str]) -> str:
    """Why some have no share, no speed or no bound."""
    texts = [
        f"cycles of {core}, not of this processor: no share"
        for core in dict.fromkeys(one.core for one in bounds if not one.is_this_machine)
    ]
    texts += [f"{one.name}: {one.why_not_measured}" for one in bounds if one.why_not_measured]
    texts += [f"{name}: {why}" for name, why in reasons.items()]
    return "".join("\n" + line for text in texts for line in wrapped(f"  {text}", "    "))


def table(bounds: Sequence[Bound], reasons: Mapping[str, str]) -> str:
    """A row for each, in cycles per iteration."""
    rows = [
        [
            one.name,
            one.instructions,
            f"{one.interactions:g}",
            _number(one.cycles),
            _number(one.simulated_cycles),
            _number(one.measured_cycles),
            ", ".join(one.limit) or "waits",
            _number(one.measured_interactions_per_s, 1e-9, 3),
            one.share_of_bound and f"{one.share_of_bound:.0%}",
        ]
        for one in bounds
    ]
    found = format_table(_COLUMNS, rows, 2) if rows else ""
    return (found + _remarks(bounds, reasons)).lstrip("\n")


def _bars(bound: Bound) -> Iterator[str]:
    total = bound.simulated_cycles or bound.cycles
    for unit, cycles in bound.busy.items():
        if cycles >= 0.2 * total:
            bar = "#" * round(_BAR * cycles / total)
            yield f"  {unit:>12} {cycles:9.2f} {cycles / total:6.0%}  {bar}"


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
    rows = zip(bound.text, bound.without, bound.units, strict=True)
    for text, (cycles, simulated), units in rows:
        chained = simulated > (1 + _CHAIN) * bound.simulated_cycles
        number = "        -" if chained else f"{simulated:9.2f}"
        most = f"   <- {gain}" if simulated == best else ""
        yield f"    {cycles:6.2f}  {number}  {units:<{_UNITS}}  {text}{most}"
    yield "  -: without it an iteration would wait for the one before"


def text_of(bound: Bound) -> str:
    """Of one implementation."""
    instructions = plural(bound.instructions, "instruction")
    interactions = plural(bound.interactions, "interaction")
    lines = [
        f"{bound.part}/{bound.name}, {bound.precision}: {bound.function}",
        f"  {instructions} for {interactions}; cycles of {bound.core} by {bound.tool}",
        "",
        f"  bound     {bound.cycles:9.2f} cycles, {bound.cycles_per_interaction:.3f}/interaction",
    ]
    if bound.simulated_cycles:
        lines += [f"  simulated {bound.simulated_cycles:9.2f}"]
    if bound.measured_cycles:
        speed = _number(bound.measured_interactions_per_s, 1e-9, 3)
        share = f": {bound.share_of_bound:.0%} of the bound" if bound.share_of_bound else ""
        lines += [
            f"  measured  {bound.measured_cycles:9.2f}, {speed} x 10^9 interactions/s"
            f" at {_number(bound.clock_hz, 1e-9)} GHz{share}"
        ]
    limit = ", ".join(bound.limit) or "it waits: no unit is busy for 85 % of the time"
    lines += ["", f"  limit: {limit}", *_bars(bound), "", *_instructions(bound)]
    return "\n".join(lines) + _remarks([bound], {})
