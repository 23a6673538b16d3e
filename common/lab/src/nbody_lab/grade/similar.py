"""What somebody should look at before talking to two students: the same source twice. It is evidence, never a verdict, and
changes no mark. For more than exact copies, feed OUT/taken to JPlag. A classmate's answers need no search: they are wrong
for another hypothetical machine."""

import re
from collections import defaultdict
from collections.abc import Collection
from pathlib import Path

from nbody_lab import ROOT

_NO_CODE = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|\s+", re.DOTALL)


def _code_in(folder: Path) -> dict[str, str]:
    """{file: its code} without comments, white space and capitals."""
    return {
        file.name: _NO_CODE.sub("", file.read_text("utf-8", "replace")).lower()
        for file in sorted([*folder.glob("*.hpp"), *folder.glob("*.cuh")])
        if file.is_file() and not file.is_symlink() and file.name != "worksheet.hpp"
    }


def find_similar(out: Path, names: Collection[str]) -> dict[str, list[str]]:
    """Sentences for the flags of each submission: files that two handed in, if they were not given."""
    flags: dict[str, list[str]] = defaultdict(list)
    for part in sorted(file.parent for file in ROOT.glob("part*_*/questions.py")):
        given, found = set(_code_in(part).values()), defaultdict(list)
        for name in names:
            for file, code in _code_in(out / "taken" / name / part.name).items():
                if code not in given:
                    found[code].append((name, file))
        for copies in found.values():
            for name, file in copies:
                if others := sorted({other for other, _ in copies} - {name}):
                    flags[name].append(f"{part.name}/{file} is a file of {', '.join(others)}, too")
    return flags
