"""Evaluating the clock's figures: noise, shares, and the upper bound on the rate."""

import json
import unittest
from pathlib import Path
from types import SimpleNamespace

from nbody_lab.core.model import parse
from nbody_lab.grade import timing
from nbody_lab.grade.limits import Allowance, budget_of
from nbody_lab.grade.models import PartRecord
from nbody_lab.grade.rubric import Rubric, SpeedRule
from nbody_lab.grade.score_speed import mark_speed
from nbody_lab.worksheet.ceilings import Ceilings

CEILINGS = Ceilings(
    rows=[
        {"kind": "flops", "precision": "float", "threads": 1, "best": 1e11},
        {"kind": "flops", "precision": "float", "threads": 2, "best": 2e11},
        {"kind": "flops", "precision": "double", "threads": 2, "best": 9e11},
        {"kind": "bandwidth", "threads": 2, "best": 9e12},
        {"kind": "flops", "precision": "float", "threads": 0, "best": 6e13, "where": "gpu 0"},
    ]
)
USED_UP = Allowance(None, budget_of(1)).used_up
ONE, TWO = (1, 2000, "plummer"), (2, 2000, "plummer")


def row(median, spread=0.02, fastest=0.0, **more):
    """A row as in the summary of bin/bench. `spread`: the interquartile range relative to the median."""
    half = median * spread / 2
    found = {
        "interactions_per_s": {
            "median": median,
            "lower_quartile": median - half,
            "upper_quartile": median + half,
            "maximum": median + 1.2 * half,
        },
        "rounds": 5,
        "verdict": "right",
        "cores_used": 1.0,
        **more,
    }
    return {**found, "fastest_interactions_per_s": fastest} if fastest else found


class Budgets(unittest.TestCase):
    def test_further_rows_have_more_time(self):
        self.assertEqual((budget_of(0), budget_of(1)), (120, 120))
        self.assertEqual(budget_of(3), 150)


class TimingTest(unittest.TestCase):
    def entry(self, mine, setup=ONE, naive=None, solution=None):
        return timing.entry_of(
            mine,
            setup,
            {"naive": naive or row(1e8), "best": solution or row(8e8)},
            "best",
            CEILINGS,
        )

    def test_shares_are_of_the_same_minutes(self):
        entry = self.entry(row(4e8))
        self.assertEqual(
            (entry["times_naive"], entry["share_of_solution"], entry["solution"], entry["noisy"]),
            (4.0, 0.5, "best", False),
        )

    def test_half_a_core_is_noise(self):
        self.assertTrue(self.entry(row(4e8, cores_used=0.5))["noisy"], "half a core")

    def test_a_wide_middle_half_is_noise(self):
        for setup in (ONE, TWO):
            self.assertFalse(self.entry(row(4e8, 0.1), setup)["noisy"])
            self.assertTrue(self.entry(row(4e8, 0.2), setup)["noisy"])

    def test_without_cores_of_its_own_a_row_is_for_a_person(self):
        busy = {"verdict": "too busy to measure", "too_busy": True}
        self.assertTrue(self.entry(busy)["noisy"])
        self.assertTrue(self.entry(row(4e8), naive=busy)["noisy"])
        changed = row(4e8, seconds_of_rounds=[1, 1], cores_of_others_in_rounds=[0, 0])
        beside = row(8e8, seconds_of_rounds=[1, 1], cores_of_others_in_rounds=[1, 1])
        entry = self.entry(changed, naive=changed, solution=beside)
        self.assertEqual(
            (entry["noisy"], entry["times_naive"], entry["share_of_solution"]), (True, 1, None)
        )

    def test_what_is_beside_may_be_the_noise_and_is_told(self):
        entry = self.entry(row(4e8, 0.01), TWO, solution=row(8e8, 0.4))
        self.assertEqual((entry["noisy"], round(entry["spread"], 2)), (True, 0.4))

    def test_nobody_passes_the_machine(self):
        self.assertEqual((timing.bound_of(CEILINGS, 1), timing.bound_of(CEILINGS, 2)), (1e10, 2e10))
        self.assertFalse(self.entry(row(0.9e10))["above_bound"])
        self.assertTrue(self.entry(row(1.1e10))["above_bound"])
        self.assertFalse(self.entry(row(1.1e10), TWO)["above_bound"])
        self.assertEqual(timing.bound_of(CEILINGS, timing.ON_GPU), 6e12)

    def test_a_processor_that_waits_for_a_gpu_is_no_noise(self):
        told = {"naive": row(1e8), "best": row(8e8)}
        waits = row(4e8, fastest=0, cores_used=0.1)
        self.assertEqual(
            [
                timing.entry_of(waits, ONE, told, "best", CEILINGS, gpu)["noisy"]
                for gpu in (False, True)
            ],
            [True, False],
        )

    def test_an_unmeasured_machine_has_no_bound(self):
        self.assertIsNone(timing.bound_of(Ceilings(), 2))

    def test_no_numbers_are_no_speed(self):
        for without in ({}, {"verdict": "the machine was too busy"}, row(0.0)):
            entry = self.entry(without)
            self.assertEqual(
                (entry["interactions_per_s"], entry["times_naive"], entry["noisy"]),
                (None, None, False),
            )

    def test_each_setup_is_timed_once(self):
        speeds = [
            {"threads": 1, "n": 2000, "measure": "times_naive"},
            {"threads": 1, "n": 2000, "scene": "plummer", "measure": "share_of_solution"},
            {"threads": "all", "n": 500, "scene": "galaxy", "measure": "times_naive"},
        ]
        part = {"speed": [{**one, "points": 1, "bands": [[1, 1]]} for one in speeds]}
        rubric = Rubric.model_validate_json(
            json.dumps({"version": 1, "title": "", "maximum": 3, "parts": {"part1": part}})
        )
        self.assertEqual(
            timing.times_wanted(rubric, "part1"), [ONE, (timing.cores(), 500, "galaxy")]
        )
        self.assertEqual(timing.times_wanted(rubric, "part2"), [])


class RowsTest(unittest.TestCase):
    @staticmethod
    def rows():
        def one(name, verdict="passed", **more):
            return {
                "name": name,
                "untouched": False,
                "built": True,
                "check": {"verdict": verdict, "problem": ""},
                **more,
            }

        return [
            one("mine"),
            one("mine_wrong", "failed"),
            one("mine_given", untouched=True),
            one("mine_broken", "not checked", built=False),
        ]

    def timed(self, answer, rows=None, wanted=(ONE,)):
        asked, rows = [], rows or self.rows()
        timing.time_rows(
            lambda *words: asked.append(words) or answer, rows, "best", wanted, 7, CEILINGS
        )
        return rows, asked

    def test_only_right_rows_of_ones_own_are_timed(self):
        rows, asked = self.timed({"naive": row(1e8), "best": row(8e8), "mine": row(4e8)})
        self.assertEqual([words[0] for words in asked], [["naive", "best", "mine"]])
        self.assertEqual(
            [one["not_timed"] for one in rows], ["", "wrong", "the same as given", "not built"]
        )
        self.assertEqual([len(one["speed"]) for one in rows], [1, 0, 0, 0])

    def test_noise_is_timed_again_with_other_questions(self):
        rows, asked = self.timed(
            {"naive": row(1e8), "best": row(8e8), "mine": row(4e8, cores_used=0.3)}
        )
        self.assertEqual([words[2] for words in asked], [7, 8, 9])
        self.assertTrue(rows[0]["speed"][0]["noisy"])

    def test_without_a_result_the_last_words_are_told_but_not_the_progress(self):
        for said, told in (
            ("bench: the disk is full\n  round 3 of 7\n", "bench: the disk is full"),
            ("  round 3 of 7\n", "the timing printed nothing"),
        ):
            clock = SimpleNamespace(run=lambda words, seconds, said=said: (1, said, ""))
            self.assertEqual(
                timing.timed(
                    "bench", "manifest.json", "part1", ["mine"], ONE, 1, Path("no/such/file"), clock
                ),
                told,
            )

    def test_a_clock_that_says_nothing_costs_no_row(self):
        rows, asked = self.timed(USED_UP, wanted=(ONE, TWO))
        self.assertEqual((rows[0]["not_timed"], rows[0]["speed"], len(asked)), (USED_UP, [], 1))
        self.assertEqual(marks_of(rows[0]), [(None, "for a person")] * 2)

    def test_a_row_without_an_answer_in_time_is_not_asked_again(self):
        late, other = self.rows()[0], {**self.rows()[0], "name": "mine_b"}
        _rows, asked = self.timed(
            {
                "naive": row(1e8),
                "best": row(8e8),
                "mine": {"verdict": "no answer in time: ..."},
                "mine_b": row(4e8),
            },
            [late, other],
            (ONE, TWO),
        )
        self.assertEqual([words[0][2:] for words in asked], [["mine", "mine_b"], ["mine_b"]])
        self.assertEqual(marks_of(late), [(0, "graded"), (None, "for a person")])
        self.assertEqual((len(other["speed"]), other["not_timed"]), (2, ""))

    def test_a_row_that_the_budget_left_unchecked_says_so(self):
        unchecked = {**self.rows()[0], "check": {"verdict": "not checked", "problem": USED_UP}}
        rows, _ = self.timed({}, [unchecked])
        self.assertEqual(
            (rows[0]["not_timed"], marks_of(rows[0])), (USED_UP, [(None, "for a person")] * 2)
        )

    def test_a_grader_that_fails_in_the_middle_takes_nothing(self):
        def fails(names, setup, seed):
            if setup == TWO:
                raise OSError("no space left")
            return {"naive": row(1e8), "best": row(8e8), "mine": row(4e8)}

        rows = self.rows()
        with self.assertRaises(OSError):
            timing.time_rows(fails, rows, "best", [ONE, TWO], 7, CEILINGS)
        timing.untimed(rows, "the grader failed")
        self.assertEqual(
            [one["not_timed"] for one in rows],
            ["the grader failed", "wrong", "the same as given", "not built"],
        )
        self.assertEqual(marks_of(rows[0]), [(10, "graded"), (None, "for a person")])


def marks_of(one):
    """The marks for both speeds, as scoring gives them."""
    part = parse(PartRecord, {"state": "measured", "rows": [{"source": "mine.hpp", **one}]}, "x")
    rules = [
        SpeedRule(
            threads=threads,
            n=2000,
            measure="times_naive",
            points=10,
            bands=((2, 10),),
            rows=("mine*",),
        )
        for threads in (1, 2)
    ]
    marks = [mark_speed("part1", part, rule, True, 2) for rule in rules]
    return [(mark.points, mark.state) for mark in marks]
