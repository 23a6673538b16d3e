"""Energy and momenta against time, from the log of a run: it has more rows than there are body files."""

import csv
import math
from pathlib import Path

import numpy as np

from nbody_lab.draw import theme
from nbody_lab.draw.energy import draw, draw_signed, log_axis, time_axis
from nbody_lab.draw.sheet import Sheet
from nbody_lab.export.body_text import BadFile

# Reads the log of ./lab run --log FILE.csv (docs/file_formats.md) as columns.
NEEDED = (
    "iteration",
    "time",
    "dt",
    "energy",
    *(f"{what}_{axis}" for what in ("momentum", "angular_momentum") for axis in "xyz"),
    "smallest_distance",
    "force_evaluations",
)
OF_ALL_PAIRS = ("energy", "smallest_distance")  # left empty in every row if there are many bodies


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
        raise BadFile(
            f"{path}: not a CSV file ({fault}): ./lab run PART NAME ... --log {path} writes one"
        ) from fault
    head = rows[0] if rows else []
    missing = [name for name in NEEDED if name not in head]
    if missing:
        raise BadFile(
            f"{path}:1: no column {missing[0]}: ./lab run PART NAME ... --log FILE.csv writes one that has it"
        )
    if len(rows) < 3:
        raise BadFile(
            f"{path}: fewer than two rows, but a change needs two: write more by ./lab run PART NAME ... -i 100 --log {path}"
        )
    for line, row in enumerate(rows[1:], 2):
        if len(row) != len(head):
            raise BadFile(
                f"{path}:{line}: {len(row)} cells, but {len(head)} columns: remove that line, or run again"
            )
    return RunLog(
        path,
        {name: column(path, name, [row[head.index(name)] for row in rows[1:]]) for name in NEEDED},
    )


def column(path, name, cells):
    """An array; None if it is left empty."""
    if name in OF_ALL_PAIRS and not any(cells):
        return None
    return np.array([number(path, line, name, cell) for line, cell in enumerate(cells, 2)])


def number(path, line, name, cell):
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if math.isfinite(value) or (
        name == "smallest_distance" and value == math.inf
    ):  # of a single body
        return value
    raise BadFile(f"{path}:{line}: {name} is {cell[:30]!a}, not a finite number")


def energy_of_log(log):
    if log["energy"] is None:
        return momenta_of_log(log)
    name = log.path.stem
    change = log["energy"] - log["energy"][0]
    relative = change / (abs(log["energy"][0]) or 1)
    sheet = Sheet(
        f"{name}_energy",
        f"{name}: energy and momenta, row by row",
        f"{span_in_words(log)}; energy at the end: {relative[-1]:+.2e} of its start",
        footnote(log),
        height=700,
        rows=3,
        columns=1,
        sharex=True,
        gridspec_kw={"height_ratios": [3, 2, 1.3]},
    )
    above, middle, below = sheet.all_axes
    draw_signed(above, log["time"], relative)
    above.set_ylabel("|dE / E0|")
    draw_momenta(middle, log)
    draw(
        below,
        log["time"],
        np.where(np.isfinite(log["smallest_distance"]), log["smallest_distance"], 0),
        theme.SERIES[0],
        "-",
        "between the two\nclosest bodies",
        "smallest-distance",
    )
    below.set_ylabel("distance")
    return finished(sheet, log)


def momenta_of_log(log):
    name = log.path.stem
    sheet = Sheet(
        f"{name}_energy",
        f"{name}: momenta, row by row",
        f"{span_in_words(log)}; a run with many bodies records no energy",
        footnote(log),
    )
    draw_momenta(sheet.axes, log)
    return finished(sheet, log)


def draw_momenta(axes, log):
    for what, colour, dashes in (
        ("momentum", theme.SERIES[3], "-"),
        ("angular momentum", theme.SERIES[4], "--"),
    ):
        gid = what.replace(" ", "-")
        draw(
            axes, log["time"], moved(log.vectors(what.replace(" ", "_"))), colour, dashes, what, gid
        )
    axes.set_ylabel("|change| of momenta")


def finished(sheet, log):
    for axes in sheet.all_axes:
        log_axis(axes)
        if axes.lines:
            sheet.legend_beside(axes)
    time_axis(sheet.all_axes[-1], log["time"], "")
    sheet.figure.align_ylabels()
    return sheet


def moved(vectors):
    return np.linalg.norm(vectors - vectors[0], axis=1)


def span_in_words(log):
    """'time 0 to 20, dt = 0.005, 4001 force evaluations'"""
    dt = log["dt"][1:]
    low, high = dt.min(), dt.max()
    step = f"dt = {high:.6g}" if high - low <= 1e-6 * high else f"dt = {low:.3g} to {high:.3g}"
    return f"time {log['time'][0]:.6g} to {log['time'][-1]:.6g}, {step}, {log['force_evaluations'][-1]:.0f} force evaluations"


def footnote(log):
    iterations = f"{log['iteration'][0]:.0f} to {log['iteration'][-1]:.0f}"
    return (
        f"{log.path.name}, iterations {iterations}, {len(log)} rows; time, momenta and distance in the units of the bodies; "
        "exact zeros are not drawn"
    )
