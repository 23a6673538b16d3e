"""How many square roots an interaction takes, by the count program: so an iteration of a loop is so many interactions."""

import json
from pathlib import Path

from worksheet.counts import polynomial_of

OPERATIONS = (("add or subtract", "add"), ("multiply", "mul"), ("multiply and add", "fma"), ("divide", "div"), ("square root", "sqrt"),
              ("estimate of 1/sqrt", "rsqrt"), ("pow", "pow"), ("loads", "loads"), ("stores", "stores"))


def of_n2(cell):
    """An operation for each of n^2 interactions: by its polynomial, else as counted with most bodies."""
    polynomial, counted = polynomial_of(cell), cell.get("counted") or {}
    if polynomial:
        return polynomial[0] / polynomial[-1]
    n = max(map(int, counted), default=0)
    return counted[str(n)] / n ** 2 if n else 0.0


def counted_work(file):
    """{kind: operations per interaction} of compute_accelerations(); {} where nothing was counted."""
    try:
        work = json.loads(Path(file).read_text(encoding="utf-8"))["work"]["compute_accelerations"]
        return {kind: of_n2(work[key]) for kind, key in OPERATIONS if key in work}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def roots_in(work):
    """Square roots per interaction: 1, or 0.5 where each pair is computed once. Remainders of tiles are left out."""
    roots = work.get("square root", 0) + work.get("estimate of 1/sqrt", 0)
    halves = round(2 * roots) / 2
    return halves if halves and abs(roots - halves) < 0.1 * halves else roots
