"""Reads body files (docs/file_formats.md) into arrays, as strictly as the simulators do."""

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from nbody_lab.export.body_text import (
    BadFile,
    complaint,
    demand_same_run,
    files_of,
    is_number,
    is_si,
    names_of,
    numbers_in,
    setting_of,
)


@dataclass(frozen=True)
class State:
    """The bodies at one time, in SI units or in units with G = 1."""

    file: str
    setting: dict  # values by the keys of the first line
    table: np.ndarray  # (N, 8): mass radius qx qy qz vx vy vz
    names: dict = field(default_factory=dict)  # index from 0 -> name, for named bodies only

    @property
    def n(self):
        return len(self.table)

    @property
    def time(self):
        return self.setting["time"]

    @property
    def mass(self):
        return self.table[:, 0]

    @property
    def masses(self):
        return self.mass.tolist()

    @property
    def places(self):
        return self.table[:, 2:5]

    @property
    def velocities(self):
        return self.table[:, 5:8]


def read_state(path):
    """Raises BadFile with one line, FILE:LINE: what is wrong."""
    try:
        with open(path, "rb") as stream:
            text = stream.read()
    except OSError as fault:
        raise BadFile(f"{path}: cannot be read ({fault.strerror}): check the name") from fault
    return parse_state(text, str(path))


def parse_state(text, path):
    setting = setting_of(text, path)
    table = table_of(numbers_in(text))
    if table is None:
        raise BadFile(complaint(text, path))
    return State(path, setting, table, names_of(text) if b"#" in text else {})


def table_of(words):
    """The (N, 8) table; None if a value breaks a rule, which complaint() then names."""
    if words is None:
        return None
    try:
        values = np.array([float(word) for word in words])
    except ValueError:
        return None
    small = [words[k] for k in np.flatnonzero(values == 0)]
    if not np.isfinite(values).all() or not all(is_number(word) for word in small):
        return None
    table = values.reshape(-1, 8)
    return table if (table[:, 0] > 0).all() and (table[:, 1] >= 0).all() else None


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
        length, second = (" m", " s") if is_si(setting) else ("", "")
        words = [f"N = {self.n}", setting["integrator"], step_in_words(self, second)]
        words.append(
            f"softening {setting['soft']:g}{length}" if setting["soft"] else "no softening"
        )
        if setting["damping"] != 1:
            words.append(f"damping {setting['damping']:g}")
        if not is_si(setting):
            words.append(f"units of G = {setting['G']:g}")
        return ", ".join(filter(None, words))

    def footnote(self):
        return (
            f"{self.name}.<iteration>.dat, iterations {self.iterations[0]} to {self.iterations[-1]}, "
            f"{len(self)} file{'' if len(self) == 1 else 's'}"
        )


def step_in_words(series, second):
    """Adaptive steps show in the times alone; no file records them."""
    dt = series.first.setting["dt"]
    steps = series.iterations[-1] - series.iterations[0]
    mean = (series.last.time - series.first.time) / steps if steps else dt
    return (
        f"dt = {dt:g}{second}"
        if abs(mean - dt) <= 1e-6 * dt
        else f"adaptive step, {mean:.3g}{second} on average"
    )


def time_scale(series):
    """(unit in s, its name) that suits the series' span; (1, "") if time has no unit."""
    if not is_si(series.first.setting):
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
