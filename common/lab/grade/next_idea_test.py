#!/usr/bin/env python3
"""Does a student hear of the next step that fits his row, with a command that there is?"""

import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "pages"), str(HERE.parent)]
from grade.measured_for_tests import FAILURES, row, speed, unbuilt  # noqa: E402
from main import COMMANDS  # noqa: E402
from next_idea import RULES, next_idea  # noqa: E402


class NextIdea(unittest.TestCase):
    def test_the_first_that_fits(self):
        for what, said in ((unbuilt("x"), "does not compile"), (row(failures=FAILURES), "make it right"), (row(untouched=True), "handed out"),
                           (row(speed=[speed(7)]), "faster than its loop"), (row(shares=(0.12,)), "hardly faster"), (row(shares=(0.4, 0.4)), "less than half"),
                           (row(shares=(0.8, 0.4)), "more threads gain little"), (row(shares=(0.7, 0.7)), "near the solution"),
                           (row(shares=(0.95, 0.95)), "as fast as the solution")):
            self.assertIn(said, next_idea("part1", what)["words"])
        self.assertIsNone(next_idea("part1", row(shares=())))

    def test_commands_are_there(self):
        for _, _, command in RULES:
            self.assertIn(command.split()[1], COMMANDS)

    def test_a_hostile_name_is_in_no_command(self):
        self.assertEqual(next_idea("part1", row("x; rm -rf", (0.4,)))["command"], "./lab bound part1 mine")


if __name__ == "__main__":
    unittest.main()
