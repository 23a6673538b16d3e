"""Is the site of each edition complete on disk and without dead links? Is a dead link refused? Are formulas MathML?"""

import logging
import re
import shutil
import unittest
import xml.etree.ElementTree

from nbody_lab import ROOT
from nbody_lab.documents.build_site import build_site, formula
from nbody_lab.documents.stage import is_students
from nbody_lab.handout.left_out import why_left_out
from tests.folder_for_tests import InFolder

FETCHED = re.compile(r'<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)="([^"]+)"')


class Site(InFolder):
    def setUp(self):
        super().setUp()
        self.site = self.folder / "site"

    def build(self, root, students=False):
        return build_site(root, self.folder / "source", self.site, students)


class RealTree(Site):
    def expect_site(self, students):
        self.assertTrue(self.build(ROOT, students))
        pages = {
            str(page.relative_to(self.site)): page.read_text(encoding="utf-8")
            for page in self.site.rglob("*.html")
            if page.name != "404.html"
        }
        for path, text in pages.items():
            for address in FETCHED.findall(text):
                self.assertNotIn("//", address, f"{path}: nothing comes from the network")
                self.assertTrue(
                    (self.site / path).parent.joinpath(address.partition("#")[0]).exists(),
                    f"{path}: {address}",
                )
        self.assertIn("<math ", pages["docs/physics.html"])
        self.assertNotIn("\\frac", pages["docs/physics.html"])
        self.assertIn(
            "softening", (self.site / "search/search_index.js").read_text(encoding="utf-8")
        )
        return pages

    @unittest.skipIf(is_students(ROOT), "a handout has the students' edition alone")
    def test_all(self):
        pages = self.expect_site(False)
        self.assertIn("solutions/part1_standard_opti/index.html", sorted(pages))
        for entry in ("students.html", "instructors.html", "contributors.html"):
            self.assertIn(f'href="{entry}"', pages["index.html"])

    def test_students(self):
        pages = self.expect_site(True)
        self.assertIn("part1_standard_opti/index.html", pages)
        self.assertNotIn("instructors.html", pages)
        for path in pages:
            self.assertEqual(why_left_out(path.replace(".html", ".md")), "", path)


class DeadLinks(Site):
    """Builds a tree of two documents."""

    def said(self, text):
        """(whether it was built, the log) for a home page with this text."""
        root = self.folder / "tree"
        shutil.rmtree(root, ignore_errors=True)
        (root / "docs/pictures").mkdir(parents=True)
        (root / "docs/pictures/a.svg").write_text("<svg/>")
        (root / "docs/physics.md").write_text("# Physics\n\n## 1 The equations\n\nText.\n")
        (root / "README.md").write_text(f"# Lab\n\nFast.\n\n{text}\n")
        with self.assertLogs("mkdocs", logging.WARNING) as log:
            logging.getLogger("mkdocs").warning("begin")
            built = self.build(root)
        return built, "\n".join(log.output[1:])

    def test_right_links(self):
        self.assertEqual(
            self.said(
                "[a](docs/physics.md#1-the-equations) `docs/physics.md` ![b](docs/pictures/a.svg)"
            ),
            (True, ""),
        )

    def test_wrong_links(self):
        for text, what in (
            ("[a](docs/physics.md#2-nothing)", "no such anchor|does not contain an anchor"),
            ("![b](docs/pictures/b.svg)", "b.svg"),
            ("[a](#nothing)", "anchor"),
            ("[a](docs/nothing.md)", "docs/nothing.md"),
            ("[a](/docs/physics.md)", "/docs/physics.md"),
        ):
            built, said = self.said(text)
            self.assertFalse(built, text)
            self.assertRegex(said, what)


FENCE = re.compile(r"^```math\n(.*?)^```$", re.M | re.S)


class FormulasTest(unittest.TestCase):
    def test_a_formula_and_its_number(self):
        made = formula(r"a_i = \frac{F_i}{m_i} \tag{Eq. 3}")
        self.assertRegex(
            made,
            r'^<div class="lab-formula"><math .*<mfrac>.*</math><span class="lab-number">\(Eq\. 3\)</span></div>$',
        )
        self.assertNotIn("span", formula("a = b"))

    def test_an_unknown_word_is_refused(self):
        with self.assertRaisesRegex(ValueError, "cannot be shown"):
            formula(r"a = \nosuchword{b}")

    def test_all_formulas_of_the_documents(self):
        found = [
            source
            for pattern in ("docs/*.md", "part*/*.md", "solutions/*/*.md")
            for file in ROOT.glob(pattern)
            for source in FENCE.findall(file.read_text(encoding="utf-8"))
        ]
        self.assertGreater(len(found), 10)
        for source in found:
            xml.etree.ElementTree.fromstring(formula(source))
