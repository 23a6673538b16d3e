"""What ./lab try says of the answers of check and bench, made up here; trial_run_test.py asks real programs."""

import contextlib
import io
import os
import unittest
from pathlib import Path
from unittest import mock

from nbody_lab.core.messages import Failure
from nbody_lab.notebook.trial import (
    Programs,
    Question,
    Trial,
    bench_words,
    columns_of,
    conditions_of,
    with_kept_programs,
)
from nbody_lab.notebook.trial_text import lines_of

BEFORE = {"row": "3", "name": "mine", "threads": "2", "times_naive": "1.5", "spread": "0.04"}
MANIFEST = {
    "version": 2,
    "parts": [
        {"name": "part1", "launcher": [], "ranks": 1},
        {"name": "part4", "launcher": ["mpiexec"], "ranks": 2},
    ],
    "implementations": [
        {
            "part": part,
            "name": name,
            "class": "Mine",
            "parent": "naive",
            "flags": ["-O3"],
            "count": {},
            "program": f"bin/{part}/{name}",
            "programs": [{"precision": "float", "instruction_set": ""}],
        }
        for part in ("part1", "part4")
        for name in ("naive", "mine")
    ],
}
PROGRAMS = Programs("part1", Path("/build"), Path("/build/manifest.json"))


def row(seconds=1.0, verdict="right", **more):
    """A row of bench: nine rounds."""
    return {
        "verdict": verdict,
        "interactions_per_s": {
            "median": 1e9 / seconds,
            "lower_quartile": 0.99e9 / seconds,
            "upper_quartile": 1.01e9 / seconds,
        },
        "seconds_of_rounds": [seconds] * 9,
        "cores_of_others_in_rounds": [0.0] * 9,
        "cores_used": 1.0,
        "too_busy": False,
        "about_cores": "",
        "writes": False,
        "step_count_verified": True,
        "error": 1e-6,
        "limit": 1e-5,
        **more,
    }


def trial_of(*rows, **question):
    """The trial of a right program, with the rows of bench."""
    question = Question("mine", question.pop("expected", 2.0), **question)
    check = {
        "implementations": [
            {
                "verdict": "passed",
                "as_expected": True,
                "sentence": "",
                "cases": [{"group": "forces", "verdict": "passed"}] * 700,
            }
        ]
    }
    trial = Trial(question, conditions_of(PROGRAMS, MANIFEST, question), check)
    trial.take_times(rows)
    return trial


def text_of(trial):
    return "\n".join(lines_of(trial, "part1/mine"))


class Asked(unittest.TestCase):
    def conditions(self, part="part1", device="", **question):
        return conditions_of(
            Programs(part, Path("/build"), Path("/build/manifest.json"), device),
            MANIFEST,
            Question("mine", 1.5, **question),
        )

    def test_conditions_in_words(self):
        kept = {"before": BEFORE, "before_program": Path("/kept")}
        with mock.patch.dict(os.environ, OMP_NUM_THREADS="3"):
            for conditions, words in (
                (self.conditions(), "2000 bodies, fixed step, float, 3 threads at most, flags -O3"),
                (
                    self.conditions(threads=1, adaptive=True, n=100),
                    "100 bodies, adaptive step, float, 1 thread, flags -O3",
                ),
                (
                    self.conditions(device="Abacus"),
                    "16384 bodies, fixed step, float, Abacus, flags -O3",
                ),
                (
                    self.conditions("part4", ranks=1),
                    "2000 bodies, fixed step, float, 1 rank, 3 threads at most, flags -O3",
                ),
                (
                    self.conditions("part4"),
                    "2000 bodies, fixed step, float, 2 ranks, 3 threads at most, flags -O3",
                ),
            ):
                self.assertEqual(str(conditions), words)
        self.assertEqual(
            self.conditions(threads=1, **kept).before,
            "row 3 with 2 threads at most, as it was measured",
        )
        self.assertEqual(
            (
                self.conditions(threads=2, **kept).before,
                self.conditions(threads=1, before=BEFORE).before,
            ),
            ("", ""),
        )

    def test_ranks_are_for_part_4(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(Failure):
            self.conditions(ranks=2)
        self.assertEqual(
            said.getvalue(), "lab: --ranks: part1 runs as one process; part 4 runs as several\n"
        )

    def test_words_for_bench(self):
        question = Question("mine", 1.5, BEFORE, Path("/kept"), threads=1, adaptive=True, wait=60)
        words = bench_words(conditions_of(PROGRAMS, MANIFEST, question), question)
        self.assertEqual(
            words[:2] + words[8:],
            ["-n", 2000, "--threads", 1, "--last-threads", 2, "--vdt", "--wait", 60],
        )
        question = Question("mine", 1.5, ranks=4)
        self.assertIn("--own-threads", bench_words(self.conditions(), question))
        self.assertEqual(
            bench_words(self.conditions("part4", ranks=4), question)[-2:], ["--ranks", 4]
        )
        self.assertEqual(
            bench_words(self.conditions(device="Abacus"), question)[-2:], ["--device", "Abacus"]
        )

    def test_kept_programs_join_the_manifest(self):
        rows = with_kept_programs(
            MANIFEST, "part1", Question("mine", 1.5, BEFORE, Path("/kept/3"), Path("/kept/5"))
        )["implementations"]
        mine, before = rows[-2:]
        self.assertEqual(
            (len(rows), mine["name"], mine["class"], mine["programs"][0]["program"]),
            (5, "mine", "Mine", "/kept/5"),
        )
        self.assertEqual(
            (before["name"], before["class"], before["programs"][0]["program"]),
            ("row 3", "", "/kept/3"),
        )
        self.assertEqual(
            sorted(
                map(
                    str,
                    with_kept_programs(MANIFEST, "part1", Question("mine", 1.5))["implementations"],
                )
            ),
            sorted(map(str, MANIFEST["implementations"])),
        )


class Answered(unittest.TestCase):
    def test_beside_naive(self):
        trial = trial_of(row(2.0), row(1.0), threads=1)
        self.assertEqual(
            text_of(trial),
            """\
part1/mine: right (700 cases)
  timed with 2000 bodies, fixed step, float, 1 thread, flags -O3

  program  10^9 interactions/s  spread  x naive
  -------  -------------------  ------  -------
  naive                  0.500     2 %     1.00
  mine                   1.000     2 %     2.00
  speeds: medians of all rounds; x: median of the rounds' ratios, not the ratio of the speeds

  expected  2.00 x naive (15 % more or less is as expected)
  measured  2.00 x, 2.00 to 2.00 in the middle half
  cores     1.0 in use on average while it was timed
  verdict   as expected""",
        )
        self.assertEqual(
            columns_of(trial),
            {
                "expected": 2.0,
                "verdict": "as expected",
                "n": 2000,
                "step": "fixed",
                "scene": "plummer",
                "precision": "float",
                "threads": "1",
                "device": "",
                "flags": "-O3",
                "measured": 2.0,
                "lower": 2.0,
                "upper": 2.0,
                "times_naive": 2.0,
                "interactions_per_s": 1e9,
                "spread": 0.02,
            },
        )

    def test_beside_the_row_before(self):
        kept = {"before": BEFORE, "before_program": Path("/kept"), "threads": 1}
        said = text_of(trial_of(row(3.0), row(1.0), row(1.5), expected=1.5, **kept))
        for line in (
            "             row 3 with 2 threads at most, as it was measured\n",
            "\n  row 3, mine                0.667     2 %     2.00\n",
            "  expected  1.50 x row 3, mine",
            "  measured  1.50 x",
            "verdict   as expected",
        ):
            self.assertIn(line, said)
        # Its program is gone, or no longer right.
        for trial in (
            trial_of(row(3.0), row(1.0), before=BEFORE),
            trial_of(row(3.0), row(1.0), row(1.5, "WRONG"), **kept),
        ):
            self.assertIn("  measured  ~2.00 x", text_of(trial))
            self.assertIn(
                "\n            ~ estimated from both speed-ups over naive: the older program is gone\n",
                text_of(trial),
            )

    def test_noise_is_told(self):
        self.assertIn(
            "\n            that is within the noise of this measurement\n",
            text_of(trial_of(row(1.0), row(1.0))),
        )
        wild = row(1.0, seconds_of_rounds=[0.3, 0.7, 0.5] * 3)
        self.assertIn(
            "\n            rounds differ by more than 30 %: try again when the machine is quiet\n",
            text_of(trial_of(row(1.0), wild)),
        )

    def test_on_a_busy_machine_there_is_no_number(self):
        busy = row(
            0.0001,
            "too busy to measure",
            too_busy=True,
            about_cores="its 2 threads had 1.0 cores on average",
        )
        others = row(2.0, cores_of_others_in_rounds=[1.0] * 9)
        for trial, why in (
            (trial_of(row(2.0), busy), "its 2 threads had 1.0 cores on average"),
            (trial_of(busy, row(1.0)), "its 2 threads had 1.0"),
            (
                trial_of(others, row(1.0)),
                "other programs came and went; try again when the machine is quiet, or with --wait 120",
            ),
        ):
            said = text_of(trial)
            self.assertIn(f"\n  busy      {why}", said)
            self.assertTrue(said.endswith("\n  verdict   no verdict: the machine was busy"), said)
            self.assertNotIn("10^9", said)
            self.assertNotIn("measured", columns_of(trial))

    def test_wrong_while_timed_is_wrong_and_a_case(self):
        trial = trial_of(row(2.0), row(1.0, "WRONG: joined steps"))
        self.assertEqual(text_of(trial).splitlines()[0], "part1/mine: WRONG")
        self.assertTrue(
            text_of(trial).endswith("verdict   wrong: while it was timed: WRONG: joined steps")
        )
        self.assertEqual(
            (
                trial.checked["verdict"],
                trial.checked["as_expected"],
                trial.checked["cases"][-1]["group"],
            ),
            ("FAILED", False, "timed"),
        )
        self.assertNotIn("measured", columns_of(trial))

    def test_wrong_is_not_timed(self):
        trial = trial_of(row(2.0), row(1.0))
        trial.mine = trial.over_before = None
        trial.wrong = "it is NaN\x1b"
        trial.checked["cases"] = [
            {"group": "forces", "verdict": verdict} for verdict in ("failed", "passed", "not run")
        ]
        self.assertEqual(
            text_of(trial),
            "part1/mine: WRONG in 1 of 3 cases; ./lab check shows which\n  verdict   wrong: it is NaN\\x1b",
        )

    def test_notes(self):
        said = text_of(trial_of(row(2.0), row(1.0, writes=True, step_count_verified=False)))
        self.assertIn(
            "  note      it writes to standard output or error while it computes, which takes time: remove the",
            said,
        )
        self.assertIn("  note      it is unknown whether all steps were made", said)

    def test_a_naive_that_does_not_run_is_told(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(Failure):
            trial_of(row(2.0, "died"), row(1.0))
        self.assertEqual(said.getvalue(), "lab: naive does not run: died\n")
