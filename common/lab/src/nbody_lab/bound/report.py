"""The text that ./lab bound prints."""

from collections.abc import Iterable, Iterator, Sequence

from nbody_lab.core.bound_file import Beside, Bound, Gain
from nbody_lab.core.console import Column, format_table, width, wrapped
from nbody_lab.core.words import plural
from nbody_lab.hardware.cores import CORES
from nbody_lab.programs.quick_bench import busy_words

_BAR = 30  # length of the fullest port's bar


def _format_number(value: float | None) -> str:
    if not value:
        return ""
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def _format_limit(limit: str | None) -> str:
    return f"port {limit}" if limit and limit.isdigit() else str(limit)


def _label(label: str, text: str | None) -> list[str]:
    return wrapped(f"  {label:<11}{text}", " " * 13) if text else []


def format_full(bound: Bound) -> str:
    """The main limit and its share of the time: 0DV; front end 83 %."""
    taken = bound.taken_by or {bound.limit: 1.0}
    main = max(taken, key=taken.__getitem__)
    return main if len(taken) == 1 else f"{main} {100 * taken[main] / sum(taken.values()):.0f} %"


def _kind_lines(bound: Bound) -> Iterator[str]:
    loop, per = bound.loop, bound.interactions_per_iteration
    kinds = dict.fromkeys([*loop.by_kind, *(kind for kind in bound.counted if bound.counted[kind])])
    titles = ["instructions by kind", ">in the loop", ">results per interaction"]
    rows = [
        [
            kind,
            loop.by_kind.get(kind),
            _format_number(loop.operations.get(kind, 0) / per),
            _format_number(bound.counted.get(kind)),
        ]
        for kind in kinds
    ]
    if bound.counted:
        titles.append(">as counted in the source")
    yield format_table(titles, [row[: len(titles)] for row in rows], indent=2)
    if any(
        loop.operations.get(kind, 0) > (2 if kind == "multiply and add" else 1) * count
        for kind, count in loop.by_kind.items()
    ):
        yield "  (a vector instruction has several results)"


def _port_lines(bound: Bound) -> Iterator[str]:
    """The ports, and other limits of an iteration."""
    alone = ", without the loops beside it" if any(one.times for one in bound.beside) else ""
    yield f"  ports of {bound.core}, cycles per iteration{alone} ({bound.tool})"
    most = max(bound.ports.values(), default=0.0)
    for port, cycles in bound.ports.items():
        if cycles:
            bar = "#" * max(1, round(_BAR * cycles / most))
            full = "  full: the limit" if port in bound.full_ports else ""
            yield f"  {port:>14} {cycles:7.2f}  {bar}{full}"
    if bound.front_end_cycles:
        why = "the fewest that it takes to start all instructions"
        yield f"  {'front end':>14} {bound.front_end_cycles:7.2f}  {why}"
    if bound.chain_cycles:
        names = [line.split()[0] for line in bound.chain]
        more = f" and {len(names) - 4} more" if len(names) > 4 else ""
        chain = f"each waits for the one before: {', '.join(names[:4])}{more}"
        yield f"  {'chain':>14} {bound.chain_cycles:7.2f}  {chain}"


def _advise_tool(bound: Bound) -> str | None:
    """To install OSACA, unless it counted, or knows no more about this core than llvm-mca."""
    known = any(core.osaca for core in CORES if core.name == bound.core)
    if not known or not bound.tool.startswith("llvm-mca"):
        return None
    return (
        f"counted by {bound.tool}; ./lab setup --pictures installs OSACA, which knows this core"
        " better"
    )


def _name_substitute(bound: Bound) -> str | None:
    if not bound.instead_of:
        return None
    return (
        f"no tool here knows the ports of {bound.instead_of}: counted with those of {bound.core};"
        " it may be faster"
    )


def _format_beside(other: Beside) -> str:
    share = "how often it runs is unknown: not counted"
    if other.times:
        times, limit = plural(other.times, "time"), _format_limit(other.limit)
        share = f"{times} per iteration, {other.cycles:.2f} cycles each ({limit})"
    return f"beside it a loop of {other.instructions} instructions: {share}"


def _remarks(bound: Bound) -> Iterator[str]:
    """What the bound leaves out or assumes."""
    yield from filter(None, [_advise_tool(bound), _name_substitute(bound)])
    if bound.borrowed:
        count = plural(len(bound.borrowed), "instruction")
        yield f"OSACA does not know the ports of {count} on this core: counted with those of an older one"
    if bound.unknown:
        lines = [line.replace("lock ", "lock-") for line in bound.unknown]
        names = ", ".join(dict.fromkeys(line.split()[0] for line in lines))
        yield (
            f"not counted, unknown to the tool: {names} ({len(lines)} in all); the bound is too"
            " optimistic"
        )
    if bound.loop.calls:
        names = ", ".join(dict.fromkeys(bound.loop.calls))
        yield (
            f"it calls {names}(), whose instructions are not counted; the bound is too optimistic"
        )
    yield from map(_format_beside, bound.beside)


def _explain_shares(bounds: Sequence[Bound]) -> list[str]:
    """Why a speed can be above its bound."""
    if not any(bound.share_of_bound and bound.share_of_bound > 1 for bound in bounds):
        return []
    return _label(
        "",
        "above 100 %: the clock was faster than the one that the bound takes, or the tool's table of ports is slower than"
        " this core",
    )


def _format_gain(gain: Gain) -> str:
    percent = f"{100 * (gain.speedup - 1):.1f}"
    if percent == "0.0":
        return f"several are full: {gain.words} would gain nothing"
    return f"with {gain.words}: {gain.cycles_per_iteration:.2f} cycles, {percent} % faster"


def _speed_lines(bound: Bound) -> Iterator[str]:
    taken = [f"{_format_limit(what)} {cycles:.2f}" for what, cycles in bound.taken_by.items()]
    parts = f" ({', '.join(taken)})" if len(taken) > 1 else ""
    text = f"{bound.cycles_per_iteration:.2f} cycles/iteration{parts}"
    text += f", {bound.cycles_per_interaction:.3f}/interaction"
    if bound.bound_interactions_per_s and bound.clock_hz:
        speed = f"{bound.bound_interactions_per_s / 1e9:.3f} x 10^9 interactions/s"
        text += f": {speed} at {bound.clock_hz / 1e9:.2f} GHz"
    yield from _label("bound", text)
    if bound.measured_interactions_per_s:
        text = f"{bound.measured_interactions_per_s / 1e9:.3f} x 10^9 interactions/s"
        if bound.share_of_bound:
            text += f": {100 * bound.share_of_bound:.0f} % of its bound"
        yield from _label("measured", text)
        yield from _explain_shares([bound])
    if bound.why_not_measured:
        yield from _label("measured", f"not: {bound.why_not_measured}")
    yield from _label("machine", bound.machine)
    yield from _label("", busy_words([bound.name] if bound.busy_machine else []))
    if bound.one_slot_less:
        yield f"  {_format_gain(bound.one_slot_less)}"


def format_bound(bound: Bound) -> str:
    """One implementation: its loop, the ports, and its speed."""
    program = f"{bound.part}/{bound.name}, {bound.precision}, {bound.instruction_set}"
    instructions = plural(bound.loop.instructions, "instruction")
    interactions = plural(bound.interactions_per_iteration, "interaction")
    counts = f"  {instructions} for {interactions}, {bound.why_so_many}"
    kinds: Iterable[str] = ["  its contents are shown once the worksheet's counts are right"]
    remarks = [line for one in _remarks(bound) for line in wrapped(f"  {one}", "  ")]
    return "\n".join(
        [
            f"{program}: {bound.loop.function}"[: width()],
            *wrapped(counts, "  "),
            "",
            *(kinds if bound.hidden else _kind_lines(bound)),
            "",
            *_port_lines(bound),
            *(["", *remarks] if remarks else []),
            "",
            *_speed_lines(bound),
        ]
    )


_COLUMNS = (
    "name",
    Column("instructions", right=True, drop=2),
    Column("interactions", right=True, drop=1),
    Column("cycles", right=True),
    "full",
    Column("bound 10^9/s", right=True),
    Column("measured", right=True),
    Column("share", right=True),
)


def _notes(bounds: Sequence[Bound]) -> Iterator[str]:
    """Why some have no speed, and which machine the speeds are from, each once."""
    for why in dict.fromkeys(bound.why_not_measured for bound in bounds):
        names = ", ".join(bound.name for bound in bounds if bound.why_not_measured == why)
        yield from _label("measured", why and f"not {names}: {why}")
    yield from _explain_shares(bounds)
    yield from _label("", busy_words([bound.name for bound in bounds if bound.busy_machine]))
    for advice in dict.fromkeys([*map(_advise_tool, bounds), *map(_name_substitute, bounds)]):
        yield from _label("tool", advice)
    for machine in dict.fromkeys(bound.machine for bound in bounds):
        yield from _label("machine", machine)


def format_bounds(bounds: Sequence[Bound]) -> str:
    """Several implementations, one in each row."""

    def billions(speed: float | None) -> str | None:
        return f"{speed / 1e9:.3f}" if speed else None

    rows = [
        [
            bound.name,
            bound.loop.instructions,
            f"{bound.interactions_per_iteration:g}",
            f"{bound.cycles_per_iteration:.2f}",
            format_full(bound),
            billions(bound.bound_interactions_per_s),
            billions(bound.measured_interactions_per_s if bound.clock_hz else None),
            f"{100 * bound.share_of_bound:.0f} %" if bound.share_of_bound else None,
        ]
        for bound in bounds
    ]
    return "\n".join([format_table(_COLUMNS, rows, indent=2), *_notes(bounds)])
