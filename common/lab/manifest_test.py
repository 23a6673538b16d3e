#!/usr/bin/env python3
"""The manifest's answers to scripts, and its complaints about bad files."""

import json
import subprocess
import sys
import unittest
from pathlib import Path

from folder_for_tests import InFolder

MANIFEST = Path(__file__).with_name("manifest.py")


def program(name, precision, instruction_set=""):
    return {"precision": precision, "instruction_set": instruction_set, "program": f"bin/part2/{name}", "target": f"part2_{name}"}


ROWS = [
    {"part": "part1", "name": "naive", "kind": "naive", "source": "part1/naive.hpp", "flags": ["-O3", "-g"], "count": None,
     "program": "bin/part1/naive", "programs": []},
    {"part": "part2", "name": "naive", "kind": "naive", "source": "part2/naive.hpp", "flags": [], "count": None,
     "program": "bin/part2/naive", "programs": [program("naive", "float"), program("naive_double", "double")]},
    {"part": "part2", "name": "wide", "kind": "rung", "source": "part2/wide.hpp", "flags": [], "count": None,
     "program": "bin/part2/wide", "programs": [program(f"wide_{s}{p and '_' + p}", p or "float", s)
                                               for p in ("", "double") for s in ("sse2", "avx2")]},
]


class ManifestTest(InFolder):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "manifest.json"
        self.file.write_text(json.dumps({"version": 2, "implementations": ROWS, "parts": [
            {"name": "part1", "folder": "part1", "default_step": "adaptive"}, {"name": "part2", "folder": "part2"}]}))

    def ask(self, *words, status=0):
        done = subprocess.run([sys.executable, MANIFEST, self.file, *words], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return (done.stderr if status else done.stdout).split("\n")[:-1]

    def test_names(self):
        self.assertEqual(self.ask("parts"), ["part1", "part2"])
        self.assertEqual(self.ask("names", "part2"), ["naive", "wide"])
        self.assertEqual(self.ask("names", "part2", "rung"), ["wide"])

    def test_fields(self):
        self.assertEqual(self.ask("get", "part1", "naive", "flags"), ["-O3 -g"])
        self.assertEqual(self.ask("get", "part2", "wide", "source"), ["part2/wide.hpp"])
        self.assertEqual(self.ask("get", "part2", "wide", "count"), [""])
        self.assertEqual(self.ask("part", "part1", "default_step"), ["adaptive"])

    def test_targets(self):
        self.assertEqual(self.ask("targets", "part2", "naive", "double"), ["bin/part2/naive_double"])
        # The launcher comes with the programs it chooses from.
        self.assertEqual(self.ask("targets", "part2", "wide", "float"), ["bin/part2/wide_sse2", "bin/part2/wide_avx2", "bin/part2/wide"])
        self.assertEqual(self.ask("targets", "part2", "wide", "double", "avx2"), ["bin/part2/wide_avx2_double"])

    def test_what_there_is_not(self):
        self.assertEqual(self.ask("get", "part2", "wied", "source", status=2),
                         ["lab: part2 has no implementation 'wied'; it has: naive wide"])
        self.assertEqual(self.ask("get", "part9", "naive", "source", status=2), ["lab: there is no part 'part9'; parts: part1 part2"])
        self.assertEqual(self.ask("colour", status=2), ["lab: manifest.py does not know 'colour'"])
        self.assertIn("names PART", "\n".join(self.ask("get", "part2", status=2)))

    def test_no_manifest(self):
        for text, said in {"{": "not a manifest of the lab", "[]": "not a manifest of the lab", '{"version": 1}': "version 1, not 2"}.items():
            self.file.write_text(text)
            self.assertEqual(len(self.ask("parts", status=2)), 1)
            self.assertIn(f"{self.file}: {said}", self.ask("parts", status=2)[0])
            self.assertIn("configure again with cmake", self.ask("parts", status=2)[0])
        self.file.unlink()
        self.assertIn("not a manifest of the lab", self.ask("parts", status=2)[0])


if __name__ == "__main__":
    unittest.main()
