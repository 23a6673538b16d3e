"""The speeds of rows of bench (core/bench_file.py) that are still dictionaries: in the grader and in document pictures."""

from collections.abc import Mapping
from typing import Any

from nbody_lab.core.bench_file import BenchRow

Row = Mapping[str, Any]  # of the result file


def speed_of(row: Row) -> float:
    return BenchRow.model_validate(row).speed


def spread_of(row: Row) -> float:
    return BenchRow.model_validate(row).spread


def has_speed(row: Row) -> bool:
    return bool(speed_of(row))


def ratio_of(row: Row, other: Row) -> float | None:
    return BenchRow.model_validate(row).ratio(BenchRow.model_validate(other))
