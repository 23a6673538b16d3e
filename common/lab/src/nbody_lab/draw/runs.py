"""What pictures of a run read (docs/file_formats.md): its body files as arrays, with what is said about them, and its
log."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, TypeAlias

import numpy as np
import numpy.typing as npt
import pydantic

from nbody_lab.core.body_text import BadFile, State, files_of, read_states
from nbody_lab.core.words import plural

Array: TypeAlias = npt.NDArray[np.float64]

_UNITS_OF_TIME = ((365.25 * 86400, "years"), (86400, "days"), (3600, "h"), (60, "min"), (1, "s"))


def vectors(state: State, first: int) -> Array:
    """(body, axis) of what begins there among the numbers of a body: PLACE or VELOCITY."""
    return np.array(state.numbers).reshape(-1, 8)[:, first : first + 3]


class Run:
    """The files BASE.<iteration>.dat of ./lab run ... -w BASE, in order. Raises BadFile."""

    def __init__(self, base: Path | str) -> None:
        self.base = Path(base)
        self.files = files_of(base)
        ends = [state for _, state in read_states([self.files[0], self.files[-1]], "reading")]
        self.first, self.last = ends
        self.setting, self.n, self.name = self.first.setting, self.first.n, self.base.name

    def states(self, label: str) -> Iterator[State]:
        """One at a time, since many of many bodies do not fit into memory."""
        return (state for _, state in read_states(self.files, label))

    def name_of(self, body: int) -> str:
        return self.first.names.get(body, f"body {body + 1}")

    def find_body(self, word: str) -> int:
        """The index of the body with this name, or with this number from 1. Raises BadFile."""
        names = self.first.names
        named = [body for body, name in names.items() if name.lower() == word.lower()]
        if len(named) == 1:
            return named[0]
        if word.isascii() and word.isdigit() and 1 <= int(word[:12]) <= self.n:
            return int(word) - 1
        what = "more than one body has the name" if named else "no body has the name or number"
        known = " and ".join(filter(None, [f"1 to {self.n}", ", ".join(list(names.values())[:12])]))
        raise BadFile(f"--around {word}: {what} '{word}'; there are the numbers {known}")

    def picture_name(self, centre: int | None) -> str:
        if centre is None:
            return f"{self.name}_orbits"
        plain = re.sub(r"[^\w-]+", "_", self.name_of(centre)).strip("_")
        return f"{self.name}_orbits_around_{plain or centre + 1}"

    def time_unit(self) -> tuple[float, str]:
        """(seconds, name) of what suits the span; (1, "") if time has no unit."""
        if not self.setting.is_si():
            return 1, ""
        span = abs(self.last.time - self.first.time)
        return next((unit for unit in _UNITS_OF_TIME if span >= 2 * unit[0]), (1, "s"))

    def about(self) -> str:
        """'365.2 days, N = 3, kdk, dt = 3600 s, no softening': span, bodies, scheme, step, softening."""
        setting = self.setting
        length, second = (" m", " s") if setting.is_si() else ("", "")
        words = [self._span(), f"N = {self.n}", setting.integrator, self._step(second)]
        words.append(f"softening {setting.soft:g}{length}" if setting.soft else "no softening")
        if setting.damping != 1:
            words.append(f"damping {setting.damping:g}")
        if not setting.is_si():
            words.append(f"units of G = {setting.G:g}")
        return ", ".join(filter(None, words))

    def _span(self) -> str:
        unit, name = self.time_unit()
        start, end = self.first.time / unit, self.last.time / unit
        if len(self.files) == 1:
            words = f"time {end:.4g} {name}"
        elif name and start == 0:
            words = f"{end - start:.4g} {name}"
        else:
            words = f"time {start:.4g} to {end:.4g} {name}"
        return words.strip()

    def _step(self, second: str) -> str:
        """Adaptive steps show in the times alone; no file records them."""
        dt, steps = self.setting.dt, self.files[-1][0] - self.files[0][0]
        mean = (self.last.time - self.first.time) / steps if steps else dt
        if abs(mean - dt) <= 1e-6 * dt:
            return f"dt = {dt:g}{second}"
        return f"adaptive step, {mean:.3g}{second} on average"

    def source(self) -> str:
        """The files, for a footnote."""
        first, last = self.files[0][0], self.files[-1][0]
        files = plural(len(self.files), "file")
        return f"{self.name}.<iteration>.dat, iterations {first} to {last}, {files}"


# --- the log of ./lab run --log FILE.csv ---------------------------------------------------------

_EmptyIsNone = pydantic.BeforeValidator(lambda cell: None if cell == "" else cell)
_OF_ALL_PAIRS = ("energy", "smallest_distance")


class LogRow(pydantic.BaseModel):
    """A row, in the units of the bodies. With many bodies, what visits all pairs is left out of every row."""

    iteration: int
    time: pydantic.FiniteFloat
    dt: pydantic.FiniteFloat
    energy: Annotated[pydantic.FiniteFloat | None, _EmptyIsNone]
    momentum_x: pydantic.FiniteFloat
    momentum_y: pydantic.FiniteFloat
    momentum_z: pydantic.FiniteFloat
    angular_momentum_x: pydantic.FiniteFloat
    angular_momentum_y: pydantic.FiniteFloat
    angular_momentum_z: pydantic.FiniteFloat
    smallest_distance: Annotated[
        float | None, pydantic.Field(ge=0, description="infinite for a single body"), _EmptyIsNone
    ]
    force_evaluations: int
    wall_s: pydantic.FiniteFloat = pydantic.Field(description="spent on the steps so far")


_ROWS = pydantic.TypeAdapter(list[LogRow])


def read_log(path: Path) -> list[LogRow]:
    """Two rows or more. Raises BadFile: FILE:LINE: what is wrong."""
    log = "./lab run PART NAME ... --log"
    try:
        with open(path, newline="", encoding="utf-8", errors="replace") as file:
            head, *lines = list(csv.reader(file)) or [[]]
    except OSError as error:
        raise BadFile(f"{path}: cannot be read ({error.strerror}): check the name") from error
    except csv.Error as error:
        raise BadFile(f"{path}: not a CSV file ({error}): {log} {path} writes one") from error
    missing = [name for name in LogRow.model_fields if name not in head]
    if missing:
        raise BadFile(f"{path}:1: no column {missing[0]}: {log} FILE.csv writes one that has it")
    if len(lines) < 2:
        raise BadFile(
            f"{path}: fewer than two rows, but a change needs two: "
            f"write more by ./lab run PART NAME ... -i 100 --log {path}"
        )
    for number, cells in enumerate(lines, 2):
        if len(cells) != len(head):
            raise BadFile(
                f"{path}:{number}: {len(cells)} cells, but {len(head)} columns: "
                "remove that line, or run again"
            )
    rows = [dict(zip(head, cells)) for cells in lines]
    for name in _OF_ALL_PAIRS:
        empty = [number for number, row in enumerate(rows, 2) if not row[name]]
        if empty and len(empty) < len(rows):
            raise BadFile(f"{path}:{empty[0]}: {name} is '', not a finite number")
    try:
        return _ROWS.validate_python(rows)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        row, column = first["loc"][:2]
        raise BadFile(
            f"{path}:{int(row) + 2}: {column} is {str(first['input'])[:30]!a}, not a finite number"
        ) from error
