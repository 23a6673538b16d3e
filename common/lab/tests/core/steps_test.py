"""Does a long step show its progress, and pass on its status?"""

import io
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from nbody_lab.core import steps


class StepsTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.log = Path(self.folder.name, "log")

    def tearDown(self):
        self.folder.cleanup()

    def run_step(self, label, script):
        """(status, messages)"""
        said = io.StringIO()
        status = steps.run_step(
            label,
            ["bash", "-c", script],
            self.log,
            self.folder.name,
            steps.Step(label, said, between=1),
        )
        return status, said.getvalue()

    def test_ninjas_counts_and_the_time_left(self):
        status, said = self.run_step(
            "working", 'echo "[1/4] one"; echo "[2/4] two"; sleep 3.5; echo "[4/4] four"'
        )
        self.assertEqual(status, 0)
        self.assertRegex(said, r"(?m)^working \.\.\. 2/4, about [234] s left$")
        self.assertRegex(said, r"(?m)^working \.\.\. [34] s$")
        self.assertEqual(len(self.log.read_text(encoding="utf-8").splitlines()), 3)

    def test_the_time_left_comes_late_and_in_minutes_if_long(self):
        for counts, seconds, said in (
            ((0, 40), 9, "0/40"),
            ((3, 40), 60, "3/40"),
            ((4, 40), 10, "4/40, about 91 s left"),
            ((4, 40), 60, "4/40, about 9 min left"),
            ((39, 40), 0.5, "39/40"),
        ):
            self.assertEqual(steps.words_of(counts, seconds), said)

    def test_counts_of_other_tools(self):
        for text, counts in (
            ("[3/40] Building", (3, 40)),
            ("12/120 Test  #12: bodies_test ... Passed", (12, 120)),
            ("building part1 ... 12/40, about 20 s left", (12, 40)),
            ("....F... [ 37%]", (37, 100)),
            ("nothing", None),
        ):
            self.assertEqual(steps.counts_in(text), counts)

    def test_the_time_left_is_that_of_what_is_counted(self):
        status, said = self.run_step(
            "working",
            'echo "[9/9] built"; sleep 3; echo "2/4 Test #2"; sleep 2.5; echo "3/4 Test #3"',
        )
        self.assertEqual(status, 0)
        self.assertRegex(said, r"(?m)^working \.\.\. 2/4, about [1-4] s left$")

    def test_without_counts_the_time(self):
        self.assertRegex(
            self.run_step("configuring", "sleep 2.5")[1], r"(?m)^configuring \.\.\. [12] s so far$"
        )

    def test_a_short_step_is_one_line(self):
        self.assertRegex(self.run_step("short", 'echo "[1/1] all"')[1], r"^short \.\.\. [01] s\n$")

    def test_a_failure_is_its_own_status(self):
        self.assertEqual(
            self.run_step("failing", 'echo "[1/2] one"; exit 3'), (3, "failing ... failed\n")
        )

    def test_nothing_done_is_nothing_said(self):
        self.assertEqual(self.run_step("idle", "echo 'ninja: no work to do.'"), (0, ""))

    def test_on_a_terminal_one_line_is_rewritten(self):
        if not shutil.which("script"):
            self.skipTest("no script to make a terminal with")
        program = (
            f"import pathlib; from nbody_lab.core import steps; "
            f"steps.run_step('working', ['bash', '-c', 'echo [1/4] one; sleep 2.5'], pathlib.Path('{self.log}'), '/')"
        )
        file = Path(self.folder.name, "program.py")
        file.write_text(program, encoding="utf-8")
        said = subprocess.run(
            ["script", "-qec", f"{sys.executable} {file}", "/dev/null"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        self.assertRegex(said, r"working \.\.\. 1/4, about \d+ s left")
        self.assertTrue(
            all(line.startswith("\x1b[K") for line in said.splitlines()[1:]), repr(said)
        )
