"""What a student should hear about a header that compiles: the compiler's warnings, and that its class overrides nothing."""

import re
from pathlib import Path
from typing import NamedTuple

from nbody_lab.building.explain import MESSAGE, find_errors, plain

# What each warning option means for a student.
_MEANINGS = {
    "-Wdouble-promotion": "computed in double, which is slower: write real(0.2) for 0.2, std::pow(x, real(2)) for std::pow(x, 2)",
    "-Wfloat-conversion": "computed in double, then rounded to float: write real(0.2) for 0.2, or real(...) around it if that is intended",
    "-Wuninitialized": "it has no value yet: write real sum = 0",
    "-Wmaybe-uninitialized": "on some path it has no value yet: write real sum = 0",
    "-Wunknown-pragmas": "the compiler ignores it: flags.txt needs -fopenmp, or -fopenmp-simd",
    "-Wsign-compare": "compares a signed with an unsigned number: use std::size_t for both",
    "-Wunused-variable": "unused: is it meant to be used?",
    "-Wunused-but-set-variable": "its value is never read: is the result stored?",
    "-Woverloaded-virtual": "it hides a function of Naive instead of replacing it: use the same arguments, and override",
    "-Wreturn-type": "a path through the function returns nothing",
}
_MOST = 5


class Warned(NamedTuple):
    """A warning in a student's file."""

    file: str  # from the root of the lab
    line: int
    text: str
    option: str  # of the compiler; empty for nvcc


def find_warnings(log: str, root: Path) -> list[Warned]:
    """Those in students' files, in order, each once. Not those in a file with an error: they may only follow from it."""
    broken = {error.file for error in find_errors(log)}
    found: dict[tuple[str, int, str], Warned] = {}
    for match in filter(None, map(MESSAGE.match, log.splitlines())):
        file = match["file"].removeprefix(f"{root}/")
        if match["kind"] != "warning" or match["file"] in broken:
            continue
        if re.fullmatch(r"part\w+/mine\w*\.(hpp|cuh)", file):
            text, _, option = match["text"].removesuffix("]").partition(" [-W")
            line, option = int(match["line"] or match["nvcc_line"]), option and f"-W{option}"
            found.setdefault((file, line, option), Warned(file, line, plain(text), option))
    return list(found.values())


def warning_lines(log_file: Path, root: Path) -> list[str]:
    """What the compiler warned of in students' files, each with its line and a word of help."""
    lines: list[str] = []
    found = find_warnings(log_file.read_text(encoding="utf-8", errors="replace"), root)
    for file, line, text, option in found[:_MOST]:
        source = (root / file).read_text(encoding="utf-8", errors="replace").splitlines()
        lines.append(f"{file}:{line}: warning: {text}")
        lines.append(" ".join(["   ", *(code.strip() for code in source[line - 1 : line])]))
        if option in _MEANINGS:
            lines.append(f"  {_MEANINGS[option]}")
    if len(found) > _MOST:
        lines.append(f"and {len(found) - _MOST} more warnings")
    return lines


def find_remark(program: Path) -> str:
    """The sentence that the program of a class holds if it overrides nothing (common/simulator/implementation.hpp)."""
    try:
        found = re.search(rb"its class overrides no function of Naive[ -~]*", program.read_bytes())
    except OSError:
        return ""
    return found[0].decode("ascii") if found else ""
