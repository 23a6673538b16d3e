"""Finds a student's next task from a handout and a judged worksheet."""

import re
import unittest

from nbody_lab import ROOT
from nbody_lab.tasks import next_task

HANDOUT = """# A part

## 1 Play

Words.

## 2 Count (about 20 minutes)

Text that names question 9.

Done when questions 1 to 3 of `worksheet.hpp` are right, and
you know why. They are judged without question 7.

## 3 Explain

Done when all questions are answered:

## Behind

## 4 no task
"""


def lines(**states):
    """q1="right wrong" makes two lines of question 1."""
    return [
        {"number": name[1:], "state": "" if state == "-" else state}
        for name, together in states.items()
        for state in together.split()
    ]


class NextTaskTest(unittest.TestCase):
    def tasks(self):
        return next_task.tasks_in(HANDOUT, ["1", "2", "3", "4"])

    def here(self, **states):
        found = next_task.current(self.tasks(), next_task.states_of(lines(**states)))
        return found and found.number

    def test_tasks_with_their_questions(self):
        self.assertEqual(
            [(task.number, task.title, task.line, task.questions) for task in self.tasks()],
            [("1", "Play", 3, []), ("2", "Count", 7, ["1", "2", "3"]), ("3", "Explain", 14, ["4"])],
        )
        self.assertEqual([task.minutes for task in self.tasks()], [0, 20, 0])
        self.assertEqual(
            self.tasks()[1].done_when,
            "Done when questions 1 to 3 of `worksheet.hpp` are right, and you know why",
        )

    def test_the_first_that_is_not_done(self):
        self.assertEqual(self.here(q1="-", q2="-", q3="-", q4="-"), "1")
        self.assertEqual(self.here(q1="right wrong", q2="-", q3="-", q4="-"), "2")
        self.assertEqual(self.here(q1="right noted", q2="answered", q3="right", q4="-"), "3")
        self.assertIsNone(self.here(q1="right", q2="right", q3="right", q4="right"))

    def test_the_overview(self):
        states = next_task.states_of(lines(q1="right wrong", q2="-", q3="-", q4="-"))
        text = "\n".join(
            next_task.overview(
                "part1", "part1/README.md", "## Task 2: count\n", self.tasks(), states
            )
        )
        self.assertIn("   2  Count    1 of 4 lines done   <- you are here\n", text)
        self.assertIn("   1  Play     no questions\n", text)
        self.assertIn("  stuck      ./lab hint part1 2\n", text)
        self.assertIn("part1/README.md, line 7", text)
        self.assertIn("  takes      about 20 minutes\n", text)
        self.assertIn(
            "all questions are answered",
            "\n".join(
                next_task.overview(
                    "part1",
                    "x",
                    "",
                    self.tasks(),
                    next_task.states_of(lines(q1="right", q2="right", q3="right", q4="right")),
                )
            ),
        )

    def test_the_questions_that_a_sentence_names(self):
        for sentence, numbers in (
            ("question 3 is right", "3"),
            ("questions 6 and 7", "6 7"),
            ("questions 3 to 5", "3 4 5"),
            ("questions 0, 6 and 7", "0 6 7"),
            ("questions 0 and 3 to 5 are", "0 3 4 5"),
            ("the check passes", ""),
        ):
            self.assertEqual(next_task.questions_in(sentence, ["9"]), numbers.split(), sentence)

    def test_no_line_is_longer_than_the_screen(self):
        task = next_task.Task("1", "title", 1, ["1"], "Done when " + "something " * 30, 20)
        lines_shown = next_task.overview(
            "part1", "x", "", [task], next_task.states_of(lines(q1="-"))
        )
        self.assertLessEqual(max(map(len, lines_shown)), 100)

    def test_a_task_without_questions_between(self):
        tasks = [
            next_task.Task(number, "title", 1, questions, "", 0)
            for number, questions in (("1", ["1"]), ("2", []), ("3", []), ("4", ["2"]))
        ]

        def here(**states):
            return next_task.current(tasks, next_task.states_of(lines(**states))).number

        self.assertEqual(here(q1="-", q2="-"), "1")
        self.assertEqual(here(q1="right", q2="-"), "2")
        self.assertEqual(here(q1="right", q2="wrong right"), "4")
        text = "\n".join(
            next_task.overview(
                "part1",
                "x",
                "## Task 2a: x\n## Task 2b: y\n",
                tasks,
                next_task.states_of(lines(q1="right", q2="-")),
            )
        )
        self.assertIn("./lab hint part1 2a  (or 2b)", text)
        self.assertIn("once you answer question 2, ./lab next moves on to task 4", text)

    def test_the_labs_own_handouts(self):
        for file in ROOT.glob("part*_*/README.md"):
            text, sheet = (
                path.read_text(encoding="utf-8") for path in (file, file.with_name("worksheet.hpp"))
            )
            questions = re.findall(r"^  // (\d+) ", sheet, re.M)
            tasks = next_task.tasks_in(text, questions)
            self.assertEqual(
                [task.number for task in tasks], [str(k + 1) for k in range(len(tasks))], file
            )
            self.assertGreater(sum(bool(task.questions) for task in tasks), len(tasks) / 2, file)
            # The tasks take the questions in order, each one once.
            named = [question for task in tasks for question in task.questions]
            self.assertEqual(sorted(named, key=int), questions, file)
            hours = int(re.search(r"about\s(\d+)\shours\sin\sall", text)[1])
            self.assertTrue(all(task.minutes for task in tasks), file)
            self.assertLess(abs(sum(task.minutes for task in tasks) - 60 * hours), 30, file)
