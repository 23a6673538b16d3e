"""Pictures of ./lab bench PART --study energy: each integrator's error against cost and against time."""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from nbody_lab.core.study_results import EnergyRow, EnergySeries, EnergyStudy
from nbody_lab.draw import theme
from nbody_lab.draw.sheet import Sheet, Ticks

_SCHEMES = (
    "euler",
    "eq45",
    "semi-implicit",
    "kdk",
    "kdk-symmetric",
    "dkd",
    "yoshida4",
    "rk4",
    "hermite4",
)


def pictures_of_energies(study: EnergyStudy) -> list[Sheet]:
    """All that the study has data for."""
    series = [row for row in study.rows if isinstance(row, EnergySeries)]
    others = [row for row in study.rows if not isinstance(row, EnergySeries)]
    costly = [row for row in others if "stars" in row.experiment]
    unsafe = [row for row in others if "not softened" in row.experiment]
    safe = [row for row in others if row not in costly and row not in unsafe]
    sheets = [
        _against_cost(study, rows, cost, f"energy_{name}", title)
        for rows, cost, name, title in (
            (safe, "evaluations", "by_evaluations", "Energy error against force evaluations"),
            (costly, "seconds", "by_seconds", "Energy error against seconds"),
            (unsafe, "evaluations", "of_close_meetings", "Energy error in close encounters"),
        )
        if rows
    ]
    return [*sheets, _along_time(study, series)] if series else sheets


def _finding(title: str, panels: Sequence[Sequence[EnergyRow]]) -> str:
    """Which scheme errs least, in how many of the panels."""
    best = [
        min(
            (row for row in rows if row.largest_error), key=lambda row: row.largest_error or 0
        ).scheme
        for rows in panels
        if any(row.largest_error for row in rows)
    ]
    if not best:
        return title
    scheme, count = Counter(best).most_common(1)[0]
    if count == 1:
        return f"{title}: least by {' and '.join(best)}"
    return f"{title}: least by {scheme} in {count} of {len(best)}"


def _against_cost(
    study: EnergyStudy, rows: Sequence[EnergyRow], cost: str, name: str, title: str
) -> Sheet:
    """One panel per experiment and precision."""
    panels: dict[str, list[EnergyRow]] = {}
    for row in rows:
        panels.setdefault(f"{row.experiment}, {row.precision}", []).append(row)
    columns = min(2, len(panels))
    lines = math.ceil(len(panels) / columns)
    sheet = Sheet(
        name,
        _finding(title, list(panels.values())),
        "",
        _source(study),
        width=900 if columns == 2 else 620,
        height=120 + 270 * lines + (0 if columns == 2 else 60),
        rows=lines,
        columns=columns,
    )
    for axes, (words, own) in zip(sheet.all_axes, panels.items()):
        _draw_errors(axes, own, cost)
        axes.set_title(words)
    for axes in sheet.all_axes[::columns]:
        axes.set_ylabel("largest |E - E0| / |E0|")
    sheet.legend_beside(sheet.all_axes[columns - 1])
    return sheet


def _draw_errors(axes: Axes, rows: Sequence[EnergyRow], cost: str) -> None:
    for scheme in _SCHEMES:
        own = [row for row in rows if row.scheme == scheme and row.largest_error]
        if own:
            costs, errors = zip(*((getattr(row, cost), row.largest_error) for row in own))
            axes.plot(costs, errors, gid=f"line-{scheme}", **_look(scheme))
    axes.set_xscale("log")
    if cost == "evaluations":
        axes.set_xlabel("force evaluations")
        ticks = sorted({row.evaluations // 100 * 100 or row.evaluations for row in rows})[::2]
        axes.set_xticks(ticks, [_short(tick) for tick in ticks])
    else:
        axes.set_xlabel("seconds")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.minorticks_off()
    _set_axis_of_errors(axes)


def _along_time(study: EnergyStudy, rows: Sequence[EnergySeries]) -> Sheet:
    experiments = list(dict.fromkeys(row.experiment for row in rows))
    title = "Energy error of two bodies over 1000 orbits"
    sheet = Sheet(
        "energy_along_time",
        _finding(title, [[row for row in rows if row.experiment == e] for e in experiments]),
        "|E - E0| / |E0|, largest so far",
        _source(study),
        height=640,
        rows=len(experiments),
        sharex=True,
    )
    for axes, experiment in zip(sheet.all_axes, experiments):
        for row in [row for row in rows if row.experiment == experiment]:
            sizes = [math.inf if error is None else abs(error) for error in row.errors]
            turns = [time / (2 * math.pi) for time in row.times]
            axes.plot(turns, list(accumulate(sizes, max)), **{**_look(row.scheme), "marker": ""})
        _set_axis_of_errors(axes)
        axes.set_ylabel("largest so far")
        axes.set_title(experiment.split(", ")[-1])
        sheet.legend_beside(axes)
    sheet.all_axes[-1].set_xlabel("turns")
    return sheet


def _look(scheme: str) -> dict[str, Any]:
    """The same in every picture."""
    return {**theme.series(_SCHEMES.index(scheme)), "label": scheme}


def _source(study: EnergyStudy) -> str:
    program = f"{study.part}/{study.name}, {study.cpu}, {study.date}"
    return f"{program}. E: kinetic and potential energy, in double."


def _short(number: int) -> str:
    return f"{number // 10**6} million" if number % 10**6 == 0 else str(number)


def _set_axis_of_errors(axes: Axes) -> None:
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(numticks=8))
    axes.yaxis.set_major_formatter(Ticks())
    axes.yaxis.set_minor_locator(NullLocator())
