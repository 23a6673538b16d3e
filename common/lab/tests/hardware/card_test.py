"""The card of ./lab machine, from made-up figures."""

import unittest

from nbody_lab.hardware.card import card_text
from nbody_lab.hardware.ceilings import judge
from tests.hardware.ceilings_for_tests import known, levels, row

ROWS = [
    row("flops", "mul_add", 9.9e9, name="scalar", spread=0.012),
    row("flops", "mul_add", 18.8e9, name="scalar", threads=2, spread=0.3),
    *levels(30e9),
    row("flops", "mul_add", 77e9, name="AVX2", instruction_set="avx2"),
    row("unit", "sqrt", 1.25e9),
    *levels(240e9, 120e9, 40e9, 12e9, instruction_set="avx2"),
]


def line(text, *fragments):
    """The first line that contains these words in this order."""
    for one in text.splitlines():
        at = 0
        for fragment in fragments:
            at = one.find(fragment, at) if at >= 0 else -1
        if at >= 0:
            return one
    raise AssertionError(f"no line with {fragments} in\n{text}")


class CardTest(unittest.TestCase):
    def setUp(self):
        self.text = card_text(known(judge([dict(one) for one in ROWS])))

    def test_facts(self):
        line(self.text, "CPU", "Some CPU, in a virtual machine")
        line(self.text, "usable", "2 cores, 4 hardware threads", "1.5 at a time")
        line(self.text, "clock", "3.25 GHz")
        line(self.text, "caches", "L1d 48 KiB", "L2 2 MiB", "L3 unknown")

    def test_prices_side_by_side_and_what_is_not_there(self):
        line(self.text, "add", "4.0", "0.5", "4.2", "0.8")
        line(self.text, "fma", "none", "none", "none", "none", "no such instruction")

    def test_the_roofline_by_hand(self):
        line(self.text, "peak", "9.9", "Gflop/s", "1 %")
        line(self.text, "peak with fma", "none", "no such instruction")
        line(self.text, "loads from L1", "30.0", "GB/s", "array of 24 KiB")
        line(self.text, "loads from memory", "12.0", "GB/s", "avx2")

    def test_tables_by_set_and_by_level(self):
        line(
            self.text,
            "Gflop/s",
            "float: one",
            "all 2",
            "double: one",
            "all 2",
            "L1 loads, GB/s: one",
        )
        line(self.text, "scalar", "9.9 ", "18.8?", "-", "-", "30.0")
        line(self.text, "AVX2", "77.0 ", "-", "-", "-", "240.0")
        line(self.text, "scalar", "1.25 ", "-", "-", "-", "-", "-")
        line(self.text, "L1", "240.0", "-", "-", "-")
        line(self.text, "DRAM", "12.0", "-", "-", "-")

    def test_a_question_mark_is_explained(self):
        self.assertIn("? 1 of 9 are not ceilings: it spread over more than 10 %", self.text)
        good = known(judge([dict(one) for one in ROWS if one["spread"] < 0.1]))
        self.assertNotIn("?", card_text(good))

    def test_what_gpus_can_do_is_not_on_it(self):
        with_gpu = [{**one, "where": "gpu 0"} for one in judge([dict(one) for one in ROWS])]
        without = card_text(known([]))
        self.assertEqual(card_text(known(with_gpu)), without)

    def test_it_fits_the_screen(self):
        for cores in (2, 128):
            rows = [
                {**one, "threads": cores if one["threads"] > 1 else 1, "best": 1e14}
                for one in judge([dict(one) for one in ROWS])
            ]
            text = card_text(known(rows, simd=["avx512f"] * 8))
            self.assertLessEqual(max(map(len, text.splitlines())), 100, text)
