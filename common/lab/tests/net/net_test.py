"""The record of what the lab does: what is masked, and that a change is seen in each group."""

import copy
import unittest
from unittest import mock

from tests.net import net

RECORD = {
    "commands": {"check -h": {"status": 0, "out": "usage\nmore", "err": ""}},
    "bare": {"help": {"status": 0, "out": "usage", "err": ""}},
    "terminals": {"help (80 columns)": {"status": 0, "said": "usage"}},
    "judged": {
        "wrong/raw_rsqrt": {
            "verdict": "fails as expected",
            "cases": 700,
            "failed": 20,
            "sentence": "a reciprocal",
        }
    },
    "scored": {"results.json": {"text": "{}", "twice": "the same bytes"}},
    "worksheets": {"part1 2 * ({x})": {"status": 1, "out": "half the pairs", "err": ""}},
    "counts": {"part1/naive": {"compute_accelerations flops": "27 n^2 - 27 n"}},
}


class Net(unittest.TestCase):
    def test_what_varies_is_masked(self):
        for text, masked in (
            ("took 5.4 us, 541.9 ns per iteration", "took TIME, TIME per iteration"),
            ("speed 0.18 x 10^9", "speed NUMBER x 10^9"),
            (f"{net.ROOT}/docs", "ROOT/docs"),
            ("at 0a1b2c3, 0.1234567", "at REVISION, 0.1234567"),
            ("building part1 ... 3 s\ndone", "done"),
            ("built on 2026-11-25", "built on DATE"),
            ("32 bodies, 7 steps", "32 bodies, 7 steps"),
        ):
            self.assertEqual(net.masked(text), masked)

    @mock.patch.object(net, "INTENDED", ())
    def test_a_change_is_seen_in_each_group(self):
        self.assertEqual(list(net.differences(RECORD, RECORD)), [])
        self.assertEqual(RECORD.keys(), net.GROUPS.keys())
        for group, cases in RECORD.items():
            ((case, said),) = cases.items()
            for what in said:
                after = copy.deepcopy(RECORD)
                after[group][case][what] = "changed"
                (seen,) = net.differences(RECORD, after)
                self.assertTrue(
                    seen.startswith(f"{group}: {case}: {what}\n") and seen.endswith("    +changed"),
                    seen,
                )
            self.assertEqual(
                list(net.differences(RECORD, {**RECORD, group: {}})), [f"{group}: {case}: gone"]
            )
            self.assertEqual(
                list(net.differences({**RECORD, group: {}}, RECORD)), [f"{group}: {case}: new"]
            )

    def test_what_is_intended_is_not_told(self):
        after = {**RECORD, "counts": {"part1/naive": {"compute_accelerations flops": "20 n^2"}}}
        with mock.patch.object(net, "INTENDED", (("counts", "part1/*", "naive became smaller"),)):
            self.assertEqual(list(net.differences(RECORD, after)), [])

    @mock.patch.object(net, "INTENDED", ())
    def test_groups_that_only_one_has_are_left_out(self):
        self.assertEqual(
            list(net.differences({"counts": {}}, RECORD)), ["counts: part1/naive: new"]
        )
