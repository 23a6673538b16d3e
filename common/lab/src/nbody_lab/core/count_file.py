"""What NAME_count --json writes (docs/file_formats.md), as far as it is read here: the operations of each function, by
class ("add", "loads", ...)."""

from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, BeforeValidator

FORCES = "compute_accelerations"


class Polynomial(NamedTuple):
    """(n2 n^2 + n n + constant) / over, for n bodies"""

    n2: float
    n: float
    constant: float
    over: float

    def at(self, n: float) -> float:
        return ((self.n2 * n + self.n) * n + self.constant) / self.over


def _terms(polynomial: Any) -> Any:
    if not isinstance(polynomial, dict):
        return polynomial
    return tuple(polynomial.get(key) for key in ("n2", "n", "1", "over"))


class CountedClass(BaseModel):
    polynomial: Annotated[Polynomial | None, BeforeValidator(_terms)] = None
    counted: dict[int, float] = {}  # by the number of bodies

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

    n: int = 0
    work: dict[str, dict[str, CountedClass]]
