"""What the compilers made of the innermost loops of an implementation, in plain words: ./lab profile --vectors.

A compiler names only the first obstacle that it meets. A message that is not in the table is shown as it is.
"""

import re
import shlex
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from nbody_lab.building.manifest import Implementation
from nbody_lab.core.errors import LabError
from nbody_lab.core.run import capture

_REMARKS = [f"-Rpass{kind}=loop-vectorize" for kind in ("", "-missed", "-analysis")]

# --- the loops ---

_BEGIN = re.compile(r"\s*(for|while) \(")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


@dataclass(frozen=True)
class Loop:
    """An innermost loop of a header."""

    line: int  # of its for or while, from 1
    code: list[str]  # its lines, without comments

    def find(self, pattern: str) -> bool:
        return any(re.search(pattern, line) for line in self.code)


def find_loops(header: Path) -> list[Loop]:
    """Those that contain no other loop; their bodies are indented."""
    text = header.read_text(encoding="utf-8", errors="replace")
    lines = [re.sub(r"//.*", "", line) for line in text.splitlines()]
    found = []
    for number, line in enumerate(lines, 1):
        if not _BEGIN.match(line):
            continue
        body = [line]
        for below in lines[number:]:
            if below.strip() and below[0] != "#" and _indent(below) <= _indent(line):
                break
            body.append(below)
        if not any(_BEGIN.match(inner) for inner in body[1:]):
            found.append(Loop(number, body))
    return found


# --- the compilers' words ---

_IN_ORDER = (
    "the sums may not be reordered: #pragma omp simd reduction(+ : ...) or -fassociative-math"
)
_EARLY = "the loop may end early, or its length is not known in advance: no break, no return"
_IF = r"(^|[^a-z_])if *[(]"
_LEAVES = r"\b(break|return)[ ;]"
_BATCHES = r"Batch|xsimd::|_mm[0-9]*_"
_EARLY_BREAKS = "early breaks not supported"


def _explain_errno(loop: Loop, flags: Sequence[str]) -> list[str]:
    allowed = {"-fno-math-errno", "-ffast-math", "-Ofast"} & set(flags)
    if allowed or not loop.find(r"(sqrt|pow|hypot) *[(]"):
        return []
    return ["sqrt (or pow) may set errno, which needs a branch: -fno-math-errno"]


def _explain_jumps(loop: Loop, flags: Sequence[str]) -> list[str]:
    found = _explain_errno(loop, flags)
    if loop.find(_LEAVES):
        found.append(_EARLY)
    elif loop.find(_IF):
        found.append(
            "control flow in the loop, an if: use a selection (? :) and -fno-trapping-math"
        )
    if not found and loop.find(r"[?]"):
        found.append("a selection computes a value it may not take: use -fno-trapping-math")
    return found or ["control flow in the loop"]


# Pattern of a message -> reason, which may depend on the loop's code; the first match counts.
_REASONS: tuple[tuple[str, str | Callable[[Loop, Sequence[str]], list[str]]], ...] = (
    (
        r"MASK_LOAD",
        "an if guards loads, which must not happen where it is false: load and compute for every j, "
        "and select (? :) what is added",
    ),
    (
        r"control flow in loop|control flow cannot be substituted|library call cannot be vectorized|access type for masked load",
        _explain_jumps,
    ),
    (_EARLY_BREAKS, _EARLY),
    (r"cannot prove it is safe to reorder", _IN_ORDER),
    (
        r"size of the group of accesses|no array mode",
        "the numbers are not contiguous, as in an array of structures: use one array for each",
    ),
    (
        r"possible dependence between|unsafe dependent memory|bad data dependence",
        "one iteration needs what another wrote: they cannot run at the same time",
    ),
    (r"number of iterations cannot be|could not determine number of loop iterations", _EARLY),
    (
        r"unsupported use in stmt|reduction used in loop|could not be identified as reduction",
        "a minimum, maximum or sum that must keep its order: write a < b ? a : b, "
        "or use -ffinite-math-only -fno-signed-zeros",
    ),
    (
        r"loop contains function calls|call instruction cannot be vectorized|cannot identify array bounds",
        "a call in the loop is not inlined, or an address cannot be analysed",
    ),
    (r"instruction cannot be vectorized", _explain_errno),
    (
        r"vectorization not profitable|vectorization is not (beneficial|profitable)",
        "it could be vectorised, but the compiler expects no gain",
    ),
)


def _read(log: str, header: Path, clang: bool) -> Iterable[tuple[int, str]]:
    """(a line of the header, what the compiler says of the loop there)"""
    place = rf"^(?:[^:\n]*/)?{re.escape(header.name)}:(\d+)"
    if clang:
        for line, text in re.findall(rf"{place}:\d+: (remark: .*?)(?: \[-Rpass.*)?$", log, re.M):
            yield int(line), text
        return
    for section in log.split("Analyzing loop at ")[1:]:
        text = re.split(r"note: +vectorized \d+ loops in function", section)[0]
        # A loop's place is that of its first statement, which may be an operator[] of the library.
        if found := re.search(place, text, re.M):
            yield int(found[1]), text


def _describe_vectors(text: str, number_bytes: int) -> list[str]:
    """What the compiler did, if it vectorised the loop; else empty."""
    widths = re.findall(r"loop vectorized using (\d+) byte vectors", text)
    if not widths:
        both = re.findall(r"vectorization width: (\d+), interleaved count: (\d+)", text)
        width, turns = max(((int(width), int(turns)) for width, turns in both), default=(0, 0))
        batches = "1 batch" if turns == 1 else f"{turns} batches"
        return [f"vectorized: {width} numbers at a time, {batches} per iteration"] if width else []
    found = [f"vectorized: {max(map(int, widths)) // number_bytes} numbers at a time"]
    if "in-order (fold-left)" in text:
        found.append(f"but lanes are added one by one, which is slow: {_IN_ORDER}")
    if "versioned for vectorization because of possible aliasing" in text:
        found.append("first tests whether the arrays overlap, with a plain loop for that case")
    if re.search(r"add new stmt: .*gather", text, re.I):
        found.append(
            "but some loads gather numbers one by one, which is slow: copy what belongs to body i, "
            "and pointers to the arrays, into locals before the loop"
        )
    return found


def _explain_loop(loop: Loop, text: str, flags: Sequence[str]) -> list[str]:
    """`text`: all that a compiler says about it."""
    if vectors := _describe_vectors(text, 8 if "-DLAB_REAL=double" in flags else 4):
        return vectors
    if loop.find(_BATCHES):
        return ["already in batches: nothing left for the compiler to vectorize"]
    found: list[str] = []
    messages = [line for line in text.splitlines() if re.search(r"missed: |remark: ", line)]
    for message in messages:
        # What g++ 14 says next of a loop that ends early is a dependence that there is not.
        if _EARLY_BREAKS in text and "bad data dependence" in message:
            continue
        reason = next((reason for pattern, reason in _REASONS if re.search(pattern, message)), "")
        found += [reason] if isinstance(reason, str) else reason(loop, flags)
    if reasons := list(dict.fromkeys(filter(None, found))):
        return [f"not vectorized: {reason}" for reason in reasons]
    told = [match[1] for one in messages if (match := re.search(r"not vectorized[:,] (.*)", one))]
    return [f"not vectorized; the compiler: {text}" for text in dict.fromkeys(told)] or [
        "the compiler says nothing about it: unrolled, or no longer a loop"
    ]


def explain_log(log: str, header: Path, flags: Sequence[str], clang: bool) -> list[str]:
    """What one compiler made of every loop."""
    code = header.read_text(encoding="utf-8", errors="replace").splitlines()
    said = []
    for line, text in _read(log, header, clang):
        # clang++ names the pragma for its loop; g++ also loops over the lanes of a reduction, at its line.
        if not code[line - 1].lstrip().startswith("#pragma"):
            said.append((line, text))
        elif clang:
            said.append((line + 1, text))
    lines = ["clang++" if clang else "g++"]
    for loop in find_loops(header):
        end = loop.line + len(loop.code)
        text = "\n".join(text for line, text in said if loop.line <= line < end)
        lines.append(f"  {header.name}:{loop.line}: {code[loop.line - 1].strip()}")
        lines += [f"    {line}" for line in _explain_loop(loop, text, flags)]
    return lines


# --- asking them ---


@dataclass(frozen=True)
class Compilation:
    """How the program of a header is compiled."""

    compiler: str
    flags: list[str]
    source: Path
    header: Path


def find_compilation(implementation: Implementation, build: Path, precision: str) -> Compilation:
    """That for the best instruction set, as Ninja would start it. Raises LabError."""
    wanted = [one for one in implementation.programs if one.precision == precision]
    for program in reversed(wanted):
        commands = capture("ninja", "-C", build, "-t", "commands", program.program).stdout
        for compiler, *words in map(shlex.split, commands.splitlines()):
            source = Path(words[words.index("-c") + 1]) if "-c" in words else Path()
            if source.name != f"{implementation.name}.cpp":
                continue
            # behind the flags come the files
            flags = list(takewhile(lambda word: word not in ("-MD", "-o"), words))
            text = source.read_text(encoding="utf-8")
            if included := re.search(r'^#include "(/.*)"$', text, re.M):
                return Compilation(compiler, flags, source, Path(included[1]))
    raise LabError(
        f"{implementation.part}/{implementation.name} is not compiled from a header in {precision}"
    )


def report_loops(compilation: Compilation) -> list[str]:
    """What the compiler made of every loop, then what clang++, if installed, would; it may not know all flags of g++.
    Raises LabError."""
    header, flags = compilation.header, compilation.flags
    if not find_loops(header):
        return [f"  {header.name} has no loop of its own: try the version it derives from"]
    version = capture(compilation.compiler, "--version").stdout
    compilers = {compilation.compiler: "clang" in version.lower()}
    if not compilers[compilation.compiler] and shutil.which("clang++"):
        compilers["clang++"] = True
    lines: list[str] = []
    for compiler, clang in compilers.items():
        questions = _REMARKS if clang else ["-fopt-info-vec-all-internals"]
        # -w: a compiler does not know every warning of another, and -Werror makes that an error.
        argv = [compiler, *flags, "-w", *questions, "-S", compilation.source, "-o", "/dev/null"]
        done = capture(*argv)
        if done.returncode == 0:
            lines += explain_log(done.stderr, header, flags, clang)
            continue
        error = re.search(r"error: (.*)", done.stderr)
        why = f"{compiler} cannot compile it with these flags: {error[1] if error else done.stderr}"
        if not lines:
            raise LabError(why)
        lines.append(why)
    return lines
