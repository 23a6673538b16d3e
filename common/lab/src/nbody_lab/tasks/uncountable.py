"""Explains why a header does not compile with counting numbers in one line, "FILE:LINE: float is not real here: ...", from
the output of g++ or clang++ or the log of ninja."""

import re
from pathlib import Path

from nbody_lab import ROOT

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
        r"accumulate|reduce|inner_product",
        "start with real(0), not a plain 0: a sum has the type of its initial value",
    ),
    (
        r"\b(sqrt|pow|fma|hypot|fabs|fmin|fmax)f *\(",
        "{0}f() takes float only; use std::{0}()",
    ),
]
# Pattern in the message -> reason, tried after those. {type} is the first plain type in the message.
_IN_MESSAGE = [
    (r"a function of xsimd", "this function of xsimd cannot be counted: avoid it"),
    (
        r"in xsimd|batch<float|batch<double",
        "this batch does not take real: write xsimd::batch<real>, and real for its numbers",
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


def explain_message(message: str, source: str) -> str:
    """One sentence for a message and its source line."""
    named = _TYPES.search(message)
    type_name = named[1] if named else "float"
    for text, rows in ((source, _IN_SOURCE), (message, _IN_MESSAGE)):
        for pattern, reason in rows:
            if match := re.search(pattern, text):
                return reason.format(*match.groups(), type=type_name)
    return f"does not compile for real: {message.split(' | ')[0]}"


def explain_uncountable(log: str, header: Path) -> str:
    """The line for the first error in the header, or in another file of its folder; empty if the log has none there. An error
    inside a library belongs to the line that instantiates it: g++ names that line before the error, clang after it."""
    for pattern, replacement in _PLAIN:
        log = re.sub(pattern, replacement, log)
    own = rf"^({re.escape(str(header.resolve().parent))}/[^:\n]*):(\d+):"
    before, *errors = re.split(r"^(?=.*: error: )", log, flags=re.M)
    for error in errors:
        first, _, after = error.partition("\n")
        after = _OTHER_FUNCTION.split(after)[0]
        inside = _OTHER_FUNCTION.split(before)[-1] + after
        place = re.match(own, first)
        place = place or re.search(f"{own}.*(?:required from|requested here)", inside, re.M)
        if not place:
            before += error
            continue
        # These notes name the types.
        notes = re.findall(".*(?:no known conversion|initializing argument).*", after)
        message = " | ".join([first.rpartition(": error: ")[2], *notes])
        if "xsimd_api.hpp:" in first:
            message += _BY_XSIMD
        if re.search("/xsimd/.*(required from|requested here)", inside):
            message += _INSIDE_XSIMD
        sources = Path(place[1]).read_text(encoding="utf-8", errors="replace").split("\n")
        source = sources[int(place[2]) - 1] if int(place[2]) <= len(sources) else ""
        where = place[1].removeprefix(f"{ROOT}/")
        return f"{where}:{place[2]}: {explain_message(message, source)}"
    return ""
