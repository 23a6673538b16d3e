"""Tests the questions of part 2: right answers pass, a slip costs once, hypothetical machines never change."""

import unittest
from pathlib import Path

from tests.tasks.parts_for_tests import (
    KnownCounts,
    PartTests,
    PartUnderTest,
    another_letter,
    ideas,
    times,
    to,
)

HERE = Path(__file__).resolve().parent

NAIVE = {
    "add": (9, -9, 0, 1),
    "mul": (8, -5, 0, 1),
    "div": (1, -1, 0, 1),
    "sqrt": (1, -1, 0, 1),
    "fma": (0, 0, 0, 1),
    "flops": (19, -16, 0, 1),
}
COUNTS = KnownCounts(
    {"naive": NAIVE, "mine": NAIVE, "mine_batches": {"fma": (7, 0, 0, 1), "flops": (22, 0, 0, 1)}}
)

MACHINES = {
    "Ada Lovelace": "8 lanes of float, ports 3, an approximate 1/sqrt takes 3 slots, root and division of a batch 16 cycles",
    "Charles Babbage": "8 lanes of float, ports 2, an approximate 1/sqrt takes 4 slots, root and division of a batch 18 cycles",
    "Grace Hopper": "8 lanes of float, ports 3, an approximate 1/sqrt takes 4 slots, root and division of a batch 20 cycles",
    "Lise Meitner": "8 lanes of float, ports 3, an approximate 1/sqrt takes 2 slots, root and division of a batch 18 cycles",
    "Max Planck": "8 lanes of float, ports 4, an approximate 1/sqrt takes 1 slots, root and division of a batch 20 cycles",
    "Emmy Noether": "4 lanes of float, ports 4, an approximate 1/sqrt takes 3 slots, root and division of a batch 10 cycles",
    "Isaac Newton": "8 lanes of float, ports 1, an approximate 1/sqrt takes 2 slots, root and division of a batch 9 cycles",
    "Johannes Kepler": "8 lanes of float, ports 2, an approximate 1/sqrt takes 3 slots, root and division of a batch 11 cycles",
    "Henrietta Leavitt": "8 lanes of float, ports 1, an approximate 1/sqrt takes 4 slots, root and division of a batch 17 cycles",
    "Zoë Müller": "16 lanes of float, ports 4, an approximate 1/sqrt takes 1 slots, root and division of a batch 16 cycles",
    "Student ab": "8 lanes of float, ports 3, an approximate 1/sqrt takes 4 slots, root and division of a batch 22 cycles",
    "Student zz": "16 lanes of float, ports 3, an approximate 1/sqrt takes 2 slots, root and division of a batch 14 cycles",
    "Anna, Bert": "8 lanes of float, ports 3, an approximate 1/sqrt takes 4 slots, root and division of a batch 18 cycles",
    "Sverre Aarseth": "4 lanes of float, ports 1, an approximate 1/sqrt takes 1 slots, root and division of a batch 10 cycles",
    "Maria Mayer": "16 lanes of float, ports 2, an approximate 1/sqrt takes 3 slots, root and division of a batch 9 cycles",
    "Alan Turing": "4 lanes of float, ports 3, an approximate 1/sqrt takes 2 slots, root and division of a batch 14 cycles",
    "Edsger Dijkstra": "16 lanes of float, ports 4, an approximate 1/sqrt takes 4 slots, root and division of a batch 17 cycles",
    "Donald Knuth": "16 lanes of float, ports 3, an approximate 1/sqrt takes 4 slots, root and division of a batch 23 cycles",
    "Barbara Liskov": "4 lanes of float, ports 1, an approximate 1/sqrt takes 1 slots, root and division of a batch 8 cycles",
    "Ada Lovelace, Charles Babbage": "4 lanes of float, ports 1, an approximate 1/sqrt takes 3 slots, root and division of a batch 9 cycles",
}


def answer(answers, n):
    """Ada Lovelace's hypothetical machine has 8 lanes, 3 ports, 3 slots for an estimate, 16 cycles for root and division."""
    answers.texts.update(authors="Ada Lovelace", mine="mine_batches")
    answers.letters.update(bodies_i_differ="a")  # 10 % against 3 %
    for name, floats in {"sse2": 4, "avx2": 8, "avx512": 16, "neon": 4}.items():
        answers.numbers.update({f"{name}_floats": floats, f"{name}_doubles": floats / 2})
    answers.numbers.update(
        naive_add=9 * n * n,
        naive_mul=8 * n * n,
        naive_div=n * n,
        naive_sqrt=n * n,
        mine_flops=22 * n * n,
        mine_fma=7 * n * n,
        full_batches=127,
        left_over=3,
        fillers=5,
        bound_of_root_and_division=8 / 16,
        instructions=14,
        bound=8 * 3 / (14 + 3),
        third_law_instructions=18,
        third_law_bound=2 * 8 * 3 / (18 + 3),
        steps_from_12_to_float=1,
        steps_from_14_to_float=1,
        steps_from_14_to_double=2,
        bodies_i=4,
        bodies_i_predicted=1.1,
        bodies_i_measured=1.1,
        bodies_i_spread=3,
        peak_here=152,
        peak_percent=75,
        cycles_before=1.1,
        cycles_predicted=1.05,
        cycles_after=1.0,
        measured_gain=1.1,
        terms_of_one_sum=2**24,
        terms_of_all_lanes=8 * 2**24,
        speed_up_at_256=0.9,
        speed_up_at_10000=1.9,
        threads_pay_from=400,
        double_predicted=2,
        double_measured=2.8,
        interactions_here=5.7,
        clock_here=4,
        bound_here=1.88,
        reached_percent=76,
    )
    answers.numbers = {name: float(number) for name, number in answers.numbers.items()}


def part2(notebook=None):
    return PartUnderTest(HERE.name, COUNTS, ideas(6) if notebook is None else notebook, answer)


def swapped(answers):
    letters = answers.letters
    letters["reduction_permits"], letters["selection_permits"] = (
        letters["selection_permits"],
        letters["reduction_permits"],
    )


class Part2(PartTests, unittest.TestCase):
    right, machines = part2(), MACHINES
    slips = (
        ("layout", another_letter("why_structure_of_arrays"), ["1"]),
        ("permissions swapped", swapped, ["2"]),
        ("softening's product forgotten", times(naive_mul=7 / 8), ["3"]),
        ("bytes and not floats", to(avx512_floats=64.0), ["4"]),
        ("doubles as floats", to(avx2_doubles=8.0), ["4"]),
        ("tail counted as a batch", to(full_batches=128.0), ["4"]),
        ("fillers", to(fillers=3.0), ["4"]),
        ("cycles and not interactions", to(bound_of_root_and_division=2.0), ["5"]),
        ("sums", another_letter("why_not_add_up_in_the_loop"), ["6"]),
        ("the estimate passes", another_letter("raw_estimate"), ["7"]),
        ("a step adds bits", to(steps_from_14_to_double=3.0), ["7"]),
        (
            "one instruction too many, the bound follows",
            to(instructions=15.0, bound=8 * 3 / (15 + 3)),
            ["8"],
        ),
        ("estimate for nothing", to(bound=8 * 3 / 14), ["8"]),
        ("third law: one interaction a pair", times(third_law_bound=0.5), ["10"]),
        ("third law: twice all", another_letter("third_law_why"), ["10"]),
        ("double", another_letter("double_why"), ["12"]),
        ("mine counted as naive", times(mine_flops=19 / 22), ["13"]),
        ("fma as two", times(mine_fma=2), ["13"]),
        ("share of the wrong number", to(reached_percent=30.0), ["13"]),
        ("less than the spread", to(bodies_i_spread=12.0), ["9"]),
        ("share of half of the peak", to(peak_percent=150.0), ["15"]),
        ("the gain that was predicted", to(measured_gain=1.1 / 1.05), ["16"]),
        ("a gain the wrong way round", to(measured_gain=1 / 1.1), ["16"]),
        ("jumps", another_letter("jump_for_free"), ["16"]),
        (
            "the digits that are stored, the lanes follow",
            to(terms_of_one_sum=2.0**23, terms_of_all_lanes=8 * 2.0**23),
            ["17"],
        ),
        ("lanes for one sum", to(terms_of_all_lanes=2.0**24), ["17"]),
        ("the large pull loses", another_letter("lost_in_a_sum"), ["17"]),
    )

    def test_counts_of_naive_are_hidden_until_question_3_is_right(self):
        wrong = to(naive_add=1.0)
        self.assertEqual(
            self.right.hidden("naive", wrong),
            "count by hand first: the numbers appear once question 3 of "
            "worksheet.hpp is right (./lab worksheet part2)",
        )
        self.assertNotEqual(self.right.hidden("mine", wrong), "")
        self.assertEqual(self.right.hidden("mine_batches", wrong), "")
        self.assertEqual(self.right.hidden("naive"), "")

    def test_hypothetical_machines_differ_between_names(self):
        found = [
            self.right.part.machine.constants_of(f"Student {letter}")
            for letter in "abcdefghijklmnopqrstuvwxyz"
        ]
        for name, value, least in (("lanes", 16, 3), ("lanes", 4, 3), ("ports", 1, 2)):
            self.assertGreater(sum(paper[name] == value for paper in found), least)
        self.assertTrue(all(1 <= paper["estimate_slots"] <= 4 for paper in found))
