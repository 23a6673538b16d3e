"""Hints: their files, the notebook's section, and the command."""

import os
import subprocess
import sys
import unittest

from nbody_lab import ROOT
from nbody_lab.tasks.hint import (
    InputError,
    heading_of,
    lines_of,
    next_stage,
    parse_hints,
    task_named,
    with_opened_stage,
)
from tests.folder_for_tests import InFolder

GOOD = (
    "# Hints\nabout\n\n## Task 3: flops\n### 1\n\nwhy?\n\n### 2\nlook\nthere\n### 3\n\n"
    "    code\n\n## Task 8a\n### 1\na\n### 2\nb\n### 3\nc"
)

HINT = [
    sys.executable,
    "-c",
    "import sys; from nbody_lab.tasks.hint import main; sys.exit(main(sys.argv[1:]))",
]


class Hints(unittest.TestCase):
    def refused(self, text, action=None):
        with self.assertRaises(InputError) as caught:
            (action or (lambda: parse_hints(text, "hints.md")))()
        return str(caught.exception)

    def test_three_stages_a_task(self):
        tasks = parse_hints(GOOD, "hints.md")
        self.assertEqual([(t.name, t.title) for t in tasks], [("3", "flops"), ("8a", "")])
        self.assertEqual(tasks[0].stages, ["why?", "look\nthere", "    code"])
        self.assertEqual(tasks[1].stages, ["a", "b", "c"])

    def test_a_file_that_is_not_complete_is_refused(self):
        for text, complaint in (
            ("", "has no hints"),
            ("# Hints\n", "has no hints"),
            (GOOD.replace("why?", " "), "stage 1 of task 3 is empty"),
            (GOOD.replace("### 3\nc", ""), "task 8a has 2 stages instead of 3"),
            (GOOD + "\n### 4\nd", "task 8a has 4 stages instead of 3"),
            (GOOD.replace("### 2", "### 3", 1), "stage 3 of task 3 is out of order"),
            ("### 1\na\n" + GOOD, "stage 1 of task ? is out of order"),
        ):
            self.assertEqual(self.refused(text), "hints.md: " + complaint)

    def test_unknown_tasks_are_answered_with_what_there_is(self):
        tasks = parse_hints(GOOD, "hints.md")
        self.assertEqual(task_named(tasks, "8a", "part1").name, "8a")
        for name, complaint in (
            ("99", "part1 has no hints for task '99': choose from 3, 8a"),
            ("", "which task? part1 has hints for 3, 8a"),
            ("8", "task 8 has hints for each of its ideas: 8a"),
        ):
            self.assertEqual(
                self.refused(None, lambda: task_named(tasks, name, "part1")), complaint
            )

    def test_a_number_is_no_idea_of_another(self):
        tasks = parse_hints(GOOD.replace("Task 3", "Task 11"), "hints.md")
        self.assertEqual(
            self.refused(None, lambda: task_named(tasks, "1", "part1")),
            "part1 has no hints for task '1': choose from 11, 8a",
        )

    def test_text(self):
        self.assertEqual(lines_of("a\n\nb\r\nc"), ["a\n", "\n", "b\r\n", "c"])
        self.assertEqual(lines_of(""), [])
        self.assertEqual(heading_of("## Hints opened \r\n"), "Hints opened")
        self.assertEqual(
            [heading_of(line) for line in ("", "#", "#pragma omp\n", "words", "##\n")], [""] * 5
        )


class OpenedStages(unittest.TestCase):
    def test_are_in_the_notebook_alone(self):
        notebook = "# Notebook\n"
        for stage in (1, 2, 3):
            self.assertEqual(next_stage(notebook, "3"), stage)
            notebook = with_opened_stage(notebook, "3", stage, "2026-11-21")
        self.assertEqual(next_stage(notebook, "3"), 0)
        self.assertEqual(next_stage(notebook, "8a"), 1)
        self.assertEqual(
            notebook,
            "# Notebook\n\n## Hints opened\n\n"
            "- task 3, stage 1, 2026-11-21\n- task 3, stage 2, 2026-11-21\n"
            "- task 3, stage 3, 2026-11-21\n",
        )

    def test_leave_the_text_around_them_alone(self):
        above = "# N\r\n\r\n## Hints opened\r\n"
        entry = "- task 2, stage 1, 2026-11-20\r\n"
        below = "my words\r\n\r\n## More\r\n- task 3, stage 1, no section of hints"
        notebook = above + entry + below
        self.assertEqual(next_stage(notebook, "2"), 2)
        self.assertEqual(next_stage(notebook, "3"), 1)
        self.assertEqual(
            with_opened_stage(notebook + "\r\n", "3", 1, "d"),
            above + entry + "- task 3, stage 1, d\r\n" + below + "\r\n",
        )
        self.assertEqual(
            with_opened_stage(above + below + "\r\n", "3", 1, "d"),
            above + "\r\n- task 3, stage 1, d\r\n" + below + "\r\n",
        )
        self.assertEqual(
            with_opened_stage(below, "9", 1, "d"),
            below + "\r\n\r\n## Hints opened\r\n\r\n- task 9, stage 1, d\r\n",
        )

    def test_ten_is_not_one(self):
        notebook = with_opened_stage("", "10a", 1, "d")
        self.assertEqual([next_stage(notebook, task) for task in ("10a", "1", "10")], [2, 1, 1])


class Command(InFolder):
    def setUp(self):
        super().setUp()
        self.notebook = self.folder / "NOTEBOOK.md"
        (self.folder / "hints.md").write_text(
            "## Task 3: flops\n### 1\nask\n### 2\nlook\n### 3\nrecipe\n"
        )

    def run_hint(self, *words):
        return subprocess.run([*HINT, *words], capture_output=True, check=False)

    def hint(self, *words):
        return self.run_hint(
            "--folder", self.folder, "--hints", self.folder / "hints.md", "part1", *words
        )

    def expect_one_line(self, outcome, part):
        self.assertEqual((outcome.returncode, outcome.stdout), (2, b""))
        self.assertTrue(outcome.stderr.startswith(b"hint: "), outcome.stderr)
        self.assertIn(part, outcome.stderr)
        self.assertEqual(outcome.stderr.count(b"\n"), 1)

    def test_hints_open_one_by_one(self):
        stages = ("ask", "look", "recipe")
        # Invalid UTF-8 stays as it is.
        self.notebook.write_bytes(b"my w\xf6rds\r\n")
        for number, stage in enumerate(stages, 1):
            outcome = self.hint("3")
            last = (
                b"That was the last hint.\n"
                if number == 3
                else b"Try it before asking for the next: ./lab hint part1 3\n"
            )
            noted = (
                b'This hint is recorded in %s, under "Hints opened".\n'
                % os.path.relpath(self.notebook).encode()
            )
            self.assertEqual(
                outcome.stdout,
                b"part1, task 3 (flops), hint %d of 3\n\n%s\n\n%s%s"
                % (number, stage.encode(), noted, last),
            )
            self.assertIn(b"- task 3, stage %d, 20" % number, self.notebook.read_bytes())
        noted = self.notebook.read_bytes()
        self.assertTrue(noted.startswith(b"my w\xf6rds\r\n\r\n## Hints opened\r\n"), noted)
        outcome = self.hint("3")
        self.assertTrue(outcome.stdout.startswith(b"All hints for task 3 are open:\n\n"))
        for stage in stages:
            self.assertIn(b"\n\n%s\n\n" % stage.encode(), outcome.stdout)
        self.assertEqual(self.notebook.read_bytes(), noted)
        self.assertEqual(len(list(self.folder.iterdir())), 2)

    def test_bad_input_is_one_line_and_leaves_nothing(self):
        self.expect_one_line(self.hint("7"), b"has no hints for task '7'")
        self.expect_one_line(self.hint(), b"which task?")
        self.expect_one_line(self.hint("3", "more"), b"unrecognized arguments: more")
        self.expect_one_line(self.run_hint("part1"), b"required")
        (self.folder / "hints.md").write_text("## Task 3\n")
        self.expect_one_line(self.hint("3"), b"task 3 has 0 stages instead of 3")
        (self.folder / "hints.md").unlink()
        self.expect_one_line(self.hint("3"), b"hints.md: cannot be read (No such file")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_notebook_that_must_not_be_replaced_is_refused(self):
        self.notebook.symlink_to("elsewhere")
        self.expect_one_line(self.hint("3"), b"is a symbolic link")
        self.notebook.unlink()
        self.notebook.mkdir()
        self.expect_one_line(self.hint("3"), b"is not a file")
        self.notebook.rmdir()
        self.notebook.write_text("words")
        self.notebook.chmod(0o400)
        self.expect_one_line(self.hint("3"), b"is read-only")
        self.assertEqual(self.notebook.read_text(), "words")

    def test_a_full_disk_is_told(self):
        with open("/dev/full", "wb") as full:
            outcome = subprocess.run(
                [*HINT, "--folder", self.folder, "--hints", self.folder / "hints.md", "part1", "3"],
                stdout=full,
                stderr=subprocess.PIPE,
                check=False,
            )
        self.assertEqual(
            (outcome.returncode, outcome.stderr),
            (2, b"hint: standard output cannot be written: disk full?\n"),
        )


class HintsOfTheParts(unittest.TestCase):
    TASKS = {
        "part1_standard_opti": "2 3 4 5 6 7 8a 8b 8c 8d 9 10a 10b 11",
        "part2_vectorization": "2 3 4 5 6 7 8 9 10",
        "part4_mpi": "2 4 5 6 7 8 9",
        "part3_cuda": "1 2 3 4 5 6 7 8 9 10 11",
    }

    def test_every_task_has_them(self):
        """Each stage fits one screen, with room for the command."""
        for part, names in self.TASKS.items():
            file = ROOT / part / "hints.md"
            tasks = parse_hints(file.read_text(), str(file))
            self.assertEqual(" ".join(task.name for task in tasks), names)
            for task in tasks:
                for stage in task.stages:
                    self.assertLessEqual(stage.count("\n"), 20, task.name)
                    self.assertGreaterEqual(len(stage), 60, task.name)
