"""Does the list match the manifest, and show the checker's test simulators only on request?"""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from tests import as_program


def entry(part, name, kind, flags=""):
    return {
        "part": part,
        "name": name,
        "kind": kind,
        "summary": "what " + name,
        "flags": flags.split(),
    }


class ListTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.manifest = Path(self.folder.name, "manifest.json")
        self.manifest.write_text(
            json.dumps(
                {
                    "version": 2,
                    "parts": [],
                    "implementations": [
                        entry("part1", "naive", "naive", "-O3"),
                        entry("part1", "mine", "mine", "-O3 -fopenmp"),
                        entry("part2", "naive", "naive"),
                        entry("wrong", "zeros", "wrong"),
                        entry("part1", "fused", "rung"),
                    ],
                }
            )
        )

    def tearDown(self):
        self.folder.cleanup()

    def list(self, *words):
        return subprocess.run(
            [*as_program("commands.listing", "show"), self.manifest, *words],
            capture_output=True,
            text=True,
            check=False,
        )

    def test_all_parts_but_not_the_zoo(self):
        self.assertEqual(
            self.list().stdout.splitlines(),
            [
                "part   implementation  kind   what it is",
                "-----  --------------  -----  ----------",
                "part1  naive           naive  what naive",
                "part1  mine            mine   what mine",
                "part1  fused           rung   what fused",
                "part2  naive           naive  what naive",
                "",
                "with flags: ./lab list PART",
            ],
        )

    def test_one_part_has_the_flags(self):
        self.assertEqual(
            self.list("part1").stdout.splitlines()[:4],
            [
                "part   implementation  kind   what it is  flags",
                "-----  --------------  -----  ----------  ------------",
                "part1  naive           naive  what naive  -O3",
                "part1  mine            mine   what mine   -O3 -fopenmp",
            ],
        )
        self.assertIn("zeros", self.list("wrong").stdout)

    def test_no_such_part(self):
        answer = self.list("part9")
        self.assertEqual(
            (answer.returncode, answer.stdout, answer.stderr),
            (2, "", "lab: there is no part 'part9'\n"),
        )
