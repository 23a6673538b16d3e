"""Explains why a header does not compile with counting numbers: one line per place, at most three, "FILE:LINE: float is
not real here: ...", from the output of g++ or clang++ or the log of ninja."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from nbody_lab import ROOT

_MOST_PLACES = 3
# From here on the log is about another instantiated function.
_OTHER_FUNCTION = re.compile(r": In [a-z ]*(instantiation|function|constructor|substitution)")
# Our own marks in a message.
_BY_XSIMD, _INSIDE_XSIMD = " | a function of xsimd", " | in xsimd"

# Types as a student knows them: real for the counting number, no aliases, plain quotes.
_PLAIN = [
    (r"[\u2018\u2019]", "'"),
    (r"'[^'\n]*' [({]aka '([^'\n]*)'[)}]", r"'\1'"),
    (r"(class )?nbody::(real|counting::Counting)\b", "real"),
]
_TYPES = re.compile(r"\b(float|double|int|unsigned|long|bool|std::size_t)\b")

# Pattern in the line -> reason. {0} is the pattern's first group.
_IN_SOURCE = [
    (r"_mm(?:256|512)?_", "intrinsics take float and double only, so this cannot be counted"),
    (
        r"(mem(?:set|cpy|move))",
        "{0}() bypasses the counting: use a loop, std::fill() or std::copy()",
    ),
    (r"bit_cast", "real does not have the bits of a float, so this cannot be counted"),
    (
        r"accumulate|reduce|inner_product",
        "start with real(0), not a plain 0: a sum has the type of its initial value",
    ),
    (
        r"\b(sqrt|cbrt|pow|exp|log|fma|hypot|fabs|fmin|fmax)f *\(",
        "{0}f() takes float only; use std::{0}()",
    ),
]
# Pattern in the message -> reason, tried after those. {type} is the first plain type in the message.
_IN_MESSAGE = [
    (r"call to '([a-z_0-9]+).*a function of xsimd", "xsimd::{0}() cannot be counted: avoid it"),
    (r"a function of xsimd", "xsimd::this function() cannot be counted: avoid it"),
    (
        r"in xsimd|batch<float|batch<double",
        "a batch of {batch} does not take real: write xsimd::batch<real>, and real for its numbers",
    ),
    (
        r"through '\.\.\.'|variadic function|operator<<|ostream|^format '",
        "real cannot be printed here: move the output out of this function",
    ),
    (r"trivially[ _]copyable", "real cannot be atomic: use #pragma omp atomic, or per-thread sums"),
    (
        r"^no matching function for call to '((?:atan|sin|cos|tan)[^'(<]*)",
        "std::{0}() cannot be counted: avoid it",
    ),
    (
        r"^invalid .*cast|without a conversion operator|^no matching conversion for ",
        "a cast to {type} loses real: use real(...), or no cast",
    ),
    (r"'real ?\*'", "{type}* is not real* here: write real*"),
    (
        r"convert|conversion|incompatible type|'operator|^invalid operands",
        "{type} is not real here: declare it as real, or use real(...)",
    ),
]


@dataclass
class _LogReader:
    """Reads a log line by line. An error inside a library is assigned to the line that instantiates it: g++ names that
    line before the error, clang after it. Places are FILE:LINE."""

    own_place: re.Pattern[str]
    messages: dict[str, str] = field(default_factory=dict)  # the first one of each place
    requested_at: str = ""  # what g++ named last
    requested_in_xsimd: bool = False
    place: str = ""  # of the error that is being read
    message: str = ""
    in_xsimd: bool = False

    def _begin_error(self, line: str, own: str) -> None:
        self.end_error()
        self.place, self.in_xsimd = own or self.requested_at, self.requested_in_xsimd
        self.message = line.rpartition(": error: ")[2]
        if "xsimd_api.hpp:" in line:
            self.message += _BY_XSIMD

    def end_error(self) -> None:
        if self.place and self.message:
            inside = _INSIDE_XSIMD if self.in_xsimd else ""
            self.messages.setdefault(self.place, self.message + inside)
        self.place, self.message, self.in_xsimd = "", "", False

    def read(self, line: str) -> None:
        match = self.own_place.match(line)
        own = match[1] if match else ""
        if _OTHER_FUNCTION.search(line):
            self.requested_at, self.requested_in_xsimd = "", False
        if ": error: " in line:
            self._begin_error(line, own)
        else:
            self._read_note(line, own)

    def _read_note(self, line: str, own: str) -> None:
        """Notes stand before and after an error."""
        if re.search(r"/xsimd/.*required from", line):
            self.requested_in_xsimd = True
        if re.search(r"/xsimd/.*requested here", line):
            self.in_xsimd = True
        if "required from" in line:
            self.requested_at = self.requested_at or own
        if "requested here" in line:
            self.place = self.place or own
        # These notes name the types.
        if re.search("no known conversion|initializing argument", line):
            self.message += f" | {line}"


def _find_messages(log: str, folder: Path) -> dict[str, str]:
    """{FILE:LINE: message} for each error in a file of the folder, in order."""
    for pattern, replacement in _PLAIN:
        log = re.sub(pattern, replacement, log)
    reader = _LogReader(re.compile(rf"({re.escape(str(folder))}/[^:]*:\d+):"))
    for line in log.split("\n"):
        reader.read(line)
    reader.end_error()
    return reader.messages


def explain_message(message: str, source: str) -> str:
    """One sentence for a message and its source line."""
    named = _TYPES.search(message)
    words = {
        "type": named[1] if named else "float",
        "batch": "double" if "batch<double" in message + source else "float",
    }
    for text, rows in ((source, _IN_SOURCE), (message, _IN_MESSAGE)):
        for pattern, reason in rows:
            if match := re.search(pattern, text):
                return reason.format(*match.groups(), **words)
    return f"does not compile for real: {message.split(' | ')[0]}"


def explain_uncountable(log: str, header: Path) -> list[str]:
    """A line for each place in the header, or in another file of its folder; empty if the log has no error there."""
    lines = []
    messages = _find_messages(log, header.resolve().parent)
    for place, message in list(messages.items())[:_MOST_PLACES]:
        file, _, number = place.rpartition(":")
        sources = Path(file).read_text(encoding="utf-8", errors="replace").split("\n")
        source = sources[int(number) - 1] if int(number) <= len(sources) else ""
        lines.append(f"{place.removeprefix(f'{ROOT}/')}: {explain_message(message, source)}")
    return lines
