"""Pictures of ./lab bench PART --study energy: each integrator's error against cost and against time."""

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from nbody_lab.core.study_results import EnergyRow, EnergySeries, EnergyStudy
from nbody_lab.draw import theme
from nbody_lab.draw.sheet import Sheet

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
_TURN = 2 * math.pi


def pictures_of_energies(study: EnergyStudy) -> list[Sheet]:
    """All that the study has data for."""
    series = [row for row in study.rows if isinstance(row, EnergySeries)]
    others = [row for row in study.rows if not isinstance(row, EnergySeries)]
    costly = [row for row in others if "stars" in row.experiment]
    unsafe = [row for row in others if "not softened" in row.experiment]
    safe = [row for row in others if row not in costly and row not in unsafe]
    title = "Energy error against force evaluations"
    sheets = [_against_cost(study, safe, "evaluations", "energy_by_evaluations", title)]
    if costly:
        title = "Energy error against seconds"
        sheets.append(_against_cost(study, costly, "seconds", "energy_by_seconds", title))
    if unsafe:
        title = "Close encounters: no fixed step is safe"
        name = "energy_of_close_meetings"
        sheets.append(_against_cost(study, unsafe, "evaluations", name, title))
    return [*sheets, _along_time(study, series)] if series else sheets


def _against_cost(
    study: EnergyStudy, rows: Sequence[EnergyRow], cost: str, name: str, title: str
) -> Sheet:
    """One panel per experiment and precision."""
    panels = list(dict.fromkeys((row.experiment, row.precision) for row in rows))
    columns = min(2, len(panels))
    lines = math.ceil(len(panels) / columns)
    sheet = Sheet(
        name,
        title,
        "",
        _source(study),
        width=900 if columns == 2 else 620,
        height=120 + 270 * lines + (0 if columns == 2 else 60),
        rows=lines,
        columns=columns,
    )
    for axes, (experiment, precision) in zip(sheet.all_axes, panels):
        own = [row for row in rows if (row.experiment, row.precision) == (experiment, precision)]
        _draw_errors(axes, own, cost)
        axes.set_title(f"{experiment}, {precision}", fontsize=9, fontweight="normal")
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
    sheet = Sheet(
        "energy_along_time",
        "Energy error of two bodies over 1000 orbits",
        "|E - E0| / |E0|, largest so far",
        _source(study),
        width=900,
        height=640,
        rows=len(experiments),
        sharex=True,
    )
    for axes, experiment in zip(sheet.all_axes, experiments):
        for row in [row for row in rows if row.experiment == experiment]:
            sizes = [math.inf if error is None else abs(error) for error in row.errors]
            turns = [time / _TURN for time in row.times]
            axes.plot(turns, list(accumulate(sizes, max)), **{**_look(row.scheme), "marker": ""})
        _set_axis_of_errors(axes)
        axes.set_ylabel("largest so far")
        axes.set_title(experiment.split(", ")[-1], fontsize=9, fontweight="normal")
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
    axes.yaxis.set_major_formatter(
        FuncFormatter(
            lambda value, _: f"10^{math.log10(value):.0f}" if value < 0.01 else f"{value:g}"
        )
    )
    axes.yaxis.set_minor_locator(NullLocator())
