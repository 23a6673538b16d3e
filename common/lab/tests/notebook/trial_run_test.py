"""Trials of real programs, right and wrong ones: trial_run_test.py BUILD

Each costs seconds, so each of them is asked much. On a machine that never has the cores there is no number, and nothing
false is said.
"""

import contextlib
import io
import json

import pytest

from nbody_lab.core.messages import Failure
from nbody_lab.notebook.trial import BUSY, Programs, Question, columns_of, tried
from nbody_lab.notebook.trial_text import lines_of
from tests import BUILD
from tests.folder_for_tests import InFolder

BEFORE = {"row": "4", "name": "mine", "threads": "1", "times_naive": "1.5", "spread": "0.04"}
ROWS = {
    "naive": "part1/naive",
    "mine": "honest/third_law",
    "loud": "honest/prints",
    "rough": "wrong/wrong",
    "crash": "wrong/crash",
}


def row_of(name, program, **more):
    one = {"precision": "float", "instruction_set": "", "program": str(program), "target": ""}
    return {
        "part": "part1",
        "name": name,
        "kind": "rung",
        "summary": "",
        "source": "",
        "class": "",
        "parent": "",
        "prediction": None,
        "long_diff": "",
        "flags": ["-O3"],
        "needs": [],
        "expect": "",
        "program": str(program),
        "target": "",
        "arguments": [],
        "programs": [one],
        "count": None,
        **more,
    }


pytestmark = pytest.mark.slow  # it measures


class Trials(InFolder):
    def setUp(self):
        super().setUp()
        rows = [
            row_of(
                name,
                BUILD / "bin" / program,
                arguments=["--mistake", "raw_rsqrt"] if name == "rough" else [],
            )
            for name, program in ROWS.items()
        ]
        rows.append(row_of("needy", BUILD / "bin/part1/naive", needs=["no_such_feature"]))
        part = {
            "name": "part1",
            "folder": "",
            "default_step": "fixed",
            "device": "cpu",
            "launcher": [],
            "ranks": 1,
            "studies": "",
        }
        (self.folder / "manifest.json").write_text(
            json.dumps({"version": 2, "parts": [part], "implementations": rows})
        )

    def tried(self, name, expected=1.5, **question):
        """(trial, its text)"""
        with contextlib.redirect_stdout(io.StringIO()):
            trial = tried(
                Programs("part1", BUILD, self.folder / "manifest.json"),
                Question(name, expected, wait=30, **question),
            )
        self.assertEqual([file.name for file in self.folder.iterdir()], ["manifest.json"])
        return trial, "\n".join(lines_of(trial, f"part1/{name}"))

    def was_too_busy(self, trial, said):
        if trial.verdict != BUSY:
            return False
        self.assertIn("\n  busy      ", said)
        self.assertNotIn("measured", columns_of(trial))
        return True

    def test_beside_naive(self):
        trial, said = self.tried("mine", 100, threads=1, adaptive=True)
        self.assertRegex(
            said,
            r"^part1/mine: right \(\d{3} cases\)\n  timed with 2000 bodies, adaptive step, float, 1 thread, flags -O3\n",
        )
        if self.was_too_busy(trial, said):
            return
        # On a machine that others use, the noise may hide even a factor of two.
        self.assertIn(
            trial.verdict,
            ("less than expected", "no difference beyond the spread", "too noisy to tell"),
        )
        self.assertNotIn("note ", said)
        self.assertEqual(trial.program, BUILD / "bin/honest/third_law")
        found = columns_of(trial)
        self.assertEqual(found["measured"], found["times_naive"])
        self.assertLessEqual(found["lower"], found["upper"])

    def test_wrong_ones_are_not_timed(self):
        trial, said = self.tried("rough")
        self.assertRegex(said, r"part1/rough: WRONG in \d+ of \d+ cases")
        self.assertIn("reciprocal square root", trial.verdict)
        self.assertIsNone(trial.mine)
        self.assertIn("died", self.tried("crash")[0].verdict)

    def test_beside_a_row_whose_program_is_kept(self):
        trial, said = self.tried(
            "loud",
            1,
            n=100,
            threads=2,
            before=BEFORE,
            before_program=BUILD / "bin/honest/third_law",
        )
        if self.was_too_busy(trial, said):
            return
        self.assertIn("\n             row 4 with 1 thread, as it was measured\n", said)
        self.assertIn("\n  row 4, mine  ", said)
        self.assertIn("it writes to standard output or error", said)
        self.assertFalse(trial.over_before.estimated)

    def test_again_runs_the_kept_program_and_estimates_without_the_one_before(self):
        trial, said = self.tried(
            "crash", 1, n=100, program=BUILD / "bin/honest/third_law", before=BEFORE
        )
        self.assertEqual(trial.wrong, "")
        if not self.was_too_busy(trial, said):
            self.assertIn("\n  measured  ~", said)

    def test_what_cannot_run_here_is_refused(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(Failure):
            self.tried("needy")
        self.assertEqual(said.getvalue(), "lab: part1/needy: skipped: needs no_such_feature\n")
