"""The text of body files (docs/file_formats.md): the first line, the names, the files of a run. It uses the standard library
only, since pictures and exports share it."""

import math
import os
import re
from pathlib import Path

from body_complaints import MOST_BODIES, BadFile, is_number

MARK = b"# nbody-lab:"
DEFAULTS = {"G": 6.67384e-11, "soft": 0.0, "dt": 3600.0, "mdt": 200.0, "time": 0.0, "damping": 1.0, "integrator": ""}
COMMENT = re.compile(rb"#[^\n]*")
NUMBER_BYTES = b"0123456789+-.eE \t\n\r\v\f"
SAME = ("G", "soft", "dt", "mdt", "damping", "integrator")  # the same in all files of a run


def numbers_in(text):
    """The words of the N records; None if there are not as many as N says or a byte cannot belong to a number."""
    bare = COMMENT.sub(b"", text)
    words = bare.split()
    if not words or not words[0].isdigit() or bare.translate(None, NUMBER_BYTES):
        return None
    count = int(words[0]) if len(words[0]) < 1000 else 0
    return words[1:] if 1 <= count <= MOST_BODIES and len(words) == 1 + 8 * count else None


def setting_of(text, path):
    """The keys of the first line: numbers, and the integrator's name ('' for Eq. 4 and 5). Raises BadFile."""
    setting = dict(DEFAULTS)
    line = text.split(b"\n", 1)[0]
    if not line.startswith(MARK):
        return setting
    seen = set()
    for word in line[len(MARK):].split(b"#")[0].split():
        key, equals, value = (piece.decode("latin-1") for piece in word.partition(b"="))
        if key not in DEFAULTS:
            raise BadFile(f"{path}:1: unknown key {key[:30]!a} in the nbody-lab line: known are {', '.join(DEFAULTS)}")
        if not equals or key == "integrator" and not value:
            raise BadFile(f"{path}:1: {key} has no value: write {key}={'NAME' if key == 'integrator' else 'NUMBER'} without spaces")
        if key in seen:
            raise BadFile(f"{path}:1: {key} is given twice: remove one")
        seen.add(key)
        setting[key] = value if key == "integrator" else number_of(key, value, path)
    return setting


def number_of(key, value, path):
    what = f"{path}:1: {key} is {value[:30]!a},"
    if not is_number(value.encode("latin-1")):
        raise BadFile(f"{what} not a finite decimal number: write it like {key}=1.5e3")
    number = float(value)
    if key == "dt" and not number > 0:
        raise BadFile(f"{what} but must be above 0")
    if key == "damping" and not 0 <= number <= 1:
        raise BadFile(f"{what} but must be between 0 and 1")
    if key != "time" and number < 0:
        raise BadFile(f"{what} but must not be negative")
    return number


def names_of(text):
    """{body: name}. A body's name is the comment after the last number of its record, on the same line."""
    names, words = {}, 0
    for line in text.split(b"\n"):
        record, _, comment = line.partition(b"#")
        words += len(record.split())
        name = shown(comment)
        if name and record.strip() and words > 1 and words % 8 == 1:
            names[(words - 1) // 8 - 1] = name
    return names


def shown(comment):
    """A name made printable, at most 24 characters: a file may hold any byte, a picture may not."""
    letters = "".join(c if c.isprintable() else " " for c in comment.decode("utf-8", "replace"))
    name = " ".join(letters.split())
    return name if len(name) <= 24 else name[:23] + "…"


def is_si(setting):
    return math.isclose(setting["G"], 6.67384e-11, rel_tol=0.01)


def found_files(base):
    """[(iteration, path)] of the files BASE.<iteration>.dat, sorted."""
    base = Path(base)
    pattern = re.compile(re.escape(base.name) + r"\.(\d{1,18})\.dat")
    try:
        names = os.listdir(base.parent)
    except OSError:
        names = []
    return sorted((int(match[1]), str(base.parent / match[0])) for match in map(pattern.fullmatch, names) if match)


def files_of(base):
    """found_files(base); raises BadFile if there are none."""
    return found_files(base) or no_files(Path(base))


def no_files(base):
    if base.suffix == ".csv":
        raise BadFile(f"{base}: is not a BASE of -w; a log has no positions")
    if base.is_file():
        raise BadFile(f"{base}: is a file, not a BASE of -w; the BASE of x.0.dat is x")
    raise BadFile(f"{base}.<iteration>.dat: no such file; ./lab run PART NAME ... -w {base} --every 10 writes them")


def demand_same_run(first, state):
    """Raises BadFile unless both states (`file`, `setting`, `n`, `masses`) are of one run: files of an older, longer run
    under the same BASE may remain."""
    if state.n != first.n:
        raise BadFile(f"{state.file}: {state.n} bodies, but {first.n} in {first.file}: remove the files of the older run")
    for key in SAME:
        here, there = state.setting[key], first.setting[key]
        if here != there:
            raise BadFile(f"{state.file}:1: {key}={worded(here)}, but {worded(there)} in {first.file}: remove the files of the older run")
    if not same_masses(state.masses, first.masses):
        raise BadFile(f"{state.file}: other masses than in {first.file}: remove the files of the older run")


def same_masses(here, there):
    """Whether masses agree within the rounding of float."""
    return here == there or all(math.isclose(one, other, rel_tol=1e-6) for one, other in zip(here, there))


def worded(value):
    return (value or "eq45") if isinstance(value, str) else f"{value:g}"
