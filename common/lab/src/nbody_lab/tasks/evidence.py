"""What a worksheet is judged by: the student's answers and notebook, the counts, and this machine's ceilings."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nbody_lab.building import cpuinfo
from nbody_lab.core.errors import LabError
from nbody_lab.core.model import LabModel
from nbody_lab.measure.count_file import FORCES, CountFile, Polynomial
from nbody_lab.measure.results import MEASURE, Ceiling, NoInput, read_ceilings, shown
from nbody_lab.notebook.notebook import Row
from nbody_lab.tasks.program import Answers


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
        """By class; None if the code was not or cannot be counted. Raises LabError for a file that is not a count."""
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
            raise LabError(f"{file}: not written by a count program; remove it") from None

    def at(self, n: float, name: str, kind: str, function: str = FORCES) -> float | None:
        """The count for n bodies; None if it was not counted or is not a polynomial."""
        polynomial = (self.polynomials(name, function) or {}).get(kind)
        return None if polynomial is None else polynomial.at(n)


_NO_NAME = "unknown CPU"  # as in common/machine/machine.cpp
_LEVELS = ("L1", "L2", "L3", "DRAM")  # the nearest first


def name_processor(cpuinfo_text: str | None = None) -> str:
    """The processor's name from the kernel; ARM gives none. `cpuinfo_text`: /proc/cpuinfo of another machine."""
    return cpuinfo.fields(cpuinfo_text).get("model name") or _NO_NAME


def _has(row: Ceiling, columns: Mapping[str, object]) -> bool:
    return all(getattr(row, name) == value for name, value in columns.items())


class Ceilings(LabModel):
    """The rows of build/ceilings.json. None if it is missing, invalid or of another machine: `why_none` gives the reason."""

    rows: tuple[Ceiling, ...] = ()
    why_none: str = ""

    @classmethod
    def of_this_machine(cls, file: Path, processor: str | None = None) -> "Ceilings":
        if not file.exists():
            return cls()
        try:
            read = read_ceilings(file)
        except NoInput as error:
            why = str(error).split(": measure again")[0]
        else:
            if read.machine.cpu == (processor or name_processor()):
                return cls(rows=read.ceilings)
            why = f"{shown(file)} is for another processor ({read.machine.cpu})"
        return cls(why_none=f"{why}: {MEASURE} measures this machine")

    def with_doubtful(self) -> "Ceilings":
        """The same, with disturbed rows as if nothing had disturbed them."""
        rows = (row.model_copy(update={"is_ceiling": True}) for row in self.rows)
        return Ceilings(rows=tuple(rows))

    def best(self, columns: Mapping[str, object]) -> float | None:
        """The highest value of the rows with these columns, in their unit. None if there is none or if it was
        disturbed, because the next lower one would be a different limit."""
        rows = [row for row in self.rows if _has(row, columns)]
        highest = max(rows, key=lambda row: row.best, default=None)
        return highest.best if highest and highest.is_ceiling else None

    def behind(self, columns: Mapping[str, object]) -> list[tuple[str, float]]:
        """(level, best) of the memory behind the level that the columns ask for, whatever instructions load it."""
        if columns.get("level") not in _LEVELS:
            return []
        levels = _LEVELS[_LEVELS.index(str(columns["level"])) + 1 :]
        same = {name: columns[name] for name in ("where", "kind", "threads") if name in columns}
        return [
            (row.level, row.best) for row in self.rows if row.level in levels and _has(row, same)
        ]


_CLOSE_ENOUGH = 0.15  # as for the verdict "as expected"


Place = tuple[float, str]  # a number, and "row 5"


def count_ideas(rows: Iterable[Row]) -> int:
    """The number of ideas predicted and measured."""
    return sum((row.expected or 0) > 0 and (row.measured or 0) > 0 for row in rows)


def places(numbers: Iterable[tuple[float | None, int | None]]) -> list[Place]:
    return [(number, f"row {row}") for number, row in numbers if number and number > 0]


def latest_speed(rows: Iterable[Row], name: str, n: float = 0, threads: float = 0) -> list[Place]:
    """In 10^9 interactions/s, of the last row that matches and has one, so that a speed and counts belong to the same
    version; 0 matches any."""
    found = places(
        ((row.interactions_per_s or 0) / 1e9, row.row)
        for row in rows
        if name == row.name and n in (0, row.n) and threads in (0, row.threads)
    )
    return found[-1:]


def speed_ups(
    rows: Sequence[Row],
    versions: Mapping[str, bytes] | None = None,
    n: float = 0,
    threads: float = 0,
) -> list[Place]:
    """Speed-ups over one thread, from pairs of rows with the same name, version and n. `versions`: by the source of a row;
    `threads`: 0 for any number above one."""

    def program(row: Row) -> tuple[object, ...]:
        return row.name, row.n, (versions or {}).get(row.source)

    found = []
    for many in rows:
        used = many.threads or 0
        if not many.n or n not in (0, many.n) or not (used == threads if threads > 0 else used > 1):
            continue
        for one in rows:
            if one.threads != 1 or program(one) != program(many):
                continue
            if one.interactions_per_s and many.interactions_per_s:
                ratio = many.interactions_per_s / one.interactions_per_s
                found.append((ratio, f"rows {one.row}, {many.row}"))
    return found


def _three_digits(number: float) -> str:
    """0.285, 4.2, 1950: without an exponent."""
    return f"{number:.3g}" if number < 1000 else f"{number:.0f}"


def describe_disagreement(answer: float, numbers: Sequence[Place]) -> str:
    """The nearest number and its place, "4.2 in the notebook (row 5)"; empty if it is within 15 % of the answer, the
    tolerance for predictions, or if there are no numbers."""
    if not numbers or not answer > 0:
        return ""
    nearest, where = numbers[0]
    if math.isfinite(answer):
        nearest, where = min(numbers, key=lambda place: abs(math.log(place[0] / answer)))
    if abs(answer - nearest) <= _CLOSE_ENOUGH * nearest:
        return ""
    return f"{_three_digits(nearest)} in the notebook ({where})"


@dataclass(frozen=True)
class Evidence:
    """The answers of a student, and the data to judge them by."""

    answers: tuple[Answers, Answers]  # at both sizes
    counts: Counts | None = None
    notebook: tuple[Row, ...] | None = ()  # its right rows; None: it cannot be read
    ceilings: Ceilings = field(default_factory=Ceilings)
    cut_divisions: Mapping[str, str] = field(default_factory=dict)  # sentences, by answer
    # What tells a version of the student's file from others, by the source of a row.
    versions: Mapping[str, bytes] = field(default_factory=dict)
