"""What the sanitizers report, in one line for each mistake: where in the student's file, and what is wrong."""

import os
import re
from pathlib import Path

_BEYOND = "reads or writes beyond the end of an array"
# The sanitizers' terms, explained.
_MEANINGS = {
    "heap-buffer-overflow": _BEYOND,
    "stack-buffer-overflow": _BEYOND,
    "heap-use-after-free": "uses memory that was freed, for example after a resize()",
    "SEGV": "uses an invalid address",
    "detected memory leaks": "memory is never freed",
    "data race": "a data race: two threads use this number at once, and one of them writes",
}
_FRAME = re.compile(r"^.*?#\d+ .*? (?P<file>/[^\s:]+):(?P<line>\d+)", re.M)
_REPORT = re.compile(
    r"^(?P<file>/\S+):(?P<line>\d+):\d+: runtime error: (?P<undefined>.*)$"
    r"|(?:ERROR|WARNING): (?:Address|Thread|Leak)Sanitizer: (?P<what>[^\n(]+)",
    re.M,
)


def _own_place(text: str, root: Path) -> str | None:
    """FILE:LINE of the first place in a report that lies in the lab but outside common/."""
    for match in _FRAME.finditer(text):
        path = Path(os.path.normpath(match["file"]))
        if root in path.parents and path.relative_to(root).parts[0] != "common":
            return f"{path.relative_to(root)}:{match['line']}"
    return None


def _undefined(match: re.Match[str], frames: str, root: Path) -> str:
    """Undefined behaviour at its own line, or at the student's line that led into a library."""
    path = Path(os.path.normpath(match["file"]))
    own = root in path.parents and path.relative_to(root).parts[0] != "common"
    there = f"{path.relative_to(root) if root in path.parents else path}:{match['line']}"
    what = re.sub(r" (address )?0x[0-9a-f]+", " an address", match["undefined"])  # varies
    if "with insufficient space for an object" in what:  # so says g++ 13, where 12 is silent
        what = _BEYOND
    where = None if own else _own_place(frames, root)
    return f"{where}: {what} (in {path.name})" if where else f"{there}: {what}"


def _wrong(match: re.Match[str], frames: str, root: Path) -> str:
    what = match["what"].split(" on ")[0].split(":")[0].strip()
    text, where = _MEANINGS.get(what, what), _own_place(frames, root)
    other = _own_place(frames.partition("Previous ")[2], root) if what == "data race" else None
    if other and other != where:
        text += f"; the other one at {other}"
    return f"{where}: {text}" if where else text


def places(report: str, root: Path) -> list[str]:
    """One line for each mistake in the report, without duplicates."""
    found, matches = [], list(_REPORT.finditer(report))
    ends = [match.start() for match in matches[1:]] + [len(report)]
    for match, end in zip(matches, ends):
        describe = _wrong if match["what"] else _undefined
        found.append(describe(match, report[match.end() : end], root))
    return list(dict.fromkeys(found))
