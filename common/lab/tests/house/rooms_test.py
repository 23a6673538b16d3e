"""Rooms depend only downwards, along the list in common/CMakeLists.txt."""

import re

import pytest

from nbody_lab import ROOT
from tests import said_by

CODE = (".cpp", ".hpp", ".cu", ".cuh", ".in")
INCLUDE = re.compile(r'(?m)^#include "([a-z_]+)/')
# Files that play a student's or an instructor's file, and may include whatever that may.
FIXTURES = re.compile(r"test_|/zoo/|common/lab/|_test\.")
# Rooms with a namespace of their own: no student writes against them.
NAMESPACES = "attempt bench check command_line machine protocol work worksheet".split()
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


def includes(path, text):
    """The other rooms that a file includes, and whether each is below its own."""
    own = path.split("/")[1]
    if not FIXTURES.search(path):
        for room in INCLUDE.findall(text):
            if room != own:
                yield room, room in ORDER and ORDER.index(room) <= ORDER.index(own)


def in_other_namespace(path, text):
    """Whether a file of a room with its own namespace opens another part of nbody."""
    room = path.split("/")[1]
    opened = re.findall(r"(?m)^(?:inline )?namespace (nbody[\w:]*) \{", text)
    strays = any(name.split("::")[1:2] != [room] for name in opened)
    return strays and room in NAMESPACES and not IN_NBODY.search(path)


def test_includes_point_downwards_and_rooms_keep_to_their_namespaces():
    files = sources()
    arrows = [(path, *found) for path, text in files.items() for found in includes(path, text)]
    assert len(arrows) > 200
    assert [f"{path} includes {room}/" for path, room, is_below in arrows if not is_below] == []
    assert [path for path, text in files.items() if in_other_namespace(path, text)] == []


@pytest.mark.parametrize(
    ("included", "is_below"), [("core", True), ("bench", False), ("solutions", False)]
)
def test_an_arrow_upwards_is_seen(included, is_below):
    text = f'#include "check/b.hpp"\n#include "{included}/b.hpp"\n'
    assert list(includes("common/check/a.cpp", text)) == [(included, is_below)]


@pytest.mark.parametrize(
    ("room", "namespace", "is_other"),
    [
        ("check", "nbody::check::test", False),
        ("core", "nbody", False),
        ("check", "nbody", True),
        ("check", "nbody::bench", True),
    ],
)
def test_another_namespace_is_seen(room, namespace, is_other):
    text = f"namespace {namespace} {{\n"
    assert in_other_namespace(f"common/{room}/a.cpp", text) == is_other
