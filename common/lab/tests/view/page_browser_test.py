"""The page in a real browser: does it show the run, and do keys change what is seen?"""

import time

import pytest

from tests import CHROMIUM
from tests.view.browser_for_tests import Browser
from tests.view.programs_for_tests import ENDLESS, PLUMMER, shown

pytestmark = [
    pytest.mark.browser,
    pytest.mark.weekly,
    pytest.mark.skipif(not CHROMIUM, reason="chromium is not there"),
]


def wait_until_still(page):
    """States that were on their way when the run was paused have come."""
    seen, now = None, 0
    while seen != now:
        seen, now = now, page.value("panels[0].state.header.iteration")
        time.sleep(0.5)


def differing(a, b):
    return int((abs(a - b).sum(2) > 30).sum())


def test_the_run_is_seen_and_keys_change_the_picture():
    with Browser() as browser, shown(*PLUMMER, *ENDLESS) as lab:
        page = browser.page().go(lab.address)
        page.wait_for_text(r"iteration (\d+)")
        page.press(" ")
        page.wait_for_text("paused")
        page.press("h")
        wait_until_still(page)
        still = page.pixels()
        assert differing(still, page.pixels()) == 0
        for key, least in (("g", 500), ("ArrowLeft", 500), ("PageUp", 500), ("c", 100), ("f", 100)):
            before = page.pixels()
            page.press(key)
            assert differing(before, page.pixels()) > least, key
        page.press("g")
        page.press("c")
        page.press("r")
        assert differing(still, page.pixels()) < 200  # but for the trails, which were forgotten
        assert page.complaints == []
