"""What the demo says of each row. The demo itself runs in the suite fresh."""

import math
import unittest

from nbody_lab import ROOT
from nbody_lab.export.body_text import BadFile
from nbody_lab.programs.demo import Row, cells_of, earth_in, note_lines, way_of_earth
from tests.folder_for_tests import InFolder

SOLAR_SYSTEM = ROOT / "data/in/solar_system.dat"


def timed(seconds, verdict="right", **more):
    return {
        "interactions_per_s": {
            "median": 1e9 / seconds if seconds else 0,
            "lower_quartile": 0.99e9,
            "upper_quartile": 1.01e9,
        },
        "verdict": verdict,
        "seconds_of_rounds": [seconds] * 3,
        "cores_of_others_in_rounds": [0.0] * 3,
        "error": 1e-6,
        "limit": 1e-5,
        "busy_machine": False,
        **more,
    }


def checked(verdict="passed", as_expected=True, sentence=""):
    return {"verdict": verdict, "as_expected": as_expected, "sentence": sentence, "cases": [{}]}


NAIVE = Row("naive", "", 1e-6, checked(), timed(1.0))


class Rows(unittest.TestCase):
    def test_have_a_verdict_each(self):
        for row, last in (
            (NAIVE, "passed"),
            (Row("mine", "not built"), "skipped: not built"),
            (Row("mine", "", 1e-6, checked("FAILED", False), timed(0.5)), "FAILED"),
            (Row("mine", "", 1e-6, checked(), timed(0.5, "WRONG")), "FAILED while timed"),
            (
                Row(
                    "race", "", 1e-6, checked("fails as expected"), timed(0.5, "wrong, as expected")
                ),
                "fails as expected",
            ),
            (
                Row("mine", "", 1e-6, checked(), timed(0, "too busy to measure")),
                "passed; not timed",
            ),
        ):
            self.assertEqual(cells_of(row, NAIVE)[-1], last)

    def test_are_compared_with_naive(self):
        self.assertEqual(
            cells_of(Row("mine", "", math.inf, checked(), timed(0.5)), NAIVE),
            ["mine", "2.000", "1 %", "2.00", "1.0e-06", "1e-05", "inf", "passed"],
        )

    def test_notes_name_their_program(self):
        rows = [
            NAIVE,
            Row(
                "mine",
                "",
                1e-6,
                checked("FAILED", False, "a tail is skipped"),
                timed(0, "too busy", busy_machine=True),
            ),
        ]
        self.assertEqual(
            list(note_lines(rows)),
            [
                "  mine not timed: too busy",
                "  the machine is busy: ratios mean little now; run again when it is quiet",
                "",
                "  mine: a tail is skipped",
            ],
        )


class Earth(InFolder):
    def test_it_is_the_fourth_body(self):
        position, _ = earth_in(SOLAR_SYSTEM)
        self.assertAlmostEqual(
            math.hypot(*position) / 1.496e11, 1, delta=0.03
        )  # an astronomical unit
        self.assertAlmostEqual(way_of_earth(SOLAR_SYSTEM) / (2 * math.pi * 1.496e11), 1, delta=0.03)

    def test_a_file_without_it_is_refused(self):
        for text in ("1\n1 1 0 0 0 0 0 0\n", "words", ""):
            (self.folder / "solar_system.dat").write_text(text)
            with self.assertRaises(BadFile):
                earth_in(self.folder / "solar_system.dat")
