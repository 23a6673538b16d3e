"""The site on disk in a browser: does search find a word, are formulas drawn, is the console quiet? Needs Chromium."""

import re
from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.documents.build_site import build_site
from tests.page.browser_for_tests import Browser

pytestmark = [pytest.mark.browser, pytest.mark.weekly]


class SiteInBrowser(Browser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = Path(cls.folder.name)
        cls.site = folder / "site"
        build_site(ROOT, folder / "source", cls.site, True)

    def shown(self, page, query=""):
        dom, said = self.chromium(
            "--dump-dom", "--virtual-time-budget=20000", (self.site / page).as_uri() + query
        )
        self.assertEqual(said, [])
        return dom

    def test_pages_start_without_a_word_on_the_console(self):
        for page in ("index.html", "part1_standard_opti/index.html", "docs/physics.html"):
            self.assertIn("<article", self.shown(page), page)

    def test_search_works_from_disk(self):
        found = re.findall(
            r'<a href="([^"]*)" class="md-search-result__link"',
            self.shown("docs/view.html", "?q=softening"),
        )
        self.assertTrue(
            any("docs/physics.html?h=softening#3-softening" in address for address in found), found
        )
        self.assertEqual(
            re.findall('class="md-search-result__link"', self.shown("docs/view.html", "?q=xyzzyx")),
            [],
        )
