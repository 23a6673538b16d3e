#!/usr/bin/env python3
"""Who reads whom in the exchange."""

import sys
import unittest
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders  # noqa: E402, F401
from grade.exchange_deal import TooFew, deal  # noqa: E402

WRITERS, OTHERS = [f"writer_{k}" for k in range(7)], [f"other_{k}" for k in range(5)]


class DealTest(unittest.TestCase):
    def test_different_ones_and_never_his_own(self):
        for readings in (1, 2, 3, 6):
            for seed in range(20):
                found = deal(WRITERS + OTHERS, WRITERS, readings, seed)
                self.assertEqual(set(found), set(WRITERS + OTHERS))
                for who, given in found.items():
                    self.assertEqual((len(given), len(set(given)), who in given), (readings, readings, False), (who, given))
                    self.assertLessEqual(set(given), set(WRITERS))

    def test_equally_often_or_once_more(self):
        for readings in (1, 2, 3):
            times = Counter(one for given in deal(WRITERS + OTHERS, WRITERS, readings, 5).values() for one in given)
            self.assertEqual(set(times), set(WRITERS))
            self.assertLessEqual(max(times.values()) - min(times.values()), 1)

    def test_a_seed_repeats_and_another_differs(self):
        self.assertEqual(deal(WRITERS + OTHERS, WRITERS, 2, 5), deal(OTHERS + WRITERS[::-1], WRITERS[::-1], 2, 5))
        self.assertNotEqual(deal(WRITERS, WRITERS, 2, 5), deal(WRITERS, WRITERS, 2, 6))

    def test_too_few(self):
        for readers, writers, readings in ((WRITERS, WRITERS[:2], 2), (WRITERS, [], 1), (OTHERS, WRITERS[:1], 2)):
            with self.assertRaisesRegex(TooFew, f"{readings} readings each need {readings + 1} versions"):
                deal(readers, writers, readings, 1)


if __name__ == "__main__":
    unittest.main()
