"""The pages of a class in a browser: wide and narrow, light and dark, sorted, printed. Needs Chromium."""

from pathlib import Path

import pytest

from nbody_lab.grade.pages.write_pages import write_pages
from tests.grade.class_for_tests import EVIDENCE, Graded
from tests.page.browser_for_tests import Browser

pytestmark = [pytest.mark.browser, pytest.mark.weekly]


class PagesInBrowser(Browser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.graded = Graded(evidence=EVIDENCE)
        cls.index = write_pages(cls.graded.out)

    @classmethod
    def tearDownClass(cls):
        cls.graded.close()
        super().tearDownClass()

    def student(self, name):
        return self.graded.out / "students" / f"{name}.html"

    def test_the_class(self):
        self.looks_right(self.index, texts=10)

    def test_students(self):
        for name in ("smith_anna", "evil_eve", "cheat_clara", "wrong_emil", "flood_fritz"):
            self.looks_right(self.student(name))

    def test_a_click_sorts(self):
        up, down = self.seen(self.index, 1400)["sorted"]
        self.assertEqual((up[-2], down[0]), ("Eva Fast", "Eva Fast"))
        self.assertEqual(
            (up[-1], down[-1]), ("broken_bob", "broken_bob"), "without points, so at the end"
        )
        self.assertEqual(len(set(up)), 13)

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
        self.assertGreaterEqual(self.pages_printed(self.student("smith_anna")), 2)
