"""What the compilers made of the innermost loops of an implementation, in plain words: ./lab profile --vectors.

A compiler names only the first obstacle that it meets. A message that is not in the table is shown as it is.
"""

import re
import shlex
import shutil
from collections.abc import Iterable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from nbody_lab.building.manifest import Implementation
from nbody_lab.core.errors import LabError
from nbody_lab.core.run import capture

_REMARKS = [f"-Rpass{kind}=loop-vectorize" for kind in ("", "-missed", "-analysis")]
_BEGIN = re.compile(r"\s*(for|while) \(")


class Loop(NamedTuple):
    line: int  # of its for or while, from 1
    code: str  # without comments


def find_loops(header: Path) -> list[Loop]:
    """The loops that contain no other; their bodies are indented."""
    text = header.read_text(encoding="utf-8", errors="replace")
    lines, found = [re.sub(r"//.*", "", line) for line in text.splitlines()], []
    for number, line in enumerate(lines, 1):
        if not _BEGIN.match(line):
            continue
        inside = re.compile(rf" {{{len(line) - len(line.lstrip()) + 1}}}|\s*$|#")
        body = list(takewhile(inside.match, lines[number:]))
        if not any(map(_BEGIN.match, body)):
            found.append(Loop(number, "\n".join([line, *body])))
    return found


_IN_ORDER = (
    "the sums may not be reordered: #pragma omp simd reduction(+ : ...) or -fassociative-math"
)
_EARLY = "the loop may end early, or its length is not known in advance: no break, no return"
_ERRNO = "sqrt (or pow) may set errno, which needs a branch: -fno-math-errno"
_NO_ERRNO = {"-fno-math-errno", "-ffast-math", "-Ofast"}
_JUMPS = r"control flow in loop|control flow cannot be substituted|library call cannot be vectorized|access type for masked load"
_SUM = "unsupported use in stmt|reduction used in loop|could not be identified as reduction"
_STAYS = r"(?s)\A(?!.*\b(break|return)[ ;])"
# Pattern of a message, pattern of the loop's code -> reason.
_REASONS = (
    (
        "MASK_LOAD",
        "",
        "an if guards loads, which must not happen where it is false: load and compute for every j, "
        "and select (? :) what is added",
    ),
    (f"{_JUMPS}|instruction cannot be vectorized", r"(sqrt|pow|hypot) *[(]", _ERRNO),
    (f"{_JUMPS}|{_SUM}", r"\b(break|return)[ ;]", _EARLY),  # g++ 14 complains of the sum
    (
        _JUMPS,
        rf"{_STAYS}.*(^|[^a-z_])if *[(]",
        "control flow in the loop, an if: use a selection (? :) and -fno-trapping-math",
    ),
    (
        _JUMPS,
        "[?]",
        "a selection computes a value it may not take: use -fno-trapping-math",
    ),
    (
        "early breaks not supported|number of iterations cannot be|could not determine number of loop iterations",
        "",
        _EARLY,
    ),
    ("cannot prove it is safe to reorder", "", _IN_ORDER),
    (
        "size of the group of accesses|no array mode",
        "",
        "the numbers are not contiguous, as in an array of structures: use one array for each",
    ),
    (
        "possible dependence between|unsafe dependent memory|bad data dependence",
        _STAYS,  # g++ 14 also says it of a loop that ends early
        "one iteration needs what another wrote: they cannot run at the same time",
    ),
    (
        _SUM,
        _STAYS,
        "a minimum, maximum or sum that must keep its order: write a < b ? a : b, "
        "or use -ffinite-math-only -fno-signed-zeros",
    ),
    (
        "loop contains function calls|call instruction cannot be vectorized|cannot identify array bounds",
        "",
        "a call in the loop is not inlined, or an address cannot be analysed",
    ),
    (
        "vectorization not profitable|vectorization is not (beneficial|profitable)",
        "",
        "it could be vectorised, but the compiler expects no gain",
    ),
)
# What g++ says of a loop that it vectorised.
_BUT = (
    (
        r"in-order \(fold-left\)",
        f"but lanes are added one by one, which is slow: {_IN_ORDER}",
    ),
    (
        "versioned for vectorization because of possible aliasing",
        "first tests whether the arrays overlap, with a plain loop for that case",
    ),
    (
        "(?i)add new stmt: .*gather",
        "but some loads gather numbers one by one, which is slow: copy what belongs to body i, "
        "and pointers to the arrays, into locals before the loop",
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


def _explain_loop(loop: Loop, text: str, flags: Sequence[str]) -> list[str]:
    """`text`: all that a compiler says about it."""
    if widths := re.findall(r"loop vectorized using (\d+) byte vectors", text):
        numbers = max(map(int, widths)) // (8 if "-DLAB_REAL=double" in flags else 4)
        but = [words for pattern, words in _BUT if re.search(pattern, text)]
        return [f"vectorized: {numbers} numbers at a time", *but]
    if both := re.findall(r"vectorization width: (\d+), interleaved count: (\d+)", text):
        width, turns = max((int(width), int(turns)) for width, turns in both)
        batches = "1 batch" if turns == 1 else f"{turns} batches"
        return [f"vectorized: {width} numbers at a time, {batches} per iteration"]
    if re.search(r"Batch|xsimd::|_mm[0-9]*_", loop.code):
        return ["already in batches: nothing left for the compiler to vectorize"]
    said = "\n".join(re.findall(r"(?:missed: |remark: ).*", text))
    reasons = [
        f"not vectorized: {reason}"
        for message, code, reason in _REASONS
        if re.search(message, said)
        and re.search(code, loop.code, re.M)
        and not (reason == _ERRNO and _NO_ERRNO & {*flags})
    ]
    told = re.findall(r"not vectorized[:,] (.*)", said)
    return list(dict.fromkeys(reasons or (f"not vectorized; the compiler: {one}" for one in told)))


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
        end = loop.line + loop.code.count("\n")
        text = "\n".join(text for line, text in said if loop.line <= line <= end)
        found = _explain_loop(loop, text, flags)
        lines.append(f"  {header.name}:{loop.line}: {code[loop.line - 1].strip()}")
        silence = "the compiler says nothing about it: unrolled, or no longer a loop"
        lines += [f"    {line}" for line in found or [silence]]
    return lines


class Compilation(NamedTuple):
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
