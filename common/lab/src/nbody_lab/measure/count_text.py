"""What ./lab count prints of the counts."""

from collections.abc import Callable, Iterator

from nbody_lab.core.console import LabTable
from nbody_lab.measure.count_file import ITERATIONS, CountedClass, CountFile

_LABELS = {
    "add": "add, subtract",
    "mul": "multiply",
    "div": "divide",
    "sqrt": "sqrt",
    "rsqrt": "1/sqrt in one",
    "fma": "fma (2 flops)",
    "pow": "pow (1 flop)",
    "flops": "flops",
    "loads": "loads",
    "stores": "stores",
    "memops": "loads and stores",
    "shared_loads": "loads, shared memory",
    "shared_stores": "stores, shared memory",
}
_RARE = ("rsqrt", "fma", "pow", "shared_loads", "shared_stores")  # only shown if not zero
_FUNCTIONS = ITERATIONS["adaptive_step"]


def _number(value: float | None, digits: int = 0) -> str:
    return "?" if value is None else f"{value:.{digits}f}"


def _table(counts: CountFile, title: str, text: Callable[[CountedClass], str]) -> LabTable:
    """A row for each class, a column for each function of an iteration."""
    total = counts.work["adaptive_step"]
    return LabTable(
        [title, *(f">{function}" for function in _FUNCTIONS)],
        [
            [label, *(text(counts.work[function][kind]) for function in _FUNCTIONS)]
            for kind, label in _LABELS.items()
            if kind not in _RARE or any(total[kind].counted.values())
        ],
    )


def format_counts(counts: CountFile) -> Iterator["str | LabTable"]:
    n = counts.n
    yield f"{counts.part}/{counts.name}: work of one iteration, counted by running it on a counting number\n"
    yield _table(counts, "as polynomials in n", str)
    yield "  found with 256, 512 and 768 bodies; 1024 agree, unless it says about\n"
    values = _table(counts, f"with n = {n} bodies", lambda cell: _number(cell.at(n)))
    for label, kind, factor in (
        ("flops per interaction", "flops", 1),
        ("bytes per interaction, float", "memops", 4),
        ("bytes per interaction, double", "memops", 8),
    ):
        each = [counts.work[function][kind].at(n) for function in _FUNCTIONS]
        cells = [_number(value and value * factor / n**2, 3) for value in each]
        values.rows.append([label, *cells])
    yield values
    was_counted = n in counts.work["fixed_step"]["flops"].counted
    yield "  counted with that many bodies" if was_counted else "  by the polynomials"
    fixed, adaptive = (counts.work[step]["flops"] for step in ITERATIONS)
    yield f"\nflops per iteration: {fixed} with a fixed step, {adaptive} with the adaptive step"
    yield f"accelerations right: error {counts.error:.1e}"
