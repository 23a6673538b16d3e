"""The text of a roofline: it fits the screen, agrees with the JSON, and says what stands out."""

import csv
import io
import unittest

from nbody_lab.roofline.text import csv_of, percent, text_of, three_digits, with_unit
from tests.roofline import roofline_for_tests as made


class TextTest(unittest.TestCase):
    def test_numbers_are_short(self):
        self.assertEqual(
            [three_digits(number) for number in (1234.5, 12.34, 0.1234, 100, 9.999)],
            ["1230", "12.3", "0.123", "100", "10.0"],
        )
        self.assertEqual(with_unit(3.456e10, "byte/s"), "34.6 GB/s")
        self.assertEqual(with_unit(6.02e13, "flop/s"), "60.2 Tflop/s")
        self.assertEqual(percent(0.925), "92 %")

    def test_it_fits_the_screen(self):
        long = made.roofline(
            [
                ("mine_with_a_name_longer_than_all", "mine", made.NAIVE, "scalar", 3e9),
                ("b", "rung", made.FUSED, "scalar", 1e8),
            ],
            left_out=[{"name": f"rung_{k}", "why": "not counted"} for k in range(20)],
        )
        for data in (made.roofline(), made.roofline_of_gpu(), made.roofline([]), long):
            self.assertLessEqual(max(map(len, text_of(data).splitlines())), 100)

    def test_a_row(self):
        line = next(line for line in text_of(made.roofline()).splitlines() if " fused " in line)
        self.assertEqual(
            line.split(),
            [
                "2",
                "fused",
                "1.12",
                "3210",
                "6.12",
                "102",
                "%",
                "computing",
                "square",
                "root",
                "and",
                "division",
                "91",
                "%",
            ],
        )

    def test_hard_words_of_the_columns_are_explained(self):
        for data, level in (
            (made.roofline(), "served by L1"),
            (made.roofline_of_gpu(), "served by shared memory or L1"),
        ):
            below = " ".join(text_of(data).split("\n\n")[-1].split())
            for words in ("flop/byte:", level, "compulsory:", "limiter:", "of it:"):
                self.assertIn(words, below)

    def test_what_stands_out_is_said(self):
        text = " ".join(
            text_of(
                made.roofline(
                    [
                        ("naive", "naive", made.NAIVE, "scalar", 5e8),
                        ("wide", "rung", made.BLOCKED, "avx512f", 1e9),
                        ("odd", "rung", made.NAIVE, "scalar", 1.1e8),
                    ],
                    left_out=[
                        {"name": "mine", "why": "not counted"},
                        {"name": "race", "why": "not counted"},
                    ],
                    notes=["A note."],
                )
            ).split()
        )
        self.assertIn("! naive lies 125 % over its roof", text)
        self.assertIn("odd is 17 % faster than its lowest limit", text)
        self.assertIn("waiting: no unit is more than 60 % busy", text)
        self.assertIn("./lab bound part1 NAME tells more", text)
        self.assertIn("left out: mine, race: not counted", text)
        self.assertIn("A note.", text)
        self.assertNotIn("over its roof", text_of(made.roofline()))

    def test_what_is_no_ceiling_is_shown_where_there_is_no_better(self):
        """Points are compared with it, so it must be visible."""
        data = made.roofline([("fused", "rung", made.FUSED, "scalar", 2e8)])
        self.assertNotIn("?", text_of(data))
        for row in data["ceilings"]["ceilings"]:
            if row["name"] == "scalar" and row["kind"] == "flops":
                row["is_ceiling"] = False
        text = " ".join(text_of(data).split())
        self.assertIn("scalar 6.00 Gflop/s?", text)
        self.assertIn("?: 1 of 14 ceilings varied too much", text)
        better = {
            **next(row for row in data["ceilings"]["ceilings"] if row["name"] == "scalar"),
            "best": 5e9,
            "is_ceiling": True,
        }
        data["ceilings"]["ceilings"].append(better)
        self.assertIn("scalar 5.00 Gflop/s,", text_of(data))
        for row in data["ceilings"]["ceilings"]:
            row["is_ceiling"] = False
        self.assertIn("?: every ceiling varied", " ".join(text_of(data).split()))

    def test_a_busy_machine_is_blamed_before_the_program(self):
        data = made.roofline([("odd", "rung", made.NAIVE, "scalar", 1e7)])
        self.assertRegex(text_of(data), r"computing +waiting ")
        data["points"][0]["busy_machine"] = True
        text = text_of(data)
        self.assertIn("busy machine?", text)
        self.assertNotIn("waiting", text)
        self.assertIn("the machine was busy, so odd may be faster", text)

    def test_without_points_the_ceilings_are_there(self):
        text = text_of(made.roofline([]))
        self.assertIn("AVX-512 + FMA 192 Gflop/s", text.replace("\n           ", " "))
        self.assertNotIn("limiter", text)

    def test_the_csv_holds_the_figures(self):
        data = made.roofline()
        rows = list(csv.DictReader(io.StringIO(csv_of(data))))
        self.assertEqual([row["name"] for row in rows], [one["name"] for one in data["points"]])
        for row, one in zip(rows, data["points"]):
            for field in ("intensity", "flops_per_s", "share_of_roof"):
                self.assertEqual(float(row[field]), one[field])
            for limit in one["limits"]:
                self.assertEqual(
                    float(row[f"limit: {limit['name']}, interactions/s"]),
                    limit["interactions_per_s"],
                )
        self.assertEqual(rows[0]["limit: estimate of 1/sqrt, interactions/s"], "")
