"""The pages of a class in a browser: wide and narrow, light and dark, sorted, printed. Needs Chromium."""

import re

import pytest

from tests.grade.pages_test import EVERYBODY, write
from tests.page.browser_for_tests import IN_BROWSER, looks_right, seen

pytestmark = IN_BROWSER


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    out = tmp_path_factory.mktemp("grades")
    write(out, EVERYBODY)
    return out / "index.html"


def test_they_look_right(tab, index):
    looks_right(tab, index, texts=10)
    for name in ("students/honest", "students/evil_eve", "students/wrong", "questions/part1_1"):
        looks_right(tab, index.parent / f"{name}.html")


def test_a_click_sorts(tab, index):
    """Some have as many points as the honest one."""
    up, down = seen(tab, index, 1400)["sorted"]
    assert any(name.startswith("honest") for name in down[:4]), down
    assert not any(name.startswith("honest") for name in up[:4]), up
    assert (up[-1], down[-1]) == ("unreadable", "unreadable"), "without points, so last"


def test_points_typed_are_counted(tab, index):
    """The script of a question's page runs, although the page allows no other."""
    tab.open(index.parent / "questions/part1_1.html")
    assert re.search(r"0 of \d+ have points", tab.html()) and tab.complaints == []


def test_the_only_script_that_runs_is_the_page_s_own(tab, index, tmp_path):
    """The page's security policy blocks any other script."""
    tab.open(index)
    assert "<button>points</button>" in tab.html() and tab.complaints == []
    forged = tmp_path / "forged.html"
    script = "<main><script>document.title = 'forged'</script>"
    text = index.read_text(encoding="utf-8").replace("<main>", script)
    forged.write_text(text, encoding="utf-8")
    tab.open(forged)
    assert tab.value("document.title") != "forged"
    assert "Content Security Policy" in "".join(tab.complaints)


def test_it_can_be_printed(tab, index):
    assert tab.open(index).count_printed() >= 1
    assert tab.complaints == []
    assert tab.open(index.parent / "students/honest.html").count_printed() >= 2
    assert tab.complaints == []
