"""The solved page of a task: where it is, when it opens, what the notebook records."""

import contextlib
import io
import re

from nbody_lab import ROOT
from nbody_lab.core.messages import ended
from nbody_lab.tasks import solved
from tests.folder_for_tests import InFolder

DOCUMENT = """# The ladder

## Measured

table

## Why

not this

<!-- page of tasks 8, 9 -->

**fused**. Once.

<!-- table work -->
<!-- page of task 10 -->

**openmp**. Rows.

## The end

<!-- page of task 8 -->

More of 8.

## Answers

secret
"""


class Solved(InFolder):
    def setUp(self):
        super().setUp()
        self.part = self.folder / "part1_words"
        for made in ("solutions/part1_words", "part1_words/notebook/passed"):
            (self.folder / made).mkdir(parents=True)
        self.document = self.folder / "solutions/part1_words/README.md"
        self.document.write_text(DOCUMENT, encoding="utf-8")

    def passes(
        self,
        name="mine.hpp",
        text="class Mine : public Naive {\n  void compute_accelerations() override {}\n};\n",
    ):
        (self.part / "notebook/passed" / name).write_text(text, encoding="utf-8")

    def open(self, *task):
        """(status, output, complaints)"""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = ended(solved.main, [self.folder, "part1", self.part, *task])
        return status, out.getvalue(), err.getvalue()

    def expect_one_line(self, status, words, *task):
        self.assertEqual(self.open(*task), (status, "", f"lab: {words}\n"))
        self.assertFalse((self.part / "NOTEBOOK.md").exists())

    def test_before_the_check_has_passed_one_line_says_what_is_missing(self):
        missing = "solve it first: the page of task 8 opens once a version with a function of its own has passed ./lab check part1 mine"
        self.expect_one_line(1, missing, "8")
        self.passes("mine.hpp.checked")  # checked, but failed
        self.passes("mine.hpp.replaced")
        self.expect_one_line(1, missing, "8")

    def test_the_file_as_given_opens_nothing(self):
        self.passes(
            text="class Mine : public Naive {\n public:\n  using Naive::Naive;  // void kick() override {}\n};\n"
        )
        self.assertEqual(self.open("8")[0], 1)
        for text in (
            "class Mine : public Naive {\n  void kick(real dt) override {}\n};\n",
            "class Mine : public Fast {\n  using Fast::Fast;\n};\n",
        ):
            self.passes("mine_fast.hpp", text)
            self.assertEqual(self.open("8")[0], 0)

    def test_the_pages_of_a_task(self):
        self.passes("mine_fused.hpp")
        for task in ("8", "8a"):
            status, out, err = self.open(task)
            self.assertEqual((status, err), (0, ""))
            self.assertEqual(
                out,
                f"part1, task {task}, solved: from solutions/part1_words/README.md, beside the code\n\n"
                "## Why\n\n**fused**. Once.\n\n## The end\n\nMore of 8.\n",
            )
        self.assertIn("**openmp**. Rows.", self.open("10")[1])

    def test_it_is_noted_once_in_the_notebook(self):
        self.passes()
        self.open("10")
        self.open("10")
        notebook = (self.part / "NOTEBOOK.md").read_text(encoding="utf-8")
        self.assertRegex(
            notebook, r"^## Hints opened\n\n- task 10, stage solved, \d{4}-\d\d-\d\d\n$"
        )

    def test_a_tree_without_solutions(self):
        self.passes()
        self.document.unlink()
        self.expect_one_line(
            2, "the solutions of part1 are not in this tree: ask your instructor", "8"
        )

    def test_a_task_without_a_page(self):
        self.passes()
        self.expect_one_line(
            2, "part1 has no solved page for task '3'; it has pages for 8, 9, 10", "3"
        )
        self.expect_one_line(
            2, "part1 has no solved page for task 'x'; it has pages for 8, 9, 10", "x"
        )
        self.expect_one_line(
            2, "part1 has no solved page for task '8zz'; it has pages for 8, 9, 10", "8zz"
        )
        self.expect_one_line(2, "hint --solved needs one task: ./lab hint part1 8 --solved")

    def test_the_labs_own_pages(self):
        for file in (ROOT / "solutions").glob("part*/README.md"):
            pages = solved.pages_in(file.read_text(encoding="utf-8"))
            handout = (ROOT / file.parent.name / "README.md").read_text(encoding="utf-8")
            tasks = re.findall(r"^## (\d+) ", handout, re.M)
            self.assertTrue(pages, file)
            self.assertFalse(
                [line for _, lines in pages for line in lines if line.startswith("<!--")], file
            )
            for named, lines in pages:
                self.assertLessEqual(set(named), set(tasks), file)
                self.assertTrue(lines[0].startswith("## "), lines)
            # No page has the answers to the worksheet.
            self.assertNotIn(
                "worksheet.hpp", "\n".join(line for _, lines in pages for line in lines)
            )
