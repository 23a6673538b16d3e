"""Tests the questions of part 1: right answers pass, a slip costs once, hypothetical machines never change."""

import unittest
from pathlib import Path

from tests.tasks.parts_for_tests import (
    KnownCounts,
    PartTests,
    PartUnderTest,
    another_letter,
    every,
    ideas,
    times,
    to,
    unanswered,
)

HERE = Path(__file__).resolve().parent

# What the count program says of naive.hpp (common/work/count_program_test.cpp).
NAIVE = {
    "add": (9, -9, 0, 1),
    "mul": (5, -5, 0, 1),
    "div": (7, -7, 0, 1),
    "sqrt": (1, -1, 0, 1),
    "pow": (5, -5, 0, 1),
    "flops": (27, -27, 0, 1),
    "loads": (14, -14, 0, 1),
    "stores": (3, 0, 0, 1),
}
THIRD_LAW = {"flops": (13, -13, 0, 1), "loads": (7, 0, 0, 2), "stores": (2, 0, 0, 1)}
COUNTS = KnownCounts({"naive": NAIVE, "mine": NAIVE, "mine_third_law": THIRD_LAW})

MACHINES = {
    "Ada Lovelace": "peak 6.6 Gflop/s, with fma 13.2 Gflop/s, bandwidth 25.1 GB/s",
    "Charles Babbage": "peak 6.4 Gflop/s, with fma 12.8 Gflop/s, bandwidth 7.2 GB/s",
    "Grace Hopper": "peak 4.6 Gflop/s, with fma 9.2 Gflop/s, bandwidth 5.2 GB/s",
    "Lise Meitner": "peak 6.4 Gflop/s, with fma 12.8 Gflop/s, bandwidth 7.3 GB/s",
    "Max Planck": "peak 8.4 Gflop/s, with fma 16.8 Gflop/s, bandwidth 29.0 GB/s",
    "Emmy Noether": "peak 4.2 Gflop/s, with fma 8.4 Gflop/s, bandwidth 1.6 GB/s",
    "Isaac Newton": "peak 7.2 Gflop/s, with fma 14.4 Gflop/s, bandwidth 27.2 GB/s",
    "Johannes Kepler": "peak 9.8 Gflop/s, with fma 19.6 Gflop/s, bandwidth 3.4 GB/s",
    "Henrietta Leavitt": "peak 8.6 Gflop/s, with fma 17.2 Gflop/s, bandwidth 3.2 GB/s",
    "Zoë Müller": "peak 5.2 Gflop/s, with fma 10.4 Gflop/s, bandwidth 1.8 GB/s",
    "Student ab": "peak 4.8 Gflop/s, with fma 9.6 Gflop/s, bandwidth 17.9 GB/s",
    "Student zz": "peak 6.4 Gflop/s, with fma 12.8 Gflop/s, bandwidth 2.2 GB/s",
    "Anna, Bert": "peak 7.6 Gflop/s, with fma 15.2 Gflop/s, bandwidth 8.7 GB/s",
    "Sverre Aarseth": "peak 5.4 Gflop/s, with fma 10.8 Gflop/s, bandwidth 1.9 GB/s",
    "Maria Mayer": "peak 6.0 Gflop/s, with fma 12.0 Gflop/s, bandwidth 6.4 GB/s",
    "Alan Turing": "peak 8.2 Gflop/s, with fma 16.4 Gflop/s, bandwidth 29.8 GB/s",
    "Edsger Dijkstra": "peak 4.8 Gflop/s, with fma 9.6 Gflop/s, bandwidth 5.3 GB/s",
    "Donald Knuth": "peak 4.0 Gflop/s, with fma 8.0 Gflop/s, bandwidth 1.5 GB/s",
    "Barbara Liskov": "peak 5.8 Gflop/s, with fma 11.6 Gflop/s, bandwidth 19.3 GB/s",
    "Ada Lovelace, Charles Babbage": "peak 8.6 Gflop/s, with fma 17.2 Gflop/s, bandwidth 9.1 GB/s",
}


def answer(answers, n):
    pairs = n * (n - 1)
    answers.texts.update(
        authors="Ada Lovelace",
        mine="mine_third_law",
        before_third_law="naive",
        third_law="mine_third_law",
    )
    answers.letters.update(bound_on_paper="a")  # the roof bends left of both intensities
    answers.numbers.update(
        forces_percent=74,
        neighbours_percent=25,
        speed_up_without_forces=3.85,
        naive_add=9 * pairs,
        naive_mul=5 * pairs,
        naive_div=7 * pairs,
        naive_sqrt=pairs,
        naive_pow=5 * pairs,
        naive_loads=14 * pairs,
        naive_stores=3 * n * n,
        naive_loads_in_registers=4 * n * n,
        naive_stores_in_registers=3 * n,
        intensity=0.397,
        intensity_in_registers=1.69,
        attainable_on_paper=6.6,
        attainable_on_paper_in_registers=6.6,
        peak_here=7.5,
        bandwidth_here=30,
        attainable_here=7.5,
        naive_gflops_here=6,
        reached_percent=80,
        time_ratio=400,
        mine_flops=13 * pairs,
        mine_loads=3.5 * n * n,
        mine_stores=2 * n * n,
        third_law_flops_ratio=0.48,
        first_block_percent=75,
        best_speed_up_of_blocks=1.33,
        threads=2,
        speed_up_with_threads=1.9,
        serial_fraction=0.053,
        error_of_race=0.02,
        cycles_before=8,
        cycles_predicted=7.5,
        cycles_after=7,
        measured_gain=1.14,
        drift_from_memory=0.17,
    )
    answers.numbers = {name: float(number) for name, number in answers.numbers.items()}


def part1(notebook=None, ceilings=()):
    return PartUnderTest(
        HERE.name, COUNTS, ideas(4) if notebook is None else notebook, answer, ceilings
    )


class Part1(PartTests, unittest.TestCase):
    right, machines = part1(), MACHINES
    slips = (
        (
            "profile read wrong: only flagged",
            to(forces_percent=50.0, speed_up_without_forces=2.0),
            [],
        ),
        ("Amdahl wrong", to(speed_up_without_forces=1.35), ["2"]),
        (
            "one add too many, intensity follows",
            every(
                times(naive_add=10 / 9),
                to(intensity=28 / 67.944, intensity_in_registers=28 / 16.012),
                unanswered(
                    "attainable_on_paper",
                    "attainable_on_paper_in_registers",
                    "attainable_here",
                    "reached_percent",
                ),
                lambda answers: answers.letters.update(bound_on_paper=" "),
            ),
            ["3"],
        ),
        ("stores forgotten", to(naive_stores=0.0), ["4", "6"]),
        ("sums of i stored in the loop", times(naive_stores_in_registers=1000), ["5", "6"]),
        ("intensity in flop/number", times(intensity=4), ["6"]),
        ("peak with fma", to(attainable_on_paper_in_registers=1000.0), ["7"]),
        ("memory on paper", another_letter("bound_on_paper"), ["8"]),
        ("limited by the peak", another_letter("limited_by"), ["10"]),
        ("share of the wrong number", to(reached_percent=8.0), ["10"]),
        ("rate falls", another_letter("with_more_bodies"), ["11"]),
        ("time grows like n", to(time_ratio=20.0), ["12"]),
        ("mine counted as naive", times(mine_flops=27 / 13), ["13"]),
        ("ratio upside down", to(third_law_flops_ratio=2.08), ["15"]),
        ("half of the pairs", to(first_block_percent=50.0), ["17"]),
        ("74 and not 75", to(first_block_percent=74.0), ["17"]),
        ("two threads, twice as fast", to(best_speed_up_of_blocks=2.0), ["17"]),
        ("efficiency and not Karp-Flatt", to(serial_fraction=0.95), ["18"]),
        ("the race passes", another_letter("which_pass"), ["19"]),
        ("waits for the memory", another_letter("with_more_bodies_why"), ["11"]),
        ("a gain in cycles", to(measured_gain=1.0), ["20"]),
        ("the gain that was predicted", to(measured_gain=8 / 7.5), ["20"]),
        ("the wrong way round", to(measured_gain=7 / 8), ["20"]),
        ("any port", another_letter("other_port"), ["20"]),
    )

    def test_this_machine_is_judged_by_its_ceilings(self):
        """The answers are 7.5 Gflop/s and 30 GB/s."""

        def states(peak, bandwidth, copy=13.6e9):
            row = {"where": "cpu", "instruction_set": "scalar", "threads": 1, "is_ceiling": True}
            rows = [
                {
                    **row,
                    "kind": "flops",
                    "operation": "mul_add",
                    "precision": "float",
                    "best": peak,
                },
                {
                    **row,
                    "kind": "flops",
                    "operation": "fma",
                    "precision": "float",
                    "best": 2 * peak,
                },
                {
                    **row,
                    "kind": "bandwidth",
                    "operation": "load",
                    "level": "L1",
                    "precision": "",
                    "best": bandwidth,
                },
                {
                    **row,
                    "kind": "bandwidth",
                    "operation": "load",
                    "level": "L1",
                    "precision": "double",
                    "best": 2 * bandwidth,
                },
                {**row, "kind": "bandwidth", "operation": "copy", "level": "DRAM", "best": copy},
            ]
            measured = part1(ceilings=rows)
            here = ("peak, Gflop/s", "bandwidth, GB/s", "attainable, Gflop/s")
            asked = (*(f"this machine: {what}" for what in here), "drift from DRAM, 10^9 bodies/s")
            return [measured.line(question).state for question in asked]

        self.assertEqual(states(7.6e9, 29e9), ["right"] * 4)
        self.assertEqual(states(8e9, 32e9, 12e9), ["wrong", "wrong", "right", "wrong"])
        self.assertEqual(self.right.line("this machine: peak, Gflop/s").state, "noted")

    def test_a_stream_moves_whole_lines_in_and_back(self):
        row = {"where": "cpu", "kind": "bandwidth", "operation": "copy", "level": "DRAM"}
        measured = part1(ceilings=[{**row, "threads": 1, "is_ceiling": True, "best": 13.6e9}])
        for bytes_of_body, words in (
            (40, "read only? what is written goes back to memory, too"),
            (36, "36 bytes are used, but whole lines travel: 40 in, and 40 back"),
        ):
            line = measured.line(
                "drift from DRAM, 10^9 bodies/s", to(drift_from_memory=13.6 / bytes_of_body)
            )
            self.assertEqual((line.state, line.words), ("wrong", words))

    def test_an_unusual_profile_is_flagged_only(self):
        flagged = [
            line.question
            for line in self.right.judged(to(forces_percent=50.0))
            if line.words == "unusual: check again"
        ]
        self.assertEqual(flagged, ["profile: forces, %"])
        self.assertEqual(
            self.right.line("profile: forces, %", to(forces_percent=0.74)).words,
            "a fraction? the question asks for percent: times 100",
        )

    def test_known_slips_are_named(self):
        for change, question, words in (
            (times(mine_loads=3 / 3.5), "memops of mine_third_law, all", "too few"),
            (
                times(naive_loads=4, naive_stores=4),
                "memops of naive, all",
                "bytes of float? the question asks for numbers, whatever their size",
            ),
            (
                times(intensity=4),
                "flop/byte as written, float",
                "flops per number? a float has 4 bytes",
            ),
            (
                times(attainable_on_paper=2),
                "hypothetical machine, as written, Gflop/s",
                "twice as much: with fma? naive has none",
            ),
            (
                times(reached_percent=0.01),
                "share of attainable, %",
                "a fraction? the question asks for percent: times 100",
            ),
            (
                times(serial_fraction=100),
                "serial fraction",
                "percent? the question asks for a fraction",
            ),
            (
                to(third_law_flops_ratio=2.08),
                "third law: flops over those before",
                "upside down: what is divided by what?",
            ),
            (to(time_ratio=20.0), "time with 20000 bodies over 1000", ""),
        ):
            line = self.right.line(question, change)
            self.assertEqual((line.state, line.words), ("wrong", words), question)

    def test_a_division_of_whole_numbers_is_named(self):
        """In its own words, and also where no remainder of the right answer is left."""
        sentence = "C++ divides whole numbers: 4 / 3 is 1; write 4.0 / 3"
        divisions = {"best_speed_up_of_blocks": sentence}
        for answer, words in ((1.0, sentence), (0.0, sentence), (4 / 3, "")):
            change = to(best_speed_up_of_blocks=answer)
            line = self.right.line("best speed-up of two blocks", change, cut_divisions=divisions)
            self.assertEqual(line.words, words, answer)

    def test_counts_of_naive_are_hidden_until_its_lines_are_right(self):
        reason = (
            "count by hand first: the numbers appear once questions 3 and 4 of worksheet.hpp are right "
            "(./lab worksheet part1)"
        )
        self.assertEqual(self.right.hidden("naive", to(naive_add=1.0)), reason)
        self.assertNotEqual(self.right.hidden("naive", to(naive_loads=1.0)), "")
        self.assertEqual(self.right.hidden("naive"), "")

    def test_so_are_those_of_an_unchanged_mine(self):
        self.assertIn(
            "mine still does the same work as naive; count by hand first",
            self.right.hidden("mine", to(naive_add=1.0)),
        )
        self.assertEqual(self.right.hidden("mine_third_law", to(naive_add=1.0)), "")

    def test_all_three_verdicts_on_paper_occur_and_none_is_close(self):
        seen = []
        for k in range(300):
            paper = self.right.part.machine.constants_of(
                f"Student {chr(97 + k % 26)}{chr(97 + k // 26)}"
            )
            ratios = [intensity * paper["bandwidth"] / paper["peak"] for intensity in (0.397, 1.69)]
            for ratio in ratios:
                self.assertGreater(abs(ratio - 1), 0.1)
            seen.append(sum(ratio < 1 for ratio in ratios))
        self.assertGreater(min(map(seen.count, (0, 1, 2))), 60)
