"""For tests: does a page look right, wide and narrow, light and dark?"""

from pathlib import Path
from typing import Any

import pytest

from tests import CHROMIUM
from tests.view.browser_for_tests import Page

IN_BROWSER = [
    pytest.mark.browser,
    pytest.mark.weekly,
    pytest.mark.skipif(not CHROMIUM, reason="chromium is not there"),
]
_PROBE = Path(__file__).with_name("page_probe.js").read_text(encoding="utf-8")


def seen(tab: Page, file: Path, width: int, scheme: str = "light") -> Any:
    """What page_probe.js finds on a page."""
    feature = {"name": "prefers-color-scheme", "value": scheme}
    tab.call("Emulation.setEmulatedMedia", features=[feature])
    found = tab.open(file, width).value(_PROBE)
    assert tab.complaints == []
    return found


def looks_right(tab: Page, file: Path, texts: int = 0) -> None:
    """Nothing overlaps, overflows or is too pale to read."""
    for width in (1400, 390):
        for scheme in ("light", "dark"):
            found = seen(tab, file, width, scheme)
            where = f"{file.name}, {width} pixels, {scheme}"
            assert (found["overlaps"], found["pale"], found["wide"]) == ([], [], []), where
            # Nothing sticks out of the window.
            assert (found["width"], found["page"]) == (width, width), where
            assert found["texts"] >= texts, where
