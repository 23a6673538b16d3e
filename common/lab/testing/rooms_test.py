#!/usr/bin/env python3
"""Rooms depend only downwards: in C++ along the list in common/CMakeLists.txt, in Python along LEVELS."""

import ast
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders  # noqa: E402
from rooms import LAYERS, rooms  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
CODE = (".cpp", ".hpp", ".cu", ".cuh", ".in")
INCLUDE = re.compile(r'#include "([a-z_]+)/')
# Files that play a student's or an instructor's file, and may include whatever that may.
FIXTURES = re.compile(r"test_|/zoo/|common/lab/|_test\.")
# Rooms with a namespace of their own: no student writes against them.
NAMESPACES = ("attempt", "bench", "check", "command_line", "machine", "protocol", "view", "work", "worksheet")
# Files of these rooms that hold or play a student's code, and so stay in nbody.
IN_NBODY = re.compile(r"/zoo/(?!.*_test\.)|/test_implementations/|/test_sheets/|work/counting_\w+\.hpp|worksheet/answers\.hpp|live_flops")
# The folders of common/lab, lowest first. Of the modules beside them, those of COMMANDS stand above all folders, workshop.py
# stands where it is listed, and the others, which anything may import, below all.
LEVELS = ("", "notebook", "worksheet", "tasks", "explain", "workshop.py", "export", "hardware", "handout", "testing", "programs", "bound",
          "roofline", "draw", "page", "studies", "profiles", "documents", "grade", "commands")
COMMANDS = re.compile(r"common/lab/(commands_\w+|completion|main|report)\.py")


def files():
    listed = subprocess.run(["git", "ls-files", "common"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False).stdout.split()
    return listed or [str(file.relative_to(ROOT)) for file in (ROOT / "common").rglob("*") if file.is_file()]


def order_of_rooms():
    return re.search(r"foreach\(room ([a-z_ ]+)\)", (ROOT / "common/CMakeLists.txt").read_text(encoding="utf-8"))[1].split()


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
    return [f"{path} includes {target}/" for path, room, target in arrows if place.get(target, len(order)) > place.get(room, -1)]


def in_other_namespace(path, text):
    """Whether a file of a room with its own namespace opens another part of nbody."""
    room = path.split("/")[1]
    if room not in NAMESPACES or IN_NBODY.search(path):
        return False
    opened = re.findall(r"(?m)^(?:inline )?namespace (nbody[\w:]*) \{", text)
    return any(name.split("::")[1:2] != [room] for name in opened)


def imports(text):
    """The modules that it imports, also inside functions; of `from package import name` both."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{name.name}" for name in node.names)


MODULE = re.compile(r"common/lab/(?!.*_test\.py$)[\w/]+\.py")


def level_of(path):
    """Of a module in common/lab."""
    if COMMANDS.fullmatch(path):
        return LEVELS.index("commands")
    inside = path.split("/")[2:]
    return LEVELS.index(inside[0] if len(inside) > 1 or inside[0] in LEVELS else "")


def modules_of_lab(paths):
    """{name as imported: path}"""
    found = filter(MODULE.fullmatch, paths)
    return {(f"{Path(path).parent.name}." if Path(path).parent.name in ("worksheet", "grade") else "") + Path(path).stem: path for path in found}


def upward_in_python(paths, text_of):
    """The imports of a module on a higher level; `text_of(path)`."""
    modules = modules_of_lab(paths)
    return [f"{path} imports {name}" for path in paths if MODULE.fullmatch(path) for name in imports(text_of(path))
            if name in modules and level_of(modules[name]) > level_of(path)]


class Rooms(unittest.TestCase):
    def test_includes_point_downwards(self):
        arrows = list(includes(files()))
        self.assertGreater(len(arrows), 200)
        self.assertEqual(upward(arrows, order_of_rooms()), [])

    def test_an_arrow_upwards_is_seen(self):
        order = ["bodies", "check", "bench"]
        self.assertEqual(upward([("common/check/a.cpp", "check", "bodies")], order), [])
        self.assertEqual(upward([("common/check/a.cpp", "check", "bench")], order), ["common/check/a.cpp includes bench/"])
        self.assertEqual(upward([("common/check/a.cpp", "check", "solutions")], order), ["common/check/a.cpp includes solutions/"])

    def test_rooms_keep_to_their_namespaces(self):
        sources = [path for path in files() if path.endswith(CODE)]
        self.assertEqual([path for path in sources if in_other_namespace(path, (ROOT / path).read_text(encoding="utf-8"))], [])

    def test_another_namespace_is_seen(self):
        self.assertFalse(in_other_namespace("common/check/a.cpp", "namespace nbody::check::test {\n"))
        self.assertFalse(in_other_namespace("common/bodies/a.cpp", "namespace nbody {\n"))
        self.assertTrue(in_other_namespace("common/check/a.cpp", "namespace nbody {\n"))
        self.assertTrue(in_other_namespace("common/check/a.cpp", "namespace nbody::bench {\n"))

    def test_the_picture_has_every_room_in_its_layer(self):
        order = order_of_rooms()
        self.assertEqual(sorted(rooms()), sorted(order))
        layer_of = {room: -number for number, (_, layer) in enumerate(LAYERS) for room, _ in layer}
        self.assertEqual(sorted(order, key=layer_of.get), order)

    def test_python_imports_only_lower_modules(self):
        self.assertGreater(len(modules_of_lab(files())), 150)
        self.assertEqual(upward_in_python(files(), lambda path: (ROOT / path).read_text(encoding="utf-8")), [])

    def test_an_import_upwards_is_seen(self):
        paths = [f"common/lab/{name}.py" for name in ("messages", "workshop", "commands_build", "bound/cycles", "grade/marks", "tasks/hint", "draw/__main__", "page/__main__")]
        for text, path, wrong in (("import messages", "tasks/hint", False), ("import hint", "messages", True), ("import workshop", "tasks/hint", True),
                                  ("import workshop", "bound/cycles", False), ("from grade.marks import a", "bound/cycles", True),
                                  ("from grade import marks", "bound/cycles", True), ("import commands_build", "grade/marks", True),
                                  ("def f():\n  import commands_build", "workshop", True), ("import grade.marks", "commands_build", False),
                                  ("import commands_build", "draw/__main__", True), ("import commands_build", "page/__main__", True)):
            file = f"common/lab/{path}.py"
            texts = {file: text}
            self.assertEqual(len(upward_in_python(paths, lambda one, texts=texts: texts.get(one, ""))), wrong, (text, path))

    def test_each_module_has_a_name_of_its_own_in_a_folder_that_is_found(self):
        homes = {}
        for path in files():
            found = re.fullmatch(r"common/lab/(?:([\w/]+)/)?(\w+)\.py", path)
            if found and found[1] not in ("worksheet", "grade") and "/test/" not in path and found[2] != "__main__":
                homes.setdefault(found[2], []).append(found[1] or "")
        self.assertEqual({name: where for name, where in homes.items() if len(where) > 1}, {})
        self.assertEqual({where[0] for where in homes.values()}, {"", *folders.FOLDERS})


if __name__ == "__main__":
    sys.exit(unittest.main())
