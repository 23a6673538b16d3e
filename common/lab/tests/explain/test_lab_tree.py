"""A small tree of the lab for tests: a part, its manifest, and compiler messages about its headers."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from nbody_lab import ROOT as LAB
from nbody_lab.explain import failure
from tests import ended_with

HERE = Path(__file__).resolve().parent
PART1, PART3 = "part1_standard_opti", "part3_cuda"


def compilers():
    """The compiler that LAB_CXX names; by default the system's."""
    return [found for word in [os.environ.get("LAB_CXX", "c++")] if (found := shutil.which(word))]


def row(part, folder, name, suffix):
    def program(precision):
        output = name + ("_double" if precision == "double" else "")
        return {
            "precision": precision,
            "instruction_set": "",
            "program": f"bin/{part}/{output}",
            "target": f"{part}_{output}",
        }

    return {
        "part": part,
        "name": name,
        "kind": "naive" if name == "naive" else "mine",
        "class": name.capitalize(),
        "source": f"{folder}/{name}{suffix}",
        "programs": [program("float"), program("double")],
        "count": None,
    }


class Tree:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name).resolve()
        self.build = self.root / "build/release"
        self.log = self.build / "lab.log"
        for folder in (
            PART1,
            PART3,
            f"build/release/{PART1}",
            "build/release/bin/part1",
            "build/release/bin/part3",
        ):
            (self.root / folder).mkdir(parents=True)
        for file in ("naive.hpp", "mine.hpp", "flags.txt"):
            shutil.copy(LAB / PART1 / file, self.root / PART1)
        rows = [
            row("part1", PART1, "naive", ".hpp"),
            row("part1", PART1, "mine", ".hpp"),
            row("part3", PART3, "naive", ".cuh"),
            row("part3", PART3, "mine", ".cuh"),
        ]
        (self.build / "manifest.json").write_text(
            json.dumps({"version": 2, "parts": [], "implementations": rows})
        )

    def close(self):
        self.folder.cleanup()

    def write(self, text, file=f"{PART1}/mine.hpp"):
        (self.root / file).write_text(text, encoding="utf-8")

    def pasted(self):
        """mine.hpp as given, which begins with the naive forces: a student's usual start."""
        return (LAB / PART1 / "mine.hpp").read_text(encoding="utf-8")

    def program(self):
        """The program that CMake writes for mine.hpp."""
        text = (LAB / "common/simulator/program.cpp.in").read_text(encoding="utf-8")
        values = {
            "HEADER": f"{self.root}/{PART1}/mine.hpp",
            "CLASS": "Mine",
            "INCLUDES": "",
            "LIVE_FLOPS": "nullptr",
            "ACCELERATOR": "nullptr",
            "MAKE": "make_this_one",
        }
        file = self.build / PART1 / "mine.cpp"
        file.write_text(re.sub(r"@LAB_(\w+)@", lambda word: values.get(word[1], ""), text))
        return file

    def compile(self, compiler, *flags, real="float", to=("-fsyntax-only",), program=None):
        """The compiler's output for `program`, by default that of mine.hpp; empty if all is well."""
        done = subprocess.run(
            [
                compiler,
                "-std=c++20",
                f"-I{LAB}/common",
                f"-DLAB_REAL={real}",
                '-DLAB_INSTRUCTION_SET=""',
                *flags,
                *to,
                program or self.program(),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stderr if done.returncode or "warning: " in done.stderr else ""

    def failed(self, *targets):
        """Writes a ninja log; `targets`: (failed target, the output of its step)."""
        steps = "".join(f"FAILED: [code=1] {name} \nthe command\n{said}" for name, said in targets)
        self.log.write_text(
            f"[1/2] Building\n{steps}ninja: build stopped: subcommand failed.\n", encoding="utf-8"
        )


def object_of(target, folder=PART1, source="mine.cpp"):
    return f"{folder}/CMakeFiles/{target}.dir/{source}.o"


def sections(text, mark="==="):
    """{title: the lines below "=== title"}"""
    pieces = re.split(rf"^{mark} (.*)\n", text, flags=re.M)
    return dict(zip(pieces[1::2], pieces[2::2]))


def recorded():
    """{name: output} recorded from nvcc, with the lab's folder as ROOT."""
    return sections((HERE / "nvcc_said.txt").read_text(encoding="utf-8"))


class Example:
    """A header of uncountable.txt or loops.txt, written into a folder; said: {compiler: its recorded output}."""

    def __init__(self, name, text, folder, header_of):
        self.name, self.header = name, folder / f"{name}.hpp"
        self.code = header_of(text.partition("--- ")[0])
        self.said = {
            who: said.replace("FOLDER", str(folder)) for who, said in sections(text, "---").items()
        }
        self.header.write_text(self.code, encoding="utf-8")


def examples(file, header_of):
    """All examples of a file, with their headers in a new folder; header_of(code) completes one. Call in setUpModule."""
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    text = (HERE / file).read_text(encoding="utf-8")
    return [
        Example(name, section, Path(folder.name).resolve(), header_of)
        for name, section in sections(text).items()
    ]


class ExplainTest(unittest.TestCase):
    def setUp(self):
        self.tree = Tree()
        self.addCleanup(self.tree.close)

    def explain(self, status):
        """The lines that say why a step failed."""
        tree = self.tree
        found, out, err = ended_with(failure.explain, tree.log, tree.root, tree.build)
        self.assertEqual((found, out), (status, ""), err)
        for name in ("__gnu_cxx", "\u2018", str(tree.root)):
            self.assertNotIn(name, err)
        return err.splitlines()

    def expect(self, status, *words):
        """Checks that the last line holds the words in this order, after at most six other lines."""
        lines = self.explain(status)
        self.assertRegex(lines[-1], ".*".join(map(re.escape, words)))
        self.assertLessEqual(len(lines), 7)
        return lines
