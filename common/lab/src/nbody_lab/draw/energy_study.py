"""Pictures of ./lab bench PART --study energy: each integrator's error against cost and against time."""

import json
import math
from itertools import accumulate

from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from nbody_lab.draw import theme
from nbody_lab.draw.sheet import Sheet

ORDER = [
    "euler",
    "eq45",
    "semi-implicit",
    "kdk",
    "kdk-symmetric",
    "dkd",
    "yoshida4",
    "rk4",
    "hermite4",
]
COST = {"evaluations": "force evaluations", "seconds": "seconds"}


def read_study(file):
    """The content of a result of this study; None for any other file."""
    try:
        with open(file, encoding="utf-8") as stream:
            content = json.load(stream)
    except (OSError, ValueError):
        return None
    return content if isinstance(content, dict) and content.get("what") == "energy study" else None


def look(scheme):
    """A scheme's colour and marker, the same in every picture."""
    return {**theme.series(ORDER.index(scheme)), "label": scheme}


def footnote(study):
    return f"{study['part']}/{study['name']}, {study['cpu']}, {study['date']}. E: kinetic and potential energy, in double."


def draw_errors(axes, rows, cost):
    for scheme in ORDER:
        own = [row for row in rows if row["scheme"] == scheme and row["largest_error"]]
        if own:
            line = axes.plot(
                [row[cost] for row in own], [row["largest_error"] for row in own], **look(scheme)
            )[0]
            line.set_gid(f"line-{scheme}")
    axes.set_xscale("log")
    axes.set_xlabel(COST[cost])
    if cost == "evaluations":
        ticks = sorted({row[cost] // 100 * 100 or row[cost] for row in rows})[::2]
        axes.set_xticks(ticks, [short(tick) for tick in ticks])
    else:
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.minorticks_off()
    log_of_errors(axes)


def short(number):
    return f"{number // 10**6} million" if number % 10**6 == 0 else str(number)


def log_of_errors(axes):
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(numticks=8))
    axes.yaxis.set_major_formatter(
        FuncFormatter(lambda value, _: f"{value:.0e}" if value < 0.01 else f"{value:g}")
    )
    axes.yaxis.set_minor_locator(NullLocator())


def error_against(study, cost, experiments, name, title):
    """One panel per experiment and precision."""
    panels = [
        (experiment, precision)
        for experiment in experiments
        for precision in ("float", "double")
        if any(
            row["experiment"] == experiment and row["precision"] == precision
            for row in study["rows"]
        )
    ]
    columns = min(2, len(panels))
    lines = math.ceil(len(panels) / columns)
    sheet = Sheet(
        name,
        title,
        "",
        footnote(study),
        width=900 if columns == 2 else 620,
        height=120 + 270 * lines + (0 if columns == 2 else 60),
        rows=lines,
        columns=columns,
    )
    for axes, (experiment, precision) in zip(sheet.all_axes, panels):
        rows = [
            row
            for row in study["rows"]
            if (row["experiment"], row["precision"]) == (experiment, precision)
        ]
        draw_errors(axes, rows, cost)
        axes.set_title(f"{experiment}, {precision}", fontsize=9, fontweight="normal")
    for axes in sheet.all_axes[::columns]:
        axes.set_ylabel("largest |E - E0| / |E0|")
    sheet.legend_beside(sheet.all_axes[columns - 1])
    return sheet


def along_time(study, experiments):
    sheet = Sheet(
        "energy_along_time",
        "Energy error of two bodies over 1000 orbits",
        "|E - E0| / |E0|, largest so far",
        footnote(study),
        width=900,
        height=640,
        rows=len(experiments),
        sharex=True,
    )
    for axes, experiment in zip(sheet.all_axes, experiments):
        for row in [row for row in study["rows"] if row["experiment"] == experiment]:
            so_far = accumulate(
                (math.inf if error is None else abs(error) for error in row["errors"]), max
            )
            axes.plot(
                [time / 2 / math.pi for time in row["times"]],
                list(so_far),
                **{**look(row["scheme"]), "marker": ""},
            )
        log_of_errors(axes)
        axes.set_ylabel("largest so far")
        axes.set_title(experiment.split(", ")[-1], fontsize=9, fontweight="normal")
        sheet.legend_beside(axes)
    sheet.all_axes[-1].set_xlabel("turns")
    return sheet


def energy_study(study):
    """All sheets that the study has data for."""
    names = list(dict.fromkeys(row["experiment"] for row in study["rows"]))
    series = list(dict.fromkeys(row["experiment"] for row in study["rows"] if "errors" in row))
    costly = [name for name in names if "stars" in name]
    small = [
        name
        for name in names
        if name not in series and name not in costly and "not softened" not in name
    ]
    sheets = [
        error_against(
            study,
            "evaluations",
            small,
            "energy_by_evaluations",
            "Energy error against force evaluations",
        )
    ]
    if costly:
        sheets.append(
            error_against(
                study, "seconds", costly, "energy_by_seconds", "Energy error against seconds"
            )
        )
    unsafe = [name for name in names if "not softened" in name]
    if unsafe:
        sheets.append(
            error_against(
                study,
                "evaluations",
                unsafe,
                "energy_of_close_meetings",
                "Close encounters: no fixed step is safe",
            )
        )
    return [*sheets, along_time(study, series)] if series else sheets
