"""Reads the log of ./lab run --log FILE.csv (docs/file_formats.md) as columns."""

import csv
import math
from pathlib import Path

import numpy as np

from body_complaints import BadFile

NEEDED = ("iteration", "time", "dt", "energy", *(f"{what}_{axis}" for what in ("momentum", "angular_momentum") for axis in "xyz"),
          "smallest_distance", "force_evaluations")


class RunLog:
    """`columns` maps names to arrays, with one number per row."""

    def __init__(self, path, columns):
        self.path, self.columns = Path(path), columns

    def __getitem__(self, name):
        return self.columns[name]

    def __len__(self):
        return len(self["time"])

    def vectors(self, what):
        """(row, axis)"""
        return np.column_stack([self[f"{what}_{axis}"] for axis in "xyz"])


def read_log(path):
    """Raises BadFile with one line, FILE:LINE: what is wrong."""
    try:
        with open(path, newline="", encoding="utf-8", errors="replace") as stream:
            rows = list(csv.reader(stream))
    except OSError as fault:
        raise BadFile(f"{path}: cannot be read ({fault.strerror}): check the name") from fault
    except csv.Error as fault:
        raise BadFile(f"{path}: not a CSV file ({fault}): ./lab run PART NAME ... --log {path} writes one") from fault
    head = rows[0] if rows else []
    missing = [name for name in NEEDED if name not in head]
    if missing:
        raise BadFile(f"{path}:1: no column {missing[0]}: ./lab run PART NAME ... --log FILE.csv writes one that has it")
    if len(rows) < 3:
        raise BadFile(f"{path}: fewer than two rows, but a change needs two: write more by ./lab run PART NAME ... -i 100 --log {path}")
    for line, row in enumerate(rows[1:], 2):
        if len(row) != len(head):
            raise BadFile(f"{path}:{line}: {len(row)} cells, but {len(head)} columns: remove that line, or run again")
    columns = {name: np.array([number(path, line, name, row[head.index(name)]) for line, row in enumerate(rows[1:], 2)]) for name in NEEDED}
    return RunLog(path, columns)


def number(path, line, name, cell):
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if math.isfinite(value) or name == "smallest_distance" and value == math.inf:  # of a single body
        return value
    raise BadFile(f"{path}:{line}: {name} is {cell[:30]!a}, not a finite number")
