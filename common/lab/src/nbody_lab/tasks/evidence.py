"""What a worksheet is judged by: the student's answers and notebook, the counts, and this machine's ceilings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nbody_lab.building import cpuinfo
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import load
from nbody_lab.measure.count_file import FORCES, CountFile, Polynomial
from nbody_lab.measure.results import Ceiling, Ceilings
from nbody_lab.notebook.notebook import Row
from nbody_lab.tasks.program import Answers


class Counts:
    """The counts in a folder of files written by count programs, NAME_count.json."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def polynomials(self, name: str, function: str = FORCES) -> dict[str, Polynomial] | None:
        """By class; None if the code was not or cannot be counted. Raises LabError for a file that is not a count."""
        if name != Path(name).name:  # a worksheet may name anything
            return None
        file = self.folder / f"{name}_count.json"
        try:
            work = CountFile.model_validate_json(file.read_bytes()).work
            cells = work[FORCES] if function == FORCES else work.get(function, {})
            return {kind: cell.polynomial for kind, cell in cells.items() if cell.polynomial}
        except OSError:
            return None
        except (ValueError, KeyError):
            raise LabError(f"{file}: not written by a count program; remove it") from None

    def at(self, n: float, name: str, kind: str, function: str = FORCES) -> float | None:
        """The count for n bodies; None if it was not counted or is not a polynomial."""
        polynomial = (self.polynomials(name, function) or {}).get(kind)
        return None if polynomial is None else polynomial.at(n)


_NO_NAME = "unknown CPU"  # as in common/machine/machine.cpp; kernels on ARM give no name


def ceilings_of_this_machine(file: Path, processor: str | None = None) -> tuple[Ceiling, ...]:
    """The rows of build/ceilings.json; none if it is missing or of another machine. Raises LabError for a file that cannot
    be used."""
    if not file.exists():
        return ()
    read, here = load(Ceilings, file), cpuinfo.fields().get("model name") or _NO_NAME
    return read.ceilings if read.machine.cpu == (processor or here) else ()


def best_ceiling(rows: Iterable[Ceiling], columns: Mapping[str, object]) -> float | None:
    """The highest value of the rows with these columns, in their unit. None if there is none or if it was disturbed,
    because the next lower one would be a different limit."""
    found = [row for row in rows if all(getattr(row, one) == it for one, it in columns.items())]
    highest = max(found, key=lambda row: row.best, default=None)
    return highest.best if highest and highest.is_ceiling else None


def count_ideas(rows: Iterable[Row]) -> int:
    """The number of ideas predicted and measured."""
    return sum((row.expected or 0) > 0 and (row.measured or 0) > 0 for row in rows)


@dataclass(frozen=True)
class Evidence:
    """The answers of a student, and the data to judge them by."""

    answers: tuple[Answers, Answers]  # at both sizes
    counts: Counts | None = None
    notebook: tuple[Row, ...] | None = ()  # its right rows; None: it cannot be read
    ceilings: tuple[Ceiling, ...] = ()
    cut_divisions: Mapping[str, str] = field(default_factory=dict)  # sentences, by answer
