"""Body files (docs/file_formats.md) as arrays, read as strictly as the simulators read them."""

import math
import re
from dataclasses import dataclass, field

import numpy as np

from body_complaints import MOST_BODIES, BadFile, complaint, is_number

MARK = b"# nbody-lab:"
KEYS = ("G", "soft", "dt", "mdt", "time")
COMMENT = re.compile(rb"#[^\n]*")
NUMBER_BYTES = b"0123456789+-.eE \t\n\r\v\f"


@dataclass(frozen=True)
class State:
    """The bodies at one time. SI units, or those in which G is 1."""
    file: str
    setting: dict  # by the keys of the first line
    table: np.ndarray  # (N, 8): mass radius qx qy qz vx vy vz
    names: dict = field(default_factory=dict)  # number from 0 -> name, of those bodies that have one

    @property
    def time(self):
        return self.setting["time"]

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
    """Throws BadFile with one line FILE:LINE: what is wrong."""
    try:
        with open(path, "rb") as stream:
            text = stream.read()
    except OSError as fault:
        raise BadFile(f"{path}: cannot be read ({fault.strerror}): check the name") from fault
    return parse_state(text, str(path))


def parse_state(text, path):
    setting = setting_of(text, path)
    bare = COMMENT.sub(b"", text)
    words = bare.split()
    table = table_of(words, bare)
    if table is None:
        raise BadFile(complaint(text, path))
    return State(path, setting, table, names_of(text) if b"#" in text else {})


def table_of(words, bare):
    """None where a rule is broken; which one, complaint() finds out."""
    if not words or not words[0].isdigit() or bare.translate(None, NUMBER_BYTES):
        return None
    count = int(words[0]) if len(words[0]) < 1000 else 0
    if not 1 <= count <= MOST_BODIES or len(words) != 1 + 8 * count:
        return None
    try:
        values = np.array([float(word) for word in words[1:]])
    except ValueError:
        return None
    small = [words[1 + k] for k in np.flatnonzero(values == 0)]
    if not np.isfinite(values).all() or not all(is_number(word) for word in small):
        return None
    table = values.reshape(count, 8)
    return table if (table[:, 0] > 0).all() and (table[:, 1] >= 0).all() else None


def setting_of(text, path):
    """By the keys of the first line."""
    setting = {"G": 6.67384e-11, "soft": 0.0, "dt": 3600.0, "mdt": 200.0, "time": 0.0}
    line = text.split(b"\n", 1)[0]
    if not line.startswith(MARK):
        return setting
    seen = set()
    for word in line[len(MARK):].split(b"#")[0].split():
        key, equals, value = (piece.decode("latin-1") for piece in word.partition(b"="))
        if key not in KEYS:
            raise BadFile(f"{path}:1: unknown key {key[:30]!a} in the nbody-lab line: known are {', '.join(KEYS)}")
        if not equals:
            raise BadFile(f"{path}:1: {key} has no value: write {key}=NUMBER without spaces")
        if key in seen:
            raise BadFile(f"{path}:1: {key} is given twice: remove one")
        if not is_number(value.encode("latin-1")):
            raise BadFile(f"{path}:1: {key} is {value[:30]!a}, not a finite decimal number: write it like {key}=1.5e3")
        seen.add(key)
        setting[key] = float(value)
        if key != "time" and setting[key] < 0 or key == "dt" and setting[key] == 0:
            raise BadFile(f"{path}:1: {key} is {value[:30]!a}, but must {'be above 0' if key == 'dt' else 'not be negative'}")
    return setting


def names_of(text):
    """The comment behind the last number of a record, on the same line, is the body's name."""
    names, words = {}, 0
    for line in text.split(b"\n"):
        record, _, comment = line.partition(b"#")
        words += len(record.split())
        name = shown(comment)
        if name and record.strip() and words > 1 and words % 8 == 1:
            names[(words - 1) // 8 - 1] = name
    return names


def shown(comment):
    """A name may hold any byte, a picture may not."""
    letters = "".join(c if c.isprintable() else " " for c in comment.decode("utf-8", "replace"))
    name = " ".join(letters.split())
    return name if len(name) <= 24 else name[:23] + "…"


def is_si(setting):
    return math.isclose(setting["G"], 6.67384e-11, rel_tol=0.01)
