#!/usr/bin/env python3
"""The site on disk in a browser: does search find a word, are formulas drawn, is the console quiet? Needs Chromium."""

import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders  # noqa: E402, F401
from with_page import ROOT, go_over_to_mkdocs  # noqa: E402

go_over_to_mkdocs()
from browser_for_tests import Browser  # noqa: E402
from build_site import build_site  # noqa: E402


class SiteInBrowser(Browser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = Path(cls.folder.name)
        cls.site = folder / "site"
        build_site(ROOT, folder / "source", cls.site, True)

    def shown(self, page, query=""):
        dom, said = self.chromium("--dump-dom", "--virtual-time-budget=20000", (self.site / page).as_uri() + query)
        self.assertEqual(said, [])
        return dom

    def test_pages_start_without_a_word_on_the_console(self):
        for page in ("index.html", "part1_standard_opti/index.html", "docs/physics.html"):
            self.assertIn("<article", self.shown(page), page)

    def test_search_works_from_disk(self):
        found = re.findall(r'<a href="([^"]*)" class="md-search-result__link"', self.shown("docs/view.html", "?q=softening"))
        self.assertTrue(any("docs/physics.html?h=softening#3-softening" in address for address in found), found)
        self.assertEqual(re.findall('class="md-search-result__link"', self.shown("docs/view.html", "?q=xyzzyx")), [])


if __name__ == "__main__":
    unittest.main()
