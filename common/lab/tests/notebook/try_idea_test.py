"""./lab try: its options, and what it makes of trials, which are made up here."""

import contextlib
import io
import re
import unittest
from types import SimpleNamespace
from unittest import mock

from nbody_lab import ROOT
from nbody_lab.core.messages import Failure
from nbody_lab.notebook import notebook
from nbody_lab.notebook import try_idea as try_idea_module
from nbody_lab.notebook.file import InputError
from nbody_lab.notebook.trial import BUSY, Question
from nbody_lab.notebook.try_idea import parse, parse_again, parser, try_again, try_idea
from tests.folder_for_tests import InFolder

FOUND = {
    "expected": 1.5,
    "verdict": "as expected",
    "n": 2000,
    "step": "fixed",
    "scene": "plummer",
    "precision": "float",
    "threads": "2",
    "device": "",
    "flags": "-O3",
    "measured": 1.43,
    "lower": 1.4,
    "upper": 1.46,
    "times_naive": 2.1,
    "interactions_per_s": 3.8e8,
    "spread": 0.04,
}
MEASUREMENT = ("measured", "lower", "upper", "times_naive", "interactions_per_s", "spread")
CHECK = {"implementations": []}


class Words(unittest.TestCase):
    def refusal(self, *words, name="mine"):
        with self.assertRaises(InputError) as caught:
            parse(name, words)
        self.assertNotIn("\n", str(caught.exception))
        return str(caught.exception)

    def test_that_are_right(self):
        typed = parse(
            "mine",
            [
                "--expect",
                "1.5",
                " each | pair\nonce ",
                "--threads",
                "2",
                "-n",
                "100",
                "--against",
                "3",
                "--vdt",
            ],
        )
        self.assertEqual(
            (typed.idea, typed.expect, typed.threads, typed.n, typed.against, typed.vdt),
            ("each | pair once", "1.5", 2, 100, "3", True),
        )
        self.assertEqual(parse("mine", ["idea", "--expect=2", "--n", "16"]).n, 16)

    def test_that_are_wrong(self):
        self.assertIn("--expect is missing: predict first", self.refusal("idea"))
        for bad in ("0", "0.001", "-1", "nan", "inf", "1e9", "fast", "1.5x", ""):
            self.assertIn(
                "--expect needs a factor from 0.01 to 1000",
                self.refusal("idea", "--expect", bad),
                bad,
            )
        for words, complaint in (
            (("idea", "--expect"), "--expect: expected one argument"),
            (("--expect", "2"), "what is the idea?"),
            ((" \n", "--expect", "2"), "what is the idea?"),
            (
                ("two", "words", "--expect", "2"),
                "'words' is one word too many: put the idea in quotes",
            ),
            (
                ("idea", "--expect", "2", "--threads", "0"),
                "--threads: 0 is not a whole number from 1 to 4096",
            ),
            (
                ("idea", "--expect", "2", "-n", "1"),
                "-n/--n: 1 is not a whole number from 16 to 1000000",
            ),
            (("idea", "--expect", "2", "--thread", "1"), "unrecognized arguments: --thread"),
        ):
            self.assertIn(complaint, self.refusal(*words))
        self.assertIn(
            "try a version of your own", self.refusal("idea", "--expect", "2", name="naive")
        )

    def test_all_are_in_the_help(self):
        text = (ROOT / "common/lab/src/nbody_lab/core/help_try.txt").read_text(encoding="utf-8")
        known = {option for action in parser()._actions for option in action.option_strings} | {
            "--help",
            "--again",
        }
        self.assertEqual(
            set(re.findall(r"--\w+", text.split("Options:")[1])),
            {word for word in known if word.startswith("--")},
        )


class InAFolder(InFolder):
    def setUp(self):
        super().setUp()
        patch = mock.patch.object(try_idea_module, "columns_of", lambda trial: trial.columns)
        patch.start()
        self.addCleanup(patch.stop)
        self.part, self.programs = self.folder / "part", self.folder / "build/part1"
        self.verdicts, self.asked = [], []
        self.part.mkdir()
        (self.folder / "mine").write_text("a program")
        (self.part / "mine.hpp").write_text("the source")

    def trial(self, question, wrong="", without=(), meanwhile=None, estimated=False, **found):
        """What the columns of the trial hold. meanwhile: {file: text} that the student writes during the measurement"""
        self.asked.append(question)
        for name, text in (meanwhile or {}).items():
            (self.part / name).write_text(text)
        found = {key: value for key, value in {**FOUND, **found}.items() if key not in without}
        if wrong:
            found["verdict"] = f"wrong: {wrong}"
        conditions = type(
            "Conditions", (), {"before": "", "__str__": lambda _: "2000 bodies, and so on"}
        )()
        gain = SimpleNamespace(estimated=estimated) if "measured" in found else None
        return SimpleNamespace(
            check=CHECK,
            wrong=wrong,
            over_before=gain,
            conditions=conditions,
            program=self.folder / "mine",
            columns=found,
        )

    def attempt(self, *words, name="mine", **trial):
        """(status, output)"""
        with contextlib.redirect_stdout(io.StringIO()) as out:
            status = try_idea(
                self.part,
                name,
                self.part / "mine.hpp",
                parse(name, ["an idea", "--expect", "1.5", *words]),
                lambda question: self.trial(question, **trial),
                self.programs,
                self.verdicts.append,
            )
        return status, out.getvalue()

    def again(self, *words, **trial):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            status = try_again(
                self.part,
                parse_again(words),
                lambda question: self.trial(question, **trial),
                self.programs,
            )
        return status, out.getvalue()

    def contents(self):
        return sorted(
            str(file.relative_to(self.part)) for file in self.part.rglob("*") if file.is_file()
        )


class Tries(InAFolder):
    def test_are_rows_with_their_conditions(self):
        status, out = self.attempt("--threads", "2", "--vdt", "-n", "100")
        self.assertEqual((status, self.verdicts), (0, [CHECK]))
        self.assertRegex(
            out,
            r"^\nrow 1 is in \S*part/NOTEBOOK.md, its source in notebook/001_mine.hpp beside it\n$",
        )
        self.assertEqual(self.asked, [Question("mine", 1.5, threads=2, adaptive=True, n=100)])
        (row,) = notebook.load(self.part).rows
        self.assertRegex(row.pop("date"), r"^20\d\d-\d\d-\d\d$")
        self.assertEqual(
            row,
            {
                "row": "1",
                "name": "mine",
                "idea": "an idea",
                "expected": "1.5",
                "measured": "1.43",
                "against": "naive",
                "times_naive": "2.1",
                "interactions_per_s": "3.8e+08",
                "spread": "0.04",
                "n": "2000",
                "threads": "2",
                "verdict": "as expected",
                "estimated": "",
                "lower": "1.4",
                "upper": "1.46",
                "step": "fixed",
                "scene": "plummer",
                "precision": "float",
                "device": "",
                "flags": "-O3",
                "source": "notebook/001_mine.hpp",
            },
        )
        self.assertRegex(
            (self.part / "notebook/001_mine.hpp").read_text(),
            "^// Row 1, 20.*: 2000 bodies, and so on; compared with naive\nthe source$",
        )
        self.assertEqual(
            self.contents(), ["NOTEBOOK.md", "mine.hpp", "notebook.csv", "notebook/001_mine.hpp"]
        )

    def test_are_compared_with_the_kept_program_and_its_threads(self):
        self.attempt()
        (kept,) = self.programs.iterdir()
        self.attempt(measured=1.1)
        question = self.asked[-1]
        self.assertEqual(
            (question.before["row"], question.before_program, question.threads_before),
            ("1", kept, 2),
        )
        self.assertEqual(notebook.load(self.part).rows[1]["against"], "1")
        self.assertIn(
            "compared with row 1, mine\n", (self.part / "notebook/002_mine.hpp").read_text()
        )
        kept.unlink()
        self.attempt("--against", "1", estimated=True)
        self.assertEqual((self.asked[-1].before["row"], self.asked[-1].before_program), ("1", None))
        self.assertEqual(notebook.load(self.part).rows[2]["estimated"], "yes")
        self.attempt("--against", "naive")
        self.assertEqual(self.asked[-1], Question("mine", 1.5))

    def test_that_are_wrong_are_rows_and_keep_no_program(self):
        self.assertEqual(self.attempt(wrong="it is NaN", without=MEASUREMENT)[0], 1)
        self.assertFalse(self.programs.exists())
        self.assertEqual(notebook.load(self.part).rows[0]["verdict"], "wrong: it is NaN")
        self.assertIn(
            "| 1.50 | - | naive | - | - | - | 2000 | 2 | wrong: it is NaN |",
            (self.part / "NOTEBOOK.md").read_text(),
        )
        self.attempt()
        self.assertEqual(self.asked[-1], Question("mine", 1.5))

    def test_that_are_refused_leave_nothing(self):
        with self.assertRaises(Failure), mock.patch.object(self, "trial", side_effect=Failure(2)):
            self.attempt()
        self.assertEqual(self.contents(), ["mine.hpp"])

    def test_nothing_is_measured_for_a_notebook_that_must_not_be_replaced(self):
        (self.part / "NOTEBOOK.md").symlink_to("elsewhere")
        with self.assertRaises(InputError):
            self.attempt()
        self.assertEqual(self.asked, [])

    def test_words_written_meanwhile_stay(self):
        self.attempt()
        self.attempt(
            meanwhile={"NOTEBOOK.md": (self.part / "NOTEBOOK.md").read_text() + "\nmy words\n"}
        )
        text = (self.part / "NOTEBOOK.md").read_text()
        self.assertTrue(text.endswith("\nmy words\n"))
        self.assertIn("| 2 | 20", text)

    def test_a_table_changed_by_hand_is_told(self):
        self.attempt()
        _, out = self.attempt(
            meanwhile={
                "NOTEBOOK.md": (self.part / "NOTEBOOK.md").read_text().replace("an idea", "my idea")
            }
        )
        self.assertIn(
            "the table there was changed by hand; it is rewritten from notebook.csv,\n", out
        )
        self.assertTrue(
            out.endswith("            and the old text is in notebook/NOTEBOOK_1.md\n"), out
        )
        self.assertLess(max(map(len, out.splitlines()[2:])), 100)

    def test_on_a_busy_machine_have_no_verdict_and_are_no_row_to_compare_with(self):
        _, out = self.attempt(verdict=BUSY, without=MEASUREMENT)
        self.assertIn(
            "measure it again when the machine is quiet: ./lab try part --again 1 --wait 120\n", out
        )
        self.assertIn(
            f"| - | naive | - | - | - | 2000 | 2 | {BUSY} |",
            (self.part / "NOTEBOOK.md").read_text(),
        )
        self.attempt()
        self.assertEqual(self.asked[-1], Question("mine", 1.5))

    def test_again_measures_the_kept_program_in_its_row(self):
        self.attempt("--vdt", verdict=BUSY, without=MEASUREMENT, step="adaptive")
        self.attempt()
        kept = next(file for file in self.programs.iterdir() if file.name.startswith("1_"))
        status, out = self.again("--again", "1", "--wait", "60")
        self.assertEqual(
            (status, self.asked[-1]),
            (0, Question("mine", 1.5, program=kept, threads=2, adaptive=True, n=2000, wait=60)),
        )
        first, second = notebook.load(self.part).rows
        self.assertEqual(
            (first["row"], first["measured"], first["verdict"], first["idea"]),
            ("1", "1.43", "as expected", "an idea"),
        )
        self.assertEqual(second["row"], "2")
        self.assertIn("row 1 of ", out)

    def test_again_on_a_busy_machine_changes_nothing(self):
        self.attempt(estimated=True)
        before = (self.part / "notebook.csv").read_text()
        self.assertIn(
            "stays as it was", self.again("--again", "1", verdict=BUSY, without=MEASUREMENT)[1]
        )
        self.assertEqual((self.part / "notebook.csv").read_text(), before)

    def test_again_leaves_no_number_of_a_row_that_turns_out_wrong(self):
        self.attempt(estimated=True)
        self.again("--again", "1", wrong="a race", without=MEASUREMENT)
        (row,) = notebook.load(self.part).rows
        self.assertEqual(
            (row["verdict"], row["measured"], row["times_naive"], row["estimated"]),
            ("wrong: a race", "", "", ""),
        )

    def test_again_without_such_a_row_or_its_program(self):
        self.attempt()
        next(self.programs.iterdir()).unlink()
        for words, complaint in (
            (("--again", "7"), "no row with that number"),
            (
                ("--again", "1"),
                "has no kept program: it was wrong, or build/ was removed; try its idea anew",
            ),
            (
                ("--again", "1", "--vdt"),
                "measures a row as it was measured before: leave out --vdt",
            ),
        ):
            with self.assertRaises(InputError) as caught:
                self.again(*words)
            self.assertIn(complaint, str(caught.exception))

    def test_without_a_row_there_is_no_source(self):
        with (
            mock.patch.object(notebook, "save", side_effect=InputError("the disk is full")),
            self.assertRaises(InputError),
        ):
            self.attempt()
        self.assertEqual(self.contents(), ["mine.hpp"])
