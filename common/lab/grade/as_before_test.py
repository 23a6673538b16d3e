#!/usr/bin/env python3
"""Scores a class again without naming the files of the first run."""

import argparse
import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders  # noqa: E402, F401

from grade.as_before import as_before  # noqa: E402
from grade.kept import keep_list  # noqa: E402


def options(**given):
    return argparse.Namespace(**{"rubric": "", "manual": [], "late": [], "moodle": "", "earlier": [], **given})


class AsBeforeTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.out = Path(place.name)

    def scored(self, **given):
        """(completed options, messages) of one run."""
        found, said = options(**given), io.StringIO()
        with contextlib.redirect_stderr(said):
            keep_list(self.out, files=as_before(self.out, found))
        return found, said.getvalue()

    def test_nothing_at_first(self):
        self.assertEqual(self.scored(), (options(), ""))

    def test_they_hold_until_others_come(self):
        self.scored(manual=["/a.csv", "/b.csv"], rubric="/r.json")
        found, said = self.scored(late=["/l.csv"])
        self.assertEqual(found, options(manual=["/a.csv", "/b.csv"], rubric="/r.json", late=["/l.csv"]))
        self.assertRegex(said, r"--manual \S*/a\.csv \S*/b\.csv, as before \(--manual none: without\)")
        self.assertNotIn("--late", said)
        self.assertEqual(self.scored(manual=["/c.csv"])[0].manual, ["/c.csv"])

    def test_none_drops_them(self):
        self.scored(manual=["/a.csv"], rubric="/r.json")
        self.assertEqual(self.scored(manual=["none"], rubric="none"), (options(), ""))
        self.assertEqual(self.scored(), (options(), ""))

    def test_from_any_folder(self):
        self.scored(manual=["a.csv"])
        self.assertTrue(Path(self.scored()[0].manual[0]).is_absolute())


if __name__ == "__main__":
    unittest.main()
