"""Does the output of ./lab fit 100 columns?"""

import os
import subprocess
import unittest
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab import cli as main
from nbody_lab.core import screen
from nbody_lab.tasks import next_task
from nbody_lab.worksheet.command import Desk
from nbody_lab.worksheet.judge import judged_sheet
from nbody_lab.worksheet.question import TOTAL
from nbody_lab.worksheet.sheet_text import worksheet_text
from tests import BUILD, as_program


def said_by(*words):
    run = subprocess.run(
        list(map(str, words)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env={**os.environ, "COLUMNS": "300"},
        check=False,
    )
    return run.stdout


class ScreenTest(unittest.TestCase):
    def expect_fits(self, text, of):
        longest = max(text.splitlines() or [""], key=len)
        self.assertTrue(text.strip(), of)
        self.assertLessEqual(len(longest), screen.SCREEN, f"{of}: {longest}")

    def test_a_table_wraps_its_widest_cells(self):
        text = screen.table(("name", "what"), [("naive", "word " * 30), ("mine", "")])
        self.expect_fits(text, "table")
        lines = text.splitlines()
        self.assertEqual(lines[0], "name   what")
        self.assertEqual(len(lines), 5)
        self.assertEqual(lines[3], "       " + ("word " * 12).strip())
        self.assertEqual(screen.table(("a", "b"), [("x", "y")]), "a  b\n-  -\nx  y")

    def test_a_word_is_never_broken(self):
        self.assertIn("-" * 120, screen.table(("a", "b"), [("x" * 120, "y z")]))

    def test_commands_that_build_nothing(self):
        builds = {"plot", "demo"}
        for words in (
            [],
            ["help"],
            ["test", "--list"],
            *([name, "-h"] for name in main.COMMANDS if name not in builds),
            ["profile", "part3", "-h"],
        ):
            with self.subTest(" ".join(["./lab", *words])):
                self.expect_fits(said_by("bash", ROOT / "lab", *words), words)

    def test_the_list(self):
        for part in ("", "part1", "part2", "part3"):
            self.expect_fits(
                said_by(
                    *as_program("commands.listing", "show"),
                    BUILD / "manifest.json",
                    *([part] if part else []),
                ),
                f"list {part}",
            )

    def test_next_at_every_task(self):
        for handout in ROOT.glob("part*_*/README.md"):
            part = handout.parent.name.split("_")[0]
            text, hints = (
                file.read_text(encoding="utf-8")
                for file in (handout, handout.with_name("hints.md"))
            )
            tasks = next_task.tasks_in(text, [str(number) for number in range(30)])
            for here in tasks:
                states = {
                    question: (0, 1)
                    for task in tasks[tasks.index(here) :]
                    for question in task.questions
                }
                self.expect_fits(
                    "\n".join(
                        next_task.overview(part, handout.relative_to(ROOT), hints, tasks, states)
                    ),
                    f"next {part} {here.number}",
                )

    def programs(self, *names):
        """The programs that are built; in the suites, all are."""
        found = [BUILD / "bin" / name for name in names if (BUILD / "bin" / name).exists()]
        if not found:
            self.skipTest("nothing is built")
        return found

    def test_help_of_programs(self):
        for program in self.programs(
            "part1/naive",
            "part2/mine",
            "part3/naive",
            "part1/naive_count",
            "check",
            "bench",
            "machine",
            "devices",
            "demo",
        ):
            with self.subTest(program):
                self.expect_fits(said_by(program, "-h"), program)

    def test_empty_worksheets(self):
        for answers in self.programs(*(f"part{k}/worksheet_answers" for k in (1, 2, 3))):
            part = answers.parent.name
            desk = Desk(
                next(ROOT.glob(f"{part}_*/questions.json")),
                answers,
                answers.parent,
                Path("/nowhere"),
                [],
            )
            self.expect_fits(worksheet_text(judged_sheet(*desk.given()), TOTAL), part)
