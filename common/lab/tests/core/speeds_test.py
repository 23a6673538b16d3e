"""Speeds and ratios of rows of ./lab bench."""

import unittest

from nbody_lab.core.speeds import has_speed, ratio_of, speed_of, spread_of


def row(median, seconds=(), others=(), **more):
    return {
        "interactions_per_s": {
            "median": median,
            "lower_quartile": 0.9 * median,
            "upper_quartile": 1.1 * median,
        },
        "seconds_of_rounds": list(seconds),
        "cores_of_others_in_rounds": list(others),
        **more,
    }


class Speeds(unittest.TestCase):
    def test_are_medians_but_in_files_of_older_labs(self):
        self.assertEqual(
            (speed_of(row(3e8)), speed_of(row(3e8, fastest_interactions_per_s=4e8))), (3e8, 4e8)
        )
        self.assertAlmostEqual(spread_of(row(3e8)), 0.2)

    def test_may_be_missing(self):
        self.assertFalse(has_speed({}) or has_speed(row(0.0)))
        self.assertIsNone(ratio_of(row(0.0), row(1e8)))

    def test_are_compared_round_by_round(self):
        self.assertEqual(ratio_of(row(1, [1, 2, 3]), row(1, [2, 4, 9])), 2)
        self.assertEqual(ratio_of(row(4e8), row(1e8)), 4)  # without rounds

    def test_rounds_beside_other_neighbours_do_not_count(self):
        seconds, slowed = [1, 1, 1, 1], [3, 3, 3, 9]
        self.assertEqual(ratio_of(row(1, seconds, [0, 0, 0, 0]), row(1, slowed, [0, 0.2, 0, 1])), 3)
        self.assertIsNone(ratio_of(row(1, seconds, [0, 0, 0, 0]), row(1, slowed, [0, 0, 1, 1])))
        self.assertIsNone(ratio_of(row(1, [1, 0, 0, 1]), row(1, slowed)))
