"""Do the rung, part, scheme and question of contributing_example.py work with every command?"""

import os
import subprocess
import unittest
from pathlib import Path

import pytest

TREE = Path(os.environ.get("LAB_TREE", ""))
pytestmark = pytest.mark.skipif(
    "LAB_TREE" not in os.environ, reason="belongs to suite contributing"
)


def lab(*words):
    done = subprocess.run(
        [TREE / "lab", *words],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    return done.returncode, done.stdout + done.stderr


class Contributing(unittest.TestCase):
    def judged(self, part, name):
        status, said = lab("check", part, name, "--largest", "129", "--seed", "1")
        self.assertEqual(status, 0, said)
        self.assertIn(f"{part}/{name}: passed", said)

    def test_rung(self):
        if not (TREE / "solutions").is_dir():
            self.skipTest("this copy of the lab has no folder solutions/")
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

    def test_scheme(self):
        """The checker judges it with the others, and run accepts it."""
        status, said = lab(
            "run", "part9", "naive", "--scene", "two-body", "-i", "100", "--integrator", "halves"
        )
        self.assertEqual(status, 0, said)
        self.assertIn("integrator  halves: semi-implicit Euler, each step in two halves", said)
        status, said = lab("check", "part9", "mine", "--largest", "129", "--seed", "1", "-v")
        self.assertEqual(status, 0, said)
        self.assertRegex(said, "integrators: halves .* ok")

    def judged_question(self, answer):
        """(status, output) for the question with this answer."""
        sheet = TREE / "part1_standard_opti/worksheet.hpp"
        text = sheet.read_text(encoding="utf-8")
        sheet.write_text(
            text.replace("bytes_of_body = unanswered", f"bytes_of_body = {answer}"),
            encoding="utf-8",
        )
        try:
            return lab("worksheet", "part1", "21")
        finally:
            sheet.write_text(text, encoding="utf-8")

    def test_question(self):
        status, said = self.judged_question(40)
        self.assertEqual(status, 0, said)
        self.assertRegex(said, r"21 +bytes of a body +exact +40 +right")
        status, said = self.judged_question(7)
        self.assertEqual(status, 1, said)
        self.assertRegex(said, r"21 +bytes of a body +exact +7 +wrong")
