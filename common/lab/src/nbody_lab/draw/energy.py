"""How energy, momentum and angular momentum of a run drift from their start, and how long its iterations took."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from nbody_lab.core.body_text import PLACE, VELOCITY, BadFile, State
from nbody_lab.draw import theme
from nbody_lab.draw.runs import Array, LogRow, Run, read_log, vectors
from nbody_lab.draw.sheet import Sheet, set_round_ticks


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

    def finding(self, name: str) -> str:
        if self.energy is None:
            return f"{name}: momentum changed by at most {self.momentum.max():.2g}"
        return f"{name}: the energy changed by {self.energy[-1]:+.2e} of its start"


# --- from the body files -------------------------------------------------------------------------


def conserved(state: State) -> Conserved:
    """With the formulas of common/physics/conserved.cpp. Raises BadFile."""
    q, v, m = vectors(state, PLACE), vectors(state, VELOCITY), np.array(state.masses)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        speed, distance = np.linalg.norm(v, axis=1), np.linalg.norm(q, axis=1)
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


def _changes(vectors: Any) -> Array:
    sizes: Array = np.linalg.norm(np.array(vectors) - vectors[0], axis=1)
    return sizes


def drift_between(times: Sequence[float], found: Sequence[Conserved]) -> Drift:
    """Changes relative to sums that do not cancel, as `run` and docs/physics.md have them; if all bodies start at rest,
    to the largest of the run."""
    start = found[0]
    momenta = start.momenta or max(one.momenta for one in found) or 1
    angular = start.angular_momenta or max(one.angular_momenta for one in found) or 1
    return Drift(
        np.array(times),
        np.array([one.energy - start.energy for one in found]) / (abs(start.energy) or 1),
        _changes([one.momentum for one in found]) / momenta,
        _changes([one.angular_momentum for one in found]) / angular,
    )


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
    return _sheet_of(
        drift,
        run.name,
        run.about(),
        f"{run.source()}; relative to |E|, to the sum of m |v|, to the sum of m |q| |v| at "
        "the start; exact zeros are not drawn",
        f"time ({unit_name})" if unit_name else "time",
    )


# --- from a log, which has more rows than there are body files -----------------------------------


def energy_of_log(file: Path) -> Sheet:
    """Raises BadFile."""
    rows = read_log(file)
    last = rows[-1]
    steps = [row.dt for row in rows[1:]]
    low, high = min(steps), max(steps)
    step = f"{high:.6g}" if high - low <= 1e-6 * high else f"{low:.3g} to {high:.3g}"
    about = f"time {rows[0].time:.6g} to {last.time:.6g}, dt = {step}"
    return _sheet_of(
        _drift_of_log(rows),
        file.stem,
        f"{about}, {last.force_evaluations} force evaluations",
        f"{file.name}, iterations {rows[0].iteration} to {last.iteration}, {len(rows)} rows; "
        "time, momenta and distance in the units of the bodies; exact zeros are not drawn",
        "time",
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
        _changes(vectors("momentum")),
        _changes(vectors("angular_momentum")),
        distance if np.isfinite(distance).any() else None,
        np.diff(column("wall_s")) / iterations,
    )


# --- the picture ---------------------------------------------------------------------------------

_Line = tuple[str, str, str, str, Array]  # label, gid, colour, dashes, positive values


def _sheet_of(drift: Drift, name: str, about: str, footnote: str, time: str) -> Sheet:
    """A panel for each kind of quantity, above one axis of time, which is called `time`."""
    colours, energy, distance = theme.SERIES, drift.energy, drift.smallest_distance
    panels: list[tuple[str, float, list[_Line]]] = []  # label, height, lines
    if energy is None:
        about += "; a run with many bodies records no energy"
    else:
        gained = ("energy gained (+)", "gained", colours[2], "-", energy)
        lost = ("energy lost (-)", "lost", colours[1], "--", -energy)
        panels.append(("|change| of energy", 3, [gained, lost]))
    momentum = ("momentum", "momentum", colours[3], "-", drift.momentum)
    angular = ("angular momentum", "angular-momentum", colours[4], "--", drift.angular_momentum)
    panels.append(("|change| of momenta", 2, [momentum, angular]))
    if distance is not None:
        words = "between the two\nclosest bodies"
        panels.append(("distance", 1.3, [(words, "smallest-distance", colours[0], "-", distance)]))
    seconds = drift.seconds_per_iteration
    heights = [height for _, height, _ in panels] + [1.3] * (seconds is not None)
    sheet = Sheet(
        f"{name}_energy",
        drift.finding(name),
        about,
        footnote,
        height=max(450, round(200 + 80 * sum(heights))),
        rows=len(heights),
        sharex=True,
        height_ratios=heights,
    )
    for axes, (label, _, lines) in zip(sheet.all_axes, panels):
        _draw_sizes(sheet, axes, drift.times, lines)
        axes.set_ylabel(label.removeprefix("|change| of ") if theme.is_slide() else label)
    last = sheet.all_axes[-1]
    if seconds is not None:
        _draw_seconds(sheet, last, drift.times[1:], seconds)
    start, end = drift.times[0], drift.times[-1]
    margin = 0.01 * ((end - start) or 1)
    last.set(xlim=(start - margin, end + margin), xlabel=time)
    set_round_ticks(last.xaxis, 8)
    sheet.figure.align_ylabels()
    return sheet


def _draw_sizes(sheet: Sheet, axes: Axes, times: Array, lines: Sequence[_Line]) -> None:
    """Positive values only: a logarithmic axis has no place for others. Its ticks are at whole powers of ten."""
    shown = []
    for label, gid, colour, dashes, values in lines:
        drawn = np.where(np.isfinite(values) & (values > 0), values, np.nan)
        shown.append(drawn[np.isfinite(drawn)])
        if len(shown[-1]):
            marker = "o" if len(shown[-1]) == 1 else ""
            look = theme.line(colour, 1.5, dashes) | {"marker": marker, "markersize": 4}
            axes.plot(times, drawn, label=label, gid=gid, **look)
    values = np.concatenate(shown)
    if len(values):
        sheet.legend_beside(axes)
    else:
        look = {"transform": axes.transAxes, "ha": "center"}
        axes.text(0.5, 0.5, "exactly 0 throughout", gid="all-zero", **look)
        values = np.array([1e-16])
    low, high = math.floor(math.log10(values.min())), math.ceil(math.log10(1.3 * values.max()))
    high = max(high, low + 2)
    most = 3 if theme.is_slide() else 7
    powers = range(low, high + 1, math.ceil((high - low) / most))
    axes.set(yscale="log", ylim=(10.0**low, 10.0**high))
    axes.set_yticks([10.0**power for power in powers], [theme.power(power) for power in powers])
    axes.yaxis.set_minor_locator(NullLocator())


def _draw_seconds(sheet: Sheet, axes: Axes, times: Array, seconds: Array) -> None:
    """The time of an iteration, with the median and the middle half of all rows."""
    quartiles = np.quantile(seconds, (0.25, 0.5, 0.75))
    unit, name = theme.scale_of(quartiles[1], theme.SECONDS)
    low, median, high = quartiles / unit
    line, dashed = theme.line(theme.SERIES[1], 1), theme.line(theme.INK, 1, "--")
    axes.plot(times, seconds / unit, label="of a row", gid="seconds", **line)
    axes.axhline(median, label=f"median: {median:.3g} {name}", gid="median", **dashed)
    words = f"middle half:\n{low:.3g} to {high:.3g} {name}"
    pale = theme.line(theme.BAR, 0) | {"alpha": 0.35}
    axes.axhspan(low, high, label=words, gid="half", **pale)
    axes.set_ylim(0, 1.1 * seconds.max() / unit or 1)
    axes.set_ylabel(name if theme.is_slide() else f"{name} / iteration")
    sheet.legend_beside(axes)
