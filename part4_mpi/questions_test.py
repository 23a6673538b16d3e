"""Tests the questions of part 4: right answers pass, a slip costs once, hypothetical clusters never change."""

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

MACHINES = {
    "Ada Lovelace": "16 ranks of 3.5 x 10^9 interactions/s; "
    "L = 7 us, o = 3 us, bandwidth 1.5 GB/s, so G = 0.0006667 us a byte",
    "Charles Babbage": "16 ranks of 5.5 x 10^9 interactions/s; "
    "L = 13 us, o = 2 us, bandwidth 1.625 GB/s, so G = 0.0006154 us a byte",
    "Grace Hopper": "16 ranks of 4.0 x 10^9 interactions/s; "
    "L = 6 us, o = 3 us, bandwidth 3.6 GB/s, so G = 0.0002778 us a byte",
    "Lise Meitner": "16 ranks of 4.5 x 10^9 interactions/s; "
    "L = 17 us, o = 3 us, bandwidth 1.5 GB/s, so G = 0.0006667 us a byte",
    "Max Planck": "16 ranks of 6.0 x 10^9 interactions/s; "
    "L = 5 us, o = 1 us, bandwidth 0.125 GB/s, so G = 0.008 us a byte",
    "Emmy Noether": "8 ranks of 4.5 x 10^9 interactions/s; "
    "L = 14 us, o = 3 us, bandwidth 3.9 GB/s, so G = 0.0002564 us a byte",
    "Isaac Newton": "16 ranks of 3.0 x 10^9 interactions/s; "
    "L = 8 us, o = 1 us, bandwidth 0.1625 GB/s, so G = 0.006154 us a byte",
    "Johannes Kepler": "16 ranks of 4.5 x 10^9 interactions/s; "
    "L = 18 us, o = 1 us, bandwidth 3.9 GB/s, so G = 0.0002564 us a byte",
    "Henrietta Leavitt": "16 ranks of 3.0 x 10^9 interactions/s; "
    "L = 20 us, o = 1 us, bandwidth 0.15 GB/s, so G = 0.006667 us a byte",
    "Zoë Müller": "32 ranks of 3.5 x 10^9 interactions/s; "
    "L = 12 us, o = 3 us, bandwidth 3.6 GB/s, so G = 0.0002778 us a byte",
    "Student ab": "16 ranks of 3.0 x 10^9 interactions/s; "
    "L = 16 us, o = 3 us, bandwidth 1.625 GB/s, so G = 0.0006154 us a byte",
    "Student zz": "32 ranks of 4.0 x 10^9 interactions/s; "
    "L = 8 us, o = 1 us, bandwidth 0.1625 GB/s, so G = 0.006154 us a byte",
    "Anna, Bert": "16 ranks of 2.5 x 10^9 interactions/s; "
    "L = 19 us, o = 1 us, bandwidth 1.5 GB/s, so G = 0.0006667 us a byte",
    "Sverre Aarseth": "8 ranks of 6.0 x 10^9 interactions/s; "
    "L = 9 us, o = 4 us, bandwidth 1.625 GB/s, so G = 0.0006154 us a byte",
    "Maria Mayer": "32 ranks of 5.0 x 10^9 interactions/s; "
    "L = 20 us, o = 4 us, bandwidth 3.6 GB/s, so G = 0.0002778 us a byte",
    "Alan Turing": "8 ranks of 3.0 x 10^9 interactions/s; "
    "L = 7 us, o = 2 us, bandwidth 1.25 GB/s, so G = 0.0008 us a byte",
    "Edsger Dijkstra": "32 ranks of 4.0 x 10^9 interactions/s; "
    "L = 14 us, o = 2 us, bandwidth 3.9 GB/s, so G = 0.0002564 us a byte",
    "Donald Knuth": "32 ranks of 6.0 x 10^9 interactions/s; "
    "L = 14 us, o = 3 us, bandwidth 0.1375 GB/s, so G = 0.007273 us a byte",
    "Barbara Liskov": "8 ranks of 4.5 x 10^9 interactions/s; "
    "L = 4 us, o = 4 us, bandwidth 3 GB/s, so G = 0.0003333 us a byte",
    "Ada Lovelace, Charles Babbage": "8 ranks of 5.0 x 10^9 interactions/s; "
    "L = 16 us, o = 1 us, bandwidth 1.5 GB/s, so G = 0.0006667 us a byte",
}
P, RATE, L, O, G = (
    16,
    3500,
    7,
    3,
    1e-3 / 1.5,
)  # of Ada Lovelace: interactions and times in microseconds
PAIRS = 40000**2 / RATE
MESSAGE, HOME, HOP = (L + 2 * O + G * size for size in (12 * 40000, 12 * 40000 / P, 16 * 40000 / P))
COMPUTE, BLOCK = PAIRS / P, PAIRS / P**2
NAIVE = COMPUTE + (P - 1) * (MESSAGE + HOME)


def network_wins():
    """The number of ranks at which a hop takes as long as the computation, by bisection."""
    low, high = 1.0, 1e4
    for _ in range(200):
        ranks = (low + high) / 2
        low, high = (
            (ranks, high) if PAIRS / ranks**2 > L + 2 * O + G * 16 * 40000 / ranks else (low, ranks)
        )
    return low


def answer(answers, _):
    answers.texts.update(authors="Ada Lovelace", mine="mine")
    answers.numbers.update(
        messages_to_root=9,
        bytes_to_root=9000,
        bytes_of_broadcasts=36000,
        message_us=MESSAGE,
        compute_us=COMPUTE,
        naive_us=NAIVE,
        naive_efficiency_percent=100 * COMPUTE / NAIVE,
        allgather_bytes=12000,
        allgather_bytes_all=48000,
        hop_us=HOP,
        partition_us=BLOCK,
        ring_us=P * BLOCK + (P - 1) * HOP,
        overlapped_us=P * BLOCK,
        ranks_where_the_network_wins=network_wins(),
        ring_bytes=96,
        half_ring_bytes=96,
        threads_here=2,
        speed_of_threads=0.9,
        speed_of_ranks=1,
        amdahl=12.3,
        gustafson=15.7,
        one_rank_here=0.6,
        two_ranks_here=1.1,
        efficiency_here_percent=92,
    )
    answers.numbers = {name: float(number) for name, number in answers.numbers.items()}


class Part4(PartTests, unittest.TestCase):
    right, machines = PartUnderTest(HERE.name, KnownCounts({}), ideas(5), answer), MACHINES
    slips = (
        ("a send that waits", another_letter("send_returns"), ["1"]),
        ("a message for each rank, not each number", to(messages_to_root=3.0), ["2"]),
        ("all bodies travel", to(bytes_to_root=12000.0), ["2"]),
        ("to itself, too", to(bytes_of_broadcasts=48000.0), ["2"]),
        (
            "one overhead, the efficiency follows",
            to(
                message_us=MESSAGE - O,
                naive_us=NAIVE - (P - 1) * O,
                naive_efficiency_percent=100 * COMPUTE / (NAIVE - (P - 1) * O),
            ),
            [],
        ),
        ("bytes of x alone", to(message_us=L + 2 * O + G * 4 * 40000), ["3", "4"]),
        ("nothing comes home", times(naive_us=0.9), ["4"]),
        ("its own share, too", to(allgather_bytes=16000.0), ["5"]),
        ("no allreduce", another_letter("without_allreduce"), ["6"]),
        ("why it hangs", another_letter("ring_hangs"), ["7"]),
        ("12 bytes a hop", to(hop_us=L + 2 * O + G * 12 * 40000 / P), ["8"]),
        ("overlapped as if nothing were", to(overlapped_us=P * BLOCK + (P - 1) * HOP), ["9"]),
        ("without the latency", to(ranks_where_the_network_wins=PAIRS / (G * 16 * 40000)), ["10"]),
        ("sums stay away", to(half_ring_bytes=84.0), ["11"]),
        ("even ranks", another_letter("even_ranks"), ["12"]),
        ("the ranks of the serial share", to(amdahl=50.0), ["14"]),
        ("share of one rank", to(efficiency_here_percent=183.0), ["15"]),
    )
