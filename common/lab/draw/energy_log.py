"""Energy and momenta against time, from the log of a run: it has more rows than there are body files."""

import numpy as np

import theme
from energy import draw, draw_signed, log_axis, time_axis
from sheet import Sheet


def energy_of_log(log):
    name = log.path.stem
    change = log["energy"] - log["energy"][0]
    relative = change / (abs(log["energy"][0]) or 1)
    sheet = Sheet(f"{name}_energy", f"{name}: energy and momenta, row by row",
                  f"{span_in_words(log)}; energy at the end: {relative[-1]:+.2e} of its start", footnote(log), height=700, rows=3, columns=1,
                  sharex=True, gridspec_kw={"height_ratios": [3, 2, 1.3]})
    above, middle, below = sheet.all_axes
    draw_signed(above, log["time"], relative)
    above.set_ylabel("|dE / E0|")
    for what, colour, dashes in (("momentum", theme.SERIES[3], "-"), ("angular momentum", theme.SERIES[4], "--")):
        gid = what.replace(" ", "-")
        draw(middle, log["time"], moved(log.vectors(what.replace(" ", "_"))), colour, dashes, what, gid)
    middle.set_ylabel("|change| of momenta")
    draw(below, log["time"], np.where(np.isfinite(log["smallest_distance"]), log["smallest_distance"], 0), theme.SERIES[0], "-",
         "between the two\nclosest bodies", "smallest-distance")
    below.set_ylabel("distance")
    for axes in (above, middle, below):
        log_axis(axes)
        if axes.lines:
            sheet.legend_beside(axes)
    time_axis(below, log["time"], "")
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
    return (f"{log.path.name}, iterations {iterations}, {len(log)} rows; time, momenta and distance in the units of the bodies; "
            "exact zeros are not drawn")
