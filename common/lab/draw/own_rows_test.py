#!/usr/bin/env python3
"""Does the ladder of a student's own rows show what was measured, what was predicted, and what was wrong?"""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from with_matplotlib import go_over  # noqa: E402

go_over()
import theme  # noqa: E402
from bench_result import NoResult  # noqa: E402
from own_rows import colour_of, conditions_of, label_of, own_ladder, predicted  # noqa: E402
from sheet import collisions  # noqa: E402


def row(number, times_naive, expected=1.5, against="naive", verdict="as expected", **more):
    return {"row": float(number), "name": "mine", "idea": "an idea", "times_naive": times_naive, "expected": expected, "measured": 1.4,
            "against": against, "verdict": verdict, "right": not verdict.startswith("wrong"), "n": 5000.0, "threads": "1",
            "precision": "float", "step": "adaptive", "scene": "plummer", **more}


def svg_of(rows):
    sheet = own_ladder("part1", rows)
    svg = sheet.bytes_of("svg").decode()
    sheet.close()
    return svg


class OwnRowsTest(unittest.TestCase):
    def test_a_prediction_stands_where_the_bar_would_end(self):
        rows = [row(1, 2.0, expected=3.0, measured=4.0), row(2, 3.0, expected=2.0, measured=2.0), row(3, 2.0, expected=None),
                row(4, 2.0, measured=None)]
        self.assertEqual([predicted(one) for one in rows], [1.5, 3.0, None, None])

    def test_what_rows_do_not_share_stands_in_their_labels(self):
        rows = [row(1, 2.0), row(2, 2.5, n=2000.0)]
        self.assertEqual([label_of(one, rows) for one in rows], ["1  mine, N = 5000\nan idea", "2  mine, N = 2000\nan idea"])

    def test_what_has_no_speed_has_no_bar(self):
        svg = svg_of([row(1, 2.0), row(2, None, verdict="wrong: not antisymmetric"), row(3, 2.5)])
        self.assertEqual([f'id="bar-{k}"' in svg for k in (1, 2, 3)], [True, False, True])
        with self.assertRaises(NoResult) as fault:
            own_ladder("part1", [row(1, None)])
        self.assertIn("./lab try part1", str(fault.exception))

    def test_verdicts_have_colours_and_wrong_rows_are_hatched(self):
        rows = [row(k, 2.0, verdict=verdict) for k, verdict in
                enumerate(["as expected", "more than expected", "less than expected", "too noisy to tell", "wrong: zeros"])]
        self.assertEqual(len({colour_of(one) for one in rows}), 5)
        self.assertEqual(colour_of(rows[4]), theme.WHITE)
        self.assertNotIn("<pattern", svg_of(rows[:4]))
        self.assertIn("<pattern", svg_of(rows))

    def test_long_ideas_and_many_rows_do_not_overlap(self):
        rows = [row(k, 1 + k / 3, idea="a very long idea that goes on and on " * 4, against=str(k - 1), name="mine_" + "x" * 20)
                for k in range(1, 25)]
        sheet = own_ladder("part1", rows)
        self.assertEqual(collisions(sheet), [])
        sheet.close()

    def test_only_what_all_rows_share_is_a_footnote(self):
        self.assertEqual(conditions_of([row(1, 2.0), row(2, 2.5)]), "N = 5000, threads: 1, float, adaptive step, plummer scene")
        self.assertNotIn("threads", conditions_of([row(1, 2.0), row(2, 2.5, threads="2")]))


if __name__ == "__main__":
    unittest.main()
