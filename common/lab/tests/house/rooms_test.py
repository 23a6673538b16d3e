"""Rooms depend only downwards, along the list in common/CMakeLists.txt."""

import re
import subprocess
import unittest

from nbody_lab import ROOT

CODE = (".cpp", ".hpp", ".cu", ".cuh", ".in")
INCLUDE = re.compile(r'#include "([a-z_]+)/')
# Files that play a student's or an instructor's file, and may include whatever that may.
FIXTURES = re.compile(r"test_|/zoo/|common/lab/|_test\.")
# Rooms with a namespace of their own: no student writes against them.
NAMESPACES = (
    "attempt",
    "bench",
    "check",
    "command_line",
    "machine",
    "protocol",
    "view",
    "work",
    "worksheet",
)
# Files of these rooms that hold or play a student's code, and so stay in nbody.
IN_NBODY = re.compile(
    r"/zoo/(?!.*_test\.)|/test_implementations/|/test_sheets/|work/counting_\w+\.hpp|worksheet/answers\.hpp|live_flops"
)


def files():
    listed = subprocess.run(
        ["git", "ls-files", "common"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False
    ).stdout.split()
    return listed or [
        str(file.relative_to(ROOT)) for file in (ROOT / "common").rglob("*") if file.is_file()
    ]


def order_of_rooms():
    return re.search(
        r"foreach\(room ([a-z_ ]+)\)", (ROOT / "common/CMakeLists.txt").read_text(encoding="utf-8")
    )[1].split()


def includes(paths):
    """(file, its room, the room it includes)"""
    for path in paths:
        if path.endswith(CODE) and not FIXTURES.search(path):
            room = path.split("/")[1]
            for line in (ROOT / path).read_text(encoding="utf-8").splitlines():
                found = INCLUDE.match(line)
                if found and found[1] != room:
                    yield path, room, found[1]


def upward(arrows, order):
    """The includes that point up, or to a room that is not in the list."""
    place = {room: k for k, room in enumerate(order)}
    return [
        f"{path} includes {target}/"
        for path, room, target in arrows
        if place.get(target, len(order)) > place.get(room, -1)
    ]


def in_other_namespace(path, text):
    """Whether a file of a room with its own namespace opens another part of nbody."""
    room = path.split("/")[1]
    if room not in NAMESPACES or IN_NBODY.search(path):
        return False
    opened = re.findall(r"(?m)^(?:inline )?namespace (nbody[\w:]*) \{", text)
    return any(name.split("::")[1:2] != [room] for name in opened)


class Rooms(unittest.TestCase):
    def test_includes_point_downwards(self):
        arrows = list(includes(files()))
        self.assertGreater(len(arrows), 200)
        self.assertEqual(upward(arrows, order_of_rooms()), [])

    def test_an_arrow_upwards_is_seen(self):
        order = ["bodies", "check", "bench"]
        self.assertEqual(upward([("common/check/a.cpp", "check", "bodies")], order), [])
        self.assertEqual(
            upward([("common/check/a.cpp", "check", "bench")], order),
            ["common/check/a.cpp includes bench/"],
        )
        self.assertEqual(
            upward([("common/check/a.cpp", "check", "solutions")], order),
            ["common/check/a.cpp includes solutions/"],
        )

    def test_rooms_keep_to_their_namespaces(self):
        sources = [path for path in files() if path.endswith(CODE)]
        self.assertEqual(
            [
                path
                for path in sources
                if in_other_namespace(path, (ROOT / path).read_text(encoding="utf-8"))
            ],
            [],
        )

    def test_another_namespace_is_seen(self):
        self.assertFalse(
            in_other_namespace("common/check/a.cpp", "namespace nbody::check::test {\n")
        )
        self.assertFalse(in_other_namespace("common/bodies/a.cpp", "namespace nbody {\n"))
        self.assertTrue(in_other_namespace("common/check/a.cpp", "namespace nbody {\n"))
        self.assertTrue(in_other_namespace("common/check/a.cpp", "namespace nbody::bench {\n"))
