"""./lab diff PART NAME [OTHER]: shows what a rung changes, which is its idea.

Compares each function of an implementation with the one it replaces, in its parent or in OTHER. Ignores comments
and indentation. A replaced line counts once.
"""

import difflib
import re
import sys

from nbody_lab import ROOT
from nbody_lab.core.manifest import Manifest
from nbody_lab.tasks.replaces_nothing import bases_of

# A function of a class (indented by two) or of the namespace, from its first line to its closing brace.
FUNCTION = re.compile(
    r"^((?: {2})?)(?![ /#}])([^\n;]*?\b(\w+)\([^;{}]*?\)[^;{}]*?\{)(?:\n(.*?)^\1\}| [^\n]*\})",
    re.MULTILINE | re.DOTALL,
)


class Code(str):
    """A line without indentation, which is compared; `indent` is kept for display."""

    indent = ""


def code(line):
    made = Code(" ".join(line.split()))
    made.indent = line[: len(line) - len(line.lstrip())]
    return made


def functions(text):
    """{name: lines of code}, with the signature, without comments and indentation."""
    text = re.sub(r"[ \t]*//[^\n]*", "", text)
    found = {}
    for match in FUNCTION.finditer(text):
        name = match.group(3)
        if re.match(r"\s*(class|struct|namespace|if|for|while|switch)\b", match.group(2)):
            continue
        lines = [code(line) for line in match.group(0).splitlines()]
        found.setdefault(name, []).extend(line for line in lines if line)
    return found


def changed_lines(before, after):
    """Number of lines that differ; a replaced line counts once."""
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    return sum(
        max(i2 - i1, j2 - j1) for tag, i1, i2, j1, j2 in matcher.get_opcodes() if tag != "equal"
    )


class Ladder:
    """The sources of a part's implementations, and the parent of each."""

    def __init__(self, manifest, part, root=ROOT):
        self.manifest, self.part, self.root = manifest, part, root

    def source(self, name):
        return self.root / self.manifest.row(self.part, name)["source"]

    def functions_of(self, name):
        return functions(self.source(name).read_text(encoding="utf-8"))

    def replaced(self, function, name):
        """(name, lines): the function in `name` or its nearest ancestor that has it; None if it is new. The classes
        below the first of the ladder count as its own."""
        while name:
            parent = self.manifest.row(self.part, name)["parent"]
            for file in [
                self.source(name),
                *([] if parent else bases_of(self.source(name), self.root / "common")),
            ]:
                found = functions(file.read_text(encoding="utf-8"))
                if function in found:
                    return name, found[function]
            name = parent
        return None

    def compare(self, name, other=None):
        """[(function, where it was, lines before, lines after, changed)]; where is empty for a new function."""
        parent = other or self.manifest.row(self.part, name)["parent"]
        result = []
        for function, after in self.functions_of(name).items():
            before = self.replaced(function, parent)
            if before is None:
                result.append((function, "", [], after, len(after)))
            elif before[1] != after:
                result.append(
                    (function, before[0], before[1], after, changed_lines(before[1], after))
                )
        return result

    def changed(self, name, other=None):
        """The largest number of lines changed in one function; new functions do not count."""
        return max((row[4] for row in self.compare(name, other) if row[1]), default=0)


def differing(before, after):
    """The differing lines with one line of context; `...` between places."""
    lines = []
    for group in difflib.SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(
        1
    ):
        lines.append("...")
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                lines += [" " + line.indent + line for line in after[j1:j2]]
                continue
            lines += ["-" + line.indent + line for line in before[i1:i2]]
            lines += ["+" + line.indent + line for line in after[j1:j2]]
    return lines


def paint(line, colours):
    colour = {"+": "\033[32m", "-": "\033[31m"}.get(line[:1], "")
    return f"{colour}{line}\033[0m" if colours and colour else line


def flags_changed(before, after):
    """One line with the changed flags; nothing if both have the same."""
    changes = [
        f"{what} {' '.join(flags)}"
        for what, flags in (
            ("adds", [flag for flag in after if flag not in before]),
            ("drops", [flag for flag in before if flag not in after]),
        )
        if flags
    ]
    return ["", f"flags: {', '.join(changes)}"] if changes else []


def show(ladder, name, other=None, colours=False):
    row = ladder.manifest.row(ladder.part, name)
    parent = other or row["parent"]
    if not parent:
        return [
            f"{ladder.part}/{name} is the first of its part: there is nothing to compare it with"
        ]
    lines = [f"{ladder.part}/{name} beside {parent}: {row['summary']}"]
    compared = ladder.compare(name, other)
    for function, who, before, after, changed in compared:
        if who:
            lines += [
                "",
                f"{function}(), {changed} line{'s' if changed != 1 else ''} changed from {who}",
            ]
            lines += ["  " + paint(line, colours) for line in differing(before, after)]
        else:
            lines += ["", f"{function}(), new: {len(after)} line{'s' if len(after) != 1 else ''}"]
            lines += ["  " + paint("+" + line.indent + line, colours) for line in after]
    if not compared:
        lines.append("no function differs")
    lines += flags_changed(ladder.manifest.row(ladder.part, parent)["flags"], row["flags"])
    if row.get("long_diff"):
        step = f"the step from {row['parent']} is " if parent != row["parent"] else ""
        lines += ["", f"{step}longer than ten lines: {row['long_diff']}"]
    return lines


def compare(manifest, part, *names):
    """Prints the rung beside its parent, or beside another one."""
    print("\n".join(show(Ladder(Manifest(manifest), part), *names, colours=sys.stdout.isatty())))
