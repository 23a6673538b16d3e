"""How energy, momentum and angular momentum of a run drift from their initial values."""

import math
import sys
import time
from dataclasses import dataclass

import numpy as np
from matplotlib.ticker import NullLocator

from nbody_lab.draw import theme
from nbody_lab.draw.body_files import span_in_words, time_scale
from nbody_lab.draw.frame import nice_step, ticks_between
from nbody_lab.draw.sheet import Sheet
from nbody_lab.export.body_text import BadFile

# Conserved quantities (docs/physics.md, section 4), with the formulas of common/physics/conserved.cpp.
TILE = 256  # bodies: temporary arrays of 512 KiB stay in the cache


@dataclass(frozen=True)
class Conserved:
    """Conserved quantities of one state, in the units of the bodies."""

    energy: float
    momentum: np.ndarray
    angular_momentum: np.ndarray
    momenta: float  # sum of m |v|, the reference for the momentum
    angular_momenta: float  # sum of m |q| |v|


def conserved(state):
    q, v, m = state.places, state.velocities, state.mass
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        speed, distance = np.sqrt((v * v).sum(axis=1)), np.sqrt((q * q).sum(axis=1))
        found = Conserved(
            (m * speed * speed).sum() / 2 + potential_energy(state),
            m @ v,
            m @ np.cross(q, v),
            m @ speed,
            m @ (distance * speed),
        )
    if not np.isfinite(found.energy):
        raise BadFile(
            f"{state.file}: the energy is not finite: two bodies are at the same position, or numbers are too large"
        )
    return found


def potential_energy(state):
    """- sum over pairs of G m m / sqrt(r^2 + eps^2), each pair once, tile by tile."""
    n, softening2 = len(state.mass), state.setting.soft**2
    bodies = np.ascontiguousarray(np.column_stack([state.places, state.mass]).T)
    total = 0.0
    for first in range(0, n, TILE):
        rows = bodies[:, first : first + TILE]
        for other in range(0, first, TILE):
            total += tile_sum(rows, bodies[:, other : other + TILE], softening2)
        total += tile_sum(rows, rows, softening2, below_diagonal=True)
    return -state.setting.G * total


def tile_sum(rows, columns, softening2, below_diagonal=False):
    r2 = np.full((rows.shape[1], columns.shape[1]), softening2)
    for axis in range(3):
        d = rows[axis][:, None] - columns[axis]
        d *= d
        r2 += d
    if below_diagonal:
        r2[np.triu_indices(len(r2))] = np.inf  # each pair once, without self-interaction
    np.sqrt(r2, out=r2)
    return rows[3] @ (np.divide(1, r2, out=r2) @ columns[3])


PATIENCE = 2  # seconds between progress messages


def energy(series):
    if len(series) < 2:
        raise BadFile(
            f"{series.files[0][1]} is the only file of {series.base}, but a change needs at least two: write more with ./lab run PART NAME ... -i 100 -w {series.base}"
        )
    times, change = changes(series)
    last = change["energy"][-1]
    sheet = Sheet(
        f"{series.name}_energy",
        f"{series.name}: change of what an exact solution conserves",
        f"{span_in_words(series)}, {series.setting_in_words()}; energy at the end: {last:+.2e} of its start",
        series.footnote()
        + "; relative to |E|, to the sum of m |v|, to the sum of m |q| |v| at the start; "
        "exact zeros are not drawn",
        height=600,
        rows=2,
        columns=1,
        sharex=True,
        gridspec_kw={"height_ratios": [3, 2]},
    )
    above, below = sheet.all_axes
    draw_signed(above, times, change["energy"])
    above.set_ylabel("|change| of energy")
    draw(below, times, change["momentum"], theme.SERIES[3], "-", "momentum", "momentum")
    draw(
        below,
        times,
        change["angular momentum"],
        theme.SERIES[4],
        "--",
        "angular momentum",
        "angular-momentum",
    )
    below.set_ylabel("|change| of momenta")
    time_axis(below, times, time_scale(series)[1])
    sheet.figure.align_ylabels()
    for axes in (above, below):
        log_axis(axes)
        if axes.lines:
            sheet.legend_beside(axes)
    return sheet


def changes(series):
    """(times in the picture's unit, {name: changes}), each change relative to a sum that does not cancel."""
    times, found, begun = [], [], time.monotonic()
    told = begun
    for k, state in enumerate(series):
        times.append(state.time / time_scale(series)[0])
        found.append(conserved(state))
        if time.monotonic() - told > PATIENCE:
            told = time.monotonic()
            left = (told - begun) / (k + 1) * (len(series) - k - 1)
            print(
                f"energy of {k + 1} of {len(series)} states, about {left:.0f} s left",
                file=sys.stderr,
                flush=True,
            )
    return np.array(times), relative(found)


def relative(found):
    """Changes defined as in `run` and docs/physics.md; if all bodies start at rest, relative to the largest sum of the
    run."""
    start = found[0]
    momenta = start.momenta or max(one.momenta for one in found) or 1
    angular = start.angular_momenta or max(one.angular_momenta for one in found) or 1
    return {
        "energy": np.array(
            [(one.energy - start.energy) / (abs(start.energy) or 1) for one in found]
        ),
        "momentum": np.array(
            [np.linalg.norm(one.momentum - start.momentum) / momenta for one in found]
        ),
        "angular momentum": np.array(
            [
                np.linalg.norm(one.angular_momentum - start.angular_momentum) / angular
                for one in found
            ]
        ),
    }


def draw_signed(axes, times, values):
    """Size on the axis, sign as colour."""
    draw(axes, times, values, theme.SERIES[2], "-", "energy gained (+)", "gained")
    draw(axes, times, -values, theme.SERIES[1], "--", "energy lost (-)", "lost")


def draw(axes, times, values, colour, dashes, label, gid):
    """Positive values only: a logarithmic axis has no place for others."""
    if (values > 0).any():
        lone = (values > 0).sum() == 1
        axes.plot(
            times,
            np.where(values > 0, values, np.nan),
            color=colour,
            linestyle=dashes,
            linewidth=1.5,
            label=label,
            gid=gid,
            marker="o" if lone else "",
            markersize=4,
        )


def log_axis(axes):
    """Ticks at whole powers of ten, at least three of them."""
    values = np.concatenate([line.get_ydata() for line in axes.lines] or [[]])
    values = values[np.isfinite(values)]
    if not len(values):
        axes.text(
            0.5,
            0.5,
            "exactly 0 throughout",
            transform=axes.transAxes,
            ha="center",
            fontsize=9,
            gid="all-zero",
        )
        values = np.array([1e-16])
    low, high = math.floor(math.log10(values.min())), math.ceil(math.log10(1.3 * values.max()))
    high = max(high, low + 2)
    powers = range(low, high + 1, math.ceil((high - low) / 7))
    axes.set_yscale("log")
    axes.set_ylim(10.0**low, 10.0**high)
    axes.set_yticks([10.0**power for power in powers], [f"10^{power}" for power in powers])
    axes.yaxis.set_minor_locator(NullLocator())


def time_axis(axes, times, unit_name):
    span = (times[-1] - times[0]) or 1.0
    axes.set_xlim(times[0] - 0.01 * span, times[-1] + 0.01 * span)
    axes.set_xticks(*ticks_between(times[0], times[-1], nice_step(span, 8)))
    axes.set_xlabel(f"time ({unit_name})" if unit_name else "time")
