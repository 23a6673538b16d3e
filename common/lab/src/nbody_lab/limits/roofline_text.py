"""A roofline as text. Pure functions of its file (docs/file_formats.md)."""

from collections.abc import Iterable, Iterator, Sequence

from nbody_lab.core.console import LabTable, render, wrapped
from nbody_lab.limits.ceilings import issued_level, prefer_ceilings
from nbody_lab.limits.roofline import ABOVE
from nbody_lab.measure.bench import BUSY
from nbody_lab.measure.results import Ceiling, Point, Roofline

BUSY_MACHINE = "busy machine?"  # the limiter of a program that may have waited for other programs
_UNITS = {"flop/s": "flop/s", "byte/s": "B/s", "operation/s": "/s"}


def format_significant(number: float) -> str:
    """1234 -> '1230', 12.34 -> '12.3', 0.1234 -> '0.123'"""
    if number >= 100:
        return f"{float(f'{number:.3g}'):.0f}"
    return f"{number:#.3g}".rstrip(".") if number >= 1e-3 else f"{number:.1e}"


def format_rate(rate: float, unit: str) -> str:
    """3.46e10, 'byte/s' -> '34.6 GB/s'"""
    for scale, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M")):
        if rate >= scale:
            return f"{format_significant(rate / scale)} {letter}{_UNITS[unit]}"
    return f"{format_significant(rate)} {_UNITS[unit]}"


def format_percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def format_intensity(intensity: float | None) -> str:
    return format_significant(intensity) if intensity else "-"


def format_roof_share(point: Point) -> str:
    """95 %, with ! above the roof and with ? under a doubtful one."""
    flag, doubt = "!" if point.above_roof else "", "?" if point.disturbed else ""
    return f"{flag}{format_percent(point.share_of_roof)}{doubt}"


def format_setting(data: Roofline) -> str:
    """float, 1 thread, 5000 bodies"""
    threads = f"{data.threads} thread{'' if data.threads == 1 else 's'}"
    words = [data.precision, *([threads] if data.where == "cpu" else []), f"{data.n} bodies"]
    return ", ".join(words)


# Ceilings.


def ceiling_name(row: Ceiling) -> str:
    """The level, for a processor's bandwidths; else the name: a GPU's shared memory has two rates, by access
    pattern."""
    return row.name if row.where != "cpu" else row.level or row.name


def _best_of_each(rows: Iterable[Ceiling]) -> list[Ceiling]:
    """The highest row of each level and instruction set, from low to high."""
    alike: dict[tuple[str, str], list[Ceiling]] = {}
    for row in rows:
        alike.setdefault((ceiling_name(row), row.instruction_set), []).append(row)
    best = (max(prefer_ceilings(some), key=lambda row: row.best) for some in alike.values())
    return sorted(best, key=lambda row: row.best)


def drawn_ceilings(
    rows: Sequence[Ceiling], precision: str, threads: int
) -> tuple[list[Ceiling], list[Ceiling]]:
    """The (flops, loads) rows of one place with this precision and number of threads, 0 on a GPU: the same rows that
    points are compared with. A row that is no ceiling counts only if there is no better one."""
    flops = [
        row
        for row in rows
        if (row.kind, row.precision, row.threads) == ("flops", precision, threads)
    ]
    loads = [
        row
        for row in rows
        if (row.kind, row.operation, row.threads) == ("bandwidth", "load", threads)
        and "host" not in row.level
        and row.precision in ("", precision)
    ]
    return _best_of_each(flops), _best_of_each(loads)


def ceilings_of(data: Roofline) -> tuple[list[Ceiling], list[Ceiling]]:
    """The (flops, loads) rows of a roofline."""
    threads = data.threads if data.where == "cpu" else 0
    return drawn_ceilings(data.ceilings.of_place(data.where), data.precision, threads)


def format_ceiling(row: Ceiling) -> str:
    """35.0 Gflop/s, with a question mark if it is not a ceiling."""
    return format_rate(row.best, row.unit) + ("" if row.is_ceiling else "?")


def ceiling_lines(flops: Sequence[Ceiling], loads: Sequence[Ceiling]) -> Iterator[str]:
    """Of L1 only the widest loads: a text line has no room for all."""
    sets = {row.instruction_set: row.name for row in reversed(flops)}  # of the lowest peak
    by_width = sorted(flops, key=lambda row: (row.lanes, row.operation == "fma", row.best))
    widest = {ceiling_name(row): row for row in loads}
    memory = sorted(widest.values(), key=lambda row: -row.best)
    for label, rows in (("computing", by_width), ("memory", memory)):
        words = []
        for row in rows:
            name = sets.get(row.instruction_set) if row.level == "L1" else None
            with_set = f" ({name})" if name else ""
            words.append(f"{ceiling_name(row)}{with_set} {format_ceiling(row)}")
        text = f"{label:<10} {', '.join(words) or 'no ceiling was measured'}"
        yield from wrapped(text, " " * 11)


# Points.


def short_limiter(limiter: str, busy_machine: bool) -> str:
    """The limiter in the width of its column; "waiting" is explained below the table. A program on a busy machine may
    not really wait. Empty without a limiter."""
    if not limiter.startswith("waiting"):
        return limiter
    return BUSY_MACHINE if busy_machine else "waiting"


def points_table(points: Sequence[Point]) -> LabTable:
    titles = (
        *(">", "name", ">flop/byte", ">compulsory", ">Gflop/s"),
        *(">of roof", "roof", "limiter", ">of it"),
    )
    rows = [
        (
            point.number,
            point.name,
            format_intensity(point.intensity),
            format_intensity(point.compulsory_intensity),
            format_significant(point.flops_per_s / 1e9),
            format_roof_share(point),
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
        is_gpu = issued_level(data.ceilings.of_place(data.where)) == "shared"
        level = "shared memory or L1" if is_gpu else "L1"
        yield f"flop/byte: flops per byte that the source loads and stores, served by {level}"
        yield "compulsory: flops per byte that must come from memory: 7 numbers per body and iteration"
        yield "of roof: the share of the roof above it; roof: what that is, computing or memory"
        yield "limiter: the unit with the lowest limit; of it: the share of that limit reached"
    if busy := [point.name for point in data.points if point.busy_machine]:
        yield f"{', '.join(busy)}: {BUSY}"
    if "waiting" in [short_limiter(one.limiter, one.busy_machine) for one in data.points]:
        yield (
            "waiting: no unit is more than 60 % busy: it waits for results (latency), branches or calls, or does more "
            f"than the source counts; ./lab bound {data.part} NAME tells more"
        )
    for point in data.points:
        if point.above_roof:
            yield (
                f"! {point.name} lies {format_percent(point.share_of_roof - 1)} over its roof: the roof was measured too "
                "low (./lab roofline --measure), or the compiler saved work"
            )
        elif point.share_of_limit > ABOVE:
            yield (
                f"{point.name} is {format_percent(point.share_of_limit - 1)} faster than its lowest limit: the compiler "
                "did less than the source says, or the limit was measured too low"
            )
    drawn = [row for rows in ceilings_of(data) for row in rows]
    if not all(row.is_ceiling for row in drawn) or any(point.disturbed for point in data.points):
        yield (
            "?: it varied too much while measured, or contradicts another ceiling. Good enough for a first look, not for "
            "a report: run ./lab roofline --measure while nothing else runs"
        )
    for why in dict.fromkeys(left.why for left in data.left_out):
        names = [left.name for left in data.left_out if left.why == why]
        yield f"left out: {', '.join(names)}: {why}"
    yield from data.notes


def format_roofline(data: Roofline) -> str:
    """As wide as the terminal."""
    machine = f" on {data.machine}" if data.machine else ""
    title = f"{data.part}: {format_setting(data)}, {data.date}{machine}"
    lines = [*wrapped(title), "", *ceiling_lines(*ceilings_of(data)), ""]
    if data.points:
        lines += [render(points_table(data.points)), ""]
    for remark in _remarks(data):
        lines += wrapped(remark, "  ")
    return "\n".join(lines)
