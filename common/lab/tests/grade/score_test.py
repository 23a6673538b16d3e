"""Marks: each rule of grading, on made-up measurements."""

import copy
import unittest
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.grade.late import LateRow
from nbody_lab.grade.manual import ManualRow
from nbody_lab.grade.rubric import read_rubric
from nbody_lab.grade.score import score
from tests.grade.scored_for_tests import (
    PASSED,
    class_of_all_kinds,
    good_sheet,
    line,
    measured,
    no_part,
    notebook,
    part,
    row,
    sheet,
    speed,
    tried,
    untouched,
    wrong,
)

HERE = Path(__file__).resolve().parent

RUBRIC = read_rubric(HERE / "rubric_for_tests.json")
ONE, ALL = "speed, 1 thread, 2000 bodies", "speed, all threads, 2000 bodies, over naive"


def marks(one, rubric=RUBRIC):
    return score([one], rubric)["submissions"][0]


def items(part1, rubric=RUBRIC, **other):
    """{item: its mark} of part 1."""
    told = marks(measured(part1=part1, part2=no_part(), **other), rubric)
    return {item["item"]: item for item in told["items"] if item["part"] == "part1"}


def graded(item):
    return item["points"], item["state"]


class CorrectnessTest(unittest.TestCase):
    def test_right(self):
        found = items(part(row()))["correctness"]
        self.assertEqual(graded(found), (10, "graded"))
        self.assertEqual(
            found["why"], "part1/mine: all 249 cases pass, the worst at 31 % of its limit"
        )

    def test_wrong_gates_speed(self):
        timed = wrong()
        timed["speed"] = [speed(5)]  # a speed without a correct result, however it got there
        found = items(part(timed))
        self.assertEqual(
            found["correctness"]["why"],
            "part1/mine: 3 of 249 cases fail; the first: forces, equal masses, 7 bodies: "
            "error 0.01, limit 1e-05: the last body is skipped",
        )
        for item in ("correctness", ONE, ALL):
            self.assertEqual(graded(found[item]), (0, "graded"))
        self.assertTrue(
            found[ONE]["why"].startswith(
                "no speed points without a right row: part1/mine: 3 of 249"
            )
        )

    def test_without_a_gate_a_person_decides_about_a_wrong_row(self):
        rubric = copy.deepcopy(RUBRIC)
        rubric["parts"]["part1"]["correctness"]["gates"] = False
        self.assertEqual(graded(items(part(wrong()), rubric)[ONE]), (None, "for a person"))

    def test_a_broken_part2_never_takes_part1(self):
        whole = class_of_all_kinds()
        told = marks(whole["broken_part2"])
        alone = marks(measured(part1=part(row()), part2=no_part()))
        of_part1 = [
            [item for item in one["items"] if item["part"] == "part1"] for one in (told, alone)
        ]
        self.assertEqual(of_part1[0], of_part1[1])
        self.assertIn(
            "part2/mine: it does not compile: mine.hpp:12: expected ';'",
            [item["why"] for item in told["items"]],
        )

    def test_untouched_gets_nothing_for_doing_nothing(self):
        found = items(part(untouched()))
        for item in ("correctness", ONE):
            self.assertEqual(graded(found[item]), (0, "graded"))
        self.assertEqual(found["correctness"]["why"], "mine.hpp is unchanged")
        self.assertEqual(
            graded(items(part(untouched(), row("mine_openmp")))["correctness"]), (10, "graded")
        )

    def test_not_checked_is_not_zero(self):
        found = items(part(row(check={**PASSED, "verdict": "not checked: the machine went away"})))
        for item in ("correctness", ONE):
            self.assertEqual(graded(found[item]), (None, "for a person"))
            self.assertIn("the machine went away", found[item]["why"])

    def test_only_rows_of_the_rubric_count(self):
        found = items(part(row("fast")))
        self.assertEqual(graded(found["correctness"]), (0, "graded"))
        self.assertEqual(found["correctness"]["why"], "no mine*.hpp that counts was handed in")

    def test_words_of_students_stay_on_a_line(self):
        broken = row(built=False, check=None, build_problem="a\nb\x1b[31m\u202e" + 500 * "x")
        why = items(part(broken))["correctness"]["why"]
        self.assertTrue(why.isprintable())
        self.assertLess(len(why), 250)


class SpeedTest(unittest.TestCase):
    def test_bands(self):
        for share, points in [
            (0.1, 0),
            (0.2, 2),
            (0.4999, 2),
            (0.5, 5),
            (0.899, 5),
            (0.9, 10),
            (2, 10),
        ]:
            self.assertEqual(items(part(row(speed=[speed(share)])))[ONE]["points"], points, share)

    def test_why(self):
        def why(share):
            return items(part(row(speed=[speed(share)])))[ONE]["why"]

        self.assertEqual(
            why(0.71),
            "part1/mine: 0.71 of the solution's speed (0.852 of 1.2 x 10^9 interactions/s, third_law): "
            "the band from 0.5 gives 5; 10 from 0.9",
        )
        self.assertTrue(why(0.1).endswith("below the first band, which gives 2 from 0.2"))
        self.assertTrue(why(0.95).endswith("the band from 0.9 gives 10, the maximum"))

    def test_all_threads_are_those_of_the_machine(self):
        found = items(part(row(speed=[speed(0.71), speed(0.6, 2), speed(0.1, 4)])))[ALL]
        self.assertEqual(found["points"], 5)
        self.assertIn("10.3 times as fast as naive (1.44 against 0.14 x 10^9", found["why"])

    def test_the_best_right_row_counts_and_is_named(self):
        rows = [
            row("mine", speed=[speed(0.3)]),
            row("mine_a", speed=[speed(0.6)]),
            wrong("mine_b"),
            row("other", speed=[speed(2)]),
        ]
        found = items(part(*rows))[ONE]
        self.assertEqual(found["points"], 5)
        self.assertTrue(found["why"].startswith("part1/mine_a: 0.6 of"))

    def test_wrong_while_timed(self):
        found = items(part(row(speed=[speed(verdict="forces of body 3 are off")])))[ONE]
        self.assertEqual(graded(found), (0, "graded"))
        self.assertIn("the timed result was not right: forces of body 3 are off", found["why"])

    def test_noisy_is_for_a_person(self):
        found = items(part(row(speed=[speed(noisy=True, spread=0.22)])))[ONE]
        self.assertEqual(graded(found), (None, "for a person"))
        self.assertIn(
            "the repeats differ by 22 %, too much to score; 0.71 of the solution's speed",
            found["why"],
        )
        self.assertIn("would give 5", found["why"])

    def test_a_machine_that_was_too_busy_costs_no_points(self):
        nothing = speed(
            noisy=True,
            verdict="too busy to measure",
            share_of_solution=None,
            times_naive=None,
            interactions_per_s=None,
        )
        found = items(part(row(speed=[nothing])))[ONE]
        self.assertEqual(graded(found), (None, "for a person"))
        self.assertIn("the machine was too busy to time it", found["why"])

    def test_above_the_bound_is_flagged(self):
        one = measured(part1=part(row(speed=[speed(6, above_bound=True)])), part2=no_part())
        told = marks(one)
        found = next(item for item in told["items"] if item["item"] == ONE)
        self.assertEqual(graded(found), (None, "flagged"))
        self.assertIn(
            "faster than this machine allows, 6 x 10^9 interactions/s: not scored", found["why"]
        )
        self.assertIn(
            "part1/mine: faster than this machine allows: a person should look", told["flags"]
        )

    def test_doubt_matters_only_where_it_would_give_more(self):
        sound, noisy = (
            row("mine", speed=[speed(0.95)]),
            row("mine_b", speed=[speed(1.1, noisy=True)]),
        )
        self.assertEqual(graded(items(part(sound, noisy))[ONE]), (10, "graded"))
        sound = row("mine", speed=[speed(0.6)])
        self.assertEqual(graded(items(part(sound, noisy))[ONE]), (None, "for a person"))

    def test_why_there_is_no_time(self):
        for not_timed, expected in [
            ("the same as given", (0, "graded")),
            ("the grader failed: measure it again", (None, "for a person")),
            ("the machine went away", (None, "for a person")),
            ("", (None, "not graded here")),
        ]:
            self.assertEqual(
                graded(items(part(row(speed=[], not_timed=not_timed)))[ONE]), expected, not_timed
            )

    def test_no_solution_beside_it(self):
        timed = speed(share_of_solution=None, solution_interactions_per_s=None, solution="")
        found = items(part(row(speed=[timed])))
        self.assertEqual(graded(found[ONE]), (None, "not graded here"))
        self.assertIn("no solution was timed", found[ONE]["why"])


class PaperTest(unittest.TestCase):
    def test_worksheet(self):
        found = items(part(row()))["worksheet"]
        self.assertEqual(graded(found), (12, "graded"))
        self.assertEqual(found["why"], "4 of 5 points of the sheet; wrong: 5")

    def test_points_of_lines(self):
        lines = sheet(
            line("1", points=3),
            line("2", "", points=1),
            line("3", "waits"),
            line("3", "noted", points=0),
            line("4", "noted"),
        )
        found = items(part(row(), worksheet=lines))["worksheet"]
        self.assertEqual(found["points"], 10)
        self.assertEqual(
            found["why"], "4 of 6 points of the sheet; missing: 2; waits for another answer: 3"
        )

    def test_lines_that_could_not_be_judged_are_not_lost(self):
        lines = sheet(
            line("1"),
            line("2", "wrong"),
            line("13", "waits", "not counted; ./lab count says why"),
            line("16", "answered"),
        )
        found = items(part(row(), worksheet=lines))
        self.assertEqual((found["worksheet"]["points"], found["worksheet"]["maximum"]), (3.75, 7.5))
        rest = found["worksheet, lines not judged"]
        self.assertEqual(
            (rest["points"], rest["maximum"], rest["why"]),
            (None, 7.5, "could not be judged here: 13, 16"),
        )

    def test_no_worksheet_and_a_broken_one(self):
        self.assertEqual(graded(items(part(row(), worksheet=None))["worksheet"]), (0, "graded"))
        found = items(part(row(), worksheet=sheet(problem="it does not compile")))["worksheet"]
        self.assertEqual(graded(found), (None, "for a person"))
        self.assertIn("it does not compile", found["why"])

    def test_notebook(self):
        def points(*rows):
            return items(part(row(), notebook=notebook(*rows)))["notebook"]["points"]

        rows = [tried(k, f"idea {k}", verdict="less than expected") for k in range(4)]
        self.assertEqual(points(*rows), 10)
        self.assertEqual(points(*rows, *rows), 10)
        self.assertEqual(points(*rows[:3]), 7.5)
        self.assertEqual(
            points(*(tried(k) for k in range(4))),
            2.5,
            "a copied row counts once, whatever its number",
        )
        self.assertEqual(
            points(*(tried(k, f"idea {k}") for k in range(9))), 10, "more rows give no more points"
        )
        self.assertEqual(points(), 0)
        self.assertEqual(
            points(*(tried(k, f"idea {k}", expected=None) for k in range(4))),
            0,
            "a prediction is needed",
        )
        self.assertEqual(points(*(tried(k, f"idea {k}", measured=None) for k in range(4))), 0)
        self.assertEqual(points(*(tried(k, " ") for k in range(4))), 0)

    def test_predictions_are_needed_only_if_the_rubric_says_so(self):
        rubric = copy.deepcopy(RUBRIC)
        rubric["parts"]["part1"]["notebook"]["needs_prediction"] = False
        book = notebook(*(tried(k, f"idea {k}", expected=None) for k in range(4)))
        self.assertEqual(items(part(row(), notebook=book), rubric)["notebook"]["points"], 10)

    def test_a_notebook_that_cannot_be_read(self):
        found = items(part(row(), notebook=notebook(problem="notebook.csv:3: it has 4 cells")))[
            "notebook"
        ]
        self.assertEqual(graded(found), (None, "for a person"))


class SubmissionTest(unittest.TestCase):
    def test_sums(self):
        for what, one in class_of_all_kinds().items():
            told = marks(one)
            not_here = sum(
                item["maximum"] for item in told["items"] if item["state"] == "not graded here"
            )
            self.assertAlmostEqual(told["maximum"] + told["to_decide"] + not_here, 100, msg=what)
            points = sum(item["points"] or 0 for item in told["items"])
            self.assertAlmostEqual(told["points"] + told["late"]["taken_off"], points, msg=what)
            for item in told["items"]:
                self.assertEqual(item["points"] is None, item["state"] != "graded")
                self.assertTrue(item["why"] and item["why"].isprintable(), item)

    def test_not_graded_here_is_never_zero(self):
        told = marks(measured(part1=part(row()), part2=no_part("not graded here", "needs a GPU")))
        speeds = [
            item
            for item in told["items"]
            if item["part"] == "part2" and item["state"] == "not graded here"
        ]
        self.assertEqual([item["points"] for item in speeds], [None, None])
        self.assertEqual(speeds[0]["why"], "not graded here: needs a GPU")
        self.assertEqual(told["maximum"], 50)
        with_sheet = {**no_part("not graded here", "needs a GPU"), "worksheet": good_sheet()}
        found = items(with_sheet)
        self.assertEqual(
            (graded(found["worksheet"]), found["notebook"]["state"]),
            ((12, "graded"), "not graded here"),
        )

    def test_items_have_one_order(self):
        rules = [
            no_part(),
            no_part("not graded here", "needs a GPU"),
            part(row(), worksheet=good_sheet()),
        ]
        orders = [list(items(one)) for one in rules] + [
            list(items(no_part(), problems=[("unpack", "x")]))
        ]
        self.assertEqual(
            orders,
            4
            * [
                [
                    "correctness",
                    "worksheet",
                    "notebook",
                    ONE,
                    ALL,
                    "Why is the third law not twice as fast?",
                ]
            ],
        )

    def test_a_part_that_was_not_measured(self):
        told = marks(measured(part1=part(row())))
        self.assertIn("part2 was not measured", [item["why"] for item in told["items"]])

    def test_nothing_handed_in_is_zero(self):
        found = items(no_part())
        self.assertEqual({graded(item) for item in found.values()}, {(0, "graded")})
        self.assertEqual(found[ONE]["why"], "nothing was handed in for part1")

    def test_a_late_mark_names_the_row_that_takes_something_off(self):
        one = measured("ada", submitted="")
        one["submission"]["late"] = True

        def flags(*rows):
            told = score(
                [one], RUBRIC, late_rows=[LateRow("ada", days, "late.csv:2") for days in rows]
            )["submissions"][0]
            return [flag for flag in told["flags"] if "late" in flag], told["late"]["days"]

        (said,), days = flags()
        self.assertIn("in late.csv (--late), 'ada,1' means one day", said)
        self.assertEqual(days, 0)
        self.assertEqual([flags(1), flags("excused")], [([], 1), ([], 0)])

    def test_what_cannot_be_read_has_a_row_with_the_reason(self):
        told = marks(class_of_all_kinds()["unreadable"])
        self.assertEqual((told["points"], told["maximum"], told["to_decide"]), (0, 0, 100))
        self.assertEqual(
            told["items"][0]["why"], "the submission could not be read: lab.zip: no zip file"
        )
        self.assertEqual(told["problems"], ["unpack: lab.zip: no zip file"])

    def test_a_problem_of_another_stage_explains_no_empty_part(self):
        found = items(no_part(), problems=[("worksheet", "it does not compile")])
        self.assertEqual(graded(found["correctness"]), (0, "graded"))

    def test_a_problem_with_one_file_takes_no_part(self):
        told = marks(measured(problems=[("unpack", "a link was left out")]))
        self.assertEqual(told["items"][0]["points"], 10)

    def test_groups(self):
        self.assertEqual(marks(class_of_all_kinds()["group"])["authors"], ["Ada", "Bo"])
        both = score([measured("a", ["Ada", "Bo"]), measured("b", ["bo"])], RUBRIC)["submissions"]
        self.assertEqual(
            [one["flags"] for one in both],
            [["Bo is an author of b as well"], ["bo is an author of a as well"]],
        )

    def test_flags_of_machines(self):
        one, two = measured("a", ["Ada"]), measured("b", ["Bo"])
        two["machine"]["cpu"] = "another"
        both = score([one, two], {**RUBRIC, "calibrated_on": "another"})["submissions"]
        self.assertIn("the bands were calibrated on another", both[0]["flags"][0])
        self.assertIn("measured on a different machine", both[1]["flags"][0])

    def test_parts_that_nobody_asked_for(self):
        told = score([measured(part1=part(row()))], RUBRIC, parts=["part1"])
        one = told["submissions"][0]
        left_out = [item for item in one["items"] if item["part"] == "part2"]
        self.assertEqual({graded(item) for item in left_out}, {(None, "not asked for (--part)")})
        self.assertEqual(left_out[0]["why"], "part1 alone was asked for")
        self.assertEqual(told["maximum"], one["maximum"] + one["to_decide"])
        self.assertLess(told["maximum"], RUBRIC["maximum"])

    def test_points_by_hand_of_such_a_part_wait(self):
        question = "Say what stopped the vectoriser, and how you know."
        rows = [ManualRow("smith_anna", question, 1, "", "manual.csv:2")]
        told = score([measured(part1=part(row()))], RUBRIC, rows, parts=["part1"])["submissions"][0]
        waits = next(item for item in told["items"] if item["item"] == question)
        self.assertEqual(graded(waits), (None, "not asked for (--part)"))
        self.assertIn("by hand pending", waits["why"])

    def test_the_same_twice(self):
        everyone = list(class_of_all_kinds().values())
        first = score(everyone, RUBRIC, date="today")
        self.assertEqual(first, score(everyone[::-1], RUBRIC, date="today"))
        self.assertEqual(first["rubric_checksum"], RUBRIC["checksum"])

    def test_the_shipped_rubric(self):
        told = marks(measured(), read_rubric(ROOT / "data/rubric.json"))
        self.assertEqual((told["maximum"], told["to_decide"]), (80, 20))
        self.assertEqual(graded(told["items"][0]), (0, "graded"))


class NextIdeaTest(unittest.TestCase):
    def idea(self, *rows):
        return " ".join(marks(measured(part1=part(*rows), part2=no_part()))["next"])

    def test_rules(self):
        def counted(flops, share, **other):
            return row(counts={"flops": flops, "problem": ""}, speed=[speed(share)], **other)

        for words, rows in [
            ("it is unchanged", [untouched()]),
            ("the compiler's first error", [row(built=False, check=None)]),
            ("first right, then fast: ./lab check part1 mine shows", [wrong()]),
            ("mine reaches 45 % of the reference and computes 28 flops", [counted("28*n^2", 0.45)]),
            (
                "mine reaches 45 % of the reference with no extra flops (20 per interaction)",
                [counted("20 n^2 + 3 n", 0.45)],
            ),
            ("./lab roofline part1 shows what limits it", [counted("", 0.45)]),
            ("2 threads make mine 1.2 times as fast", [row(speed=[speed(0.95), speed(0.57, 2)])]),
            ("./lab bound part1 mine names the unit", [row(speed=[speed(0.71)])]),
            ("mine is as fast as the reference", [row(speed=[speed(0.95)])]),
        ]:
            with self.subTest(words):
                self.assertIn(words, self.idea(*rows))

    def test_what_is_too_fast_is_not_praised(self):
        self.assertEqual(self.idea(row(speed=[speed(6, above_bound=True)])), "")

    def test_nothing_to_say(self):
        self.assertEqual(self.idea(), "")
        self.assertEqual(self.idea(row(speed=[])), "")
        self.assertEqual(self.idea(row(check={**PASSED, "verdict": "not checked: x"})), "")
