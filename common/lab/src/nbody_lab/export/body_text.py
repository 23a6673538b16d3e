"""The text of body files (docs/file_formats.md): the first line, the names, the files of a run. It uses the standard
library only, since pictures and exports share it."""

import math
import os
import re
from pathlib import Path

from nbody_lab.core.messages import UserError

# Finds what is wrong with a body file, word by word: slow, so only for files that were refused. The messages match
# common/bodies/body_file.cpp.
COLUMNS = ("mass", "radius", "qx", "qy", "qz", "vx", "vy", "vz")
NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
MOST_BODIES = 1 << 27


class BadFile(UserError):
    """What is wrong with a file, in one line."""


def is_number(word):
    """Whether it is a decimal number that a double can hold."""
    if not NUMBER.fullmatch(word):
        return False
    value = float(word)
    mantissa = re.split(rb"[eE]", word)[0]
    return math.isfinite(value) and (value != 0 or not re.search(rb"[1-9]", mantissa))


def words_of(text):
    """Yields (line, word); lines count from 1."""
    for number, line in enumerate(text.split(b"\n"), 1):
        for word in line.split(b"#")[0].split():
            yield number, word


def quoted(word):
    """The word in quotes: bytes outside printable ASCII as \\xNN, long words cut."""
    text = "".join(chr(c) if 32 <= c < 127 else f"\\x{c:02x}" for c in word[:30])
    return f"'{text}'{'...' if len(word) > 30 else ''}"


def count_complaint(word):
    """(N, None), or (0, what is wrong)."""
    if not word.isdigit():
        return (
            0,
            f"{quoted(word)} is not a number of bodies: start with a whole number N, then write N records",
        )
    digits = word.lstrip(b"0") or b"0"
    if len(digits) > 9 or int(digits) > MOST_BODIES:
        return 0, f"N is {quoted(word)}, but at most {MOST_BODIES} bodies are possible: correct N"
    return int(digits), None if int(digits) else "N is 0, but at least 1 body is needed: correct N"


def number_complaint(word, index):
    """What is wrong with the word at this index among the numbers of the records, or None."""
    what = f"{COLUMNS[index % 8]} of record {index // 8 + 1} is {quoted(word)},"
    if not is_number(word):
        return f"{what} not a finite decimal number: write it like 1.5e3"
    if index % 8 == 0 and not float(word) > 0:
        return f"{what} but a mass must be above 0"
    if index % 8 == 1 and float(word) < 0:
        return f"{what} but a radius must not be negative"
    return None


def complaint(text, path):
    """The first error, as FILE:LINE: message."""
    words = list(words_of(text))
    if not words:
        return f"{path}:1: no bodies here: start with their number N, then write N records"
    count, wrong = count_complaint(words[0][1])
    if wrong:
        return f"{path}:{words[0][0]}: {wrong}"
    for index, (line, word) in enumerate(words[1:]):
        if index == 8 * count:
            return f"{path}:{line}: {quoted(word)} follows the last record, because N is {count}: remove the surplus or correct N"
        wrong = number_complaint(word, index)
        if wrong:
            return f"{path}:{line}: {wrong}"
    found = len(words) - 1
    return (
        f"{path}:{words[-1][0]}: the file ends after {found // 8} records and {found % 8} numbers, but N is {count}: "
        "add what is missing or correct N"
    )


MARK = b"# nbody-lab:"
DEFAULTS = {
    "G": 6.67384e-11,
    "soft": 0.0,
    "dt": 3600.0,
    "mdt": 200.0,
    "time": 0.0,
    "damping": 1.0,
    "integrator": "",
}
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
    for word in line[len(MARK) :].split(b"#")[0].split():
        key, equals, value = (piece.decode("latin-1") for piece in word.partition(b"="))
        if key not in DEFAULTS:
            raise BadFile(
                f"{path}:1: unknown key {key[:30]!a} in the nbody-lab line: known are {', '.join(DEFAULTS)}"
            )
        if not equals or (key == "integrator" and not value):
            raise BadFile(
                f"{path}:1: {key} has no value: write {key}={'NAME' if key == 'integrator' else 'NUMBER'} without spaces"
            )
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
    return sorted(
        (int(match[1]), str(base.parent / match[0]))
        for match in map(pattern.fullmatch, names)
        if match
    )


def files_of(base):
    """found_files(base); raises BadFile if there are none."""
    return found_files(base) or no_files(Path(base))


def no_files(base):
    if base.suffix == ".csv":
        raise BadFile(f"{base}: is not a BASE of -w; a log has no positions")
    if base.is_file():
        raise BadFile(f"{base}: is a file, not a BASE of -w; the BASE of x.0.dat is x")
    raise BadFile(
        f"{base}.<iteration>.dat: no such file; ./lab run PART NAME ... -w {base} --every 10 writes them"
    )


def demand_same_run(first, state):
    """Raises BadFile unless both states (`file`, `setting`, `n`, `masses`) are of one run: files of an older, longer run
    under the same BASE may remain."""
    if state.n != first.n:
        raise BadFile(
            f"{state.file}: {state.n} bodies, but {first.n} in {first.file}: remove the files of the older run"
        )
    for key in SAME:
        here, there = state.setting[key], first.setting[key]
        if here != there:
            raise BadFile(
                f"{state.file}:1: {key}={worded(here)}, but {worded(there)} in {first.file}: remove the files of the older run"
            )
    if not same_masses(state.masses, first.masses):
        raise BadFile(
            f"{state.file}: other masses than in {first.file}: remove the files of the older run"
        )


def same_masses(here, there):
    """Whether masses agree within the rounding of float."""
    return here == there or all(
        math.isclose(one, other, rel_tol=1e-6) for one, other in zip(here, there)
    )


def worded(value):
    return (value or "eq45") if isinstance(value, str) else f"{value:g}"
