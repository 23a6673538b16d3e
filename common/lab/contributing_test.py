"""Do the new rung and the new part of contributing_example.py take part in everything?

    contributing_test.py TREE      a copy of the tree that has them, built
"""

import os
import subprocess
import sys
import unittest
from pathlib import Path

TREE = Path(sys.argv.pop()).resolve()


def lab(*words):
    done = subprocess.run([TREE / "lab", *words], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout + done.stderr


class Contributing(unittest.TestCase):
    def judged(self, part, name):
        status, said = lab("check", part, name, "--largest", "129", "--seeds", "1")
        self.assertEqual(status, 0, said)
        self.assertIn(f"{part}/{name}: passed", said)

    def test_rung(self):
        if not (TREE / "solutions").is_dir():
            self.skipTest("there is no folder solutions")
        self.judged("part1", "renamed")
        status, said = lab("list", "part1")
        self.assertIn("fused under another name", said)
        status, said = lab("diff", "part1", "renamed")
        self.assertEqual(status, 0, said)
        self.assertIn("part1/renamed beside fused", said)
        status, said = lab("count", "part1", "renamed")
        self.assertEqual(status, 0, said)
        self.assertIn("compute_accelerations", said)

    def test_part(self):
        self.judged("part9", "mine")
        status, said = lab("run", "part9", "naive", "-n", "10", "-i", "2", "--precision", "double")
        self.assertEqual(status, 0, said)
        self.assertIn("precision   double", said)
        if (TREE / "solutions").is_dir():
            self.judged("part9", "twice")


if __name__ == "__main__":
    os.environ.pop("MAKEFLAGS", None)
    unittest.main()
