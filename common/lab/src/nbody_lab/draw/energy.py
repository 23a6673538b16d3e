"""How energy, momentum and angular momentum of a run drift from their start, and how long its iterations took."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from nbody_lab.draw import theme
from nbody_lab.draw.frame import Words, nice_step, ticks_between
from nbody_lab.draw.run_log import LogRow, read_log
from nbody_lab.draw.runs import Array, Run, masses, places, velocities
from nbody_lab.draw.sheet import Sheet
from nbody_lab.export.body_text import BadFile, State

_UNITS_OF_SECONDS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))


@dataclass(frozen=True)
class Conserved:
    """What an exact solution conserves (docs/physics.md, section 4), of one state, in the units of the bodies."""

    energy: float
    momentum: Array
    angular_momentum: Array
    momenta: float  # sum of m |v|, the reference for the momentum
    angular_momenta: float  # sum of m |q| |v|


@dataclass(frozen=True)
class Drift:
    """Changes since the start, against time; None for what a run does not record."""

    times: Array
    energy: Array | None  # relative, with its sign
    momentum: Array
    angular_momentum: Array
    smallest_distance: Array | None = None
    seconds_per_iteration: Array | None = None  # since the row before; of the first there are none


# --- from the body files -------------------------------------------------------------------------


def conserved(state: State) -> Conserved:
    """With the formulas of common/physics/conserved.cpp. Raises BadFile."""
    q, v, m = places(state), velocities(state), masses(state)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        speed, distance = np.sqrt((v * v).sum(axis=1)), np.sqrt((q * q).sum(axis=1))
        found = Conserved(
            (m * speed * speed).sum() / 2 + _potential_energy(q, m, state),
            m @ v,
            m @ np.cross(q, v),
            m @ speed,
            m @ (distance * speed),
        )
    if not np.isfinite(found.energy):
        raise BadFile(
            f"{state.file}: the energy is not finite: "
            "two bodies are at the same position, or numbers are too large"
        )
    return found


def _potential_energy(q: Array, m: Array, state: State) -> float:
    """- sum over pairs of G m m / sqrt(r^2 + eps^2), each pair once."""
    columns, softening2, total = np.ascontiguousarray(q.T), state.setting.soft**2, 0.0
    for i in range(1, len(m)):
        d = columns[:, :i] - columns[:, i : i + 1]
        total += m[i] * (m[:i] / np.sqrt(np.einsum("ij,ij->j", d, d) + softening2)).sum()
    return -state.setting.G * total


def drift_between(times: Sequence[float], found: Sequence[Conserved]) -> Drift:
    """Changes relative to sums that do not cancel, as `run` and docs/physics.md have them; if all bodies start at rest,
    to the largest of the run."""
    start = found[0]
    momenta = start.momenta or max(one.momenta for one in found) or 1
    angular = start.angular_momenta or max(one.angular_momenta for one in found) or 1
    return Drift(
        np.array(times),
        np.array([one.energy - start.energy for one in found]) / (abs(start.energy) or 1),
        _change(np.array([one.momentum for one in found])) / momenta,
        _change(np.array([one.angular_momentum for one in found])) / angular,
    )


def _change(vectors: Array) -> Array:
    sizes: Array = np.linalg.norm(vectors - vectors[0], axis=1)
    return sizes


def energy_of_run(run: Run) -> Sheet:
    """From two body files or more. Raises BadFile."""
    if len(run.files) < 2:
        raise BadFile(
            f"{run.first.file} is the only file of {run.base}, but a change needs at least two: "
            f"write more with ./lab run PART NAME ... -i 100 -w {run.base}"
        )
    unit, unit_name = run.time_unit()
    states = [(state.time / unit, conserved(state)) for state in run.states("energy of the states")]
    drift = drift_between(*zip(*states))
    assert drift.energy is not None
    return _picture(
        drift,
        unit_name,
        (
            f"{run.name}_energy",
            f"{run.name}: change of what an exact solution conserves",
            f"{run.about()}; energy at the end: {drift.energy[-1]:+.2e} of its start",
            f"{run.source()}; relative to |E|, to the sum of m |v|, to the sum of m |q| |v| at "
            "the start; exact zeros are not drawn",
        ),
    )


# --- from a log, which has more rows than there are body files -----------------------------------


def energy_of_log(file: Path) -> Sheet:
    """Raises BadFile."""
    rows = read_log(file)
    drift = _drift_of_log(rows)
    name, last = file.stem, rows[-1]
    steps = [row.dt for row in rows[1:]]
    low, high = min(steps), max(steps)
    step = f"{high:.6g}" if high - low <= 1e-6 * high else f"{low:.3g} to {high:.3g}"
    about = f"time {rows[0].time:.6g} to {last.time:.6g}, dt = {step}"
    if drift.energy is None:
        end = "a run with many bodies records no energy"
    else:
        end = f"energy at the end: {drift.energy[-1]:+.2e} of its start"
    return _picture(
        drift,
        "",
        (
            f"{name}_energy",
            f"{name}: {'momenta' if drift.energy is None else 'energy and momenta'}, row by row",
            f"{about}, {last.force_evaluations} force evaluations; {end}",
            f"{file.name}, iterations {rows[0].iteration} to {last.iteration}, {len(rows)} rows; "
            "time, momenta and distance in the units of the bodies; exact zeros are not drawn",
        ),
    )


def _drift_of_log(rows: Sequence[LogRow]) -> Drift:
    def column(name: str) -> Array:
        return np.array([getattr(row, name) for row in rows], dtype=float)

    def vectors(name: str) -> Array:
        return np.column_stack([column(f"{name}_{axis}") for axis in "xyz"])

    energy, distance = column("energy"), column("smallest_distance")  # None becomes NaN
    iterations = np.maximum(np.diff(column("iteration")), 1)
    return Drift(
        column("time"),
        None if np.isnan(energy).all() else (energy - energy[0]) / (abs(energy[0]) or 1),
        _change(vectors("momentum")),
        _change(vectors("angular_momentum")),
        distance if np.isfinite(distance).any() else None,
        np.diff(column("wall_s")) / iterations,
    )


# --- the picture ---------------------------------------------------------------------------------


def _picture(drift: Drift, time_unit: str, words: Words) -> Sheet:
    """A panel for each kind of quantity, above one axis of time."""
    heights = [3.0] if drift.energy is not None else []
    heights.append(2)
    heights += [1.3] * (drift.smallest_distance is not None)
    heights += [1.3] * (drift.seconds_per_iteration is not None)
    sheet = Sheet(
        *words,
        height=max(450, round(200 + 80 * sum(heights))),
        rows=len(heights),
        sharex=True,
        gridspec_kw={"height_ratios": heights},
    )
    times, panels = drift.times, iter(sheet.all_axes)
    if drift.energy is not None:
        axes = next(panels)
        _draw(axes, times, drift.energy, "energy gained (+)", "gained", theme.SERIES[2], "-")
        _draw(axes, times, -drift.energy, "energy lost (-)", "lost", theme.SERIES[1], "--")
        _finish(sheet, axes, "|change| of energy")
    axes = next(panels)
    _draw(axes, times, drift.momentum, "momentum", "momentum", theme.SERIES[3], "-")
    words_of_angular = ("angular momentum", "angular-momentum", theme.SERIES[4], "--")
    _draw(axes, times, drift.angular_momentum, *words_of_angular)
    _finish(sheet, axes, "|change| of momenta")
    if drift.smallest_distance is not None:
        axes = next(panels)
        label = "between the two\nclosest bodies"
        _draw(
            axes, times, drift.smallest_distance, label, "smallest-distance", theme.SERIES[0], "-"
        )
        _finish(sheet, axes, "distance")
    if drift.seconds_per_iteration is not None:
        _draw_seconds(sheet, next(panels), times[1:], drift.seconds_per_iteration)
    _set_time_axis(sheet.all_axes[-1], times, time_unit)
    sheet.figure.align_ylabels()
    return sheet


def _draw(
    axes: Axes, times: Array, values: Array, label: str, gid: str, color: str, linestyle: str
) -> None:
    """Positive values only: a logarithmic axis has no place for others."""
    drawn = np.where(np.isfinite(values) & (values > 0), values, np.nan)
    count = np.isfinite(drawn).sum()
    if count:
        how: dict[str, Any] = {"color": color, "linestyle": linestyle, "linewidth": 1.5}
        marker = "o" if count == 1 else ""
        axes.plot(times, drawn, label=label, gid=gid, marker=marker, markersize=4, **how)


def _finish(sheet: Sheet, axes: Axes, label: str) -> None:
    """A logarithmic axis with ticks at whole powers of ten, at least three of them; and a key."""
    axes.set_ylabel(label)
    values = np.concatenate([np.asarray(line.get_ydata()) for line in axes.lines] or [np.empty(0)])
    values = values[np.isfinite(values)]
    if len(values):
        sheet.legend_beside(axes)
    else:
        how: dict[str, Any] = {"transform": axes.transAxes, "ha": "center", "fontsize": 9}
        axes.text(0.5, 0.5, "exactly 0 throughout", gid="all-zero", **how)
        values = np.array([1e-16])
    low, high = math.floor(math.log10(values.min())), math.ceil(math.log10(1.3 * values.max()))
    high = max(high, low + 2)
    powers = range(low, high + 1, math.ceil((high - low) / 7))
    axes.set_yscale("log")
    axes.set_ylim(10.0**low, 10.0**high)
    axes.set_yticks([10.0**power for power in powers], [f"10^{power}" for power in powers])
    axes.yaxis.set_minor_locator(NullLocator())


def _draw_seconds(sheet: Sheet, axes: Axes, times: Array, seconds: Array) -> None:
    """The time of an iteration, with the median and the middle half of all rows."""
    low, median, high = np.quantile(seconds, (0.25, 0.5, 0.75))
    unit, unit_name = next((one for one in _UNITS_OF_SECONDS if median >= one[0]), (1e-9, "ns"))
    axes.plot(
        times, seconds / unit, color=theme.SERIES[1], linewidth=1, label="of a row", gid="seconds"
    )
    words = f"median: {median / unit:.3g} {unit_name}"
    axes.axhline(
        median / unit, color=theme.INK, linestyle="--", linewidth=1, label=words, gid="median"
    )
    words = f"middle half:\n{low / unit:.3g} to {high / unit:.3g} {unit_name}"
    axes.axhspan(
        low / unit, high / unit, color=theme.BAR, alpha=0.35, linewidth=0, label=words, gid="half"
    )
    axes.set_ylim(0, 1.1 * seconds.max() / unit or 1)
    axes.set_ylabel(f"{unit_name} / iteration")
    sheet.legend_beside(axes)


def _set_time_axis(axes: Axes, times: Array, unit_name: str) -> None:
    span = (times[-1] - times[0]) or 1.0
    axes.set_xlim(times[0] - 0.01 * span, times[-1] + 0.01 * span)
    axes.set_xticks(*ticks_between(times[0], times[-1], nice_step(span, 8)))
    axes.set_xlabel(f"time ({unit_name})" if unit_name else "time")
