"""Is each known slip named by its sentence, and nothing else mistaken for one?"""

import unittest

from nbody_lab.worksheet.answers import SIZES, Pair
from nbody_lab.worksheet.slips import SLIPS, slip_in, whole_numbers_divided

TOLERANCE = 0.005
ALL = [(unit, made, sentence) for unit, slips in SLIPS.items() for made, sentence in slips]


def at_both(function):
    return Pair(*map(function, SIZES))


def truth_of(unit):
    """Contains a half, so that truncation shows."""
    of_one_call = unit in ("operations", "fma", "numbers", "bytes")
    return at_both(lambda n: 10.5 * n * (n - 1) if of_one_call else 3.85)


def times(factor, truth):
    return Pair(*(factor * one for one in truth))


class SlipsTest(unittest.TestCase):
    def test_none_is_lost(self):
        self.assertEqual(len(ALL), 49)

    def test_each_is_named_by_its_sentence(self):
        for unit, made, sentence in ALL:
            truth = truth_of(unit)
            answer = Pair(*(made(one, n) for one, n in zip(truth, SIZES)))
            self.assertEqual(slip_in(unit, answer, truth, TOLERANCE), sentence)
            self.assertEqual(slip_in("none", answer, truth, TOLERANCE), "")

    def test_none_in_a_right_answer_and_none_in_another_wrong_one(self):
        for unit, _, _ in ALL:
            truth = truth_of(unit)
            for factor in (1.0, 1.004, 0.0, 0.6, 0.9, 1.1, 1.37, 3.0, 5.0, 10.0, 50.0):
                self.assertEqual(slip_in(unit, times(factor, truth), truth, TOLERANCE), "", factor)

    def test_none_that_one_of_the_sizes_shows_only(self):
        truth = truth_of("numbers")
        self.assertNotEqual(slip_in("numbers", times(4, truth), truth, TOLERANCE), "")
        self.assertEqual(
            slip_in("numbers", Pair(4 * truth.first, 4 * truth.first), truth, TOLERANCE), ""
        )

    def test_none_in_anything_about_nothing(self):
        for unit, _, _ in ALL:
            self.assertEqual(slip_in(unit, Pair(7, 7), Pair(0, 0), TOLERANCE), "")

    def test_an_expression_of_whole_numbers_is_found(self):
        """As students type it and C++ computes it."""
        typed, meant = at_both(lambda n: 7 // 2 * n * n), at_both(lambda n: 7 * n * n / 2)
        sentence = "C++ divides whole numbers: 7 / 2 is 3; write 7.0 / 2"
        self.assertEqual(slip_in("numbers", typed, meant, TOLERANCE), sentence)
        self.assertEqual(slip_in("ratio", Pair(1, 1), Pair(4 / 3, 4 / 3), 0.015), sentence)

    def test_it_is_named_only_where_whole_numbers_may_be_divided(self):
        text = """double plain = 4.0;  // 9 / 2, by hand
            double cut = 1 / (1 - 78 / 100); double float_cut = 7.0 / 2; double both = (3 + 4) / 2 * n * n; double halved = n / 2.0;"""
        self.assertEqual(whole_numbers_divided(text), {"cut", "both"})
        self.assertEqual(slip_in("ratio", Pair(4, 4), Pair(4.545, 4.545), 0.02, divides=False), "")
        self.assertNotEqual(
            slip_in("ratio", Pair(4, 4), Pair(4.545, 4.545), 0.02, divides=True), ""
        )

    def test_no_two_of_a_unit_are_the_same_sentence(self):
        self.assertEqual(len({(unit, sentence) for unit, _, sentence in ALL}), len(ALL))
