#!/usr/bin/env python3
"""Is Moodle's worksheet filled in the right columns only, and in a form that Moodle accepts?"""

import csv
import io
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders  # noqa: E402, F401
from grade.class_for_tests import EVIL, Graded  # noqa: E402
from grade.moodle import filled, made, write_moodle  # noqa: E402
from grade.kept import read_results  # noqa: E402
from notebook_file import InputError  # noqa: E402

TITLES = ["Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade", "Grade can be changed", "Last modified (submission)",
          "Last modified (grade)", "Feedback comments"]
STUDENTS = [("Participant 12345", "Anna Smith"), ("Participant 777", "Björn  ångström"), ("Participant 12346", "Fast, Eva"),
            ("Participant 888", "Never Came"), ("Participant 12353", "Eve")]


def worksheet(students=STUDENTS, titles=TITLES, bom="\ufeff"):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(titles)
    for identifier, name in students:
        writer.writerow([identifier, name, "=mail@host", "Submitted for grading", "", "50.00", "Yes", "Friday, 20 November 2026, 9:14 PM", "-",
                         '<p>an "older" comment</p>'])
    return bom + out.getvalue()


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text.lstrip("\ufeff"), newline=""), strict=True))


class MoodleTest(unittest.TestCase):
    def setUp(self):
        self.graded = Graded()
        self.addCleanup(self.graded.close)
        self.results = read_results(self.graded.out)

    def test_grades_and_feedback_are_filled(self):
        text, _ = filled(worksheet(), self.results)
        anna, bjorn, eva, nobody, _ = rows_of(text)
        self.assertEqual((anna["Grade"], bjorn["Grade"], eva["Grade"], nobody["Grade"]), ("31.95", "31.95", "44.5", ""))
        begins = anna["Feedback comments"].split("part1")[0]
        self.assertEqual(begins, ("31.95 of 50 points. A person still decides on 10 more.<br>Late by 1 day: 3.55 points taken off. 10 % a day<br>"))
        self.assertIn("part1, speed, 1 thread: 5 of 10. 0.71 of the solution&#x27;s speed", anna["Feedback comments"])
        self.assertIn("part3, correctness: not graded here. Needs a GPU", anna["Feedback comments"])

    def test_nothing_else_is_touched(self):
        before = worksheet()
        text, _ = filled(before, self.results)
        self.assertTrue(text.startswith("\ufeffIdentifier,"))
        self.assertNotIn("\r", text)
        for old, new in zip(rows_of(before), rows_of(text)):
            changed = {title for title in TITLES if old[title] != new[title]}
            self.assertLessEqual(changed, {"Grade", "Feedback comments"})
        self.assertEqual(rows_of(text)[3], rows_of(before)[3])

    def test_feedback_is_html_in_which_nothing_runs(self):
        self.results["submissions"][0]["items"][0]["why"] = EVIL
        row = rows_of(filled(worksheet(), self.results)[0])[0]
        self.assertNotIn("<script", row["Feedback comments"])
        self.assertIn("&lt;script&gt;", row["Feedback comments"])

    def test_whoever_names_another_changes_nothing_of_his(self):
        eva, carl = self.results["submissions"][1:3]
        carl["authors"] = ["Carl Blank", "Fast, Eva", "Never Came"]
        self.results["submissions"][3]["authors"] = ["Never Came"]
        text, remarks = filled(worksheet(), self.results)
        self.assertEqual(rows_of(text)[2]["Grade"], f"{eva['points']}")
        self.assertEqual(rows_of(text)[3]["Grade"], "")
        self.assertIn("Fast, Eva handed in fast_eva and is also named in blank_carl", remarks)
        self.assertIn("Never Came is named in blank_carl, syntax_dora: left empty", remarks)

    def test_two_students_of_one_name(self):
        twins = [("Participant 1", "Emil Wrong"), ("Participant 2", "Emil Wrong"), ("Participant 12349", "Emil Wrong")]
        text, remarks = filled(worksheet(twins), self.results)
        self.assertEqual([row["Grade"] for row in rows_of(text)], ["", "", "19.5"])
        self.assertTrue(any("handed in" in one or "left empty" in one for one in remarks), remarks)

    def test_remarks(self):
        _, remarks = filled(worksheet(), self.results)
        self.assertIn("formula_fred matches no student in Moodle's worksheet", remarks)
        self.assertTrue(all("\n" not in one for one in remarks))
        self.assertFalse(any("at most" in one for one in remarks if "smith_anna" in one), remarks)

    def test_another_maximum_is_said(self):
        text = worksheet().replace("50.00", "100,00".replace(",", "."))
        _, remarks = filled(text, self.results)
        self.assertIn("smith_anna: 50 points at most, but 100.00 in Moodle: written unchanged", remarks)

    def test_a_site_in_another_language(self):
        titles = [{"Grade": "Bewertung", "Identifier": "ID"}.get(title, title) for title in TITLES]
        text, _ = filled(worksheet([("Teilnehmer/in12345", "A")], titles), self.results, {"grade": "Bewertung", "identifier": "ID"})
        self.assertEqual(rows_of(text)[0]["Bewertung"], "31.95")

    def test_what_is_no_worksheet(self):
        for text, said in (("", "no column 'Identifier'"), ("name,grade\nx,1\n", "it has 'name, grade'"), ('"Identifier\n', "not a CSV file"),
                           (worksheet().replace("Feedback comments", "Other"), "was 'Feedback comments' switched on")):
            with self.assertRaises(InputError) as caught:
                filled(text, self.results)
            self.assertIn(said, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))

    def test_without_a_worksheet(self):
        rows = rows_of(made(self.results))
        self.assertLessEqual({"Identifier", "Grade", "Last modified (grade)", "Feedback comments"}, set(rows[0]), "without them Moodle takes nothing")
        self.assertEqual([row["Identifier"] for row in rows[:3]], ["", "", "Participant 12346"])
        self.assertFalse(made(self.results).startswith("\ufeff"))
        for row in rows:
            self.assertNotRegex("".join(cell[:1] for cell in row.values() if cell != "-"), r"[=+\-@]")

    def test_it_is_written(self):
        given = self.graded.out / "given.csv"
        given.write_text(worksheet(), encoding="utf-8")
        write_moodle(self.graded.out, self.results, given)
        self.assertEqual((self.graded.out / "moodle.csv").read_text(encoding="utf-8"), filled(worksheet(), self.results)[0])


if __name__ == "__main__":
    unittest.main()
