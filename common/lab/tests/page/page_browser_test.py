"""The page of ./lab report in a browser: wide and narrow, light and dark, printed. Needs Chromium."""

from pathlib import Path

import pytest

from nbody_lab.page.render import write_page
from tests.page.browser_for_tests import Browser
from tests.page.tree_for_tests import Tree

pytestmark = [pytest.mark.browser, pytest.mark.weekly]


class BrowserTest(Browser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.tree, cls.file = Tree().measured(), Path(cls.folder.name, "report.html")
        write_page(cls.tree.root, cls.file, ["part1", "part2"])

    @classmethod
    def tearDownClass(cls):
        cls.tree.close()
        super().tearDownClass()

    def test_wide_and_narrow_light_and_dark(self):
        self.looks_right(self.file, texts=151)

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
