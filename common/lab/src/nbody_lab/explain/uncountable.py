"""Explains why a header does not compile with counting numbers: one line per place, at most three, "FILE:LINE: float is not
real here: ...", from the output of g++ or clang++.

    explain_uncountable.py LOG HEADER

LOG: output of the compiler or ninja. HEADER: the implementation; other files in its folder count too.
Status 1 if the log has no error there.
"""

import re
from pathlib import Path

from nbody_lab import ROOT

MOST = 3  # places
# From here on the log is about another instantiated function.
ASKED = re.compile(r": In [a-z ]*(instantiation|function|constructor|substitution)")
# Our own marks in a message.
BY_XSIMD, INSIDE_XSIMD = " | a function of xsimd", " | in xsimd"

# Types as a student knows them: real for the counting number, no aliases, plain quotes.
PLAIN = [
    (r"[\u2018\u2019]", "'"),
    (r"'[^'\n]*' [({]aka '([^'\n]*)'[)}]", r"'\1'"),
    (r"(class )?nbody::(real|counting::Counting)\b", "real"),
]
TYPES = re.compile(r"\b(float|double|int|unsigned|long|bool|std::size_t)\b")

# Pattern in the line -> reason. {0} is the pattern's first group.
IN_SOURCE = [
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
IN_MESSAGE = [
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


def plainly(text):
    for pattern, replacement in PLAIN:
        text = re.sub(pattern, replacement, text)
    return text


class Reader:
    """Reads a log line by line. An error inside a library is assigned to the line that instantiates it: g++ names that line
    before the error, clang after it."""

    def __init__(self, folder):
        self.place = re.compile(rf"({re.escape(str(folder))}/[^:]*:\d+):")
        self.found = {}  # FILE:LINE -> its first message
        self.asked, self.asked_in_xsimd = "", False
        self.at, self.message, self.in_xsimd = "", "", False

    def begin_error(self, line, ours):
        self.end_error()
        self.at, self.in_xsimd = ours or self.asked, self.asked_in_xsimd
        self.message = line.rpartition(": error: ")[2]
        if "xsimd_api.hpp:" in line:
            self.message += BY_XSIMD

    def end_error(self):
        if self.at and self.message:
            self.found.setdefault(self.at, self.message + (INSIDE_XSIMD if self.in_xsimd else ""))
        self.at, self.message, self.in_xsimd = "", "", False

    def read(self, line):
        place = self.place.match(line)
        ours = place[1] if place else ""
        if ASKED.search(line):
            self.asked, self.asked_in_xsimd = "", False
        if ": error: " in line:
            self.begin_error(line, ours)
        else:
            self.read_around(line, ours)

    def read_around(self, line, ours):
        """Reads the notes before and after an error."""
        if re.search(r"/xsimd/.*required from", line):
            self.asked_in_xsimd = True
        if re.search(r"/xsimd/.*requested here", line):
            self.in_xsimd = True
        if "required from" in line:
            self.asked = self.asked or ours
        if "requested here" in line:
            self.at = self.at or ours
        # These notes name the types.
        if re.search("no known conversion|initializing argument", line):
            self.message += f" | {line}"


def errors_at(log, folder):
    """{FILE:LINE: message} for each error in a file of the folder, in order."""
    reader = Reader(folder)
    for line in plainly(log).split("\n"):
        reader.read(line)
    reader.end_error()
    return reader.found


def explain(message, source):
    """One sentence for a message and its source line."""
    named = TYPES.search(message)
    words = {
        "type": named[1] if named else "float",
        "batch": "double" if "batch<double" in message + source else "float",
    }
    for text, rows in ((source, IN_SOURCE), (message, IN_MESSAGE)):
        for pattern, why in rows:
            match = re.search(pattern, text)
            if match:
                return why.format(*match.groups(), **words)
    return f"does not compile for real: {message.split(' | ')[0]}"


def explanations(log, header):
    """Lines to show; empty if the log has no error in the header's folder."""
    lines = []
    for place, message in list(errors_at(log, header.resolve().parent).items())[:MOST]:
        file, _, number = place.rpartition(":")
        sources = Path(file).read_text(encoding="utf-8", errors="replace").split("\n")
        source = sources[int(number) - 1] if int(number) <= len(sources) else ""
        shown = file.removeprefix(f"{ROOT}/")
        lines.append(f"{shown}:{number}: {explain(message, source)}")
    return lines
