#!/usr/bin/env python3
"""Is grades.csv complete, readable by any program, and harmless in a spreadsheet?"""

import csv
import io
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders  # noqa: E402, F401
from grade import outputs  # noqa: E402
from grade.class_for_tests import Graded, whole_class  # noqa: E402
from grade.csv_text import BOM, csv_text, neutral  # noqa: E402
from grade.kept import read_measured, read_results  # noqa: E402
from grade.outputs import grades_csv, write_grades  # noqa: E402
from notebook_file import InputError  # noqa: E402


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
        self.assertEqual([row["name"] for row in self.of("smith_anna")], ["Anna Smith", "Björn Ångström"])
        self.assertEqual([row["name"] for row in self.of("broken_bob")], ["broken_bob"])
        first, second = self.of("smith_anna")
        self.assertEqual({**first, "name": ""}, {**second, "name": ""})

    def test_columns(self):
        row = self.of("smith_anna")[0]
        for title, value in (("id", "12345"), ("points", "31.95"), ("maximum", "50"), ("part1: speed, 1 thread (10)", "5"), ("to decide", "10"),
                             ("part3: correctness (40)", "not graded here"), ("days late", "1"), ("taken off", "3.55"), ("flags", ""),
                             ("part1: why is third law not twice as fast (10)", "for a person")):
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
        for text, shown in (("=1", "'=1"), (" +1", "'+1"), ("-1", "'-1"), ("@x", "'@x"), ("\t=1", "'=1"), ("a\n=1", "a =1"), ("a;=1", "a;'=1"),
                            ("\uff1d1", "'\uff1d1"), ("a = b", "a = b"), ("a-b", "a-b"), ("\x1b[31mred\x1b[0m", "red"), ("\u202eabc", "?abc")):
            self.assertEqual(neutral(text), shown)

    def test_quotes(self):
        self.assertEqual(csv_text([['a "b"', "c,d", 1.5, 2, None, -3.0]]), '"a ""b""","c,d",1.5,2,,-3\r\n')


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
        for changed, said in (({"version": 2}, "not a results file of version 1"), ({"submissions": [{**first, "name": "../x"}]}, "cannot be the name"),
                              ({"submissions": [first, {**first, "name": "Smith_Anna"}]}, "same name")):
            self.assertIn(said, self.refused({**results, **changed}))
        self.assertIn("not a results file", self.refused([]))

    def test_a_measurement_that_is_not_there_is_a_problem(self):
        graded = Graded()
        self.addCleanup(graded.close)
        self.assertIn("not measured yet", read_measured(graded.out, "nobody")["problems"][0]["text"])
        (graded.out / "measured/smith_anna.json").write_text('{"version": 1, "se')
        self.assertIn("cannot be read", read_measured(graded.out, "smith_anna")["problems"][0]["text"])


class RunPages(unittest.TestCase):
    def status(self, can_write):
        asked = []
        with mock.patch.object(outputs, "can_write_page", lambda: can_write), \
             mock.patch.object(outputs.subprocess, "run", lambda words, check: asked.append(words) or SimpleNamespace(returncode=0)):
            return outputs.write_pages("OUT"), asked

    def test_without_what_writes_them(self):
        self.assertEqual(self.status(False), (None, []))
        self.assertIn("./lab setup --pictures", outputs.WITHOUT)

    def test_with_it(self):
        status, [words] = self.status(True)
        self.assertEqual((status, words[1:]), (0, [str(outputs.PROGRAM), "OUT"]))
        self.assertTrue((outputs.PROGRAM / "__main__.py").exists())


if __name__ == "__main__":
    unittest.main()
