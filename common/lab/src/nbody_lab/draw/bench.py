"""A result of ./lab bench as pictures need it: its rows with a speed, in lines and in words; and the ladder of its
implementations."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes

from nbody_lab.core.errors import LabError
from nbody_lab.core.words import plural
from nbody_lab.draw import theme
from nbody_lab.draw.sheet import Sheet
from nbody_lab.measure.bench_file import TUNED, BenchResult, BenchRow, read_result

RATE = "10⁹ interactions/s"
_WORDS = {
    "n": "N = {}",
    "precision": "{}",
    "block": "blocks of {}",
    "unroll": "unrolled {} times",
    "grid": "grids of {}",
}
_WIDEST_STEP = 4  # largest ratio of neighbouring N that a line still joins


# --- rows with a speed, in lines, and in words ---------------------------------------------------


def read_measured(file: Path) -> BenchResult:
    """Only rows with a speed. Names carry their part where several parts meet. Raises LabError."""
    result = read_result(file)
    rows = [row for row in result.summary if row.interactions_per_s.median > 0]
    if not rows:
        raise LabError(f"{file} has no measured row")
    if any("/" in row.name for row in rows):
        part = result.context.part
        names = [row.name if "/" in row.name else f"{part}/{row.name}" for row in rows]
        rows = [row.model_copy(update={"name": name}) for row, name in zip(rows, names)]
    return with_rows(result, rows)


def has_speeds(file: Path) -> bool:
    """None has one where the machine was too busy, or all are wrong. Raises LabError."""
    return any(row.interactions_per_s.median > 0 for row in read_result(file).summary)


def with_rows(result: BenchResult, rows: Sequence[BenchRow]) -> BenchResult:
    return result.model_copy(update={"summary": tuple(rows)})


def values(result: BenchResult, axis: str) -> list[Any]:
    return sorted({getattr(row, axis) for row in result.summary})


def whisker(row: BenchRow) -> tuple[float, float]:
    """Its ends in interactions/s, around the speed: the middle half of the rounds around their median; where the speed is
    the fastest round's, from the median to it."""
    rates = row.interactions_per_s
    if row.fastest_interactions_per_s:
        return rates.median, row.speed
    return rates.lower_quartile, rates.upper_quartile


def lines_of(result: BenchResult, axis: str) -> list[tuple[str, list[BenchRow]]]:
    """(label, rows sorted by the axis), one for each name and setup."""
    fields = [
        field
        for field in ("n", "threads", "ranks", "precision", *TUNED)
        if field != axis and len(values(result, field)) > 1
    ]
    lines: dict[str, list[BenchRow]] = {}
    for row in result.summary:
        setup = [in_words(field, getattr(row, field)) for field in fields]
        if len(result.names) > 1 or not setup:
            setup.insert(0, row.name)
        lines.setdefault(", ".join(setup), []).append(row)
    return [
        (label, sorted(rows, key=lambda row: float(getattr(row, axis))))
        for label, rows in lines.items()
    ]


def pieces(rows: Sequence[BenchRow], axis: str, all_values: list[Any]) -> list[list[BenchRow]]:
    """Splits rows where a line must break: where a value of the axis is missing or N jumps by more than _WIDEST_STEP."""
    runs = [[rows[0]]]
    for before, row in pairwise(rows):
        start, end = getattr(before, axis), getattr(row, axis)
        is_next = all_values.index(end) == all_values.index(start) + 1
        if is_next and end <= _WIDEST_STEP * start:
            runs[-1].append(row)
        else:
            runs.append([row])
    return runs


def short(n: int) -> str:
    """4096 -> '4096', 131072 -> '128 Ki': powers of two by their usual name."""
    return f"{n >> 10} Ki" if n >= 8192 and n % 1024 == 0 else str(n)


def in_words(axis: str, value: Any) -> str:
    """8 threads"""
    if axis in ("threads", "ranks"):
        return plural(value, axis[:-1])
    return _WORDS[axis].format(value)


def about(result: BenchResult, *more: str) -> str:
    """The conditions that all rows share."""
    first, words = result.summary[0], []
    for axis in ("n", "threads", "ranks", "block", "precision"):
        value = getattr(first, axis)
        of_processor = axis == "threads" and result.context.device
        if value and len(values(result, axis)) == 1 and not of_processor:
            words.append(in_words(axis, value))
    return ", ".join([*words, *more])


def footnote(result: BenchResult, has_whiskers: bool = True) -> str:
    """The machine, the run, what a speed is, and what its whiskers are."""
    context, rounds = result.context, result.summary[0].rounds
    device = context.device.split(", built with")[0]
    machine = f"{device}, {context.cpu}" if device else f"{context.cpu}, {context.compiler}"
    of_fastest = any(row.fastest_interactions_per_s for row in result.summary)
    speed, whiskers = f"medians of {rounds} rounds", "the middle half of the rounds"
    if of_fastest:
        speed = f"one thread: fastest of {rounds} rounds, else their median"
        whiskers = f"down to the median, else {whiskers}"
    step = "adaptive" if context.adaptive else "fixed"
    about = f"{machine}; {context.scene or '?'} scene, {step} step; {speed}"
    return f"{about}{f'; whiskers: {whiskers}' if has_whiskers else ''}; {context.day}"


# --- bars ----------------------------------------------------------------------------------------


def largest_setup(result: BenchResult) -> list[BenchRow]:
    """The rows that a ladder shows: largest N, then most threads and ranks, then the first precision and launch."""
    most = max((row.n, row.threads, row.ranks) for row in result.summary)
    rows = [row for row in result.summary if (row.n, row.threads, row.ranks) == most]
    return [row for row in rows if row.setup == rows[0].setup]


def ladder(result: BenchResult) -> Sheet:
    """Wrong results are hatched, since their speed does not count."""
    rows = largest_setup(result)
    first, context = rows[0], result.context
    best = max([row for row in rows if row.is_right] or rows, key=lambda row: row.speed)
    times = best.shown_ratio(first)
    found = "the fastest" if times else "the fastest by its median"
    if times and best is not first:
        found = f"{theme.times(times)} as fast as {first.name}"
    conditions = [f"N = {first.n}", first.precision]
    conditions += [] if context.device else [in_words("threads", first.threads)]
    conditions += [in_words("ranks", first.ranks)] if first.ranks else []
    subtitle = f"{', '.join(conditions)}. On the bars: x {first.name}"
    if any(row.parent and row.parent != first.name for row in rows):
        subtitle += ", then x the rung it comes from"
    if any(row.kind == "exhibit" and row.is_right for row in rows):
        subtitle += "; a cross: an exhibit, which shows a mistake or its price"
    if not all(row.is_right for row in rows):
        subtitle += "; hatched: wrong results"
    sheet = Sheet(
        "ladder",
        f"{context.part}: {best.name} is {found}",
        f"{subtitle}.",
        footnote(result),
        height=150 + 31 * len(rows),
    )
    _draw_ladder(sheet.axes, rows)
    return sheet


def _ratios(row: BenchRow, rows: list[BenchRow]) -> str:
    """'4.61 x, 1.29 x fused', as in bench's table: against the first bar, and against the parent if that is another bar.
    Nothing where the rounds do not agree."""
    first = rows[0]
    parent = next((other for other in rows if other.name == row.parent), None)
    ratio = row.shown_ratio(first)
    words = [theme.times(ratio)] if ratio else []
    if parent and parent is not first and (ratio := row.shown_ratio(parent)):
        words.append(f"{theme.times(ratio)} {parent.name}")
    return ", ".join(words)


def _draw_ladder(axes: Axes, rows: list[BenchRow]) -> None:
    most = max(whisker(row)[1] for row in rows)
    unit = next((unit for unit in (1e12, 1e9, 1e6) if most >= unit), 1)
    for k, row in enumerate(rows):
        colour = {"mine": theme.ACCENT, "naive": theme.GIVEN}.get(row.kind, theme.BAR)
        draw_bar(axes, k, row.speed / unit, colour, row.is_right, f"bar-{row.name}")
        if row.kind in ("mine", "exhibit") and row.is_right:
            look = theme.kind(row.kind) | {"color": theme.WHITE}
            axes.plot([0.012 * most / unit], [k], gid=f"{row.kind}-{row.name}", **look)
        low, high = (end / unit for end in whisker(row))
        look = theme.line(theme.INK, 1.6) | {"marker": "|", "markersize": 9}
        axes.plot([low, high], [k, k], gid=f"whisker-{row.name}", **look)
        end = high + 0.012 * most / unit
        axes.text(end, k, _ratios(row, rows), va="center", gid=f"ratio-{row.name}")
    set_bar_axis(axes, {k: row.name for k, row in enumerate(rows)})
    longest = max(len(_ratios(row, rows)) for row in rows)
    letter = 0.0125  # of the axis
    axes.set_xlim(0, (1.03 + letter * longest) * most / unit)
    scale = "" if unit == 1 else f"{theme.power(round(math.log10(unit)))} "
    axes.set_xlabel(f"{scale}interactions/s")


def set_bar_axis(axes: Axes, labels: Mapping[Any, str], fontsize: float = theme.TEXT) -> None:
    """A label at the place of each bar, the first one on top."""
    axes.set_yticks(list(labels), list(labels.values()), fontsize=fontsize)
    axes.set_ylim(max(labels) + 0.6, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")


def draw_bar(
    axes: Axes, k: int, length: float, colour: str, is_right: bool, gid: str, height: float = 0.72
) -> None:
    """A wrong result is an empty, hatched bar."""
    axes.barh(
        k,
        length,
        height=height,
        color=colour if is_right else theme.WHITE,
        edgecolor=theme.QUIET if is_right else theme.ACCENT,
        hatch=None if is_right else "////",
        linewidth=0.8,
        gid=gid,
    )
