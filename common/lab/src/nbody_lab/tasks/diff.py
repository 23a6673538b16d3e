"""./lab diff PART NAME [OTHER]: shows what a rung changes, which is its idea.

Compares each function of an implementation with the one it replaces, in its parent or in OTHER. Ignores comments
and indentation. A replaced line counts once.
"""

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from nbody_lab import ROOT
from nbody_lab.core.manifest import Implementation
from nbody_lab.core.words import plural
from nbody_lab.tasks.replaces_nothing import bases_of

# A function of a class (indented by two) or of the namespace, from its first line to its closing brace.
_FUNCTION = re.compile(
    r"^((?: {2})?)(?![ /#}])([^\n;]*?\b(\w+)\([^;{}]*?\)[^;{}]*?\{)(?:\n(.*?)^\1\}| [^\n]*\})",
    re.MULTILINE | re.DOTALL,
)
_NO_FUNCTION = re.compile(r"\s*(class|struct|namespace|if|for|while|switch)\b")


class Code(str):
    """A line without indentation, which is compared; `indent` is kept for display."""

    indent = ""

    def __new__(cls, line: str) -> "Code":
        code = super().__new__(cls, " ".join(line.split()))
        code.indent = line[: len(line) - len(line.lstrip())]
        return code


Lines = list[Code]


def find_functions(text: str) -> dict[str, Lines]:
    """{name: lines of code}, with the signature, without comments and indentation."""
    text = re.sub(r"[ \t]*//[^\n]*", "", text)
    found: dict[str, Lines] = {}
    for match in _FUNCTION.finditer(text):
        if not _NO_FUNCTION.match(match[2]):
            lines = map(Code, match[0].splitlines())
            found.setdefault(match[3], []).extend(line for line in lines if line)
    return found


def _compare_lines(before: Lines, after: Lines) -> difflib.SequenceMatcher[Code]:
    return difflib.SequenceMatcher(None, before, after, autojunk=False)


def count_changed_lines(before: Lines, after: Lines) -> int:
    """A replaced line counts once."""
    changes = _compare_lines(before, after).get_opcodes()
    return sum(max(i2 - i1, j2 - j1) for tag, i1, i2, j1, j2 in changes if tag != "equal")


@dataclass(frozen=True)
class Change:
    """Of one function."""

    function: str
    where: str | None  # the implementation that had it; None: it is new
    before: Lines
    after: Lines

    @property
    def lines(self) -> int:
        return count_changed_lines(self.before, self.after)


class Rows(Protocol):
    def row(self, part: str, name: str) -> Implementation: ...


class Ladder:
    """The sources of a part's implementations, and the parent of each."""

    def __init__(self, manifest: Rows, part: str, root: Path = ROOT) -> None:
        self.part, self._manifest, self._root = part, manifest, root

    def row(self, name: str) -> Implementation:
        return self._manifest.row(self.part, name)

    def source(self, name: str) -> Path:
        return self._root / self.row(name).source

    def _find_replaced(self, function: str, name: str) -> tuple[str, Lines] | None:
        """The function in `name` or its nearest ancestor that has it. The classes below the first of the ladder count as
        its own."""
        while name:
            parent, source = self.row(name).parent, self.source(name)
            bases = [] if parent else bases_of(source, self._root / "common")
            for file in [source, *bases]:
                found = find_functions(file.read_text(encoding="utf-8"))
                if function in found:
                    return name, found[function]
            name = parent
        return None

    def compare(self, name: str, other: str | None = None) -> list[Change]:
        """The functions that differ from those of the parent, or of `other`."""
        parent, changes = other or self.row(name).parent, []
        functions = find_functions(self.source(name).read_text(encoding="utf-8"))
        for function, after in functions.items():
            where, before = self._find_replaced(function, parent) or (None, [])
            if before != after:
                changes.append(Change(function, where, before, after))
        return changes

    def most_changed_lines(self, name: str) -> int:
        """The largest number of lines changed in one function; new functions do not count."""
        return max((change.lines for change in self.compare(name) if change.where), default=0)


def _differing(before: Lines, after: Lines) -> Iterator[str]:
    """The differing lines with one line of context; `...` between places."""
    for group in _compare_lines(before, after).get_grouped_opcodes(1):
        yield "..."
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                yield from (" " + line.indent + line for line in after[j1:j2])
                continue
            yield from ("-" + line.indent + line for line in before[i1:i2])
            yield from ("+" + line.indent + line for line in after[j1:j2])


def _paint(line: str, colours: bool) -> str:
    colour = {"+": "\033[32m", "-": "\033[31m"}.get(line[:1], "")
    return f"  {colour}{line}\033[0m" if colours and colour else f"  {line}"


def _format_change(change: Change, colours: bool) -> list[str]:
    if change.where:
        title = f"{plural(change.lines, 'line')} changed from {change.where}"
        lines = list(_differing(change.before, change.after))
    else:
        title = f"new: {plural(len(change.after), 'line')}"
        lines = ["+" + line.indent + line for line in change.after]
    return ["", f"{change.function}(), {title}", *(_paint(line, colours) for line in lines)]


def _format_flags(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """One line with the changed flags; nothing if both have the same."""
    adds = " ".join(flag for flag in after if flag not in before)
    drops = " ".join(flag for flag in before if flag not in after)
    changes = ([f"adds {adds}"] if adds else []) + ([f"drops {drops}"] if drops else [])
    return ["", f"flags: {', '.join(changes)}"] if changes else []


def format_diff(
    ladder: Ladder, name: str, other: str | None = None, colours: bool = False
) -> list[str]:
    """The rung beside its parent, or beside another one."""
    row = ladder.row(name)
    parent = other or row.parent
    if not parent:
        what = f"{ladder.part}/{name} is the first of its part"
        return [f"{what}: there is nothing to compare it with"]
    changes = ladder.compare(name, other)
    lines = [f"{ladder.part}/{name} beside {parent}: {row.summary}"]
    lines += [line for change in changes for line in _format_change(change, colours)]
    lines += [] if changes else ["no function differs"]
    lines += _format_flags(ladder.row(parent).flags, row.flags)
    if row.long_diff:
        step = f"the step from {row.parent} is " if parent != row.parent else ""
        lines += ["", f"{step}longer than ten lines: {row.long_diff}"]
    return lines
