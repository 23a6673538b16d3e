#!/usr/bin/env python3
"""The limiter's rule on stored measurements of loops that were built to hit one limit each
(limit_kernels_measured.json); roofline_limits_test.py, weekly, measures them again."""

import json
import sys
import unittest
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import folders  # noqa: E402, F401
import roofline_limits_test as limits  # noqa: E402

KEPT = json.loads((HERE / "limit_kernels_measured.json").read_text(encoding="utf-8"))


class Rule(unittest.TestCase):
    def found(self):
        return limits.verdicts(KEPT["rows"], KEPT["kernels"], KEPT["chain_seconds"])

    def test_each_loop_hits_what_it_was_built_to_hit(self):
        self.assertEqual(len(self.found()), 5)
        self.assertEqual(limits.problems(self.found()), [])

    def test_another_rule_is_seen(self):
        highest = lambda speed, found: (max(found, key=lambda one: one["interactions_per_s"])["name"], 1.0)  # noqa: E731
        with mock.patch.object(limits, "limiter", highest):
            self.assertNotEqual(limits.problems(self.found()), [])


if __name__ == "__main__":
    unittest.main()
