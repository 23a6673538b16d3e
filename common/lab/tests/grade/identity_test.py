"""Whose a submission is."""

import tempfile
import time
import unittest
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.grade.identity import MOST_READ, answer_in, identified, key_of, names_in
from nbody_lab.grade.overlay import Taken
from nbody_lab.grade.submissions import Submission


def submission(name, *authors):
    return Submission(name, list(authors), "", name, "folder", "", "")


class Names(unittest.TestCase):
    def test_the_worksheets_of_the_lab(self):
        for file in sorted(ROOT.glob("part*_*/worksheet.hpp")):
            text = file.read_text(encoding="utf-8")
            self.assertEqual(answer_in(text), "", file)
            filled = text.replace(
                'std::string authors = ""', 'std::string authors = "Ada Lovelace, Charles Babbage"'
            )
            self.assertEqual(names_in(answer_in(filled)), ["Ada Lovelace", "Charles Babbage"], file)

    def test_spellings_of_cpp(self):
        for text, answer in (
            ('authors{"Ada"}', "Ada"),
            ('authors = {"Ada"}', "Ada"),
            ('authors = std::string("x")', ""),
            ('authors =\n "Ada " /* and */ "Byron"', "Ada Byron"),
            ('authors = R"(Ada "B")"', 'Ada "B"'),
            ('authors = "Jos\\u00e9 \\"J\\" \\x41"', 'José "J" A'),
            ('// authors = "No"\nauthors = "Ada"', "Ada"),
            ('/* authors = "No" */ authors = "Ada"', "Ada"),
            ('char c = \'"\'; authors = "Ada"; //"', "Ada"),
            ('"authors = " authors = "Ada"', "Ada"),
            ("authors = who()", ""),
            ('authors = "Ada', ""),
        ):
            with self.subTest(text=text):
                self.assertEqual(answer_in(text), answer)

    def test_separators_and_odd_names(self):
        self.assertEqual(
            names_in("Ada Lovelace and Ben;  Ada  LOVELACE , , José & 李小龙"),
            ["Ada Lovelace", "Ben", "José", "李小龙"],
        )
        self.assertEqual(names_in("Andy Sandler"), ["Andy Sandler"])
        self.assertEqual(
            names_in("=cmd|' /C calc'\x1b[31m\u202e"), ["=cmd|'", "C calc'\\u001b[31m\\u202e"]
        )
        self.assertEqual(len(names_in(",".join(f"name{k}" for k in range(99)))), 10)
        self.assertEqual(names_in("---, !!!"), [])

    def test_one_person_however_written(self):
        self.assertEqual(
            len({key_of(one) for one in ("Anna Smith", "smith  anna", "SMITH Anná")}), 1
        )

    def test_texts_made_to_take_long(self):
        started = time.monotonic()
        for text in (
            'R"(' * MOST_READ,
            '"\\"' * MOST_READ,
            "/*" * MOST_READ,
            "authors" + " " * MOST_READ,
            "authors = " + '"" ' * MOST_READ,
            "authors = " + "{" * MOST_READ,
            'R"a(' * MOST_READ,
        ):
            names_in(answer_in(text))
        names_in("a" + " " * 10**6 + "b")
        self.assertLess(time.monotonic() - started, 60)


class Submissions(unittest.TestCase):
    def identified(self, one, **worksheets):
        with tempfile.TemporaryDirectory() as folder:
            files = {}
            for part, authors in worksheets.items():
                path = Path(folder, part)
                path.write_text(f'std::string authors = "{authors}";', encoding="utf-8")
                files[f"{part}/worksheet.hpp"] = path
            found, problems = identified(one, Taken(files, []))
            return found.authors, " ".join(problems)

    def test_the_worksheet_comes_first(self):
        self.assertEqual(
            self.identified(submission("anna", "Anna Smith"), part1="Smith Anna, Ben Kim"),
            (["Smith Anna", "Ben Kim"], ""),
        )
        self.assertEqual(
            self.identified(submission("anna", "Anna Smith"), part1=""), (["Anna Smith"], "")
        )
        self.assertEqual(
            self.identified(submission("anna", "Participant"), part1="Anna"), (["Anna"], "")
        )
        self.assertEqual(self.identified(submission("anna")), ([], ""))

    def test_a_neighbours_worksheet_is_named(self):
        authors, problems = self.identified(submission("anna", "Anna Smith"), part1="Ben Kim")
        self.assertEqual(authors, ["Ben Kim"])
        self.assertIn("handed in by Anna Smith, but the worksheet names Ben Kim", problems)

    def test_worksheets_that_differ(self):
        authors, problems = self.identified(
            submission("anna"), part1="Anna, Ben", part2="Ben, Cleo"
        )
        self.assertEqual(authors, ["Anna", "Ben", "Cleo"])
        self.assertIn("different authors", problems)
