"""Do ./lab report and site refuse bad words in one line, and say what is missing if they cannot write pages?"""

import contextlib
import io
from pathlib import Path
from unittest import mock

from nbody_lab.commands import begin, report
from nbody_lab.core.messages import ended
from nbody_lab.documents import command as site_command
from nbody_lab.draw import pictures
from nbody_lab.workshop import Workshop, known_parts
from tests.folder_for_tests import InFolder

WRITES_PAGES = {"matplotlib", "jinja2"}
WRITES_SITE = {"matplotlib", "mkdocs", "material", "latex2mathml"}


class WithPackages(InFolder):
    def said(self, installed, work, *arguments):
        """(status, messages, what would have been written) where these packages are installed."""
        written, said = [], io.StringIO()
        with (
            mock.patch.object(pictures, "has", lambda *packages: installed.issuperset(packages)),
            contextlib.redirect_stderr(said),
            mock.patch.object(report, "write", lambda file, parts: written.append((file, parts))),
            mock.patch.object(
                site_command, "build", lambda root, students: written.append(students)
            ),
        ):
            status = ended(work, *arguments)
        return status, said.getvalue(), written


class ReportTest(WithPackages):
    def report(self, *words, installed=WRITES_PAGES):
        return self.said(installed, report.report, Workshop(), list(words))

    def test_without_what_writes_it(self):
        wanted = "lab: the page needs ./lab setup --pictures once (400 MB); then run ./lab report again\n"
        self.assertEqual(self.report(installed=set()), (2, wanted, []))
        self.assertEqual(self.report("part1", installed={"matplotlib"}), (2, wanted, []))

    def test_parts_and_file(self):
        self.assertEqual(
            self.report(), (0, "", [(report.ROOT / "build/report.html", known_parts())])
        )
        self.assertEqual(
            self.report("part2", "part1_standard_opti/", "-o", "a/b.html")[2],
            [(Path("a/b.html"), ["part1", "part2"])],
        )

    def test_bad_words(self):
        for words, said in (
            (["--out", "x"], "report has no option '--out'; its only option is -o FILE"),
            (["-o"], "report: -o needs a file"),
            (["part7"], "there is no part 'part7'"),
            (["-o", str(self.folder)], "is a folder: -o needs a file"),
        ):
            status, line, written = self.report(*words)
            self.assertEqual((status, line.count("\n"), written), (2, 1, []), line)
            self.assertIn(said, line)

    def test_the_demo_ends_with_it(self):
        status, said, written = self.said(set(), report.after_demo)
        self.assertIn("./lab setup --pictures", said)
        self.assertIn("then run ./lab report", said)
        status, said, written = self.said(WRITES_PAGES, report.after_demo)
        self.assertEqual((status, said, len(written)), (0, "", 1))
        self.assertIs(begin.report, report)


class SiteCommandTest(WithPackages):
    def site(self, *words, installed=WRITES_SITE):
        return self.said(installed, report.site, None, list(words))

    def test_without_what_builds_it(self):
        line = (
            "lab: the site needs ./lab setup --pictures once (400 MB); then run ./lab site again\n"
        )
        self.assertEqual(self.site(installed=set()), (2, line, []))
        self.assertEqual(self.site("--students", installed=WRITES_PAGES), (2, line, []))

    def test_both_editions(self):
        self.assertEqual(self.site(), (0, "", [False]))
        self.assertEqual(self.site("--students")[2], [True])

    def test_bad_words(self):
        line = "lab: site has no option '--student'; its only option is --students\n"
        self.assertEqual(self.site("--student"), (2, line, []))
