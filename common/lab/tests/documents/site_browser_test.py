"""The site on disk in a browser: does search find a word, are formulas drawn, is the console quiet? Needs Chromium."""

from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.documents.build_site import build_site
from tests.page.browser_for_tests import Browser

pytestmark = [pytest.mark.browser, pytest.mark.weekly]

WAIT = "--virtual-time-budget=20000"
FRAME = """<iframe width=390 height=900 style="border: 0" src="{address}" onload="
document.title = this.contentDocument.documentElement.scrollWidth"></iframe>"""


class SiteInBrowser(Browser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = Path(cls.folder.name)
        cls.site = folder / "site"
        build_site(ROOT, folder / "source", cls.site, True)

    def shown(self, page, query=""):
        dom, said = self.chromium("--dump-dom", WAIT, (self.site / page).as_uri() + query)
        self.assertEqual(said, [])
        return dom

    def test_pages_start_without_a_word_on_the_console(self):
        """Nor do they ask for what is not there. Each block of commands has its button."""
        for page in ("index.html", "part1_standard_opti/index.html", "docs/physics.html"):
            text = self.shown(page)
            self.assertIn("<article", text, page)
            self.assertEqual(text.count('<button class="copybtn'), text.count("<pre"), page)

    def test_search_works_from_disk(self):
        found = self.shown("search.html", "?q=softening")
        self.assertIn('href="docs/physics.html#softening"', found.replace("#3-", "#"))
        self.assertNotIn("physics.html#", self.shown("search.html", "?q=xyzzyx"))

    def test_pages_fit_a_phone(self):
        frame = Path(self.folder.name, "frame.html")
        for page in ("index.html", "part1_standard_opti/index.html", "docs/physics.html"):
            address = (self.site / page).as_uri()
            frame.write_text(FRAME.format(address=address), encoding="utf-8")
            dom, _ = self.chromium(
                "--dump-dom", "--allow-file-access-from-files", WAIT, frame.as_uri()
            )
            self.assertIn("<title>390</title>", dom, page)
