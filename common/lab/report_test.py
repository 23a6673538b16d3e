#!/usr/bin/env python3
"""Does ./lab report refuse bad words in one line, and say what is missing if it cannot write pages?"""

import contextlib
import io
import sys
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))
import folders  # noqa: E402, F401
import commands_build  # noqa: E402
import pictures  # noqa: E402
import report  # noqa: E402
from folder_for_tests import InFolder  # noqa: E402
from messages import ended  # noqa: E402
from workshop import Workshop, known_parts  # noqa: E402


class ReportTest(InFolder):
    def setUp(self):
        super().setUp()
        self.python = self.folder / "bin/python"

    def set_up(self, *packages):
        """Makes an environment with these packages, and its stamp."""
        for package in packages:
            (self.folder / "lib/python3.9/site-packages" / package).mkdir(parents=True)
        self.python.parent.mkdir()
        for file in (self.python, self.folder / "ready"):
            file.write_text("")

    def said(self, work, *arguments):
        """(status, messages, what would have been written)"""
        written, said = [], io.StringIO()
        with mock.patch.object(pictures, "PYTHON", self.python), contextlib.redirect_stderr(said), \
             mock.patch.object(report, "write", lambda file, parts: written.append((file, parts))):
            status = ended(work, *arguments)
        return status, said.getvalue(), written

    def report(self, *words):
        return self.said(report.report, Workshop(), list(words))

    def test_without_what_writes_it(self):
        wanted = "lab: the page needs ./lab setup --pictures once (400 MB); then run ./lab report again\n"
        self.assertEqual(self.report(), (2, wanted, []))
        self.set_up("matplotlib")  # as an older lab did
        self.assertEqual(self.report("part1"), (2, wanted, []))

    def test_parts_and_file(self):
        self.set_up("matplotlib", "jinja2")
        self.assertEqual(self.report(), (0, "", [(report.ROOT / "build/report.html", known_parts())]))
        self.assertEqual(self.report("part2", "part1_standard_opti/", "-o", "a/b.html")[2], [(Path("a/b.html"), ["part1", "part2"])])

    def test_bad_words(self):
        self.set_up("matplotlib", "jinja2")
        for words, said in ((["--out", "x"], "report has no option '--out'; its only option is -o FILE"), (["-o"], "report: -o needs a file"),
                            (["part7"], "there is no part 'part7'"), (["-o", str(self.folder)], "is a folder: -o needs a file")):
            status, line, written = self.report(*words)
            self.assertEqual((status, line.count("\n"), written), (2, 1, []), line)
            self.assertIn(said, line)

    def test_the_demo_ends_with_it(self):
        status, said, written = self.said(report.after_demo)
        self.assertIn("./lab setup --pictures", said)
        self.assertIn("then run ./lab report", said)
        self.set_up("matplotlib", "jinja2")
        status, said, written = self.said(report.after_demo)
        self.assertEqual((status, said, len(written)), (0, "", 1))
        self.assertIs(commands_build.report, report)


PACKAGES = ("matplotlib", "mkdocs", "material", "latex2mathml")


class SiteCommandTest(InFolder):
    def set_up(self, *packages):
        """Makes an environment with these packages, and its stamp."""
        for package in packages:
            (self.folder / "lib/python3.9/site-packages" / package).mkdir(parents=True)
        (self.folder / "bin").mkdir()
        for file in ("bin/python", "ready"):
            (self.folder / file).write_text("")

    def site(self, *words):
        """(status, messages, the command that would have run)"""
        run, said = [], io.StringIO()
        with mock.patch.object(pictures, "PYTHON", self.folder / "bin/python"), contextlib.redirect_stderr(said), \
             mock.patch.object(report, "run_python", lambda *words: run.append(words[1:])):
            status = ended(report.site, None, list(words))
        return status, said.getvalue(), run

    def test_without_what_builds_it(self):
        wanted = (2, "lab: the site needs ./lab setup --pictures once (400 MB); then run ./lab site again\n", [])
        self.assertEqual(self.site(), wanted)
        self.set_up("matplotlib", "jinja2")  # as an older lab did
        self.assertEqual(self.site("--students"), wanted)

    def test_both_editions(self):
        self.set_up(*PACKAGES)
        self.assertEqual(self.site(), (0, "", [(report.DOCUMENTS, report.ROOT)]))
        self.assertEqual(self.site("--students")[2], [(report.DOCUMENTS, report.ROOT, "--students")])

    def test_bad_words(self):
        self.assertEqual(self.site("--student"), (2, "lab: site has no option '--student'; its only option is --students\n", []))


if __name__ == "__main__":
    unittest.main()
