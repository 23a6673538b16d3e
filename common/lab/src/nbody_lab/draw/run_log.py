"""Reads the log of ./lab run --log FILE.csv (docs/file_formats.md)."""

import csv
from pathlib import Path
from typing import Annotated

import pydantic

from nbody_lab.export.body_text import BadFile

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
    try:
        with open(path, newline="", encoding="utf-8", errors="replace") as file:
            head, *lines = list(csv.reader(file)) or [[]]
    except OSError as error:
        raise BadFile(f"{path}: cannot be read ({error.strerror}): check the name") from error
    except csv.Error as error:
        raise BadFile(
            f"{path}: not a CSV file ({error}): ./lab run PART NAME ... --log {path} writes one"
        ) from error
    missing = [name for name in LogRow.model_fields if name not in head]
    if missing:
        raise BadFile(
            f"{path}:1: no column {missing[0]}: "
            "./lab run PART NAME ... --log FILE.csv writes one that has it"
        )
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
