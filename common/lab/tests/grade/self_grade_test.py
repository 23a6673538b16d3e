"""./lab grade --self in a tree without solutions: the handout's ratios replace the solution."""

import argparse
import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from nbody_lab.core.messages import ended
from nbody_lab.grade import command
from nbody_lab.grade.rubric import read_rubric
from nbody_lab.grade.score import score
from nbody_lab.grade.self_grade import with_references
from tests.grade.scored_for_tests import measured, no_part, part, row, speed

HERE = Path(__file__).resolve().parent

RUBRIC = read_rubric(HERE / "rubric_for_tests.json")
ALONE = {"share_of_solution": None, "solution": "", "solution_interactions_per_s": None}


def reference(threads, x_naive, step="fixed"):
    return {
        "x_naive": x_naive,
        "threads": threads,
        "bodies": 5000,
        "step": step,
        "machine": "A processor",
        "compiler": "g++ 12",
        "day": "2026-11-21",
    }


class SelfGrade(unittest.TestCase):
    def graded(self, *references, threads=1):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "data").mkdir()
            if references:
                (root / "data/references.json").write_text(
                    json.dumps({"parts": {"part1": references}})
                )
            one = measured(
                part1=part(row(speed=[speed(0.5, threads, times_naive=6.0, **ALONE)])),
                part2=no_part(),
            )
            told = score([with_references(one, root)], RUBRIC)["submissions"][0]
        return next(item for item in told["items"] if item["item"].startswith("speed, 1 thread"))

    def test_the_band_is_told(self):
        item = self.graded(reference(1, 30, "adaptive"), reference(1, 10), reference(2, 20))
        self.assertEqual((item["points"], item["state"]), (5, "graded"))
        self.assertIn(
            "0.6 of the solution's speed (0.6 of 1.4 x 10^9 interactions/s, data/references.json, measured on A processor)",
            item["why"],
        )

    def test_without_a_ratio_nothing_is_made_up(self):
        for references in ([], [reference(2, 20)]):
            item = self.graded(*references)
            self.assertEqual((item["points"], item["state"]), (None, "not graded here"))

    def test_a_solution_that_was_timed_stays(self):
        one = measured(part1=part(row(speed=[speed(0.5)])))
        self.assertEqual(
            with_references(one, HERE)["parts"]["part1"]["rows"][0]["speed"][0]["solution"],
            "third_law",
        )


RECORDS = [{"parts": {"part1": {}}}, {"parts": {"part1": {}, "part2": {}}}]


class RescoreTest(unittest.TestCase):
    def rescored(self, *parts, records=RECORDS):
        """(message, whether it was scored)"""
        options, said = argparse.Namespace(part=list(parts), rubric=""), io.StringIO()
        with (
            contextlib.redirect_stderr(said),
            mock.patch.multiple(
                command,
                as_before=mock.DEFAULT,
                records_of=lambda _: records,
                rescore=mock.DEFAULT,
                read_rubric=lambda _: {"parts": dict.fromkeys(("part1", "part2", "part3"))},
            ) as made,
        ):
            ended(command.rescore_alone, "build/grades", options)
        return said.getvalue(), made["rescore"].called

    def test_a_part_that_was_measured_for_somebody(self):
        self.assertEqual(self.rescored(), ("", True))
        self.assertEqual(self.rescored("part1", "part2"), ("", True))

    def test_a_part_that_was_not(self):
        self.assertEqual(
            self.rescored("part1", "part3"),
            ("lab: part3 was not measured in build/grades, only part1 and part2\n", False),
        )
        self.assertEqual(
            self.rescored("part1", records=[{"parts": {}}]),
            ("lab: part1 was not measured in build/grades, only nothing\n", False),
        )
