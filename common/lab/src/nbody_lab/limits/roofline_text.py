"""A roofline as text. Pure functions of its file (docs/file_formats.md)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from nbody_lab.core.console import LabTable, render, width, wrapped
from nbody_lab.limits.ceilings import issued_level, prefer_ceilings
from nbody_lab.limits.roofline import ABOVE
from nbody_lab.measure.bench import busy_words
from nbody_lab.measure.results import Ceiling, LeftOut, Point, Roofline

BUSY_MACHINE = "busy machine?"  # the limiter of a program that may have waited for other programs
_UNITS = {"flop/s": "flop/s", "byte/s": "B/s", "operation/s": "/s"}


def file_stem(part: str, precision: str, all_threads: bool) -> str:
    """The stem of a roofline's file name, different for each setting."""
    double = ["double"] if precision == "double" else []
    return "_".join([part, *double, *(["all_threads"] if all_threads else [])])


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


def set_names(flops: Sequence[Ceiling]) -> dict[str, str]:
    """{instruction set: the name of its lowest peak}"""
    return {row.instruction_set: row.name for row in reversed(flops)}


def _by_width(row: Ceiling) -> tuple[int, bool, float]:
    """From narrow to wide, whatever was measured; fma after its own instruction set."""
    return row.lanes, row.operation == "fma", row.best


def ceiling_lines(flops: Sequence[Ceiling], loads: Sequence[Ceiling]) -> Iterator[str]:
    """Of L1 only the widest loads: a text line has no room for all."""
    sets = set_names(flops)
    widest = {ceiling_name(row): row for row in loads}
    memory = sorted(widest.values(), key=lambda row: -row.best)
    for label, rows in (("computing", sorted(flops, key=_by_width)), ("memory", memory)):
        words = []
        for row in rows:
            name = sets.get(row.instruction_set) if row.level == "L1" else None
            with_set = f" ({name})" if name else ""
            words.append(f"{ceiling_name(row)}{with_set} {format_ceiling(row)}")
        text = f"{label:<10} {', '.join(words) or 'no ceiling was measured'}"
        yield from wrapped(text, " " * 11, width())


# Points.


def short_limiter(limiter: str, busy_machine: bool) -> str:
    """The limiter in the width of its column; "waiting" is explained below the table. A program on a busy machine may
    not really wait. Empty without a limiter."""
    if not limiter.startswith("waiting"):
        return limiter
    return BUSY_MACHINE if busy_machine else "waiting"


def _natural_width(cells: Mapping[str, Sequence[str]]) -> int:
    """Of a table in which nothing wraps."""
    return sum(max(map(len, [title.strip(">"), *column])) + 2 for title, column in cells.items())


def points_table(points: Sequence[Point], columns: int) -> LabTable:
    """Without its least important columns where it would be too wide."""
    cells = {
        ">": [str(point.number) for point in points],
        "name": [point.name for point in points],
        ">flop/byte": [format_intensity(point.intensity) for point in points],
        ">compulsory": [format_intensity(point.compulsory_intensity) for point in points],
        ">Gflop/s": [format_significant(point.flops_per_s / 1e9) for point in points],
        ">of roof": [format_roof_share(point) for point in points],
        "roof": [point.bound_by for point in points],
        "limiter": [short_limiter(point.limiter, point.busy_machine) for point in points],
        ">of it": [format_percent(point.share_of_limit) for point in points],
    }
    for title in (">compulsory", "roof"):
        if _natural_width(cells) - 2 > columns:
            del cells[title]
    return LabTable(list(cells), zip(*cells.values()))


def explain_limiters(part: str, busy: Sequence[str], waits: bool) -> Iterator[str]:
    """Sentences on the short words of the limiter column. `busy`: names timed on a busy machine; `waits`: does one of
    the others wait?"""
    if busy:
        yield busy_words(busy)
    if waits:
        yield (
            "waiting: no unit is more than 60 % busy: it waits for results (latency), branches or calls, or does more "
            f"than the source counts; ./lab bound {part} NAME tells more"
        )


def doubts(data: Roofline) -> Iterator[str]:
    """Explains the question marks, if there are any."""
    drawn = [row for rows in ceilings_of(data) for row in rows]
    doubtful = sum(not row.is_ceiling for row in drawn)
    if doubtful or any(point.disturbed for point in data.points):
        many = "every ceiling" if doubtful == len(drawn) else f"{doubtful} of {len(drawn)} ceilings"
        yield (
            f"?: {many} varied too much while measured, or contradict another. Good enough for a first look, not for a "
            "report: run ./lab roofline --measure while nothing else runs"
        )


def _names_by_reason(left_out: Sequence[LeftOut]) -> dict[str, list[str]]:
    names: dict[str, list[str]] = {}
    for left in left_out:
        names.setdefault(left.why, []).append(left.name)
    return names


def _remarks(data: Roofline) -> Iterator[str]:
    """Sentences below the table: what stands out and what is missing."""
    limiters = [short_limiter(point.limiter, point.busy_machine) for point in data.points]
    busy = [point.name for point in data.points if point.busy_machine]
    yield from explain_limiters(data.part, busy, "waiting" in limiters)
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
    yield from doubts(data)
    for why, names in _names_by_reason(data.left_out).items():
        yield f"left out: {', '.join(names)}: {why}"
    yield from data.notes


def format_roofline(data: Roofline) -> str:
    """As wide as the terminal."""
    columns, machine = width(), f" on {data.machine}" if data.machine else ""
    title = f"{data.part}: {format_setting(data)}, {data.date}{machine}"
    lines = [*wrapped(title, columns=columns), "", *ceiling_lines(*ceilings_of(data)), ""]
    if data.points:
        is_gpu = issued_level(data.ceilings.of_place(data.where)) == "shared"
        level = "shared memory or L1" if is_gpu else "L1"
        table = render(points_table(data.points, columns), columns)
        lines += [table, ""]
        for explanation in (
            f"flop/byte: flops per byte that the source loads and stores, served by {level}",
            "compulsory: flops per byte that must come from memory: 7 numbers per body and iteration",
            "of roof: the share of the roof above it; roof: what that is, computing or memory",
            "limiter: the unit with the lowest limit; of it: the share of that limit reached",
        ):
            if explanation.split(":")[0] in table:
                lines += wrapped(explanation, "  ", columns)
    for remark in _remarks(data):
        lines += wrapped(remark, "  ", columns)
    return "\n".join(lines)
