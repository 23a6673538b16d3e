"""A roofline as text. Pure functions of its file (docs/fields.md)."""

from collections.abc import Iterator, Sequence

from nbody_lab.core.console import LabTable, wrapped
from nbody_lab.core.words import plural
from nbody_lab.measure.bench import BUSY
from nbody_lab.measure.results import Ceiling, Point, Roofline

_UNITS = {"flop/s": "flop/s", "byte/s": "B/s", "operation/s": "/s"}


def format_significant(number: float) -> str:
    """1234 -> '1234', 12.34 -> '12.3', 0.1234 -> '0.123': a good machine's noise allows no more."""
    return f"{number:.0f}" if number >= 100 else f"{number:#.3g}".rstrip(".")


def format_percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def format_setting(data: Roofline) -> str:
    """float, 1 thread, 5000 bodies"""
    threads = [plural(data.threads, "thread")] if data.where == "cpu" else []
    return ", ".join([data.precision, *threads, f"{data.n} bodies"])


def ceiling_name(row: Ceiling) -> str:
    """The level, for a processor's bandwidths; else the name: a GPU's shared memory has two rates, by access
    pattern."""
    return row.name if row.where != "cpu" else row.level or row.name


def ceilings_of(data: Roofline) -> tuple[list[Ceiling], list[Ceiling]]:
    """The (flops, loads) rows that points are compared with: the highest of each level and instruction set, from low to
    high."""
    rows = [row for row in data.ceilings.of_place(data.where) if row.threads == data.threads]
    own = [row for row in rows if row.precision in ("", data.precision)]
    flops = [row for row in own if row.kind == "flops"]
    loads = [row for row in own if row.operation == "load" and "host" not in row.level]
    drawn = []
    for rows in (flops, loads):
        rows = sorted(rows, key=lambda row: row.best)
        best = {(ceiling_name(row), row.instruction_set): row for row in rows}
        drawn.append([row for row in rows if row in best.values()])
    return drawn[0], drawn[1]


def format_ceiling(row: Ceiling) -> str:
    """35.0 Gflop/s, with a question mark if it is not a ceiling."""
    scale, letter = (1e12, "T") if row.best >= 1e12 else (1e9, "G")
    rate = f"{format_significant(row.best / scale)} {letter}{_UNITS[row.unit]}"
    return rate + ("" if row.is_ceiling else "?")


def ceiling_lines(data: Roofline) -> Iterator[str]:
    """Of L1 only the widest loads: a text line has no room for all."""
    flops, loads = ceilings_of(data)
    by_width = sorted(flops, key=lambda row: (row.lanes, row.operation == "fma", row.best))
    widest = {ceiling_name(row): row for row in loads}
    memory = sorted(widest.values(), key=lambda row: -row.best)
    for label, rows in (("computing", by_width), ("memory", memory)):
        words = [f"{ceiling_name(row)} {format_ceiling(row)}" for row in rows]
        text = f"{label:<10} {', '.join(words) or 'no ceiling was measured'}"
        yield from wrapped(text, " " * 11)


def short_limiter(limiter: str, busy_machine: bool) -> str:
    """The limiter in the width of its column; "waiting" is explained below the table. A program on a busy machine may
    not really wait. Empty without a limiter."""
    if not limiter.startswith("waiting"):
        return limiter
    return "busy machine?" if busy_machine else "waiting"


def points_table(points: Sequence[Point]) -> LabTable:
    titles = (
        ">",
        "name",
        ">flop/byte",
        ">compulsory",
        ">Gflop/s",
        ">of roof",
        "roof",
        "limiter",
        ">of it",
    )
    rows = [
        (
            point.number,
            point.name,
            format_significant(point.intensity) if point.intensity else "-",
            format_significant(point.compulsory_intensity),
            format_significant(point.flops_per_s / 1e9),
            f"{'!' * point.above_roof}{format_percent(point.share_of_roof)}",
            point.bound_by,
            short_limiter(point.limiter, point.busy_machine),
            format_percent(point.share_of_limit),
        )
        for point in points
    ]
    return LabTable(titles, rows)


def _remarks(data: Roofline) -> Iterator[str]:
    """Sentences below the table: what its words mean, what stands out, and what is missing."""
    if data.points:
        yield "flop/byte: flops per byte that the source loads and stores, served by L1 or shared memory"
        yield "compulsory: flops per byte that must come from memory: 7 numbers per body and iteration"
        yield "of roof: the share of the roof above it; roof: what that is, computing or memory"
        yield "limiter: the unit with the lowest limit; of it: the share of that limit reached"
    if busy := [point.name for point in data.points if point.busy_machine]:
        yield f"{', '.join(busy)}: {BUSY}"
    if any(short_limiter(one.limiter, one.busy_machine) == "waiting" for one in data.points):
        why = "for results (latency), branches or calls, or does more than the source counts"
        yield f"waiting: no unit is more than 60 % busy: it waits {why}; ./lab bound tells more"
    for point in data.points:
        if point.above_roof:
            over = f"! {point.name} lies {format_percent(point.share_of_roof - 1)} over its roof: "
            yield f"{over}it was measured too low (./lab roofline --measure), or the compiler saved work"
    if not all(row.is_ceiling for rows in ceilings_of(data) for row in rows):
        yield "?: it varied too much, or contradicts another ceiling: run ./lab roofline --measure on a quiet machine"
    for why in dict.fromkeys(data.left_out.values()):
        names = [name for name in data.left_out if data.left_out[name] == why]
        yield f"left out: {', '.join(names)}: {why}"


def format_roofline(data: Roofline) -> Iterator[str | LabTable]:
    """As wide as the terminal."""
    yield from wrapped(f"{data.part}: {format_setting(data)}, {data.date} on {data.machine}")
    yield from ("", *ceiling_lines(data), "")
    if data.points:
        yield from (points_table(data.points), "")
    for remark in _remarks(data):
        yield from wrapped(remark, "  ")
