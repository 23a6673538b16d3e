"""Counts: from what a program prints to polynomials and sums, and to operations per interaction."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.measure.count_file import (
    _CLASSES,
    FORCES,
    CountedClass,
    CountFile,
    Polynomial,
    counts_in,
)

POLYNOMIAL = {"n2": 3, "n": 5, "1": 7, "over": 2, "text": "(3 n^2 + 5 n + 7) / 2"}
COUNTED = {"512": 512 * 512, "1024": 2 * 1024 * 1024}
ZERO = dict.fromkeys((*_CLASSES, "escapes"), 0)


@pytest.mark.parametrize(
    ("content", "n", "expected"),
    [
        ({"polynomial": POLYNOMIAL, "counted": COUNTED}, 10, 3.57 / 2),
        ({"polynomial": POLYNOMIAL, "counted": COUNTED}, None, 1.5),
        ({"polynomial": None, "counted": COUNTED}, 1000, 2),
        ({}, 100, 0),
    ],
)
def test_by_the_polynomial_else_by_the_nearest_size(
    content: dict[str, object], n: int | None, expected: float
) -> None:
    assert CountedClass.model_validate(content).per_interaction(n) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("of", "text"),
    [
        (lambda n: 14 * n * n - 14 * n, "14 n^2 - 14 n"),
        (lambda n: n * n // 64 + 4 * n, "1/64 n^2 + 4 n"),
        (lambda n: -n * n - n - 1, "-n^2 - n - 1"),
        (lambda n: n**3, "None"),
        (lambda n: n * n + (n == 1024), "None"),
    ],
)
def test_polynomials_are_exact(of: Callable[[int], int], text: str) -> None:
    found = Polynomial.through({n: of(n) for n in (256, 512, 768, 1024)})
    assert str(found) == text
    assert found is None or found.at(4096) == of(4096)


def printed(n: int = 1000, error: float | None = 1e-15, **more: int) -> str:
    """An implementation with 3 n^2 fma and n stores; divisions are no polynomial."""
    lines: list[dict[str, Any]] = [{"part": "part1", "name": "mine"}]
    for size in (256, 512, 768, 1024, n):
        forces = {**ZERO, "fma": 3 * size * size, "stores": size, "div": (size + 9) ** 3} | more
        other = {**ZERO, "mul": size}
        work = {FORCES: forces, "largest_time_step": other, "update_bodies": other}
        lines.append({"n": size, "error": error, "work": work})
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_sums() -> None:
    found = counts_in(printed(div=1), 1000)
    work = found.work
    assert [str(work[FORCES][kind]) for kind in ("flops", "memops")] == ["6 n^2 + 1", "n"]
    assert str(work["fixed_step"]["flops"]) == "6 n^2 + n + 1"
    assert str(work["adaptive_step"]["mul"]) == "2 n"
    assert CountFile.model_validate_json(found.model_dump_json(by_alias=True)) == found


BYPASSED, ESCAPED = "numbers bypass the counting", "turns 7 numbers into double by as_double()"


@pytest.mark.parametrize(
    ("more", "why"),
    [({"error": 1e-4}, BYPASSED), ({"error": None}, BYPASSED), ({"escapes": 7}, ESCAPED)],
)
def test_code_that_bypasses_the_counting(more: dict[str, Any], why: str) -> None:
    with pytest.raises(LabError, match="part1/mine cannot be counted: ") as refused:
        counts_in(printed(**more), 1000)
    assert why in str(refused.value)
