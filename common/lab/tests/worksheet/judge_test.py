"""One question of each kind: right, wrong, waiting, and what the student is told."""

import math
import unittest

from nbody_lab.notebook.file import InputError
from nbody_lab.worksheet.answers import SIZES, Answers, NoAnswers, Pair, parse_answers
from nbody_lab.worksheet.expression import parsed
from nbody_lab.worksheet.judge import judge, judge_choice, judge_number
from nbody_lab.worksheet.judge_counts import CountedClass, expression_text, judge_counts
from nbody_lab.worksheet.machines import Ceilings, PaperMachine, seal_of
from nbody_lab.worksheet.question import BY_HOW_MUCH, TOTAL, WHICH, PartQuestions, Question
from nbody_lab.worksheet.scope import Given

PART = PartQuestions("part0", [], PaperMachine({}, "none"), [], {}, {}, [], [])
SCALAR_PEAK = {
    "where": "cpu",
    "kind": "flops",
    "operation": "mul_add",
    "is_ceiling": True,
    "best": 12e9,
}


def question(kind, **more):
    return Question("1", "", kind, **more)


def judged(one, answers, ceilings=(), rows=()):
    return judge(
        one, PART, Given(Pair(answers, answers), None, list(rows), Ceilings(ceilings)), TOTAL
    )[0]


class NumbersTest(unittest.TestCase):
    def test_what_follows_is_judged_by_the_students_own_answers(self):
        one = question("follows", tolerance=0.02, waits_for="question 1")
        expected = 1 / (1 - 0.74)
        for answer, truth, state in (
            (3.85, expected, "right"),
            (1.35, expected, "wrong"),
            (3.85, math.nan, "waits"),
            (math.nan, 3.85, ""),
        ):
            self.assertEqual(judge_number(one, answer, truth).state, state)

    def test_a_slip_or_what_it_does_not_follow_from_is_named(self):
        one = question("follows", tolerance=0.05, waits_for="question 9", unit="percent")
        self.assertEqual(
            judge_number(one, 0.8, 80.0).words,
            "a fraction? the question asks for percent: times 100",
        )
        self.assertEqual(judge_number(one, 8.0, 80.0).words, "does not follow from question 9")
        self.assertEqual(judge_number(one, 80.0, 80.0).words, "")

    def test_points_are_one_unless_a_question_is_worth_more(self):
        answers = Answers(numbers={"threads": 2.0})
        self.assertEqual(judged(question("recorded", answer="threads"), answers).points, 1)
        self.assertEqual(
            judged(question("recorded", answer="threads", points=3.0), answers).points, 3
        )

    def test_what_is_far_from_usual_has_a_remark(self):
        one = question("recorded", answer="share", usually=78.0, within=15.0, unit="percent")
        for answer, words in (
            (78.0, ""),
            (92.0, ""),
            (40.0, "unusual: check again"),
            (0.78, "a fraction? the question asks for percent: times 100"),
        ):
            line = judged(one, Answers(numbers={"share": answer}))
            self.assertEqual((line.state, line.words), ("noted", words), answer)

    def test_a_missing_answer_is_named(self):
        for kind, wanted in (("recorded", "double"), ("choice", "char"), ("text", "std::string")):
            with self.assertRaisesRegex(
                InputError, f"^worksheet.hpp: {wanted} it is missing: restore it$"
            ):
                judged(question(kind, answer="it"), Answers())


class OwnMachineTest(unittest.TestCase):
    one = question(
        "recorded",
        answer="peak_here",
        tolerance=0.05,
        unit="gflops",
        truth=parsed("ceiling(kind='flops', operation='mul_add') / 1e9"),
    )

    def of(self, answer, *rows):
        line = judged(self.one, Answers(numbers={"peak_here": answer}), rows)
        return line.kind, line.state, line.words

    def test_within_the_tolerance_of_the_file(self):
        self.assertEqual(self.of(12.5, SCALAR_PEAK), ("exact", "right", ""))
        self.assertEqual(
            self.of(10.0, SCALAR_PEAK),
            ("exact", "wrong", "more than 5 % away from build/ceilings.json"),
        )
        self.assertEqual(
            self.of(12e3, SCALAR_PEAK), ("exact", "wrong", "Mflop/s? the question asks for Gflop/s")
        )

    def test_noted_where_the_file_does_not_know(self):
        self.assertEqual(self.of(10.0), ("recorded", "noted", ""))
        self.assertEqual(
            self.of(10.0, {**SCALAR_PEAK, "is_ceiling": False}), ("recorded", "noted", "")
        )
        self.assertEqual(
            self.of(
                180.0,
                {**SCALAR_PEAK, "is_ceiling": False},
                {**SCALAR_PEAK, "operation": "fma", "best": 180e9},
            ),
            ("recorded", "wrong", "this ceiling was measured as 12 (?): ./lab machine shows it"),
        )
        self.assertEqual(
            self.of(10.0, {**SCALAR_PEAK, "operation": "fma"}), ("recorded", "noted", "")
        )
        self.assertEqual(self.of(math.nan, SCALAR_PEAK), ("recorded", "", ""))


class ChoiceTest(unittest.TestCase):
    def test_it_is_right_wrong_or_none(self):
        one = question("choice", answer="limited_by", seal=seal_of("limited_by", "d"))
        self.assertEqual(
            [judge_choice(one, letter, None).state for letter in "da "], ["right", "wrong", ""]
        )
        other = question("choice", answer="which_pass", seal=seal_of("limited_by", "d"))
        self.assertEqual(judge_choice(other, "d", None).state, "wrong")

    def test_one_that_follows_waits(self):
        one = question("choice", waits_for="question 7")
        self.assertEqual(
            [judge_choice(one, "a", right).state for right in ("a", "b", "")],
            ["right", "wrong", "waits"],
        )

    def test_a_letter_that_is_no_choice_is_no_answer(self):
        for letter in "eB1":
            for seal in (seal_of("limited_by", letter), 0):
                line = judge_choice(
                    question("choice", answer="limited_by", seal=seal), letter, None
                )
                self.assertEqual(
                    (line.state, line.words),
                    ("", "the choices are a, b, c and d, in small letters"),
                )

    def test_the_seal_is_as_ever(self):
        self.assertEqual(seal_of("limited_by", "d"), 0x72310661)


class AnswersTest(unittest.TestCase):
    def test_what_the_program_writes(self):
        first, second = parse_answers(
            "said before\nthe answers of a worksheet:\n0 number third 0.33333333333333331\n0 number none nan\n"
            "0 number many inf\n1 letter it 32\n1 text words two words \n0 text empty \nall of them\nand after"
        )
        self.assertEqual(first.numbers["third"], 1 / 3)
        self.assertTrue(math.isnan(first.numbers["none"]) and math.isinf(first.numbers["many"]))
        self.assertEqual(
            (second.letters["it"], second.texts["words"], first.texts["empty"]),
            (" ", "two words ", ""),
        )

    def test_an_unfinished_one_is_refused(self):
        good = "the answers of a worksheet:\nall of them\n"
        parse_answers(good)
        for bad in (
            "",
            good[:-2],
            good.replace("\n", "\n2 number a 1\n", 1),
            good.replace("\n", "\n0 number a x\n", 1),
            good.replace("\n", "\n0 list a 1\n", 1),
            "all of them\nthe answers of a worksheet:\n",
        ):
            with self.subTest(bad), self.assertRaises(NoAnswers):
                parse_answers(bad)


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
        self.assertEqual(
            [(line.state, line.answer, line.is_sum, line.points) for line in lines],
            [
                ("right", "9 n^2 - 9 n", False, 1),
                ("right", "5 n^2 - 5 n", False, 1),
                ("right", "14 n^2 - 14 n", True, 0),
            ],
        )

    def test_a_number_that_is_no_expression_is_found(self):
        self.assertEqual(
            told([adds(ONLY_FOR_1000)]),
            [("wrong", "right for n = 1000 only: write an expression in n")],
        )

    def test_first_only_too_many_or_too_few(self):
        self.assertEqual(
            told([adds(pairs(10)), muls(pairs(5))]),
            [("answered", ""), ("answered", ""), ("wrong", "too many")],
        )

    def test_then_which(self):
        self.assertEqual(
            told([adds(pairs(9)), muls(pairs(4))], WHICH)[:2], [("right", ""), ("wrong", "too few")]
        )

    def test_then_by_how_much(self):
        self.assertEqual(
            told([adds(pairs(9)), muls(pairs(4))], BY_HOW_MUCH)[1],
            ("wrong", "too few: by 1.00 per interaction, 999000 in all with n = 1000"),
        )

    def test_an_answer_of_zero_is_no_oracle(self):
        found = told([adds(Pair(0.0, 0.0)), muls(pairs(5))], BY_HOW_MUCH)
        self.assertEqual(found[0][1], "too few, far off: count again before asking by how much")
        self.assertNotIn("9", "".join(words for _, words in found))

    def test_two_wrongs_do_not_make_a_right(self):
        self.assertEqual(
            told([adds(pairs(10)), muls(pairs(4))])[2],
            ("wrong", "the sum is right, its parts are not"),
        )

    def test_nothing_is_told_before_all_answers_stand(self):
        self.assertEqual(
            told([adds(pairs(10)), muls(OPEN)], BY_HOW_MUCH),
            [("waits", "answer the others first"), ("", "")],
        )

    def test_what_was_not_counted_is_not_judged(self):
        self.assertEqual(
            told([adds(pairs(10), None)]), [("waits", "not counted; ./lab count says why")]
        )

    def test_what_is_no_number_for_every_n_leaves_the_others_to_be_judged(self):
        self.assertEqual(
            told([adds(pairs(9)), muls(OPEN, None)]),
            [("right", ""), ("noted", "not asked: it depends on the positions")],
        )

    def test_terms_in_n_are_told(self):
        self.assertEqual(
            told([adds(NO_DIAGONAL), muls(pairs(5))]),
            [("right", "apart from terms in n"), ("right", ""), ("right", "apart from terms in n")],
        )

    def test_the_sum_names_a_slip_of_all_classes(self):
        both = [
            CountedClass("loads", pairs(56), pairs(14), "numbers"),
            CountedClass("stores", pairs(12), pairs(3), "numbers"),
        ]
        self.assertEqual(told(both), [("answered", ""), ("answered", ""), ("wrong", BYTES)])

    def test_a_slip_of_one_class_is_named_where_the_class_is(self):
        one = [
            CountedClass("loads", pairs(56), pairs(14), "numbers"),
            CountedClass("stores", pairs(3), pairs(3), "numbers"),
        ]
        self.assertEqual(told(one)[2], ("wrong", "too many"))
        self.assertEqual(told(one, WHICH), [("wrong", BYTES), ("right", ""), ("wrong", "too many")])


class ExpressionTextTest(unittest.TestCase):
    def test_it_shows_what_stands(self):
        for function, text in (
            (lambda n: 27 * n * n - 27 * n, "27 n^2 - 27 n"),
            (lambda n: 3 * n, "3 n"),
            (lambda n: 0, "0"),
            (lambda n: 5.5 * n * n + n / 2, "5.5 n^2 + 0.5 n"),
            (lambda n: n * n - n, "n^2 - n"),
            (lambda n: 8991000.0, "8.991e+06 with n = 1000"),
            (lambda n: math.inf, "inf with n = 1000"),
        ):
            self.assertEqual(expression_text(at_both(function)), text)
