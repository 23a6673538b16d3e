#!/usr/bin/env python3
"""Counts: which answers are right, and how much of a wrong one is revealed, stage by stage."""

import math
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders  # noqa: E402, F401
from worksheet.answers import SIZES, Pair  # noqa: E402
from worksheet.judge_counts import CountedClass, expression_text, judge_counts  # noqa: E402
from worksheet.question import BY_HOW_MUCH, TOTAL, WHICH  # noqa: E402

OPEN = Pair(math.nan, math.nan)
BYTES = "bytes of float? the question asks for numbers, whatever their size"


def at_both(function):
    return Pair(*map(function, SIZES))


def pairs(factor):
    return at_both(lambda n: factor * n * (n - 1))


NO_DIAGONAL = at_both(lambda n: 9 * n * n)
ONLY_FOR_1000 = Pair(9.0 * 1000 * 999, 9.0 * 1000 * 999)


def adds(answer, truth=pairs(9)):
    return CountedClass("adds", answer, truth)


def muls(answer, truth=pairs(5)):
    return CountedClass("muls", answer, truth)


def told(classes, how=TOTAL, name="all"):
    """[(state, words)]"""
    return [(line.state, line.words) for line in judge_counts("3", classes, name, 0.005, how)]


class CountsTest(unittest.TestCase):
    def test_right_ones_and_their_sum_are_right(self):
        lines = judge_counts("3", [adds(pairs(9)), muls(pairs(5))], "all", 0.005, TOTAL)
        self.assertEqual([(line.state, line.answer, line.is_sum, line.points) for line in lines],
                         [("right", "9 n^2 - 9 n", False, 1), ("right", "5 n^2 - 5 n", False, 1), ("right", "14 n^2 - 14 n", True, 0)])

    def test_a_number_that_is_no_expression_is_found(self):
        self.assertEqual(told([adds(ONLY_FOR_1000)]), [("wrong", "right for n = 1000 only: write an expression in n")])

    def test_first_only_too_many_or_too_few(self):
        self.assertEqual(told([adds(pairs(10)), muls(pairs(5))]), [("answered", ""), ("answered", ""), ("wrong", "too many")])

    def test_then_which(self):
        self.assertEqual(told([adds(pairs(9)), muls(pairs(4))], WHICH)[:2], [("right", ""), ("wrong", "too few")])

    def test_then_by_how_much(self):
        self.assertEqual(told([adds(pairs(9)), muls(pairs(4))], BY_HOW_MUCH)[1],
                         ("wrong", "too few: by 1.00 per interaction, 999000 in all with n = 1000"))

    def test_an_answer_of_zero_is_no_oracle(self):
        found = told([adds(Pair(0.0, 0.0)), muls(pairs(5))], BY_HOW_MUCH)
        self.assertEqual(found[0][1], "too few, far off: count again before asking by how much")
        self.assertNotIn("9", "".join(words for _, words in found))

    def test_two_wrongs_do_not_make_a_right(self):
        self.assertEqual(told([adds(pairs(10)), muls(pairs(4))])[2], ("wrong", "the sum is right, its parts are not"))

    def test_nothing_is_told_before_all_answers_stand(self):
        self.assertEqual(told([adds(pairs(10)), muls(OPEN)], BY_HOW_MUCH), [("waits", "answer the others first"), ("", "")])

    def test_what_was_not_counted_is_not_judged(self):
        self.assertEqual(told([adds(pairs(10), None)]), [("waits", "not counted; ./lab count says why")])

    def test_what_is_no_number_for_every_n_leaves_the_others_to_be_judged(self):
        self.assertEqual(told([adds(pairs(9)), muls(OPEN, None)]),
                         [("right", ""), ("noted", "not asked: it depends on the positions")])

    def test_terms_in_n_are_told(self):
        self.assertEqual(told([adds(NO_DIAGONAL), muls(pairs(5))]),
                         [("right", "apart from terms in n"), ("right", ""), ("right", "apart from terms in n")])

    def test_the_sum_names_a_slip_of_all_classes(self):
        both = [CountedClass("loads", pairs(56), pairs(14), "numbers"), CountedClass("stores", pairs(12), pairs(3), "numbers")]
        self.assertEqual(told(both), [("answered", ""), ("answered", ""), ("wrong", BYTES)])

    def test_a_slip_of_one_class_is_named_where_the_class_is(self):
        one = [CountedClass("loads", pairs(56), pairs(14), "numbers"), CountedClass("stores", pairs(3), pairs(3), "numbers")]
        self.assertEqual(told(one)[2], ("wrong", "too many"))
        self.assertEqual(told(one, WHICH), [("wrong", BYTES), ("right", ""), ("wrong", "too many")])


class ExpressionTextTest(unittest.TestCase):
    def test_it_shows_what_stands(self):
        for function, text in ((lambda n: 27 * n * n - 27 * n, "27 n^2 - 27 n"), (lambda n: 3 * n, "3 n"), (lambda n: 0, "0"),
                               (lambda n: 5.5 * n * n + n / 2, "5.5 n^2 + 0.5 n"), (lambda n: n * n - n, "n^2 - n"),
                               (lambda n: 8991000.0, "8.991e+06 with n = 1000"), (lambda n: math.inf, "inf with n = 1000")):
            self.assertEqual(expression_text(at_both(function)), text)


if __name__ == "__main__":
    unittest.main()
