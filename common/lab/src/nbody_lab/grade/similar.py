"""What somebody should look at before talking to two students: the same source twice. It is evidence, never a verdict, and
changes no mark. For more than exact copies, feed OUT/taken to JPlag."""

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from nbody_lab import ROOT

_NO_CODE = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|\s+", re.DOTALL)


def _code_in(folder: Path) -> dict[str, str]:
    """{file: its code} without comments, white space and capitals."""
    return {
        file.name: _NO_CODE.sub("", file.read_text("utf-8", "replace")).lower()
        for file in sorted([*folder.glob("*.hpp"), *folder.glob("*.cuh")])
        if file.name != "worksheet.hpp"
    }


def find_similar(out: Path, names: Iterable[str]) -> dict[str, list[str]]:
    """{submission: sentences for its flags} about files that another has handed in, too, and that were not given."""
    flags: dict[str, list[str]] = defaultdict(list)
    found: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for name in names:
        for folder in sorted((out / "taken" / name).glob("part*_*/")):
            given = _code_in(ROOT / folder.name).values()
            for file, code in _code_in(folder).items():
                if code not in given:
                    found[folder.name, code].append((name, f"{folder.name}/{file}"))
    for copies in found.values():
        for name, file in copies:
            if others := sorted({other for other, _ in copies} - {name}):
                flags[name].append(f"{file} is a file of {', '.join(others)}, too")
    return flags
