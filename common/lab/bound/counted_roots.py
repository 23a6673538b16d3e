"""Square roots per interaction, as counted by the count program: they tell how many interactions one loop iteration
computes."""

import json
from pathlib import Path

from worksheet.counts import polynomial_of

OPERATIONS = (("add or subtract", "add"), ("multiply", "mul"), ("multiply and add", "fma"), ("divide", "div"), ("square root", "sqrt"),
              ("estimate of 1/sqrt", "rsqrt"), ("pow", "pow"), ("loads", "loads"), ("stores", "stores"))


def of_n2(cell):
    """Operations per interaction: the count divided by n^2, from its polynomial, else from the largest counted n."""
    polynomial, counted = polynomial_of(cell), cell.get("counted") or {}
    if polynomial:
        return polynomial[0] / polynomial[-1]
    n = max(map(int, counted), default=0)
    return counted[str(n)] / n ** 2 if n else 0.0


def counted_work(file):
    """{kind: operations per interaction} of compute_accelerations(); {} if nothing was counted."""
    try:
        work = json.loads(Path(file).read_text(encoding="utf-8"))["work"]["compute_accelerations"]
        return {kind: of_n2(work[key]) for kind, key in OPERATIONS if key in work}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def roots_in(work):
    """Square roots per interaction: 1, or 0.5 if each pair is computed once. Ignores the remainders of tiles."""
    roots = work.get("square root", 0) + work.get("estimate of 1/sqrt", 0)
    halves = round(2 * roots) / 2
    return halves if halves and abs(roots - halves) < 0.1 * halves else roots
