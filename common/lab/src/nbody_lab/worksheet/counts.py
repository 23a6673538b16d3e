"""The counts of a part's implementations: polynomials in the number of bodies."""

from pathlib import Path

from nbody_lab.core.count_file import FORCES, CountFile, Polynomial
from nbody_lab.core.messages import UserError


def polynomials_in(text: str | bytes, function: str) -> dict[str, Polynomial]:
    """By class, only of classes that are polynomials. Raises ValueError or KeyError for a text that is no count."""
    work = CountFile.model_validate_json(text).work
    cells = work[FORCES] if function == FORCES else work.get(function, {})
    return {kind: cell.polynomial for kind, cell in cells.items() if cell.polynomial}


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
        return None if polynomial is None else polynomial.at(n)
