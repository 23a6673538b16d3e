"""manual.csv and late.csv as people write them with any spreadsheet, and what is refused."""

from pathlib import Path

from nbody_lab.grade.late import LateRow, late_of, read_late
from nbody_lab.grade.manual import read_manual
from nbody_lab.grade.rubric import read_rubric
from nbody_lab.grade.score import score
from nbody_lab.notebook.file import InputError
from tests.folder_for_tests import InFolder
from tests.grade.scored_for_tests import measured

HERE = Path(__file__).resolve().parent

QUESTION = "Why is the third law not twice as fast?"
RUBRIC = read_rubric(HERE / "rubric_for_tests.json")
CLASS = [
    measured("ada", ["Ada Lovelace", "Bo Ek"], student_id="1"),
    measured("carl", ["Carl Gauss", "Bo Ek"], student_id="2"),
]


class Files(InFolder):
    def read(self, content, reader=read_manual, name="manual.csv"):
        file = self.folder / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return reader(file)

    def complaint(self, *contents, reader=read_manual):
        """The error message of reading and merging, from the file name on."""
        with self.assertRaises(InputError) as told:
            rows = [
                row
                for k, content in enumerate(contents)
                for row in self.read(content, reader, f"grader{k}.csv")
            ]
            if reader is read_late:
                score(CLASS, RUBRIC, late_rows=rows)
            else:
                score(CLASS, RUBRIC, rows)
        text = str(told.exception)
        self.assertNotIn("\n", text)
        return text[text.index("grader") :]

    def item(self, rows, name="ada", question=QUESTION):
        results = score(CLASS, RUBRIC, rows)
        items = next(one for one in results["submissions"] if one["name"] == name)["items"]
        return next(one for one in items if one["item"] == question)


class ManualTest(Files):
    def test_points_count(self):
        item = self.item(
            self.read(f'who,question,points,comment\nada,{QUESTION},7.5,"well said, short"\n')
        )
        self.assertEqual((item["points"], item["state"]), (7.5, "graded"))
        self.assertEqual(item["why"], "7.5 of 10 by hand: well said, short")

    def test_not_marked_yet(self):
        for text in ("who,question,points\n", f"who,question,points\nada,{QUESTION},\n", ""):
            item = self.item(self.read(text))
            self.assertEqual((item["points"], item["state"]), (None, "for a person"))

    def test_what_spreadsheets_write(self):
        table = [
            ["Who", "Question", "Points", "Comment", ""],
            ["Ada Lovelace", QUESTION, "7,5", "sch\u00f6n", ""],
            ["", "", "", "", ""],
        ]
        semicolons = "\r\n".join(";".join(row) for row in table)
        tabs = "\r\n".join("\t".join(row) for row in table)
        for content in (
            semicolons.encode("utf-8-sig"),
            semicolons.encode("cp1252"),
            tabs.encode("utf-16"),
        ):
            rows = self.read(content)
            self.assertEqual(
                [(row.who, row.points, row.comment) for row in rows],
                [("Ada Lovelace", 7.5, "sch\u00f6n")],
            )

    def test_a_line_is_where_its_row_begins(self):
        rows = self.read(
            f'who,question,points,comment\nada,{QUESTION},1,"two\nlines"\n\ncarl,{QUESTION},2,\n'
        )
        self.assertEqual([row.where.rsplit(":", 1)[1] for row in rows], ["2", "5"])

    def test_any_of_its_names_means_a_submission(self):
        for who in ("ada", "1", "ADA  lovelace"):
            self.assertEqual(
                self.item(self.read(f"who,question,points\n{who},{QUESTION},3\n"))["points"], 3
            )

    def test_an_item_that_was_measured_may_be_decided(self):
        name = "speed, 1 thread, 2000 bodies"
        item = self.item(
            self.read(f'who,question,points,comment\nada,"part1: {name}",9,timed again\n'),
            question=name,
        )
        self.assertEqual(item["points"], 9)
        self.assertIn("9 of 10 by hand: timed again (before: part1/mine: 0.71 of", item["why"])

    def test_graders_may_agree(self):
        first = self.read(f"who,question,points\nada,{QUESTION},3\n", name="a.csv")
        second = self.read(f"who,question,points\nAda Lovelace,{QUESTION},3\n", name="b.csv")
        self.assertEqual(self.item(first + second)["points"], 3)

    def test_a_contradiction_names_both_lines(self):
        said = self.complaint(
            f"who,question,points\nada,{QUESTION},3\n",
            f"who,question,points\nAda Lovelace,{QUESTION},4\n",
        )
        self.assertRegex(
            said,
            r"^grader1\.csv:2: ada has 4 points here and 3 points in .*grader0\.csv:2: keep one of them$",
        )

    def test_refused(self):
        head = "who,question,points\n"
        for words, text in [
            (
                "grader0.csv:2: no student is called 'adda'; did you mean ada?",
                f"{head}adda,{QUESTION},3\n",
            ),
            (
                "grader0.csv:2: 'Bo Ek' is in ada and in carl: say which",
                f"{head}Bo Ek,{QUESTION},3\n",
            ),
            (
                "grader0.csv:2: there is no question 'Why is the third law twice as fast?'; did you mean why is the third law not",
                f"{head}ada,Why is the third law twice as fast?,3\n",
            ),
            ("grader0.csv:2: 11 points, but there are 10 at most", f"{head}ada,{QUESTION},11\n"),
            ("grader0.csv:2: '-1' is not a number of points", f"{head}ada,{QUESTION},-1\n"),
            ("grader0.csv:2: 'nan' is not a number of points", f"{head}ada,{QUESTION},nan\n"),
            ("grader0.csv:2: the name is missing", f"{head},{QUESTION},1\n"),
            ("grader0.csv:2: the question is missing", f"{head}ada,,1\n"),
            ("grader0.csv:2: it has 5 cells, but there are 3 columns", f"{head}ada,a,b,c,1\n"),
            (
                "grader0.csv:1: there is no column 'point'; did you mean points?",
                "who,question,point\n",
            ),
            ("grader0.csv:1: the column points is missing", "who,question\n"),
            ("grader0.csv:1: two columns have the same name", "who,question,points,who\n"),
            ("grader0.csv:2: unexpected end of data", f'{head}ada,"{QUESTION},1\n'),
        ]:
            with self.subTest(words):
                self.assertTrue(self.complaint(text).startswith(words), self.complaint(text))

    def test_no_file(self):
        with self.assertRaisesRegex(InputError, "cannot be read"):
            read_manual(self.folder / "no.csv")


class LateTest(Files):
    def late(self, submitted, row=None, **rubric):
        return late_of(60, submitted, row, {**RUBRIC, **rubric})

    def test_in_time_and_late_across_time_zones(self):
        # The deadline is 22:59 UTC.
        self.assertEqual(self.late("2026-11-20T22:59:00+00:00"), (0, 0, ""))
        self.assertEqual(self.late("2026-11-20T22:59:00Z").days, 0)
        self.assertEqual(self.late("2026-11-20T23:30:00+00:00")[:2], (1, 6))
        self.assertEqual(self.late("2026-11-20T23:30:00+01:00").days, 0)
        self.assertEqual(self.late("2026-11-20T17:59:00-05:00").days, 0)
        self.assertEqual(
            self.late("2026-11-20T23:30:00").days, 0, "without a zone it is that of the deadline"
        )
        self.assertEqual(self.late("2026-11-21T22:59:00Z").days, 1)
        self.assertEqual(self.late("2026-11-21T22:59:01Z").days, 2)

    def test_words(self):
        self.assertEqual(
            self.late("2026-11-20T23:30:00Z").why,
            "1 day late, 10 % a day: handed in 2026-11-21 00:30, "
            "the deadline was 2026-11-20 23:59 +0100",
        )
        self.assertEqual(self.late("").why, "the time of submission is unknown")
        self.assertEqual(self.late("", deadline=""), (0, 0, ""))

    def test_free_days_and_never_more_than_all(self):
        free = {"per_day_percent": 10, "free_days": 3}
        self.assertEqual(self.late("2026-11-22T22:59:00Z", late=free)[:2], (2, 0))
        self.assertEqual(self.late("2026-11-24T22:59:00Z", late=free)[:2], (4, 6))
        self.assertEqual(self.late("2027-11-24T22:59:00Z")[1], 60)

    def test_late_csv_is_above_the_time(self):
        self.assertEqual(
            self.late("2027-01-01T00:00:00Z", LateRow("ada", "excused", "")), (0, 0, "excused")
        )
        self.assertEqual(self.late("", LateRow("ada", 2.0, ""))[:2], (2, 12))
        results = score(
            CLASS,
            RUBRIC,
            late_rows=self.read("who;days\nBo Ek;\nada;1,5\ncarl;Excused\n", read_late),
        )
        ada, carl = results["submissions"]
        self.assertEqual((ada["late"]["days"], carl["late"]["why"]), (1.5, "excused"))
        graded = sum(item["points"] for item in ada["items"] if item["points"] is not None)
        self.assertAlmostEqual(ada["late"]["taken_off"], round(0.15 * graded, 2))
        self.assertAlmostEqual(ada["points"], graded - ada["late"]["taken_off"])

    def test_refused(self):
        self.assertIn(
            "'soon' is not a number of days",
            self.complaint("who,days\nada,soon\n", reader=read_late),
        )
        self.assertIn(
            "grader0.csv:2: no student is called 'eve'",
            self.complaint("who,days\neve,1\n", reader=read_late),
        )
        self.assertIn(
            "grader0.csv:3: ada has excused here and 1 day in ",
            self.complaint("who,days\nada,1\nada,excused\n", reader=read_late),
        )
