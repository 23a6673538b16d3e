"""Finds rates among the ceilings of a place by what they are for. Pure functions, no files."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from nbody_lab.measure.results import Ceiling

HAVE_FMA = ("avx2", "avx512f", "neon")


def prefer_ceilings(rows: Sequence[Ceiling]) -> list[Ceiling]:
    """Rows that vary too much count only if there are no others."""
    return [row for row in rows if row.is_ceiling] or list(rows)


def issued_level(rows: Sequence[Ceiling]) -> str:
    """The memory level that serves the core's loads and stores: L1. On a GPU, shared memory and L1 are the same
    memory."""
    return "shared" if any(row.where.startswith("gpu") for row in rows) else "L1"


@dataclass(frozen=True)
class Place:
    """The ceilings of the processor or of one GPU, as they count for one precision and number of threads. Rates are 0
    where nothing was measured."""

    rows: tuple[Ceiling, ...]
    precision: str
    threads: int  # 0 on a GPU

    @cached_property
    def level(self) -> str:
        return issued_level(self.rows)

    @property
    def is_gpu(self) -> bool:
        return self.level == "shared"

    @property
    def number_bytes(self) -> int:
        return 8 if self.precision == "double" else 4

    def matching(self, **wanted: str) -> list[Ceiling]:
        """The rows of this many threads with these values."""
        return prefer_ceilings(
            [
                row
                for row in self.rows
                if row.threads == self.threads
                and all(getattr(row, field) == value for field, value in wanted.items())
            ]
        )

    def best(self, **wanted: str) -> float:
        return max((row.best for row in self.matching(**wanted)), default=0.0)

    def _flops(self, operation: str, instruction_set: str) -> float:
        return self.best(
            kind="flops",
            operation=operation,
            instruction_set=instruction_set,
            precision=self.precision,
        )

    def peak(self, instruction_set: str, fma: bool) -> float:
        """In flop/s. Without fma it is half as high on most processors."""
        apart = self._flops("mul_add", instruction_set)
        return max(apart, self._flops("fma", instruction_set)) if fma or not apart else apart

    def arithmetic(self, instruction_set: str) -> float:
        """Additions, multiplications or fma per second; an fma counts once."""
        fused = self._flops("fma", instruction_set)
        return max(self._flops("mul_add", instruction_set), fused / 2)

    def unit(self, operation: str, instruction_set: str) -> float:
        """Square roots, divisions or estimates per second."""
        return self.best(
            kind="unit",
            operation=operation,
            instruction_set=instruction_set,
            precision=self.precision,
        )

    def bandwidth(self, instruction_set: str, operation: str = "load") -> float:
        """Between core and L1 in byte/s, with loads as wide as the program's own. A scalar load of a double moves twice
        as much, so it has its own row."""
        wanted = {
            "kind": "bandwidth",
            "level": self.level,
            "operation": operation,
            "instruction_set": instruction_set,
        }
        return self.best(**wanted, precision=self.precision) or self.best(**wanted, precision="")

    def is_disturbed(self, instruction_set: str) -> bool:
        """Whether the figures of its roof vary too much to be ceilings."""
        used = [
            *self.matching(kind="flops", precision=self.precision, instruction_set=instruction_set),
            *self.matching(
                kind="bandwidth",
                level=self.level,
                operation="load",
                instruction_set=instruction_set,
            ),
        ]
        return not all(row.is_ceiling for row in used)
