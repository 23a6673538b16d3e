"""The work of an interaction, as the count program counted it. Square roots per interaction tell how
many interactions one iteration of a loop computes."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from nbody_lab.core.count_file import FORCES, CountFile
from nbody_lab.core.manifest import Implementation
from nbody_lab.programs.counting import (
    build_worksheet,
    count_to_file,
    counts_of,
    has_worksheet,
    names_with_hidden_counts,
)
from nbody_lab.workshop import Workshop

# {kind: its class in a count}
_OPERATIONS = {
    "add or subtract": "add",
    "multiply": "mul",
    "multiply and add": "fma",
    "divide": "div",
    "square root": "sqrt",
    "estimate of 1/sqrt": "rsqrt",
    "pow": "pow",
    "loads": "loads",
    "stores": "stores",
}
_ROOTS = ("square root", "estimate of 1/sqrt")
_OF_WORKSHEET = ("naive", "mine")  # kinds whose counts the worksheet asks for


@dataclass(frozen=True)
class Work:
    """Operations per interaction, by kind; empty if the code cannot be counted."""

    per_interaction: dict[str, float] = field(default_factory=dict)
    counted_on: str | None = None  # the ancestor that was counted instead

    @property
    def roots(self) -> float:
        """Square roots per interaction: 1, or 0.5 if each pair is computed once. Ignores the
        remainders of tiles."""
        roots = sum(self.per_interaction.get(kind, 0.0) for kind in _ROOTS)
        halves = round(2 * roots) / 2
        return halves if halves and abs(roots - halves) < 0.1 * halves else roots


def load_counts(file: Path) -> dict[str, float]:
    """Operations per interaction, by kind; empty if nothing was counted."""
    try:
        counts = CountFile.model_validate_json(file.read_bytes()).work[FORCES]
    except (OSError, ValueError, KeyError):
        return {}
    return {
        kind: counts[name].per_interaction() for kind, name in _OPERATIONS.items() if name in counts
    }


def _find_ancestors(lab: Workshop, name: str) -> Iterator[str]:
    """The name, its parent, the parent's parent, and so on."""
    row = lab.find(name)
    while row:
        yield row.name
        row = lab.find(row.parent) if row.parent != row.name else None


def count_work(lab: Workshop, name: str) -> Work:
    """Of its nearest ancestor that can be counted, which is itself if possible."""
    for ancestor in _find_ancestors(lab, name):
        file = counts_of(lab, ancestor)
        if not file.exists():
            count_to_file(lab, ancestor)
        if counts := load_counts(file):
            return Work(counts, None if ancestor == name else ancestor)
    return Work()


def is_hidden(lab: Workshop, row: Implementation) -> bool:
    """Whether its counts are answers of the worksheet that the student has not found yet."""
    if row.kind not in _OF_WORKSHEET or not has_worksheet(lab):
        return False
    build_worksheet(lab)
    return row.name in names_with_hidden_counts(lab)
