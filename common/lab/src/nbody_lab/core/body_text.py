"""The text of body files (docs/file_formats.md), read as strictly as the simulators do."""

import math
import os
import re
from array import array
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

from nbody_lab.core.messages import UserError
from nbody_lab.core.steps import progress

MASS, RADIUS, PLACE, VELOCITY = 0, 1, 2, 5  # where they begin among the 8 numbers of a body

_NAMES_OF_NUMBERS = ("mass", "radius", "qx", "qy", "qz", "vx", "vy", "vz")
_NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_BYTES_OF_NUMBERS = b"0123456789+-.eE \t\n\r\v\f"
_COMMENT = re.compile(rb"#[^\n]*")
_FIRST_LINE = b"# nbody-lab:"
_MOST_BODIES = 1 << 27
_MOST_DIGITS = 9
_SI_G = 6.67384e-11
_LONGEST_NAME = 24
_REMOVE = "remove the files of the older run"


class BadFile(UserError):
    """What is wrong with a file, in one line."""


@dataclass(frozen=True)
class Setting:
    """The keys of the first line, and what holds without it. In SI units, or in units with G = 1."""

    G: float = _SI_G
    soft: float = 0.0
    dt: float = 3600.0
    mdt: float = 200.0
    time: float = 0.0
    damping: float = 1.0
    integrator: str = ""  # Eq. 4 and 5

    def is_si(self) -> bool:
        return math.isclose(self.G, _SI_G, rel_tol=0.01)


_KEYS = tuple(key.name for key in fields(Setting))


@dataclass(frozen=True)
class State:
    """The bodies after an iteration."""

    file: str
    setting: Setting
    numbers: "array[float]"  # 8 of each body: mass radius qx qy qz vx vy vz
    names: dict[int, str] = field(default_factory=dict)  # by index from 0; only of named bodies

    @property
    def n(self) -> int:
        return len(self.numbers) // 8

    @property
    def time(self) -> float:
        return self.setting.time

    @property
    def masses(self) -> "array[float]":
        return self.numbers[MASS::8]


# --- reading -------------------------------------------------------------------------------------


def read_state(path: Path | str) -> State:
    """Raises BadFile: FILE:LINE: what is wrong."""
    try:
        text = Path(path).read_bytes()
    except OSError as error:
        raise BadFile(f"{path}: cannot be read ({error.strerror}): check the name") from error
    return parse_state(text, str(path))


def parse_state(text: bytes, path: str) -> State:
    setting = _parse_first_line(text, path)
    numbers = _parse_numbers(numbers_in(text))
    if numbers is None:
        raise BadFile(f"{path}:{_first_fault(text)}")
    return State(path, setting, numbers, _names_of_bodies(text) if b"#" in text else {})


def numbers_in(text: bytes) -> list[bytes] | None:
    """The words of the N records; None if there are not as many as N says or a byte cannot belong to a number."""
    bare = _COMMENT.sub(b"", text)
    words = bare.split()
    if not words or not words[0].isdigit() or bare.translate(None, _BYTES_OF_NUMBERS):
        return None
    count = int(words[0]) if len(words[0]) < 1000 else 0
    return words[1:] if 1 <= count <= _MOST_BODIES and len(words) == 1 + 8 * count else None


def _parse_numbers(words: list[bytes] | None) -> "array[float] | None":
    """None if a rule is broken; _first_fault() finds out which one."""
    try:
        numbers = array("d", map(float, words or ()))
    except ValueError:
        return None
    if not numbers or not all(map(math.isfinite, numbers)):
        return None
    zeros = [word for word, number in zip(words or (), numbers) if number == 0]
    right = min(numbers[MASS::8]) > 0 and min(numbers[RADIUS::8]) >= 0
    return numbers if right and all(map(_is_number, zeros)) else None


def _parse_first_line(text: bytes, path: str) -> Setting:
    line = text.split(b"\n", 1)[0]
    values: dict[str, float | str] = {}
    words = line.removeprefix(_FIRST_LINE).split(b"#")[0].split()
    for word in words if line.startswith(_FIRST_LINE) else ():
        key, equals, value = word.decode("latin-1").partition("=")
        fault = _fault_of_key(key, value, bool(equals), key in values)
        if fault:
            raise BadFile(f"{path}:1: {fault}")
        values[key] = value if key == "integrator" else float(value)
    return Setting(**values)  # type: ignore[arg-type]


def _names_of_bodies(text: bytes) -> dict[int, str]:
    """A body's name is the comment after the last number of its record, on the same line."""
    names, words = {}, 0
    for line in text.split(b"\n"):
        record, _, comment = line.partition(b"#")
        words += len(record.split())
        name = _printable_name(comment)
        if name and record.strip() and words > 1 and words % 8 == 1:
            names[words // 8 - 1] = name
    return names


def _printable_name(comment: bytes) -> str:
    """A file may hold any byte, a picture may not."""
    letters = "".join(c if c.isprintable() else " " for c in comment.decode("utf-8", "replace"))
    name = " ".join(letters.split())
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


# --- what is wrong: slow, so only for files that were refused. As common/bodies/body_file.cpp says it.


def _is_number(word: bytes) -> bool:
    """Whether it is a decimal number that a double can hold."""
    if not _NUMBER.fullmatch(word):
        return False
    value = float(word)
    mantissa = re.split(rb"[eE]", word)[0]
    return math.isfinite(value) and (value != 0 or not re.search(rb"[1-9]", mantissa))


def _quote(word: bytes) -> str:
    text = "".join(chr(c) if 32 <= c < 127 else f"\\x{c:02x}" for c in word[:30])
    return f"'{text}'{'...' if len(word) > 30 else ''}"


def _words_by_line(text: bytes) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(text.split(b"\n"), 1):
        for word in line.split(b"#")[0].split():
            yield number, word


def _first_fault(text: bytes) -> str:
    """LINE: what is wrong."""
    words = list(_words_by_line(text))
    if not words:
        return "1: no bodies here: start with their number N, then write N records"
    line, word = words[0]
    fault = _fault_of_count(word)
    if fault:
        return f"{line}: {fault}"
    count = int(word)
    for index, (line, word) in enumerate(words[1:]):
        if index == 8 * count:
            return (
                f"{line}: {_quote(word)} follows the last record, because N is {count}: "
                "remove the surplus or correct N"
            )
        fault = _fault_of_number(word, index)
        if fault:
            return f"{line}: {fault}"
    records, numbers = divmod(len(words) - 1, 8)
    return (
        f"{line}: the file ends after {records} records and {numbers} numbers, but N is {count}: "
        "add what is missing or correct N"
    )


def _fault_of_count(word: bytes) -> str | None:
    if not word.isdigit():
        return (
            f"{_quote(word)} is not a number of bodies: "
            "start with a whole number N, then write N records"
        )
    digits = word.lstrip(b"0")
    if not digits:
        return "N is 0, but at least 1 body is needed: correct N"
    if len(digits) > _MOST_DIGITS or int(digits) > _MOST_BODIES:
        return f"N is {_quote(word)}, but at most {_MOST_BODIES} bodies are possible: correct N"
    return None


def _fault_of_number(word: bytes, index: int) -> str | None:
    """`index`: among the numbers of all records."""
    what = f"{_NAMES_OF_NUMBERS[index % 8]} of record {index // 8 + 1} is {_quote(word)},"
    if not _is_number(word):
        return f"{what} not a finite decimal number: write it like 1.5e3"
    if index % 8 == MASS and not float(word) > 0:
        return f"{what} but a mass must be above 0"
    if index % 8 == RADIUS and float(word) < 0:
        return f"{what} but a radius must not be negative"
    return None


def _fault_of_key(key: str, value: str, has_equals: bool, is_repeated: bool) -> str | None:
    if key not in _KEYS:
        return f"unknown key {key[:30]!a} in the nbody-lab line: known are {', '.join(_KEYS)}"
    if not has_equals or (key == "integrator" and not value):
        example = "NAME" if key == "integrator" else "NUMBER"
        return f"{key} has no value: write {key}={example} without spaces"
    if is_repeated:
        return f"{key} is given twice: remove one"
    if key == "integrator":
        return None
    what = f"{key} is {value[:30]!a},"
    if not _is_number(value.encode("latin-1")):
        return f"{what} not a finite decimal number: write it like {key}=1.5e3"
    number = float(value)
    if key == "dt" and not number > 0:
        return f"{what} but must be above 0"
    if key == "damping" and not 0 <= number <= 1:
        return f"{what} but must be between 0 and 1"
    if key != "time" and number < 0:
        return f"{what} but must not be negative"
    return None


# --- the files of a run --------------------------------------------------------------------------


def found_files(base: Path | str) -> list[tuple[int, str]]:
    """(iteration, path) of the files BASE.<iteration>.dat, sorted."""
    base = Path(base)
    pattern = re.compile(re.escape(base.name) + r"\.(\d{1,18})\.dat")
    names = os.listdir(base.parent) if base.parent.is_dir() else []
    found = filter(None, map(pattern.fullmatch, names))
    return sorted((int(match[1]), str(base.parent / match[0])) for match in found)


def files_of(base: Path | str) -> list[tuple[int, str]]:
    """As found_files(). Raises BadFile if there are none."""
    found, base = found_files(base), Path(base)
    if found:
        return found
    if base.suffix == ".csv":
        raise BadFile(f"{base}: is not a BASE of -w; a log has no positions")
    if base.is_file():
        raise BadFile(f"{base}: is a file, not a BASE of -w; the BASE of x.0.dat is x")
    raise BadFile(
        f"{base}.<iteration>.dat: no such file; ./lab run PART NAME ... -w {base} --every 10 writes them"
    )


def read_states(
    files: Sequence[tuple[int, str]], label: str
) -> Generator[tuple[int, State], None, None]:
    """The states with their iterations, one at a time; long work shows how far it is. Raises BadFile also if they are
    not of one run."""
    first = None
    with progress(label) as step:
        for k, (iteration, path) in enumerate(files, 1):
            state = read_state(path)
            first = first or state
            demand_same_run(first, state)
            yield iteration, state
            step.hear(f"[{k}/{len(files)}]")


def demand_same_run(first: State, state: State) -> None:
    """Raises BadFile unless both are of one run: files of an older, longer run under the same BASE may remain."""
    if state.n != first.n:
        raise BadFile(f"{state.file}: {state.n} bodies, but {first.n} in {first.file}: {_REMOVE}")
    for key in _KEYS:
        here, there = getattr(state.setting, key), getattr(first.setting, key)
        if key != "time" and here != there:
            raise BadFile(
                f"{state.file}:1: {key}={_shown(here)}, but {_shown(there)} in {first.file}: {_REMOVE}"
            )
    # Masses may be written with the digits of a float.
    if not all(math.isclose(*pair, rel_tol=1e-6) for pair in zip(state.masses, first.masses)):
        raise BadFile(f"{state.file}: other masses than in {first.file}: {_REMOVE}")


def _shown(value: float | str) -> str:
    return (value or "eq45") if isinstance(value, str) else f"{value:g}"
