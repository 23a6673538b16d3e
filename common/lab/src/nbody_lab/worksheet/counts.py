"""What a count program counted in one function: polynomials in the number of bodies, by class ("add", "loads", ...)."""

from pathlib import Path
from typing import Any, NamedTuple

import pydantic

from nbody_lab.core.messages import UserError

FORCES = "compute_accelerations"


class Polynomial(NamedTuple):
    """(n2 n^2 + n n + constant) / over"""

    n2: float
    n: float
    constant: float
    over: float


def value_at(polynomial: Polynomial, n: float) -> float:
    n2, n1, n0, over = polynomial
    return ((n2 * n + n1) * n + n0) / over


class _Terms(pydantic.BaseModel):
    n2: float
    n: float
    constant: float = pydantic.Field(alias="1")
    over: float


class _Cell(pydantic.BaseModel):
    polynomial: _Terms | None = None


class _CountFile(pydantic.BaseModel):
    work: dict[str, dict[str, _Cell]]


def polynomial_of(cell: dict[str, Any]) -> Polynomial | None:
    """The polynomial of a class, as JSON has it; None if it is not one."""
    terms = _Cell.model_validate(cell).polynomial
    return Polynomial(terms.n2, terms.n, terms.constant, terms.over) if terms else None


def polynomials_in(text: str | bytes, function: str) -> dict[str, Polynomial]:
    """By class, only of classes that are polynomials. Raises ValueError or KeyError for a text that is no count."""
    work = _CountFile.model_validate_json(text).work
    cells = work[FORCES] if function == FORCES else work.get(function, {})
    return {
        kind: Polynomial(terms.n2, terms.n, terms.constant, terms.over)
        for kind, cell in cells.items()
        if (terms := cell.polynomial)
    }


class Counts:
    """The counts in a folder of files written by count programs, NAME_count.json."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: dict[tuple[str, str], dict[str, Polynomial] | None] = {}

    def polynomials(self, name: str, function: str = FORCES) -> dict[str, Polynomial] | None:
        """By class; None if the code was not or cannot be counted. Raises UserError for a file that is not a count."""
        if (name, function) not in self._read:
            self._read[name, function] = self._load(self.folder / f"{name}_count.json", function)
        return self._read[name, function]

    @staticmethod
    def _load(file: Path, function: str) -> dict[str, Polynomial] | None:
        try:
            return polynomials_in(file.read_bytes(), function)
        except OSError:
            return None
        except (ValueError, KeyError):
            raise UserError(f"{file}: not written by a count program; remove it") from None

    def at(self, n: float, name: str, kind: str, function: str = FORCES) -> float | None:
        """The count for n bodies; None if it was not counted or is not a polynomial."""
        polynomial = (self.polynomials(name, function) or {}).get(kind)
        return None if polynomial is None else value_at(polynomial, n)
