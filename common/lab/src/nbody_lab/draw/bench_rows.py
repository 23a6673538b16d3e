"""The rows of a result of ./lab bench as the pictures need them: those with a speed, in lines, and in words."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from nbody_lab.core.bench_file import BenchResult, BenchRow, read_result
from nbody_lab.core.messages import UserError
from nbody_lab.core.words import plural

AXES = ("n", "threads", "ranks", "block", "unroll")  # what a bench can sweep: fields of a row
_WORDS = {"n": "N = {}", "precision": "{}", "block": "blocks of {}", "unroll": "unrolled {} times"}
_WIDEST_STEP = 4  # largest ratio of neighbouring N that a line still joins


def with_rows(result: BenchResult, rows: Sequence[BenchRow]) -> BenchResult:
    return result.model_copy(update={"summary": tuple(rows)})


def read_measured(file: Path) -> BenchResult:
    """Only rows with a speed. Names carry their part where several parts meet. Raises UserError."""
    result = read_result(file)
    rows = [row for row in result.summary if row.interactions_per_s.median > 0]
    if not rows:
        raise UserError(f"{file} has no measured row")
    if any("/" in row.name for row in rows):
        part = result.context.part
        names = [row.name if "/" in row.name else f"{part}/{row.name}" for row in rows]
        rows = [row.model_copy(update={"name": name}) for row, name in zip(rows, names)]
    return with_rows(result, rows)


def whisker(row: BenchRow) -> tuple[float, float]:
    """Its ends in interactions/s, around the speed: the middle half of the rounds around their median; where the speed is
    the fastest round's, from the median to it."""
    rates = row.interactions_per_s
    if row.fastest_interactions_per_s:
        return rates.median, row.speed
    return rates.lower_quartile, rates.upper_quartile


def values(result: BenchResult, axis: str) -> list[Any]:
    return sorted({getattr(row, axis) for row in result.summary})


def short(n: int) -> str:
    """4096 -> '4096', 131072 -> '128 Ki': powers of two by their usual name."""
    return f"{n >> 10} Ki" if n >= 8192 and n % 1024 == 0 else str(n)


def in_words(axis: str, value: Any) -> str:
    """8 threads"""
    if axis in ("threads", "ranks"):
        return plural(value, axis[:-1])
    return _WORDS[axis].format(value)


def lines_of(result: BenchResult, axis: str) -> list[tuple[str, list[BenchRow]]]:
    """(label, rows sorted by the axis), one for each name and setup."""
    fields = [
        field
        for field in ("n", "threads", "ranks", "precision", "block", "unroll")
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
