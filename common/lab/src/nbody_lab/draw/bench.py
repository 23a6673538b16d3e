"""Pictures of a result of ./lab bench: the ladder of its implementations, and lines over what was swept."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any

from nbody_lab.core.words import plural
from nbody_lab.draw.sheet import Sheet, draw_bars, name_lines, set_log_heights, set_log_ticks
from nbody_lab.draw.theme import FLOPS, KINDS, RATE, SOFT, short, three_digits, times
from nbody_lab.measure.bench_file import TUNED, BenchResult, BenchRow, read_result

_WORDS = {
    "n": "N = {}",
    "precision": "{}",
    "block": "blocks of {}",
    "unroll": "unrolled {} times",
    "grid": "grids of {}",
}
_MARKED = ("naive", "mine", "exhibit")  # kinds that a ladder tells from the others
_LABELS = {
    "n": "bodies N",
    "block": "threads per block",
    "grid": "blocks of the grid",
    "unroll": "interactions per pass of the loop",
}


def read_measured(file: Path) -> BenchResult:
    """Only rows with a speed; none if the machine was too busy. Names carry their part where several parts meet. Raises
    LabError."""
    result = read_result(file)
    rows = [row for row in result.summary if row.speed > 0]
    if any("/" in row.name for row in rows):
        part = result.context.part
        names = [row.name if "/" in row.name else f"{part}/{row.name}" for row in rows]
        rows = [row.model_copy(update={"name": name}) for row, name in zip(rows, names)]
    return with_rows(result, rows)


def with_rows(result: BenchResult, rows: Sequence[BenchRow]) -> BenchResult:
    return result.model_copy(update={"summary": tuple(rows)})


def pictures_of(result: BenchResult) -> list[Sheet]:
    """The ladder, unless one program is tuned, and lines for each field that was swept."""
    if not result.summary:
        return []
    fields = ("n", "threads", "ranks", *TUNED)
    swept = [axis for axis in fields if len({*_values(result, axis)} - {0}) > 1]
    tuned = [axis for axis in swept if axis in TUNED]
    sheets = [ladder(result)] if len(result.names) > 1 or not tuned else []
    sheets += [speeds(result, axis) for axis in tuned or swept if axis in ("n", *TUNED)]
    sheets += [gains(result, axis) for axis in swept if axis in ("threads", "ranks")]
    return sheets


# --- a result in words ---------------------------------------------------------------------------


def _values(result: BenchResult, axis: str) -> list[Any]:
    return sorted({getattr(row, axis) for row in result.summary})


def _in_words(axis: str, value: Any) -> str:
    """8 threads"""
    if axis in ("threads", "ranks"):
        return plural(value, axis[:-1])
    return _WORDS[axis].format(value)


def about(result: BenchResult) -> str:
    """The conditions that all rows share."""
    first, words = result.summary[0], []
    for axis in ("n", "threads", "ranks", "block", "precision"):
        value = getattr(first, axis)
        of_processor = axis == "threads" and result.context.device
        if value and len(_values(result, axis)) == 1 and not of_processor:
            words.append(_in_words(axis, value))
    return ", ".join(words)


def footnote(result: BenchResult) -> str:
    """The machine, the run, what a speed is, and what its whiskers are."""
    context, rounds = result.context, result.summary[0].rounds
    device = context.device.split(", built with")[0]
    machine = f"{device}, {context.cpu}" if device else f"{context.cpu}, {context.compiler}"
    step = "adaptive" if context.adaptive else "fixed"
    return (
        f"{machine}; {context.scene or '?'} scene, {step} step; medians of {rounds} rounds; "
        f"whiskers: the middle half of the rounds; {context.day}"
    )


# --- bars ----------------------------------------------------------------------------------------


def ladder(result: BenchResult) -> Sheet:
    """Of the largest N, then most threads and ranks, then the first precision and launch."""
    most = max((row.n, row.threads, row.ranks) for row in result.summary)
    rows = [row for row in result.summary if (row.n, row.threads, row.ranks) == most]
    rows = [row for row in rows if row.setup == rows[0].setup]
    first = rows[0]
    best = max([row for row in rows if row.is_right] or rows, key=lambda row: row.speed)
    ratio = best.shown_ratio(first)
    found = f"{times(ratio)} as fast as {first.name}" if ratio else "the fastest by its median"
    subtitle = f"{about(with_rows(result, rows))}. On the bars: x {first.name}"
    if any(row.parent and row.parent != first.name for row in rows):
        subtitle += ", then x the rung it comes from"
    if any(row.kind == "exhibit" and row.is_right for row in rows):
        subtitle += "; pink: an exhibit, which shows a mistake or its price"
    if not all(row.is_right for row in rows):
        subtitle += "; hatched: wrong results"
    sheet = Sheet(
        "ladder",
        f"{result.context.part}: {best.name} is {'the fastest' if best is first else found}",
        f"{subtitle}.",
        footnote(result),
        height=150 + 31 * len(rows),
    )
    draw_bars(
        sheet.axes,
        [row.name for row in rows],
        [row.speed / 1e9 for row in rows],
        [KINDS[row.kind][1] if row.kind in _MARKED else "C6" for row in rows],
        [row.is_right for row in rows],
        [_ratios(row, rows) for row in rows],
        list(zip(*(_whiskers(row, 1e9) for row in rows))),
    )
    sheet.axes.set_xlabel(RATE)
    return sheet


def _ratios(row: BenchRow, rows: list[BenchRow]) -> str:
    """'4.61 x, 1.29 x fused', as in bench's table: against the first bar, and against the parent if that is another bar.
    Nothing where the rounds do not agree."""
    parent = next((other for other in rows[1:] if other.name == row.parent), None)
    ratio, gained = row.shown_ratio(rows[0]), row.shown_ratio(parent) if parent else None
    words = [times(ratio)] if ratio else []
    return ", ".join([*words, f"{times(gained)} {row.parent}"] if gained else words)


def _whiskers(row: BenchRow, unit: float) -> tuple[float, float]:
    """How far the middle half of the rounds reaches below and above the speed."""
    rates = row.interactions_per_s
    return (
        max(row.speed - rates.lower_quartile, 0) / unit,
        max(rates.upper_quartile - row.speed, 0) / unit,
    )


# --- lines ---------------------------------------------------------------------------------------


def lines_of(result: BenchResult, axis: str) -> dict[str, list[BenchRow]]:
    """For each name and setup the rows in the order of the axis."""
    fields = [
        field
        for field in ("n", "threads", "ranks", "precision", *TUNED)
        if field != axis and len(_values(result, field)) > 1
    ]
    lines: dict[str, list[BenchRow]] = {}
    for row in result.summary:
        setup = [_in_words(field, value) for field in fields if (value := getattr(row, field))]
        if len(result.names) > 1 or not setup:
            setup.insert(0, row.name)
        lines.setdefault(", ".join(setup), []).append(row)
    return {words: sorted(rows, key=attrgetter(axis)) for words, rows in lines.items()}


def _draw_lines(
    sheet: Sheet, result: BenchResult, axis: str, unit_of: Callable[[list[BenchRow]], float]
) -> None:
    """Heights are interactions/s in the unit of their line."""
    axes, values = sheet.axes, _values(result, axis)
    for words, rows in lines_of(result, axis).items():
        unit = unit_of(rows)
        across = [getattr(row, axis) for row in rows]
        whiskers = list(zip(*(_whiskers(row, unit) for row in rows)))
        axes.errorbar(across, [row.speed / unit for row in rows], whiskers, label=words)
    if axis == "n":
        labels = [short(n) for n in values]
        set_log_ticks(axes, values, labels, rotation=45 if len(values) > 8 else 0)
    elif axis in TUNED:
        set_log_ticks(axes, values)
    else:
        axes.set_xticks(values)
    axes.set_xlabel(_LABELS.get(axis, axis))


def speeds(result: BenchResult, axis: str) -> Sheet:
    """Over bodies, where the peak of the device is known also how near to it; or over block size, unroll factor or grid:
    which is fastest depends on how many bodies there are to share out."""
    best, part = max(result.summary, key=lambda row: row.speed), result.context.part
    title = f"{part}: {best.name} reaches {three_digits(best.speed / 1e9)} x {RATE}"
    peak = result.context.device_peak_flops_per_s / FLOPS if axis == "n" else 0
    if axis != "n":
        title += f", {_in_words(axis, getattr(best, axis))}"
    elif peak and "/" not in best.name:  # else it may have run on the processor
        title += f", {100 * best.speed / peak:.0f} % of the peak"
    name = "bodies" if axis == "n" else axis
    sheet = Sheet(name, title, about(result), footnote(result))
    axes, heights = sheet.axes, [row.speed for row in result.summary]
    _draw_lines(sheet, result, axis, lambda _: 1e9)
    axes.set_ylabel(RATE)
    if peak:
        sizes, words = _values(result, "n"), f"peak, at {FLOPS} flops"
        look: Any = {"color": SOFT, "linestyle": ":", "marker": ""}
        axes.plot([sizes[0], sizes[-1]], [peak / 1e9] * 2, label=words, **look)
    if max(heights) > 8 * min(heights):
        set_log_heights(axes)
    else:
        axes.set_ylim(bottom=0)
    name_lines(axes)
    return sheet


def gains(result: BenchResult, axis: str) -> Sheet:
    """Of more threads or ranks, for the largest N: fewer bodies tell about starting threads."""
    n = max(row.n for row in result.summary)
    result = with_rows(result, [r for r in result.summary if r.n == n and getattr(r, axis)])
    fewest = _values(result, axis)[0]
    lines = [rows for rows in lines_of(result, axis).values() if getattr(rows[0], axis) == fewest]
    result = with_rows(result, [row for rows in lines for row in rows])
    candidates = [
        (not (row.busy_machine or rows[0].busy_machine), row.speed / rows[0].speed, row)
        for rows in lines
        for row in rows
    ]
    _, gain, best = max(candidates, key=lambda one: one[:2])  # what others disturbed is no finding
    more, fewer = (_in_words(axis, value) for value in (getattr(best, axis), fewest))
    found = f"{best.name} with {more} is {times(gain)} as fast as with {fewer}"
    sheet = Sheet(axis, f"{result.context.part}: {found}", about(result), footnote(result))
    _draw_lines(sheet, result, axis, lambda rows: rows[0].speed)
    counts = _values(result, axis)
    ideal: Any = {"color": SOFT, "linestyle": ":", "marker": "", "label": "ideal"}
    sheet.axes.plot(counts, [count / fewest for count in counts], **ideal)
    sheet.axes.set_ylabel(f"x the same with {fewer}")
    sheet.axes.set_ylim(bottom=0)
    name_lines(sheet.axes)
    return sheet
