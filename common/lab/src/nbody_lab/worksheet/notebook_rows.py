"""Numbers from right rows of the student's notebook, to compare with recorded answers. A number comes with its place."""

import math
from collections.abc import Iterable, Sequence

from nbody_lab.notebook.columns import Row
from nbody_lab.worksheet.expression import Functions

_CLOSE_ENOUGH = 0.15  # as for the verdict "as expected"


Place = tuple[float, str]  # a number, and "row 5"


def count_ideas(rows: Iterable[Row]) -> int:
    """The number of ideas predicted and measured."""
    return sum((row.expected or 0) > 0 and (row.measured or 0) > 0 for row in rows)


def _places(numbers: Iterable[tuple[float | None, int | None]]) -> list[Place]:
    return [(number, f"row {row}") for number, row in numbers if number and number > 0]


def speeds(rows: Iterable[Row], name: str = "", n: float = 0, threads: float = 0) -> list[Place]:
    """The speeds in 10^9 interactions/s of the rows that match; "" and 0 match any."""
    wanted = [
        row
        for row in rows
        if name in ("", row.name) and n in (0, row.n) and threads in (0, row.threads)
    ]
    return _places(((row.interactions_per_s or 0) / 1e9, row.row) for row in wanted)


def speed_ups(rows: Sequence[Row], n: float = 0, threads: float = 0) -> list[Place]:
    """Speed-ups over one thread, from pairs of rows with the same name and n. `threads`: 0 for any number above one."""
    found = []
    for many in rows:
        used = many.threads or 0
        if not many.n or n not in (0, many.n) or not (used == threads if threads > 0 else used > 1):
            continue
        for one in rows:
            if one.threads != 1 or (one.name, one.n) != (many.name, many.n):
                continue
            if one.interactions_per_s and many.interactions_per_s:
                ratio = many.interactions_per_s / one.interactions_per_s
                found.append((ratio, f"rows {one.row}, {many.row}"))
    return found


def functions_for(rows: Sequence[Row]) -> Functions:
    """The functions that the column `notebook` of a question may call."""
    return {
        "expected_gains": lambda: _places((row.expected, row.row) for row in rows),
        "measured_gains": lambda: _places((row.measured, row.row) for row in rows),
        "speeds": lambda **which: speeds(rows, **which),
        "speed_ups": lambda **which: speed_ups(rows, **which),
    }


def _three_digits(number: float) -> str:
    """0.285, 4.2, 1950: without an exponent."""
    return f"{number:.3g}" if number < 1000 else f"{number:.0f}"


def describe_disagreement(answer: float, numbers: Sequence[Place]) -> str:
    """The nearest number and its place, "4.2 in the notebook (row 5)"; empty if it is within 15 % of the answer, the
    tolerance for predictions, or if there are no numbers."""
    if not numbers or not answer > 0:
        return ""
    nearest, where = numbers[0]
    if math.isfinite(answer):
        nearest, where = min(numbers, key=lambda place: abs(math.log(place[0] / answer)))
    if abs(answer - nearest) <= _CLOSE_ENOUGH * nearest:
        return ""
    return f"{_three_digits(nearest)} in the notebook ({where})"
