"""Finds the innermost loops of an implementation and what they contain, from the header alone."""

import re
from collections import namedtuple

# pragma: the line of the #pragma directly above, else `first`; function: the function around the loop.
Loop = namedtuple("Loop", "first last pragma function")

COMMENT = re.compile(r"//.*")
BEGIN = re.compile(r"[ \t]*(for|while) \(")
PRAGMA = re.compile(r"[ \t]*#pragma")
BRACE_AT_END = re.compile(r"\{[^}]*$")
CALLED = re.compile(r"(\w+)\(")
DEPTH_OF_FUNCTIONS = 2  # inside the namespace and the class


class Open:
    """A loop whose end is not found yet."""

    def __init__(self, first, pragma, function, depth, line):
        self.first, self.pragma, self.function, self.depth = first, pragma, function, depth
        self.braced = bool(BRACE_AT_END.search(line))
        self.last, self.innermost = None, True

    def ends_at(self, number, line, depth):
        if self.braced:
            return depth <= self.depth and number > self.first
        return line.rstrip(" \t").endswith(";")


def innermost(lines):
    """Every innermost loop. Braces are counted; no string there is expected to contain braces."""
    found, still_open, depth, pragma, function = [], [], 0, 0, ""
    for number, line in enumerate(lines, 1):
        called = CALLED.search(line)
        if depth == DEPTH_OF_FUNCTIONS and called:
            function = called[1]
        if BEGIN.match(line):
            for outer in still_open:
                outer.innermost = False
            above = pragma if pragma and pragma == number - 1 else number
            still_open.append(Open(number, above, function, depth, line))
            found.append(still_open[-1])
        if PRAGMA.match(line):
            pragma = number
        depth += line.count("{") - line.count("}")
        for loop in still_open:
            if loop.ends_at(number, line, depth):
                loop.last = number
        still_open = [loop for loop in still_open if loop.last is None]
    return [
        Loop(loop.first, loop.last, loop.pragma, loop.function)
        for loop in found
        if loop.innermost and loop.last
    ]


class Header:
    def __init__(self, name, text):
        self.name = name
        self.lines = [COMMENT.sub("", line) for line in text.split("\n")]
        self.loops = innermost(self.lines)

    def line_of(self, pattern, loop):
        """The first line of the loop that matches; 0 if none does."""
        for number in range(loop.first, loop.last + 1):
            if re.search(pattern, self.lines[number - 1]):
                return number
        return 0
