"""Is grades.csv complete, readable by any program, and harmless in a spreadsheet?"""

import csv
import io
import json
import unittest
from unittest import mock

from nbody_lab.grade import outputs
from nbody_lab.grade.csv_text import BOM, csv_text, neutral
from nbody_lab.grade.exports import autolab, autolab_output, classroom, gradescope, write_exports
from nbody_lab.grade.moodle import filled, made, write_moodle
from nbody_lab.grade.outputs import grades_csv, write_grades
from nbody_lab.grade.pages import command
from nbody_lab.grade.results import read_measured, read_results
from nbody_lab.notebook.file import InputError
from tests.grade.class_for_tests import EVIL, Graded, whole_class


def table_of(text):
    return list(csv.DictReader(io.StringIO(text.lstrip(BOM), newline=""), strict=True))


class Grades(unittest.TestCase):
    def setUp(self):
        self.graded = Graded()
        self.addCleanup(self.graded.close)
        self.rows = table_of(grades_csv(read_results(self.graded.out)))

    def of(self, name):
        return [row for row in self.rows if row["submission"] == name]

    def test_a_row_for_each_author(self):
        self.assertEqual(
            [row["name"] for row in self.of("smith_anna")], ["Anna Smith", "Björn Ångström"]
        )
        self.assertEqual([row["name"] for row in self.of("broken_bob")], ["broken_bob"])
        first, second = self.of("smith_anna")
        self.assertEqual({**first, "name": ""}, {**second, "name": ""})

    def test_columns(self):
        row = self.of("smith_anna")[0]
        for title, value in (
            ("id", "12345"),
            ("points", "31.95"),
            ("maximum", "50"),
            ("part1: speed, 1 thread (10)", "5"),
            ("to decide", "10"),
            ("part3: correctness (40)", "not graded here"),
            ("days late", "1"),
            ("taken off", "3.55"),
            ("flags", ""),
            ("part1: why is third law not twice as fast (10)", "for a person"),
        ):
            self.assertEqual(row[title], value, title)

    def test_what_nobody_graded_is_not_zero(self):
        row = self.of("broken_bob")[0]
        self.assertEqual((row["points"], row["maximum"], row["to decide"]), ("", "0", "60"))
        self.assertEqual(self.of("cheat_clara")[0]["part1: speed, 1 thread (10)"], "flagged")

    def test_no_cell_is_a_formula(self):
        for row in self.rows:
            for cell in row.values():
                self.assertNotRegex(cell, r"^[=+\-@\t\r]")
        self.assertEqual(self.of("formula_fred")[2]["name"], "x;'=1+1")

    def test_it_is_written(self):
        write_grades(self.graded.out, read_results(self.graded.out))
        data = (self.graded.out / "grades.csv").read_bytes()
        self.assertTrue(data.startswith(b"\xef\xbb\xbfname,id,"))
        self.assertEqual(data.count(b"\r\n"), data.count(b"\n"))
        self.assertEqual([file.name for file in self.graded.out.glob(".*")], [])


class Text(unittest.TestCase):
    def test_what_begins_a_formula(self):
        for text, shown in (
            ("=1", "'=1"),
            (" +1", "'+1"),
            ("-1", "'-1"),
            ("@x", "'@x"),
            ("\t=1", "'=1"),
            ("a\n=1", "a =1"),
            ("a;=1", "a;'=1"),
            ("\uff1d1", "'\uff1d1"),
            ("a = b", "a = b"),
            ("a-b", "a-b"),
            ("\x1b[31mred\x1b[0m", "red"),
            ("\u202eabc", "?abc"),
        ):
            self.assertEqual(neutral(text), shown)

    def test_quotes(self):
        self.assertEqual(
            csv_text([['a "b"', "c,d", 1.5, 2, None, -3.0]]), '"a ""b""","c,d",1.5,2,,-3\r\n'
        )


class Reading(unittest.TestCase):
    def refused(self, results):
        graded = Graded(results, {})
        self.addCleanup(graded.close)
        with self.assertRaises(InputError) as caught:
            read_results(graded.out)
        self.assertNotIn("\n", str(caught.exception))
        return str(caught.exception)

    def test_bad_files(self):
        results, _ = whole_class()
        first = results["submissions"][0]
        for changed, said in (
            ({"version": 2}, "not a results file of version 1"),
            ({"submissions": [{**first, "name": "../x"}]}, "cannot be the name"),
            ({"submissions": [first, {**first, "name": "Smith_Anna"}]}, "same name"),
        ):
            self.assertIn(said, self.refused({**results, **changed}))
        self.assertIn("not a results file", self.refused([]))

    def test_a_measurement_that_is_not_there_is_a_problem(self):
        graded = Graded()
        self.addCleanup(graded.close)
        self.assertIn(
            "not measured yet", read_measured(graded.out, "nobody")["problems"][0]["text"]
        )
        (graded.out / "measured/smith_anna.json").write_text('{"version": 1, "se')
        self.assertIn(
            "cannot be read", read_measured(graded.out, "smith_anna")["problems"][0]["text"]
        )


class RunPages(unittest.TestCase):
    def status(self, can_write):
        asked = []
        with (
            mock.patch.object(outputs, "can_write_page", lambda: can_write),
            mock.patch.object(command, "write", lambda out: asked.append(out) or 0),
        ):
            return outputs.write_pages("OUT"), asked

    def test_without_what_writes_them(self):
        self.assertEqual(self.status(False), (None, []))
        self.assertIn("./lab setup --pictures", outputs.WITHOUT)

    def test_with_it(self):
        self.assertEqual(self.status(True), (0, ["OUT"]))


NUMBER = (int, float)
FORMATS = {"text", "html", "simple_format", "md", "ansi"}
VISIBLE = {"visible", "hidden", "after_due_date", "after_published"}
# key: its type, or the allowed values
GRADESCOPE = {
    "score": NUMBER,
    "execution_time": NUMBER,
    "output": str,
    "output_format": FORMATS,
    "test_output_format": FORMATS,
    "test_name_format": FORMATS,
    "visibility": VISIBLE,
    "stdout_visibility": VISIBLE,
    "extra_data": dict,
    "tests": list,
    "leaderboard": list,
}
GRADESCOPE_TEST = {
    "score": NUMBER,
    "max_score": NUMBER,
    "status": {"passed", "failed"},
    "name": str,
    "name_format": FORMATS,
    "number": str,
    "output": str,
    "output_format": FORMATS,
    "tags": list,
    "visibility": VISIBLE,
    "extra_data": dict,
}
STATUS = {"pass", "fail", "error"}
CLASSROOM = {"version": NUMBER, "status": STATUS, "max_score": NUMBER, "tests": list}
CLASSROOM_TEST = {
    "name": str,
    "status": STATUS,
    "score": NUMBER,
    "message": str,
    "test_code": str,
    "filename": str,
    "line_no": NUMBER,
    "execution_time": str,
}


class ExportsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.graded = Graded()
        cls.submissions = {one["name"]: one for one in read_results(cls.graded.out)["submissions"]}

    @classmethod
    def tearDownClass(cls):
        cls.graded.close()

    def described(self, data, described, required):
        self.assertLessEqual(set(required), set(data))
        for key, value in data.items():
            self.assertIn(key, described)
            if isinstance(described[key], set):
                self.assertIn(value, described[key], key)
            else:
                self.assertIsInstance(value, described[key], key)
                self.assertNotIsInstance(value, bool, key)
        json.dumps(data, allow_nan=False)

    def test_gradescope(self):
        for submission in self.submissions.values():
            data = gradescope(submission)
            self.described(data, GRADESCOPE, ["score", "tests"])
            for test in data["tests"]:
                self.described(test, GRADESCOPE_TEST, ["name", "output"])
                self.assertTrue(all(isinstance(tag, str) for tag in test.get("tags", [])))
                self.assertEqual("score" in test, "max_score" in test)

    def test_gradescope_tells_points_from_what_has_none(self):
        data = gradescope(self.submissions["smith_anna"])
        self.assertEqual((data["score"], data["visibility"]), (31.95, "visible"))
        full, some, *_, person, not_here = data["tests"]
        self.assertEqual((full["status"], some["status"]), ("passed", "failed"))
        for test, name in ((person, "(for a person)"), (not_here, "(not graded here)")):
            self.assertTrue(test["name"].endswith(name))
            self.assertFalse({"score", "status"} & set(test))
        self.assertIn("Late by 1 day", data["output"])
        self.assertEqual(
            gradescope(self.submissions["broken_bob"])["visibility"],
            "hidden",
            "a zero that was never given",
        )

    def test_autolab(self):
        for submission in self.submissions.values():
            *lines, last = autolab_output(submission).rstrip("\n").split("\n")
            data = json.loads(last)
            self.assertEqual(set(data), {"scores", "scoreboard"})
            self.assertTrue(
                all(
                    isinstance(key, str) and isinstance(value, NUMBER)
                    for key, value in data["scores"].items()
                )
            )
            self.assertIsInstance(data["scoreboard"], list)
            self.assertFalse([line for line in lines if line.startswith(("{", "["))])
        self.assertEqual(
            autolab(self.submissions["smith_anna"])["scores"], {"part1": 35.5, "late": -3.55}
        )
        self.assertEqual(
            autolab(self.submissions["broken_bob"])["scores"], {}, "a score that is there stays"
        )

    def test_classroom(self):
        for submission in self.submissions.values():
            data = classroom(submission)
            self.described(data, CLASSROOM, CLASSROOM)
            for test in data["tests"]:
                self.described(test, CLASSROOM_TEST, CLASSROOM_TEST)
            self.assertAlmostEqual(
                sum(test["score"] for test in data["tests"]),
                submission["points"] or 0,
                msg="what the reporter adds",
            )
        self.assertEqual(classroom(self.submissions["broken_bob"])["status"], "error")
        self.assertEqual(classroom(self.submissions["syntax_dora"])["status"], "fail")

    def test_nothing_that_a_terminal_obeys(self):
        one = self.submissions["smith_anna"]
        evil = {
            **one,
            "items": [
                {**one["items"][0], "why": '\x1b]0;x\x07\x1b[31mred\n{"scores": {"part1": 1000}}'}
            ],
        }
        for text in (
            autolab_output(evil),
            json.dumps(gradescope(evil)),
            json.dumps(classroom(evil)),
        ):
            self.assertNotIn("\x1b", text)
            self.assertNotIn("\\u001b", text)
        self.assertEqual(json.loads(autolab_output(evil).splitlines()[-1])["scores"]["part1"], 10)

    def test_a_file_for_each(self):
        write_exports(self.graded.out, {"submissions": list(self.submissions.values())})
        for name, one in self.submissions.items():
            folder = self.graded.out / "export"
            self.assertEqual(
                json.loads(
                    (folder / "gradescope" / name / "results.json").read_text(encoding="utf-8")
                ),
                gradescope(one),
            )
            self.assertEqual(
                (folder / "autolab" / f"{name}.txt").read_text(encoding="utf-8"),
                autolab_output(one),
            )
            self.assertEqual(
                json.loads((folder / "classroom" / f"{name}.json").read_text(encoding="utf-8")),
                classroom(one),
            )


TITLES = [
    "Identifier",
    "Full name",
    "Email address",
    "Status",
    "Grade",
    "Maximum Grade",
    "Grade can be changed",
    "Last modified (submission)",
    "Last modified (grade)",
    "Feedback comments",
]
STUDENTS = [
    ("Participant 12345", "Anna Smith"),
    ("Participant 777", "Björn  ångström"),
    ("Participant 12346", "Fast, Eva"),
    ("Participant 888", "Never Came"),
    ("Participant 12353", "Eve"),
]


def worksheet(students=STUDENTS, titles=TITLES, bom="\ufeff"):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(titles)
    for identifier, name in students:
        writer.writerow(
            [
                identifier,
                name,
                "=mail@host",
                "Submitted for grading",
                "",
                "50.00",
                "Yes",
                "Friday, 20 November 2026, 9:14 PM",
                "-",
                '<p>an "older" comment</p>',
            ]
        )
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
        self.assertEqual(
            (anna["Grade"], bjorn["Grade"], eva["Grade"], nobody["Grade"]),
            ("31.95", "31.95", "44.5", ""),
        )
        begins = anna["Feedback comments"].split("part1")[0]
        self.assertEqual(
            begins,
            (
                "31.95 of 50 points. A person still decides on 10 more.<br>Late by 1 day: 3.55 points taken off. 10 % a day<br>"
            ),
        )
        self.assertIn(
            "part1, speed, 1 thread: 5 of 10. 0.71 of the solution&#x27;s speed",
            anna["Feedback comments"],
        )
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
        twins = [
            ("Participant 1", "Emil Wrong"),
            ("Participant 2", "Emil Wrong"),
            ("Participant 12349", "Emil Wrong"),
        ]
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
        self.assertIn(
            "smith_anna: 50 points at most, but 100.00 in Moodle: written unchanged", remarks
        )

    def test_a_site_in_another_language(self):
        titles = [{"Grade": "Bewertung", "Identifier": "ID"}.get(title, title) for title in TITLES]
        text, _ = filled(
            worksheet([("Teilnehmer/in12345", "A")], titles),
            self.results,
            {"grade": "Bewertung", "identifier": "ID"},
        )
        self.assertEqual(rows_of(text)[0]["Bewertung"], "31.95")

    def test_what_is_no_worksheet(self):
        for text, said in (
            ("", "no column 'Identifier'"),
            ("name,grade\nx,1\n", "it has 'name, grade'"),
            ('"Identifier\n', "not a CSV file"),
            (
                worksheet().replace("Feedback comments", "Other"),
                "was 'Feedback comments' switched on",
            ),
        ):
            with self.assertRaises(InputError) as caught:
                filled(text, self.results)
            self.assertIn(said, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))

    def test_without_a_worksheet(self):
        rows = rows_of(made(self.results))
        self.assertLessEqual(
            {"Identifier", "Grade", "Last modified (grade)", "Feedback comments"},
            set(rows[0]),
            "without them Moodle takes nothing",
        )
        self.assertEqual([row["Identifier"] for row in rows[:3]], ["", "", "Participant 12346"])
        self.assertFalse(made(self.results).startswith("\ufeff"))
        for row in rows:
            self.assertNotRegex(
                "".join(cell[:1] for cell in row.values() if cell != "-"), r"[=+\-@]"
            )

    def test_it_is_written(self):
        given = self.graded.out / "given.csv"
        given.write_text(worksheet(), encoding="utf-8")
        write_moodle(self.graded.out, self.results, given)
        self.assertEqual(
            (self.graded.out / "moodle.csv").read_text(encoding="utf-8"),
            filled(worksheet(), self.results)[0],
        )
