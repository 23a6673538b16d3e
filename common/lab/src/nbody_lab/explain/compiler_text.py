"""Parses compilers' output: errors with their places, in names that a student knows."""

import re

# g++ and clang++: file:line:column: error: text; nvcc: file(line): error: text
PLACE = re.compile(
    r"^(?P<file>[^\s:(][^:(\n]*)(?::(?P<line>\d+):\d+|\((?P<nvcc_line>\d+)\)): "
    r"(?P<kind>(?:fatal |catastrophic )?error|warning|note)(?: #(?P<number>\d+-D))?: (?P<text>.*)$"
)
# Lines that do not belong to the error above them.
ELSEWHERE = re.compile(
    r": In |: +required |^In file included|^ +detected |^\d+ errors? (generated|detected)|^$"
)

# Names as a student knows them: no folders, no aliases, no allocator, plain quotes.
PLAIN = [
    (r"[\u2018\u2019]", "'"),
    (r"__gnu_cxx::__alloc_traits<[^ ]*, ([^ ]*)>::value_type", r"\1"),
    (r"(?:const )?(?:struct |class )?nbody::\w+(?:<\w+>)?::Body\b", "Body"),
    (r"'[^']*' [({]aka '([^']*)'[)}]", r"'\1'"),
    (r" \[with T = [a-z]+\]", ""),
    (r"nbody::", ""),
    (r"\b(Problem|Simulator)Of<\w+>", r"\1"),
    (r"'(\w+)'([^;]*); did you mean '\1'\?", r"'\1'\2"),
]


def plain(text, root=""):
    """The text without the compiler's own names and without the lab's folder."""
    if root:
        text = text.replace(f"{root}/", "")
    for pattern, replacement in PLAIN:
        text = re.sub(pattern, replacement, text)
    return text


class Error:
    """One error: place, message, the quoted lines, and the notes below it."""

    def __init__(self, place):
        self.file, self.line = place["file"], int(place["line"] or place["nvcc_line"])
        self.text = place["text"]
        self.quoted = [place.string]  # starts with the error itself
        self.below = []


def errors_in(output):
    """The errors in a step's output, in order."""
    found, quoting = [], False
    for line in output.splitlines():
        place = PLACE.match(line)
        if place and place["kind"].endswith("error"):
            found.append(Error(place))
            quoting = True
            continue
        quoting = quoting and not place and not ELSEWHERE.search(line)
        if found:
            (found[-1].quoted if quoting else found[-1].below).append(line)
    return found


def shown(errors, root, most=6):
    """Each error once, with up to two quoted lines; at most `most` lines."""
    lines, seen = [], set()
    for error in errors:
        if (error.file, error.line, error.text) not in seen:
            seen.add((error.file, error.line, error.text))
            lines += [plain(line, root)[:160] for line in error.quoted[:3]]
    return lines[:most]
