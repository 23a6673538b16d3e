#!/usr/bin/env python3
"""Do links in a document lead to pages, and does code stay code?"""

import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from page_text import PageText, blocks, with_cards  # noqa: E402
from navigation import SECTIONS  # noqa: E402

PAGES = ("README.md", "docs/physics.md", "docs/view.md", "part1_words/README.md")


class PageTextTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "data").mkdir()
        (self.root / "data/rubric.json").write_text("{}")
        self.pages = PageText(self.root, PAGES)

    def expect(self, text, wanted, path="docs/view.md"):
        self.assertEqual(self.pages.page(text, path), wanted)

    def test_a_document_that_is_named_becomes_a_link(self):
        self.expect("see `docs/physics.md`.", "see [`docs/physics.md`](physics.md).")
        self.expect("see `physics.md`.", "see [`physics.md`](../docs/physics.md).", "part1_words/README.md")
        self.expect("see `docs/view.md`, `docs/other.md`, `lab`", "see `docs/view.md`, `docs/other.md`, `lab`")

    def test_a_span_may_go_on_in_the_next_line(self):
        self.expect("run `./lab a\n--b`, see `physics.md`", "run `./lab a\n--b`, see [`physics.md`](physics.md)")

    def test_links(self):
        for kept in ("[x](physics.md#a)", "[x](#a)", "[`physics.md`](physics.md)", "[x](https://a.org/b.md)", "[dead](nowhere.md)"):
            self.expect(kept, kept)

    def test_a_file_that_is_no_page_is_code(self):
        self.expect("[the rubric](../data/rubric.json)", "the rubric (`data/rubric.json`)")
        self.expect("[`data/rubric.json`](../data/rubric.json)", "`data/rubric.json`")

    def test_pictures_are_remembered(self):
        self.expect("![a](pictures/a.svg)", "![a](pictures/a.svg)")
        self.assertEqual(self.pages.pictures, {"docs/pictures/a.svg"})

    def test_code_stays(self):
        for code in ("```cpp\n`physics.md`\n```", "```\n[a](b.md)\n```", "a\n\n    `physics.md`\n    <!-- x -->"):
            self.expect(code, code)
        self.expect("```console no-run\n$ a\n```\n<!-- table x -->\nb", "```console\n$ a\n```\nb")
        self.assertEqual([prose for prose, _ in blocks("a\n\n    b\n\n    c\nd\n```\ne\n```\nf")], [True, False] * 3 + [True])

    def test_the_home_page_has_the_entries(self):
        text = with_cards("# Lab\n\nFirst.\n\nSecond.\n\nThird.", SECTIONS)
        self.assertRegex(text, r"(?s)# Lab\n\nFirst\..*students\.md.*instructors\.md.*contributors\.md.*</div>\n\nSecond\.\n\nThird\.$")


if __name__ == "__main__":
    unittest.main()
