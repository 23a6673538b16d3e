"""Reads body files (docs/file_formats.md) into arrays, as strictly as the simulators do."""

from dataclasses import dataclass, field

import numpy as np

from body_complaints import BadFile, complaint, is_number
from body_text import names_of, numbers_in, setting_of


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
