"""The page of ./lab report in a browser: wide and narrow, light and dark, printed. Needs Chromium."""

import shutil
from pathlib import Path

import pytest

from tests.page.browser_for_tests import Browser
from tests.page.tree_for_tests import Tree

pytestmark = [pytest.mark.browser, pytest.mark.weekly]


class BrowserTest(Browser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        tree = Tree(Path(cls.folder.name, "lab")).measure()
        tree.page()
        cls.file = tree.root / "report.html"

    def test_wide_and_narrow_light_and_dark(self):
        self.looks_right(self.file, texts=151)

    def test_no_table_and_no_picture_is_cut(self):
        for width in (1200, 390):
            self.assertEqual(self.seen(self.file, width)["cut"], [], width)

    def test_nothing_is_cut_where_the_speed_is_from_elsewhere(self):
        """Without a bench, the words of where a speed was measured stand beside it."""
        tree = Tree(Path(self.folder.name, "no_bench")).measure()
        shutil.rmtree(tree.root / "build/pictures")
        tree.page()
        self.assertEqual(self.seen(tree.root / "report.html", 1200)["cut"], [])

    def test_switches_work_without_a_script(self):
        shown = self.seen(self.file, 1400)["shown"]
        self.assertEqual(len(shown), 4)
        for setting, views in shown.items():
            self.assertEqual(views, [f"view {setting}"])

    def test_a_row_lights_its_point(self):
        while_over, after = self.seen(self.file, 1400)["lit"]
        self.assertGreaterEqual(while_over, 2)
        self.assertEqual(after, 0)

    def test_it_can_be_printed(self):
        self.assertGreaterEqual(self.pages_printed(self.file), 4)
