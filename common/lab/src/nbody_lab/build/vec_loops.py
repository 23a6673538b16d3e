"""Finds the innermost loops of an implementation and what they contain, from the header alone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

_COMMENT = re.compile(r"//.*")
_BEGIN = re.compile(r"[ \t]*(for|while) \(")
_PRAGMA = re.compile(r"[ \t]*#pragma")
_BRACE_AT_END = re.compile(r"\{[^}]*$")
_CALLED = re.compile(r"(\w+)\(")
_DEPTH_OF_FUNCTIONS = 2  # inside the namespace and the class


class Loop(NamedTuple):
    """An innermost loop: lines from 1, and the function around it."""

    first: int
    last: int
    pragma: int  # the line of the #pragma directly above, else `first`
    function: str


def _find_last(lines: Sequence[str], first: int) -> int:
    """The last line of the loop that begins in line `first`; 0 if the text ends before."""
    braced = _BRACE_AT_END.search(lines[first - 1])
    depth = 0
    for number, line in enumerate(lines[first - 1 :], first):
        depth += line.count("{") - line.count("}")
        if not braced and line.rstrip(" \t").endswith(";"):
            return number
        if braced and depth <= 0 and number > first:
            return number
    return 0


def _find_innermost(lines: Sequence[str]) -> list[Loop]:
    """Every innermost loop. Braces are counted; no string there is expected to contain braces."""
    begins = [number for number, line in enumerate(lines, 1) if _BEGIN.match(line)]
    found: list[Loop] = []
    depth, function = 0, ""
    for number, line in enumerate(lines, 1):
        called = _CALLED.search(line)
        if depth == _DEPTH_OF_FUNCTIONS and called:
            function = called[1]
        last = _find_last(lines, number) if number in begins else 0
        if last and not any(number < inner <= last for inner in begins):
            above = number > 1 and _PRAGMA.match(lines[number - 2])
            found.append(Loop(number, last, number - 1 if above else number, function))
        depth += line.count("{") - line.count("}")
    return found


@dataclass(frozen=True)
class Header:
    """The text of an implementation."""

    name: str
    text: str

    @cached_property
    def lines(self) -> list[str]:
        """Without comments."""
        return [_COMMENT.sub("", line) for line in self.text.split("\n")]

    @cached_property
    def loops(self) -> list[Loop]:
        return _find_innermost(self.lines)

    def find_line(self, pattern: str, loop: Loop) -> int:
        """The first line of the loop that matches; 0 if none does."""
        for number in range(loop.first, loop.last + 1):
            if re.search(pattern, self.lines[number - 1]):
                return number
        return 0


def read_header(file: Path) -> Header:
    return Header(file.name, file.read_text(encoding="utf-8", errors="replace"))
