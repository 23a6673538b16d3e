"""The page of ./lab report in a browser: wide and narrow, light and dark, printed. Needs Chromium."""

import shutil

import pytest

from tests.page.browser_for_tests import IN_BROWSER, looks_right, seen
from tests.page.tree_for_tests import Tree

pytestmark = IN_BROWSER


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    tree = Tree(tmp_path_factory.mktemp("lab")).measure()
    tree.page()
    return tree.root / "report.html"


def test_wide_and_narrow_light_and_dark(tab, file):
    looks_right(tab, file, texts=151)


@pytest.mark.parametrize("width", [1200, 390])
def test_no_table_and_no_picture_is_cut(tab, file, width):
    assert seen(tab, file, width)["cut"] == []


def test_nothing_is_cut_where_the_speed_is_from_elsewhere(tab, tmp_path):
    """Without a bench, the words of where a speed was measured stand beside it."""
    tree = Tree(tmp_path).measure()
    shutil.rmtree(tree.root / "build/pictures")
    tree.page()
    assert seen(tab, tree.root / "report.html", 1200)["cut"] == []


def test_switches_work_without_a_script(tab, file):
    shown = seen(tab, file, 1400)["shown"]
    assert len(shown) == 4
    assert shown == {setting: [f"view {setting}"] for setting in shown}


def test_a_row_lights_its_point(tab, file):
    while_over, after = seen(tab, file, 1400)["lit"]
    assert while_over >= 2 and after == 0


def test_it_can_be_printed(tab, file):
    assert tab.open(file).count_printed() >= 4
    assert tab.complaints == []
