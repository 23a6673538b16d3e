"""The site on disk in a browser: does search find a word, are formulas drawn, is the console quiet? Needs Chromium."""

import pytest

from nbody_lab import ROOT
from nbody_lab.documents.build_site import build_site
from tests.page.browser_for_tests import IN_BROWSER

pytestmark = IN_BROWSER
PAGES = ("index.html", "part1_standard_opti/index.html", "docs/physics.html")
SEARCHED = "/finished|did not match/.test(document.querySelector('.search-summary')?.textContent)"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("documents")
    build_site(ROOT, folder / "source", folder / "site", True)
    return folder / "site"


@pytest.mark.parametrize("page", PAGES)
def test_pages_start_without_a_word_on_the_console(tab, site, page):
    """Nor do they ask for what is not there. Each block of commands has its button."""
    text = tab.open(site / page).html()
    assert "<article" in text
    assert text.count('<button class="copybtn') == text.count("<pre")
    assert tab.complaints == []


@pytest.mark.parametrize(("word", "is_found"), [("softening", True), ("xyzzyx", False)])
def test_search_works_from_disk(tab, site, word, is_found):
    tab.open(site / "search.html", query=f"?q={word}").wait_for(SEARCHED)
    text = tab.html().replace("#3-", "#")
    assert ('href="docs/physics.html#softening"' in text) == is_found
    assert ("physics.html#" in text) == is_found
    assert tab.complaints == []


@pytest.mark.parametrize("page", PAGES)
def test_pages_fit_a_phone(tab, site, page):
    tab.open(site / page, 390)
    assert tab.value("document.documentElement.scrollWidth") == 390
