"""Rooms depend only downwards, along the list in common/CMakeLists.txt."""

import re

from nbody_lab import ROOT
from tests import said_by

CODE = (".cpp", ".hpp", ".cu", ".cuh", ".in")
INCLUDE = re.compile(r'(?m)^#include "([a-z_]+)/')
# Files that play a student's or an instructor's file, and may include whatever that may.
FIXTURES = re.compile(r"test_|/zoo/|common/lab/|_test\.")
# Rooms with a namespace of their own: no student writes against them.
NAMESPACES = "attempt bench check machine work worksheet".split()
# Files of these rooms that hold or play a student's code, and so stay in nbody.
IN_NBODY = re.compile(
    r"/zoo/(?!.*_test\.)|/test_implementations/|/test_sheets/|work/counting_\w+\.hpp|worksheet/answers\.hpp|live_flops"
)
LIST = (ROOT / "common/CMakeLists.txt").read_text(encoding="utf-8")
ORDER = re.search(r"foreach\(room ([a-z_ ]+)\)", LIST)[1].split()


def sources():
    """{path: text} of the C++ in common/."""
    _, listed, _ = said_by(["git", "ls-files", "common"], cwd=ROOT)
    everything = (str(file.relative_to(ROOT)) for file in (ROOT / "common").rglob("*"))
    paths = [path for path in listed.split() or everything if path.endswith(CODE)]
    return {path: (ROOT / path).read_text(encoding="utf-8") for path in paths}


def test_includes_point_downwards_and_rooms_keep_to_their_namespaces():
    arrows, wrong = 0, []
    for path, text in sources().items():
        room = path.split("/")[1]
        included = set() if FIXTURES.search(path) else {*INCLUDE.findall(text)} - {room}
        arrows += len(included)
        below = ORDER[: ORDER.index(room)] if room in ORDER else ()
        wrong += [f"{path} includes {one}/" for one in included if one not in below]
        opened = re.findall(r"(?m)^(?:inline )?namespace nbody(?:::(\w+))?[\w:]* \{", text)
        if room in NAMESPACES and not IN_NBODY.search(path) and {*opened} - {room}:
            wrong.append(f"{path} opens another namespace than nbody::{room}")
    assert arrows > 70
    assert wrong == []
