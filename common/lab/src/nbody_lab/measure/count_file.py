"""What NAME_count --json writes (docs/file_formats.md), as far as it is read here: the operations of each function, by
class ("add", "loads", ...)."""

from pydantic import BaseModel, Field

FORCES = "compute_accelerations"


class Polynomial(BaseModel):
    """(n2 n^2 + n n + 1) / over, for n bodies."""

    n2: float
    n: float
    constant: float = Field(alias="1")
    over: float

    def at(self, n: float) -> float:
        return ((self.n2 * n + self.n) * n + self.constant) / self.over


class CountedClass(BaseModel):
    """A class of operations in one call of a function."""

    polynomial: Polynomial | None = Field(
        default=None, description="null: the work depends on the positions of the bodies"
    )
    counted: dict[int, float] = Field(
        default={}, description="operations by number of bodies: 256, 512, 768, 1024, `n`"
    )

    def per_interaction(self, n: int | None = None) -> float:
        """Of n bodies, by the polynomial if there is one, else by the nearest counted size. None: of very many."""
        if self.polynomial:
            return self.polynomial.at(n) / n**2 if n else self.polynomial.n2 / self.polynomial.over
        if not self.counted:
            return 0.0
        size = min(self.counted, key=lambda counted: abs(counted - n) if n else -counted)
        return self.counted[size] / size**2


class CountFile(BaseModel):
    """Raises ValidationError, a ValueError, for a text that is no count."""

    n: int = Field(default=0, description="bodies of the second table")
    work: dict[str, dict[str, CountedClass]] = Field(
        description="by function, then by class of operations"
    )
