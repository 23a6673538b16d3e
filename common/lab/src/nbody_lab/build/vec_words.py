"""Translates a vectoriser's messages about a loop into one-line explanations."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from nbody_lab.build.vec_loops import Header, Loop

_IN_ORDER = (
    "the sums may not be reordered: #pragma omp simd reduction(+ : ...) or -fassociative-math"
)
_ERRNO = "sqrt (or pow) may set errno, which needs a branch: -fno-math-errno"
_APART = "the numbers are not contiguous, as in an array of structures: use one array for each"
_NEEDS = "one iteration needs what another wrote: they cannot run at the same time"
_EARLY = "the loop may end early, or its length is not known in advance: no break, no return"
_MINIMUM = (
    "a minimum, maximum or sum that must keep its order: write a < b ? a : b, "
    "or use -ffinite-math-only -fno-signed-zeros"
)
_CALL = "a call in the loop is not inlined, or an address cannot be analysed"
_GATHER = (
    "but some loads gather numbers one by one, which is slow: copy what belongs to body i, "
    "and pointers to the arrays, into locals before the loop"
)
_PROFIT = "it could be vectorised, but the compiler expects no gain"

_IF = r"(^|[^a-z_])if *[(]"
_LEAVES = r"(break|return)[ ;]"
_SETS_ERRNO = r"(sqrt|pow|hypot) *[(]"
_BATCHES = r"Batch|xsimd::|_mm[0-9]*_"
_GATHERED = re.compile(r"add new stmt: .*gather", re.I)
_VECTORIZED = "loop vectorized using"
# Obstacles that g++ reports under the name of a library, whose function was inlined.
_MASKED_LOAD = re.compile(r"missed: +not vectorized: .*\.MASK_LOAD")
_FAILED_ONLY = re.compile(r"loop not vectorized( \(Force=true\))?$|interleaving is not beneficial")
# g++ 14 can vectorise some loops that end early; what it says next of the others names a dependence that there is not.
_EARLY_BREAKS = "early breaks not supported"
_FLAGS_WITHOUT_ERRNO = {"-fno-math-errno", "-ffast-math", "-Ofast"}


def _each_once(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


class CompilerLog:
    """A compiler's log, searched by lines of a header."""

    def __init__(self, log: str, header: str) -> None:
        self._log = log
        self._own = re.compile(rf"(?:[^:\n]*/)?{re.escape(header)}:")
        about = re.compile(rf"^(?:[^:\n]*/)?{re.escape(header)}:(\d+)(?::\d*: *|:)(.*)$", re.M)
        self._messages = [
            (int(line), re.sub(r" \[-Rpass[^]]*\]$", "", text)) for line, text in about.findall(log)
        ]

    def find_about(self, first: int, last: int) -> list[str]:
        """The messages about these lines."""
        return _each_once(text for line, text in self._messages if first <= line <= last)

    def find_elsewhere(self, function: str) -> list[str]:
        """g++'s messages about the function under names of other files: a loop's place is that of its first statement,
        which may be an operator[] of the library. 'gather' if it makes loads one by one."""
        found = []
        for chapter in re.split(r"^;; Function ", self._log, flags=re.M)[1:]:
            title, _, text = chapter.partition("\n")
            if f"::{function} " not in title:
                continue
            for line in text.split("\n"):
                if self._own.match(line.lstrip()):
                    continue
                if _VECTORIZED in line or _MASKED_LOAD.search(line):
                    found.append(re.sub(r"^[^ ]* *", "", line))
                elif _GATHERED.search(line):
                    found.append("gather")
        return _each_once(found)


def describe_batches(messages: Sequence[str], number_bytes: int) -> list[str]:
    """What the compiler did, if it vectorised the loop; else empty."""
    text = "\n".join(messages)
    widths = [int(width) for width in re.findall(rf"{_VECTORIZED} (\d+) byte vectors", text)]
    if not widths:
        both = re.findall(r"vectorization width: (\d+), interleaved count: (\d+)", text)
        width, turns = max(((int(width), int(turns)) for width, turns in both), default=(0, 0))
        batches = "1 batch" if turns == 1 else f"{turns} batches"
        return [f"vectorized: {width} numbers at a time, {batches} per iteration"] if width else []
    lines = [f"vectorized: {max(widths) // number_bytes} numbers at a time"]
    if "in-order (fold-left)" in text:
        lines.append(f"but lanes are added one by one, which is slow: {_IN_ORDER}")
    if "versioned for vectorization because of possible aliasing" in text:
        lines.append("first tests whether the arrays overlap, with a plain loop for that case")
    if "gather" in messages or _GATHERED.search(text):
        lines.append(_GATHER)
    return lines


@dataclass(frozen=True)
class _LoopCode:
    """A loop as it was compiled: its code has the obstacles that a message only hints at."""

    header: Header
    loop: Loop
    sets_errno: bool

    def find(self, pattern: str) -> int:
        return self.header.find_line(pattern, self.loop)

    def find_jumps(self) -> list[str]:
        """The reasons for control flow."""
        found = []
        if self.sets_errno and self.find(_SETS_ERRNO):
            found.append(_ERRNO)
        if self.find(rf"(^|[^a-z_]){_LEAVES}"):
            found.append(_EARLY)
        line = self.find(_IF)
        if line and not self.find(_LEAVES):
            found.append(
                f"control flow in the loop, the if in line {line}: use a selection (? :) and -fno-trapping-math"
            )
        line = self.find(r"[?]")
        if line and not found:
            found.append(
                f"the selection in line {line} computes a value it may not take: use -fno-trapping-math, or another instruction set"
            )
        return found or ["control flow in the loop"]

    def find_errno(self) -> list[str]:
        return [_ERRNO] if self.sets_errno and self.find(_SETS_ERRNO) else []

    def find_guarded_loads(self) -> list[str]:
        line = self.find(_IF)
        if not line:
            return []
        return [
            f"the if in line {line} guards loads, which must not happen where it is false: "
            "load and compute for every j, and select (? :) what is added"
        ]


# Pattern of a message -> reason, which may depend on the loop's code; the first match counts.
_REASONS: list[tuple[str, str | Callable[[_LoopCode], list[str]]]] = [
    (r"MASK_LOAD", _LoopCode.find_guarded_loads),
    (
        r"control flow in loop|control flow cannot be substituted|library call cannot be vectorized|access type for masked load",
        _LoopCode.find_jumps,
    ),
    (_EARLY_BREAKS, _EARLY),
    (r"cannot prove it is safe to reorder|in-order \(fold-left\)", _IN_ORDER),
    (r"size of the group of accesses|no array mode", _APART),
    (r"possible dependence between|unsafe dependent memory|bad data dependence", _NEEDS),
    (r"number of iterations cannot be|could not determine number of loop iterations", _EARLY),
    (
        r"unsupported use in stmt|reduction used in loop|could not be identified as reduction",
        _MINIMUM,
    ),
    (
        r"loop contains function calls|call instruction cannot be vectorized|cannot identify array bounds",
        _CALL,
    ),
    (r"instruction cannot be vectorized", _LoopCode.find_errno),
    (r"vectorization not profitable|vectorization is not (beneficial|profitable)", _PROFIT),
]


def _find_reasons(code: _LoopCode, messages: Sequence[str]) -> list[str]:
    """Why the loop was not vectorised; empty if the messages explain nothing."""
    found: list[str] = []
    ends_early = any(_EARLY_BREAKS in message for message in messages)
    for message in messages:
        if ends_early and "bad data dependence" in message:
            continue
        for pattern, reason in _REASONS:
            if re.search(pattern, message):
                found += [reason] if isinstance(reason, str) else reason(code)
                break
    return _each_once(found)


def explain_loop(
    loop: Loop, header: Header, flags: Sequence[str], log: CompilerLog, clang: bool
) -> list[str]:
    """The explanation of one loop, as lines."""
    code = _LoopCode(header, loop, sets_errno=not _FLAGS_WITHOUT_ERRNO & set(flags))
    # g++ adds loops over the lanes of a reduction and gives them the line of the pragma.
    messages = log.find_about(loop.pragma if clang else loop.first, loop.last)
    reasons = _find_reasons(code, messages)
    batches = code.find(_BATCHES)
    is_silent = not reasons and not any("loop vectorized" in text for text in messages)
    if is_silent and not clang and not batches:
        messages = log.find_elsewhere(loop.function) + messages
        reasons = _find_reasons(code, messages)
    vectorized = describe_batches(messages, 8 if "-DLAB_REAL=double" in flags else 4)
    if vectorized:
        return vectorized
    if batches:
        return ["already in batches: nothing left for the compiler to vectorize"]
    if reasons:
        return [f"not vectorized: {line}" for line in reasons]
    unknown = [
        text
        for text in messages
        if re.match(r"(missed|remark): ", text) and not _FAILED_ONLY.search(text)
    ]
    return [f"not vectorized; the compiler: {text}" for text in unknown[:3]] or [
        "the compiler says nothing about it: unrolled, or no longer a loop"
    ]
