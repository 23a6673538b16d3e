"""Draws what a run writes with --log: how energy and momenta change, the smallest distance, the time of each iteration.

    ./lab run part1 naive --scene six -i 5000 --log data/out/six.csv
    draw_energy.py FILE.csv     data/out/six_energy.svg

What is exactly zero has no place on a logarithmic axis. The time of an iteration has its median and its middle half beside it;
of the first row there is none. Needs ./lab setup --pictures.
"""

import sys
from pathlib import Path

import numpy as np

from nbody_lab.core.errors import LabError

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))


def read_log(file):
    """The columns by name; those of many bodies, for which a run leaves the energy out, are NaN."""
    log = np.genfromtxt(file, delimiter=",", names=True)
    missing = {"energy_error", "smallest_distance", "wall_s"} - set(log.dtype.names or ())
    if missing or log.ndim == 0:
        raise LabError(f"{file}: not a log of two rows or more: ./lab run ... --log writes one")
    return log


def changes(log, name):
    """The length of the change since the start of a vector."""
    values = np.column_stack([log[f"{name}_{axis}"] for axis in "xyz"])
    return np.linalg.norm(values - values[0], axis=1)


def panels_of(log):
    """(label of the axis, height, lines); a line is (label, colour, dashes, values)."""
    momentum = ("momentum", "C3", "-", changes(log, "momentum"))
    angular = ("angular momentum", "C4", "--", changes(log, "angular_momentum"))
    panels = [("|change| of momenta", 2, [momentum, angular])]
    change = log["energy_error"]
    if not np.isnan(change).all():
        gained, lost = (
            ("gained (+)", "C2", "-", change),
            ("lost (-)", "C1", "--", -change),
        )
        panels.insert(0, ("|change| of energy", 3, [gained, lost]))
        closest = ("between the two\nclosest bodies", "C0", "-", log["smallest_distance"])
        panels.append(("distance", 1.3, [closest]))
    return panels


def draw_seconds(sheet, axes, log):
    seconds = np.diff(log["wall_s"]) / np.maximum(np.diff(log["iteration"]), 1)
    unit, name = next(one for one in UNITS if one[0] <= np.median(seconds) or one[0] == 1e-9)
    low, median, high = np.quantile(seconds, (0.25, 0.5, 0.75)) / unit
    axes.plot(log["time"][1:], seconds / unit, label="of a row", color="C1", marker="", linewidth=1)
    words = f"median: {median:.3g} {name}"
    axes.axhline(median, label=words, color="black", linewidth=1, linestyle="--")
    words = f"middle half:\n{low:.3g} to {high:.3g} {name}"
    axes.axhspan(low, high, label=words, color="C6", alpha=0.35, linewidth=0)
    axes.set(ylabel=f"{name} / iteration", ylim=(0, 1.1 * seconds.max() / unit or 1))
    sheet.legend_beside(axes)


def sheet_of(file):
    from matplotlib.ticker import LogLocator

    from nbody_lab.draw.sheet import Sheet

    log = read_log(file)
    panels, first, last = panels_of(log), log[0], log[-1]
    heights = [*(height for _, height, _ in panels), 1.3]
    found = "how the momenta change"
    if len(panels) > 1:
        found = f"the energy changed by {last['energy_error']:+.2e} of its start"
    evaluations = f"{last['force_evaluations']:.0f} force evaluations"
    sheet = Sheet(
        f"{file.stem}_energy",
        f"{file.stem}: {found}",
        f"time {first['time']:.6g} to {last['time']:.6g}, {evaluations}",
        f"{file.name}, {len(log)} rows; time, momenta and distance in the units of the bodies",
        height=round(200 + 80 * sum(heights)),
        rows=len(heights),
        sharex=True,
        height_ratios=heights,
    )
    for axes, (label, _, lines) in zip(sheet.all_axes, panels):
        for words, colour, dashes, values in lines:
            drawn = np.where(np.isfinite(values) & (values > 0), values, np.nan)
            look = {"color": colour, "linestyle": dashes, "marker": ""}
            axes.plot(log["time"], drawn, label=words, **look)
        axes.set(yscale="log", ylabel=label)
        axes.yaxis.set_major_locator(LogLocator(numticks=6))
        axes.yaxis.set_major_formatter("{x:g}")
        axes.minorticks_off()
        sheet.legend_beside(axes)
    draw_seconds(sheet, sheet.all_axes[-1], log)
    sheet.all_axes[-1].set_xlabel("time")
    return sheet


def main(arguments):
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    from nbody_lab.draw.sheet import save

    file = Path(arguments[0])
    try:
        (path,) = save([sheet_of(file)], file.parent, ["svg"])
    except (LabError, OSError, ValueError) as fault:
        print(f"draw_energy: {fault}", file=sys.stderr)
        return 2
    print(f"{path}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
