"""Reads body files (docs/file_formats.md) into arrays, as strictly as the simulators do."""

import re
from functools import cached_property
from pathlib import Path

import numpy as np

from nbody_lab.export import body_text
from nbody_lab.export.body_text import demand_same_run, files_of


class State(body_text.State):
    """The bodies at one time, in SI units or in units with G = 1."""

    @cached_property
    def table(self):
        """(N, 8): mass radius qx qy qz vx vy vz"""
        return np.array(self.numbers).reshape(-1, 8)

    @property
    def mass(self):
        return self.table[:, 0]

    @property
    def places(self):
        return self.table[:, 2:5]

    @property
    def velocities(self):
        return self.table[:, 5:8]


def read_state(path):
    """Raises BadFile with one line, FILE:LINE: what is wrong."""
    return State(**vars(body_text.read_state(path)))


# The files BASE.<iteration>.dat of ./lab run ... -w BASE, in order, and their description for pictures.
SCALES = ((365.25 * 86400, "years"), (86400, "days"), (3600, "h"), (60, "min"), (1, "s"))


class Series:
    """The files of one run. Raises BadFile."""

    def __init__(self, base):
        self.base = str(base)
        self.files = files_of(base)
        self.first = self.state(0)
        self.last = self.state(len(self) - 1)

    def __len__(self):
        return len(self.files)

    def __iter__(self):
        return (self.state(k) for k in range(len(self)))

    @property
    def iterations(self):
        return [iteration for iteration, _ in self.files]

    @property
    def n(self):
        return len(self.first.table)

    @property
    def name(self):
        return Path(self.base).name

    @property
    def folder(self):
        return Path(self.base).parent

    def state(self, k):
        state = read_state(self.files[k][1])
        demand_same_run(getattr(self, "first", state), state)
        return state

    def name_of(self, body):
        return self.first.names.get(body, f"body {body + 1}")

    def picture_name(self, centre=None):
        """`centre` is the index of the body at the centre."""
        if centre is None:
            return f"{self.name}_orbits"
        plain = re.sub(r"[^\w-]+", "_", self.name_of(centre)).strip("_")
        return f"{self.name}_orbits_around_{plain or centre + 1}"

    def setting_in_words(self):
        """Number of bodies, scheme, step and softening."""
        setting = self.first.setting
        length, second = (" m", " s") if setting.is_si() else ("", "")
        words = [f"N = {self.n}", setting.integrator, step_in_words(self, second)]
        words.append(f"softening {setting.soft:g}{length}" if setting.soft else "no softening")
        if setting.damping != 1:
            words.append(f"damping {setting.damping:g}")
        if not setting.is_si():
            words.append(f"units of G = {setting.G:g}")
        return ", ".join(filter(None, words))

    def footnote(self):
        return (
            f"{self.name}.<iteration>.dat, iterations {self.iterations[0]} to {self.iterations[-1]}, "
            f"{len(self)} file{'' if len(self) == 1 else 's'}"
        )


def step_in_words(series, second):
    """Adaptive steps show in the times alone; no file records them."""
    dt = series.first.setting.dt
    steps = series.iterations[-1] - series.iterations[0]
    mean = (series.last.time - series.first.time) / steps if steps else dt
    return (
        f"dt = {dt:g}{second}"
        if abs(mean - dt) <= 1e-6 * dt
        else f"adaptive step, {mean:.3g}{second} on average"
    )


def time_scale(series):
    """(unit in s, its name) that suits the series' span; (1, "") if time has no unit."""
    if not series.first.setting.is_si():
        return 1, ""
    span = abs(series.last.time - series.first.time)
    return next(((unit, name) for unit, name in SCALES if span >= 2 * unit), (1, "s"))


def span_in_words(series):
    """'365.2 days', 'time 0 to 6'."""
    unit, name = time_scale(series)
    start, end = series.first.time / unit, series.last.time / unit
    if len(series) == 1:
        return f"time {end:.4g} {name}".strip()
    return (
        f"{end - start:.4g} {name}"
        if name and start == 0
        else f"time {start:.4g} to {end:.4g} {name}".strip()
    )
