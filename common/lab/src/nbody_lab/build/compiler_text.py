"""Reads compilers' output: errors with their places, in names that a student knows."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

# g++ and clang++: file:line:column: error: text; nvcc: file(line): error: text
_PLACE = re.compile(
    r"^(?P<file>[^\s:(][^:(\n]*)(?::(?P<line>\d+):\d+|\((?P<nvcc_line>\d+)\)): "
    r"(?P<kind>(?:fatal |catastrophic )?error|warning|note)(?: #(?P<number>\d+-D))?: (?P<text>.*)$"
)
# Lines that do not belong to the error above them.
_ELSEWHERE = re.compile(
    r": In |: +required |^In file included|^ +detected |^\d+ errors? (generated|detected)|^$"
)

# Names as a student knows them: no folders, no aliases, no allocator, plain quotes.
_PLAIN = [
    (r"[\u2018\u2019]", "'"),
    (r"__gnu_cxx::__alloc_traits<[^ ]*, ([^ ]*)>::value_type", r"\1"),
    (r"(?:const )?(?:struct |class )?nbody::\w+(?:<\w+>)?::Body\b", "Body"),
    (r"'[^']*' [({]aka '([^']*)'[)}]", r"'\1'"),
    (r" \[with T = [a-z]+\]", ""),
    (r"nbody::", ""),
    (r"\b(Problem|Simulator)Of<\w+>", r"\1"),
    (r"'(\w+)'([^;]*); did you mean '\1'\?", r"'\1'\2"),
]
_LONGEST_LINE = 160
_MOST_LINES = 6


def plain(text: str, root: object = "") -> str:
    """The text without the compiler's own names and without the lab's folder."""
    if root:
        text = text.replace(f"{root}/", "")
    for pattern, replacement in _PLAIN:
        text = re.sub(pattern, replacement, text)
    return text


def shorten(lines: Iterable[str], root: object) -> list[str]:
    """Quoted lines as they are shown."""
    return [plain(line, root)[:_LONGEST_LINE] for line in lines]


@dataclass
class CompilerError:
    """An error: its place and text, the lines that quote the source, and the notes below them."""

    file: str
    line: int
    text: str
    quoted: list[str]  # begins with the error itself
    below: list[str] = field(default_factory=list)


def find_errors(output: str) -> list[CompilerError]:
    """The errors in a step's output, in order."""
    found: list[CompilerError] = []
    quoting = False
    for line in output.splitlines():
        place = _PLACE.match(line)
        if place and place["kind"].endswith("error"):
            number = int(place["line"] or place["nvcc_line"])
            found.append(CompilerError(place["file"], number, place["text"], [line]))
            quoting = True
            continue
        quoting = quoting and not place and not _ELSEWHERE.search(line)
        if found:
            (found[-1].quoted if quoting else found[-1].below).append(line)
    return found


def quote(errors: Iterable[CompilerError], root: object) -> list[str]:
    """Each error once, with up to two quoted lines; at most _MOST_LINES lines."""
    once: dict[tuple[str, int, str], CompilerError] = {}
    for error in errors:
        once.setdefault((error.file, error.line, error.text), error)
    lines = [line for error in once.values() for line in error.quoted[:3]]
    return shorten(lines[:_MOST_LINES], root)
