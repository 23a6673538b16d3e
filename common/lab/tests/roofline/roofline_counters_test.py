"""Counted work beside the processor's counters. The tests never saw real ones: COUNTED is written by hand after `man
perf-stat`, CSV FORMAT, and NONE is the output of perf 6.1 on a virtual machine."""

import contextlib
import io
import unittest
from unittest import mock

from nbody_lab.core.messages import Failure
from nbody_lab.hardware import counters
from nbody_lab.roofline import counters as roofline_counters
from tests.roofline import roofline_for_tests as made

# 1000 bodies, 20 iterations: 2 x 10^7 interactions, 16 to a vector.
COUNTED = """20000000,,fp_arith_inst_retired.scalar_single:u,100000000,100.00,,
0,,fp_arith_inst_retired.128b_packed_single:u,100000000,100.00,,
0,,fp_arith_inst_retired.256b_packed_single:u,100000000,100.00,,
21250000,,fp_arith_inst_retired.512b_packed_single:u,100000000,100.00,,
1000,,LLC-load-misses:u,100000000,100.00,,
"""
NONE = "".join(
    f"<not supported>,,{event}:u,0,100.00,,\n"
    for event in [*roofline_counters.flop_events("float"), "LLC-load-misses"]
)


class CountersTest(unittest.TestCase):
    def table(self, text, precision="float"):
        return list(roofline_counters.table(made.FUSED, counters.counts_in(text), precision, 1000))

    def test_lanes_count(self):
        self.assertEqual(
            self.table(COUNTED),
            [
                "  per interaction          counted    measured",
                "  flops                         18          18",
                "  bytes from memory          0.028      0.0032",
            ],
        )

    def test_what_is_not_counted_is_said(self):
        in_part = COUNTED.replace(
            "21250000,", "<not counted>,"
        )  # the sum of the others would be too small
        for text, precision in (
            (NONE, "float"),
            ("", "float"),
            (COUNTED, "double"),
            (in_part, "float"),
        ):
            self.assertIn("not here", self.table(text, precision)[1])

    def test_of_double_half_as_many_fit(self):
        events = roofline_counters.flop_events("double")
        self.assertEqual((len(events), events["fp_arith_inst_retired.512b_packed_double"]), (4, 8))

    def test_one_name(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(Failure):
            roofline_counters.compare(mock.Mock(part="part1"), ["naive", "mine"], "float", 1000)
        self.assertEqual(
            said.getvalue(),
            "lab: roofline --counters takes one name: ./lab roofline part1 mine --counters\n",
        )
