"""Gains of one program over another, and what they are called."""

import unittest

from nbody_lab.notebook.gain import Gain, estimated_gain, gain_of, verdict_word


def row(seconds, others=()):
    return {"seconds_of_rounds": list(seconds), "cores_of_others_in_rounds": list(others)}


def gain_with(ratios):
    """Rounds of a second each; the program before took so many times as long."""
    return gain_of(row([1.0] * len(ratios)), row(ratios))


def scattered_gain(ratios):
    """Times that scatter by more than the gain: only the rounds can tell."""
    seconds = [1 + k % 2 for k in range(len(ratios))]
    return gain_of(row(seconds), row([second * ratio for second, ratio in zip(seconds, ratios)]))


class Gains(unittest.TestCase):
    def test_are_the_median_of_the_rounds(self):
        self.assertEqual(
            gain_of(
                row([1, 2, 1, 1, 1, 1, 1, 1, 1]), row([1.5, 3, 1.4, 1.6, 1.5, 1.5, 9, 1.3, 1.5])
            ),
            Gain(1.5, 1.5, 1.5, True),
        )

    def test_a_disturbed_round_disturbs_both(self):
        mine = [1, 2, 2, 1, 2, 1, 1, 2, 1]
        gain = gain_of(row(mine), row([1.1 * second for second in mine]))
        self.assertAlmostEqual(gain.ratio, 1.1)
        self.assertTrue(gain.real)

    def test_are_real_if_rounds_agree_or_times_do_not_overlap(self):
        some = [1.1] * 8
        for gain, real in (
            (scattered_gain([*some, 0.9]), True),
            (scattered_gain([*some[:7], 0.9, 0.9]), False),
            (scattered_gain([0.9] * 8 + [1.1]), True),
            (scattered_gain([0.9] * 7 + [1.1, 1.1]), False),
            (scattered_gain(some[:6]), True),
            (scattered_gain([*some[:7], 0.9]), False),  # 7 of 8: 7 %
            # 1.18 times, 7 of 9 rounds agree, both spread by some percent only; 6 of 9: the middle half holds 1.
            (gain_with([1.18, 1.18, 1.2, 1.15, 1.1, 1.25, 1.2, 0.95, 0.9]), True),
            (gain_with([1.18, 1.18, 1.2, 1.15, 1.1, 1.25, 0.96, 0.95, 0.9]), False),
            # Below 2 % there is none.
            (gain_with([1.015] * 9), False),
            (gain_with([1.025] * 9), True),
            (gain_with([0.985] * 9), False),
            (gain_with([0.975] * 9), True),
            (gain_with([1.0] * 9), False),
        ):
            self.assertEqual(gain.real, real, gain)

    def test_rounds_that_nobody_could_measure_are_left_out(self):
        self.assertEqual(
            gain_of(row([1, 0, 1, 1, 1, 1, 1, 1, 1]), row([2, 2, 0, 2, 2, 2, 2, 2, 2])).ratio, 2
        )
        self.assertIsNone(gain_of(row([1, 1, 1, 1, 1, 0, 0, 0, 0]), row([2] * 9)))

    def test_rounds_in_which_the_neighbours_changed_are_left_out(self):
        seconds, before = [1, 1, 1, 2, 1, 1, 1], row([3] * 7, [0] * 7)
        self.assertEqual(gain_of(row(seconds, [0, 0.1, 0, 1, 0, 0.2, 0]), before).lower, 3)
        self.assertIsNone(gain_of(row(seconds, [1] * 7), before))

    def test_without_the_program_are_estimated_from_both_rows(self):
        for numbers, real in (
            ((3.0, 0.1, 2.0, 0.1), True),
            ((2.1, 0.1, 2.0, 0.1), False),
            ((2.1, 0.01, 2.0, 0.01), True),
            ((2.02, 0, 2.0, 0), False),
        ):
            gain = estimated_gain(*numbers)
            self.assertEqual(
                (gain.ratio, gain.real, gain.estimated), (numbers[0] / numbers[2], real, True)
            )


class Verdicts(unittest.TestCase):
    def test_compare_with_what_was_expected(self):
        gained = Gain(1.5, 1.4, 1.6, True)
        for expected, gain, verdict in (
            (1.5, gained, "as expected"),
            (1.75, gained, "as expected"),
            (1.8, gained, "less than expected"),
            (1.31, gained, "as expected"),
            (1.3, gained, "more than expected"),
            # The other side of one is never as expected, however close.
            (1.0, Gain(0.91, 0.9, 0.92, True), "less than expected"),
            (1.1, Gain(0.96, 0.95, 0.97, True), "less than expected"),
            (1.0, Gain(1.14, 1.1, 1.2, True), "more than expected"),
            (0.9, Gain(0.85, 0.8, 0.88, True), "as expected"),
            # No difference may have been expected.
            (1.1, Gain(1.05, 0.9, 1.2, False), "no difference beyond the spread"),
            (1.0, Gain(1.05, 0.9, 1.2, False), "as expected"),
            (2, gain_of(row([0.5] * 9), row([1] * 9)), "as expected"),
            (2, gain_of(row([0.3, 0.7, 0.5] * 3), row([1] * 9)), "too noisy to tell"),
        ):
            self.assertEqual(verdict_word(expected, gain), verdict, (expected, gain))
