"""Rooms depend only downwards, along the list in common/CMakeLists.txt."""

import re

from nbody_lab import ROOT
from tests import said_by

CODE = (".cpp", ".hpp", ".cu", ".cuh", ".in")
INCLUDE = re.compile(r'(?m)^#include "([a-z_]+)/')
# Files that play a student's or an instructor's file, and may include whatever that may.
FIXTURES = re.compile(r"test_|/zoo/|common/lab/|_test\.")
LIST = (ROOT / "common/CMakeLists.txt").read_text(encoding="utf-8")
ORDER = re.search(r"foreach\(room ([a-z_ ]+)\)", LIST)[1].split()


def sources():
    """{path: text} of the C++ in common/."""
    _, listed, _ = said_by(["git", "ls-files", "common"], cwd=ROOT)
    everything = (str(file.relative_to(ROOT)) for file in (ROOT / "common").rglob("*"))
    paths = [path for path in listed.split() or everything if path.endswith(CODE)]
    return {path: (ROOT / path).read_text(encoding="utf-8") for path in paths}


def test_includes_point_downwards():
    arrows, wrong = 0, []
    for path, text in sources().items():
        room = path.split("/")[1]
        included = set() if FIXTURES.search(path) else {*INCLUDE.findall(text)} - {room}
        arrows += len(included)
        below = ORDER[: ORDER.index(room)] if room in ORDER else ()
        wrong += [f"{path} includes {one}/" for one in included if one not in below]
    assert arrows > 50
    assert wrong == []
