"""Do expressions in a questions file mean what they say, and can they do no harm?"""

import math
import unittest

from nbody_lab.worksheet.expression import BadExpression, is_missing, parsed, value

NAMES = {"a": 3.0, "open": math.nan, "paper.peak": 6.6, "mine": "mine_fused", "hash": 2**63 + 1}
FUNCTIONS = {
    "counted": lambda kind, of="naive": {"add": 9.0, "mine_fused add": 6.0}.get(
        f"{of} {kind}" if of != "naive" else kind
    )
}


def of(text):
    return value(parsed(text), NAMES, FUNCTIONS)


class ExpressionTest(unittest.TestCase):
    def test_values(self):
        for text, expected in {
            "1 + 2 * 3 - 4 / 8": 6.5,
            "7 // 2": 3,
            "7 % 4": 3,
            "2 ** 10": 1024,
            "-a": -3,
            "+a": 3,
            "paper.peak": 6.6,
            "min(1, a)": 1,
            "max(1, a)": 3,
            "abs(-2)": 2,
            "floor(2.9)": 2,
            "ceil(2.1)": 3,
            "round(2.5)": 3,
            "round(-2.5)": -3,
            "pick(1, 4, 5, 6)": 5,
            "1 if a > 2 else 0": 1,
            "1 if 2 < a < 3 else 0": 0,
            "'a' if a == 3 else 'b'": "a",
            "1 if a > 2 and not a > 5 else 0": 1,
            "1 if a < 2 or a > 5 else 0": 0,
            "counted('add')": 9,
            "counted('add', of=mine)": 6,
            "hash % 31": (2**63 + 1) % 31,
        }.items():
            with self.subTest(text):
                self.assertEqual(of(text), expected)

    def test_what_is_computed_with_a_missing_answer_is_missing(self):
        for text in (
            "open",
            "open + 1",
            "min(1, open)",
            "max(open, 1)",
            "round(open)",
            "1 if open > 0 else 2",
            "-open",
            "1 if a > 2 and open > 1 else 0",
            "1 if not open else 2",
            "open % 3",
            "open ** 0",
            "1 ** open",
        ):
            with self.subTest(text):
                self.assertTrue(is_missing(of(text)))

    def test_only_the_chosen_side_is_asked(self):
        self.assertEqual(of("1 if a > 2 else open"), 1)

    def test_what_cannot_be_computed_is_missing(self):
        for text in (
            "1 / 0",
            "a % 0",
            "9.0 ** 9 ** 9",
            "floor(1e400)",
            "(1 - 3) ** 0.5",
            "1 / (0 - a) ** 0.5",
        ):
            with self.subTest(text):
                self.assertTrue(is_missing(of(text)))

    def test_names_and_functions_are_told(self):
        found = parsed("min(paper.peak, a) * counted('add', of=mine)")
        self.assertEqual(
            (found.names, found.functions), ({"paper.peak", "a", "mine"}, {"min", "counted"})
        )

    def test_all_else_is_refused(self):
        for text in (
            "",
            "1 +",
            "a = 1",
            "__import__('os')()",
            "().__class__",
            "a.b.c",
            "[1, 2]",
            "a[0]",
            "lambda: 1",
            "{1}",
            "a @ a",
            "a << 3",
            "~a",
            "f'{a}'",
            "(x for x in a)",
            "f(*a)",
            "f(**a)",
            "a is a",
            "None",
            "True",
            "b'x'",
            "1j",
            "x := 1",
            "await a",
            "1; 2",
            "(" * 500 + "1" + ")" * 500,
        ):
            with self.subTest(text), self.assertRaises(BadExpression):
                parsed(text)
