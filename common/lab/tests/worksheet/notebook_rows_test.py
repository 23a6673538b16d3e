"""Are recorded answers compared with the right rows of the notebook?"""

import math
import unittest

from nbody_lab.worksheet.notebook_rows import (
    column,
    disagreement,
    measured_ideas,
    speed_ups,
    speeds,
)


def row(number, name, n, threads, expected, measured, rate):
    return {
        "row": number,
        "name": name,
        "n": n,
        "threads": threads,
        "expected": expected,
        "measured": measured,
        "interactions_per_s": rate,
    }


ROWS = [
    row(1, "mine", 5000, 1, 1.5, 1.4, 2e9),
    row(2, "mine", 5000, 2, 2, 1.9, 3.8e9),
    row(3, "mine_fused", 5000, 1, None, 1.2, 2.5e9),
    row(4, "mine_fused", 256, 2, 1, 0.9, 1e9),
    row(7, "mine_fused", 256, 1, 1, 1.1, 1.25e9),
]


def values(numbers):
    return [number for number, _ in numbers]


class NotebookRowsTest(unittest.TestCase):
    def test_only_predicted_and_measured_ones_are_ideas(self):
        self.assertEqual(measured_ideas(ROWS), 4)
        self.assertEqual(measured_ideas([]), 0)
        self.assertEqual(measured_ideas([row(1, "mine", 5000, 1, 1.5, None, None)]), 0)

    def test_numbers_of_the_rows_that_a_question_is_about(self):
        self.assertEqual(values(speeds(ROWS, "mine", 5000, 1)), [2])
        self.assertEqual(values(speeds(ROWS, n=256)), [1, 1.25])
        self.assertEqual(speeds(ROWS, "mine", 1000, 1), [])
        self.assertEqual(values(column(ROWS, "expected")), [1.5, 2, 1, 1])
        self.assertEqual(values(column(ROWS, "measured")), [1.4, 1.9, 1.2, 0.9, 1.1])

    def test_speed_ups_are_of_one_version_and_size(self):
        self.assertEqual(values(speed_ups(ROWS, threads=2)), [1.9, 0.8])
        self.assertEqual(speed_ups(ROWS, n=256), [(0.8, "rows 7, 4")])
        self.assertEqual(speed_ups(ROWS, threads=4), [])

    def test_a_disagreement_is_told_with_the_nearest_number(self):
        numbers = [(2.0, "row 1"), (4.2, "row 5")]
        for answer, words in (
            (6.1, "4.2 in the notebook (row 5)"),
            (1.0, "2 in the notebook (row 1)"),
            (4.8, ""),
            (1.75, ""),
            (-1.0, ""),
            (0.0, ""),
            (math.inf, "2 in the notebook (row 1)"),
        ):
            self.assertEqual(disagreement(answer, numbers), words)
        self.assertEqual(disagreement(6.1, []), "")
