"""The states of a run, one at a time, for export to other formats. It uses the standard library only."""

import math
from typing import NamedTuple

from body_text import BadFile, complaint, demand_same_run, is_number, names_of, numbers_in, setting_of

MASS, RADIUS, PLACE, VELOCITY = 0, 1, slice(2, 5), slice(5, 8)  # indices in a record


class State(NamedTuple):
    """The bodies after an iteration. All numbers are in SI units, or in units with G = 1."""
    iteration: int
    time: float
    records: list  # one tuple per body: mass radius qx qy qz vx vy vz
    names: dict = {}  # {index from 0: name}, only bodies that have one
    setting: dict = {}  # the keys of the first line
    file: str = ""

    @property
    def n(self):
        return len(self.records)

    @property
    def masses(self):
        return [record[MASS] for record in self.records]


def read_state(path, iteration):
    """Raises BadFile with one line, FILE:LINE: message."""
    try:
        with open(path, "rb") as stream:
            text = stream.read()
    except OSError as fault:
        raise BadFile(f"{path}: cannot be read ({fault.strerror}): check the name") from fault
    setting = setting_of(text, path)
    records = records_of(numbers_in(text))
    if records is None:
        raise BadFile(complaint(text, path))
    return State(iteration, setting["time"], records, names_of(text), setting, path)


def records_of(words):
    """None if a rule is broken; complaint() finds out which one."""
    if words is None:
        return None
    try:
        numbers = list(map(float, words))
    except ValueError:
        return None
    if not all(map(math.isfinite, numbers)) or not all(is_number(word) for word, number in zip(words, numbers) if number == 0):
        return None
    records = list(zip(*[iter(numbers)] * 8))
    return records if all(mass > 0 and radius >= 0 for mass, radius, *_ in records) else None


def states_of(files):
    """Yields the states of files_of(BASE) in order; raises BadFile if they are not of one run."""
    first = None
    for iteration, path in files:
        state = read_state(path, iteration)
        first = first or state
        demand_same_run(first, state)
        yield state
