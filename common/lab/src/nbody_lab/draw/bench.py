"""Pictures of a result of ./lab bench: the ladder of its implementations, and lines over what was swept."""

from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any

from nbody_lab.core.words import plural
from nbody_lab.draw.sheet import Sheet, draw_bars, set_log_ticks, set_round_ticks
from nbody_lab.draw.theme import FLOPS, KINDS, RATE, SOFT, short, times
from nbody_lab.limits.roofline_text import format_significant
from nbody_lab.measure.bench_file import TUNED, BenchResult, BenchRow, read_result

# What may be swept: one value in words, and the label of its axis.
_SWEPT = {
    "n": ("N = {}", "bodies N"),
    "threads": ("{}", "threads"),
    "ranks": ("{}", "ranks"),
    "block": ("blocks of {}", "threads per block"),
    "unroll": ("unrolled {} times", "interactions per pass of the loop"),
    "grid": ("grids of {}", "blocks of the grid"),
}
_CORES = ("threads", "ranks")
_MARKED = ("naive", "mine", "exhibit")  # kinds that a ladder tells from the others


def read_measured(file: Path) -> BenchResult:
    """Only rows with a speed; none if the machine was too busy. Raises LabError."""
    result = read_result(file)
    return with_rows(result, [row for row in result.summary if row.speed])


def with_rows(result: BenchResult, rows: Sequence[BenchRow]) -> BenchResult:
    return result.model_copy(update={"summary": tuple(rows)})


def pictures_of(result: BenchResult) -> list[Sheet]:
    """The ladder, unless one program is tuned, and lines for each field that was swept."""
    if not result.summary:
        return []
    swept = [axis for axis in _SWEPT if len({*_values(result, axis)} - {0}) > 1]
    tuned = any(axis in TUNED for axis in swept)
    sheets = [ladder(result)] if len(result.names) > 1 or not tuned else []
    return sheets + [line_chart(result, axis) for axis in swept if not tuned or axis != "n"]


def _values(result: BenchResult, axis: str) -> list[Any]:
    return sorted({getattr(row, axis) for row in result.summary})


def _in_words(axis: str, value: Any) -> str:
    """8 threads"""
    words = plural(value, axis[:-1]) if axis in _CORES else value
    return _SWEPT.get(axis, ("{}",))[0].format(words)


def _about(result: BenchResult) -> str:
    """The conditions that all rows share."""
    words = []
    for axis in ("n", "threads", "ranks", "block", "precision"):
        value = getattr(result.summary[0], axis)
        of_processor = axis == "threads" and result.context.device
        if value and len(_values(result, axis)) == 1 and not of_processor:
            words.append(_in_words(axis, value))
    return ", ".join(words)


def _footnote(result: BenchResult) -> str:
    """The machine, the run, what a speed is, and what its whiskers are."""
    context, rounds = result.context, result.summary[0].rounds
    device = context.device.split(", built with")[0]
    machine = f"{device}, {context.cpu}" if device else f"{context.cpu}, {context.compiler}"
    return (
        f"{machine}; {context.scene or '?'} scene, {context.step} step; medians of {rounds} rounds; "
        f"whiskers: the middle half of the rounds; {context.day}"
    )


def ladder(result: BenchResult) -> Sheet:
    """Bars of the largest N, then most threads and ranks, then the first precision and launch. On a bar stand the ratios of
    bench's table; none where the rounds do not agree."""
    setup = max(result.summary, key=lambda row: (row.n, row.threads, row.ranks)).setup
    rows = [row for row in result.summary if row.setup == setup]
    first, beside = result.names[0], []
    for row in rows:
        of_first, of_parent = result.ratio_to_first(row), result.ratio_to_parent(row)
        words = [times(of_first)] if of_first else []
        words += [f"{times(of_parent)} {row.parent}"] if of_parent and row.parent != first else []
        beside.append(", ".join(words))
    best = max([row for row in rows if row.is_right] or rows, key=lambda row: row.speed)
    title = f"{result.context.part}: {best.name}"
    if len(rows) > 1:
        ratio = result.ratio_to_first(best) if best.name != first else None
        title += f" is {times(ratio)} as fast as {first}" if ratio else " is the fastest"
    sheet = Sheet(
        "ladder",
        title,
        f"{_about(with_rows(result, rows))}. On the bars: x {first}, then x the rung it comes from; "
        "pink: an exhibit, which shows a mistake or its price; hatched: wrong results.",
        _footnote(result),
        height=150 + 31 * len(rows),
    )
    draw_bars(
        sheet.axes,
        [row.name for row in rows],
        [row.speed / 1e9 for row in rows],
        [KINDS[row.kind][1] if row.kind in _MARKED else "C6" for row in rows],
        [row.is_right for row in rows],
        beside,
        _whiskers(rows),
    )
    sheet.axes.set_xlabel(RATE)
    return sheet


def _whiskers(rows: Sequence[BenchRow]) -> list[list[float]]:
    """How far the middle half of the rounds reaches below and above each speed, in 10⁹/s."""
    rates = [row.interactions_per_s for row in rows]
    below = [(rate.median - rate.lower_quartile) / 1e9 for rate in rates]
    return [below, [(rate.upper_quartile - rate.median) / 1e9 for rate in rates]]


def _lines_of(result: BenchResult, axis: str) -> dict[str, list[BenchRow]]:
    """For each name and setup the rows in the order of the axis."""
    others = [field for field in (*_SWEPT, "precision") if field != axis]
    differ = [field for field in others if len(_values(result, field)) > 1]
    lines: dict[str, list[BenchRow]] = {}
    for row in result.summary:
        setup = [_in_words(field, value) for field in differ if (value := getattr(row, field))]
        if len(result.names) > 1 or not setup:
            setup.insert(0, row.name)
        lines.setdefault(", ".join(setup), []).append(row)
    return {words: sorted(rows, key=attrgetter(axis)) for words, rows in lines.items()}


def line_chart(result: BenchResult, axis: str) -> Sheet:
    """Speed over bodies, where the peak of the device is known also how near to it. Over block size, unroll factor or grid:
    which is fastest depends on how many bodies there are to share out. Over threads or ranks for the largest N, beside
    the ideal: fewer bodies tell about starting threads."""
    if axis in _CORES:
        n = max(row.n for row in result.summary)
        result = with_rows(result, [r for r in result.summary if r.n == n and getattr(r, axis)])
    values, lines = _values(result, axis), _lines_of(result, axis)
    # What other programs disturbed is no finding.
    best = max(result.summary, key=lambda row: (not row.busy_machine, row.speed))
    title = f"{result.context.part}: {best.name} reaches {format_significant(best.speed / 1e9)} x {RATE}"
    if axis != "n":
        title += f", {_in_words(axis, getattr(best, axis))}"
    ideal: dict[str, list[float]] = {}
    if axis in _CORES:
        first = next(rows[0] for rows in lines.values() if best in rows)
        fewest = getattr(first, axis)
        title += f": {times(best.speed / first.speed)} {_in_words(axis, fewest)}"
        ideal[f"ideal: {best.name}"] = [first.speed / 1e9 * value / fewest for value in values]
    if axis == "n" and (peak := result.context.device_peak_flops_per_s / FLOPS):
        ideal[f"peak, at {FLOPS} flops"] = [peak / 1e9] * len(values)
        if "/" not in best.name:  # else it may have run on the processor
            title += f", {100 * best.speed / peak:.0f} % of the peak"
    name = "bodies" if axis == "n" else axis
    sheet = Sheet(name, title, _about(result), _footnote(result))
    axes = sheet.axes
    for words, rows in lines.items():
        across = [getattr(row, axis) for row in rows]
        axes.errorbar(across, [row.speed / 1e9 for row in rows], _whiskers(rows), label=words)
    for words, up in ideal.items():
        axes.plot(values, up, color=SOFT, linestyle=":", marker="", label=words)
    if axis == "n":
        labels = [short(n) for n in values]
        set_log_ticks(axes, values, labels, rotation=45 if len(values) > 8 else 0)
    elif axis in TUNED:
        set_log_ticks(axes, values)
    else:
        axes.set_xticks(values)
    axes.set(xlabel=_SWEPT[axis][1], ylabel=RATE)
    speeds = [row.speed for row in result.summary]
    if axis not in _CORES and max(speeds) > 8 * min(speeds):
        axes.set_yscale("log")
        set_round_ticks(axes.yaxis)
    else:
        axes.set_ylim(bottom=0)
    sheet.name_lines()
    return sheet
