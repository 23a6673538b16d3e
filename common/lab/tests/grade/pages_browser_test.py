"""The pages of a class in a browser: wide and narrow, light and dark, sorted, printed. Needs Chromium."""

from pathlib import Path

import pytest

from tests.grade.pages_test import EVERYBODY, write
from tests.page.browser_for_tests import Browser

pytestmark = [pytest.mark.browser, pytest.mark.weekly]


class PagesInBrowser(Browser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.index = Path(cls.folder.name, "grades/index.html")
        write(cls.index.parent, EVERYBODY)

    def page(self, name):
        return self.index.parent / f"{name}.html"

    def test_they_look_right(self):
        self.looks_right(self.index, texts=10)
        for name in ("students/honest", "students/evil_eve", "students/wrong", "questions/part1_1"):
            self.looks_right(self.page(name))

    def test_a_click_sorts(self):
        """Some have as many points as the honest one."""
        up, down = self.seen(self.index, 1400)["sorted"]
        self.assertTrue(any(name.startswith("honest") for name in down[:4]), down)
        self.assertFalse(any(name.startswith("honest") for name in up[:4]), up)
        self.assertEqual(
            (up[-1], down[-1]), ("unreadable", "unreadable"), "without points, so last"
        )

    def test_points_typed_are_counted(self):
        """The script of a question's page runs, although the page allows no other."""
        dom, said = self.chromium("--dump-dom", self.page("questions/part1_1").as_uri())
        self.assertEqual(said, [])
        self.assertRegex(dom, r"0 of \d+ have points")

    def test_the_only_script_that_runs_is_the_page_s_own(self):
        """The page's security policy blocks any other script."""
        dom, said = self.chromium("--dump-dom", self.index.as_uri())
        self.assertEqual(said, [])
        self.assertIn("<button>points</button>", dom)
        forged = Path(self.folder.name, "forged.html")
        forged.write_text(
            self.index.read_text(encoding="utf-8").replace(
                "<main>", "<main><script>document.title = 'forged'</script>"
            ),
            encoding="utf-8",
        )
        dom, said = self.chromium("--dump-dom", forged.as_uri())
        self.assertNotIn("<title>forged", dom)
        self.assertIn("Content Security Policy", "".join(said))

    def test_it_can_be_printed(self):
        self.assertGreaterEqual(self.pages_printed(self.index), 1)
        self.assertGreaterEqual(self.pages_printed(self.page("students/honest")), 2)
