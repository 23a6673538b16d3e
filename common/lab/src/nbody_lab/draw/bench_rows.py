"""The rows of a result of ./lab bench as the pictures need them: those with a speed, in lines, and in words."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nbody_lab.core.bench_file import BenchResult, BenchRow, read_result
from nbody_lab.core.messages import UserError
from nbody_lab.core.words import plural

AXES = ("n", "threads", "ranks", "block", "unroll")  # what a bench can sweep: fields of a row
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


def values(result: BenchResult, axis: str) -> list[Any]:
    return sorted({getattr(row, axis) for row in result.summary})


def ranks(count: int) -> str:
    return plural(count, "rank")


def threads(count: int) -> str:
    return plural(count, "thread")


def short(n: int) -> str:
    """4096 -> '4096', 131072 -> '128 Ki': powers of two by their usual name."""
    return f"{n >> 10} Ki" if n >= 8192 and n % 1024 == 0 else str(n)


def _value_in_words(field: str, value: Any) -> str:
    return {
        "n": f"N = {value}",
        "threads": threads(value),
        "ranks": ranks(value),
        "precision": str(value),
        "block": f"blocks of {value}",
        "unroll": f"unrolled {value} times",
    }[field]


def lines_of(result: BenchResult, axis: str) -> list[tuple[str, list[BenchRow]]]:
    """(label, rows sorted by the axis), one for each name and setup."""
    fields = [
        field
        for field in ("n", "threads", "ranks", "precision", "block", "unroll")
        if field != axis and len(values(result, field)) > 1
    ]
    lines: dict[str, list[BenchRow]] = {}
    for row in result.summary:
        setup = [_value_in_words(field, getattr(row, field)) for field in fields]
        if len(result.names) > 1 or not setup:
            setup.insert(0, row.name)
        lines.setdefault(", ".join(setup), []).append(row)
    return [
        (label, sorted(rows, key=lambda row: float(getattr(row, axis))))
        for label, rows in lines.items()
    ]


def pieces(rows: Sequence[BenchRow], axis: str, all_values: list[Any]) -> list[list[BenchRow]]:
    """Splits rows where a line must break: where a value of the axis is missing or N jumps by more than _WIDEST_STEP."""
    runs: list[list[BenchRow]] = []
    before = None
    for row in rows:
        value = getattr(row, axis)
        if (
            before is None
            or all_values.index(value) != all_values.index(before) + 1
            or value > _WIDEST_STEP * before
        ):
            runs.append([])
        runs[-1].append(row)
        before = value
    return runs


def about(result: BenchResult, *more: str) -> str:
    """The conditions that all rows share."""
    first, words = result.summary[0], []
    if len(values(result, "n")) == 1:
        words.append(f"N = {first.n}")
    if len(values(result, "threads")) == 1 and not result.context.device:
        words.append(threads(first.threads))
    if first.ranks and len(values(result, "ranks")) == 1:
        words.append(ranks(first.ranks))
    if first.block and len(values(result, "block")) == 1:
        words.append(f"blocks of {first.block}")
    if len(values(result, "precision")) == 1:
        words.append(first.precision)
    return ", ".join([*words, *more])


def footnote(result: BenchResult, has_whiskers: bool = True) -> str:
    """The machine, the run, what a speed is, and what its whiskers are."""
    context, rounds = result.context, result.summary[0].rounds
    device = context.device.split(", built with")[0]
    machine = f"{device}, {context.cpu}" if device else f"{context.cpu}, {context.compiler}"
    of_fastest = any(row.fastest_interactions_per_s for row in result.summary)
    speed = (
        f"one thread: fastest of {rounds} rounds, else their median"
        if of_fastest
        else f"medians of {rounds} rounds"
    )
    step = "adaptive" if context.adaptive else "fixed"
    whiskers = " whiskers: the middle half of the rounds;" if has_whiskers else ""
    return f"{machine}; {context.scene or '?'} scene, {step} step; {speed};{whiskers} {context.day}"
