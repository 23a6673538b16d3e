#!/usr/bin/env python3
"""Tests that two pictures fit in one page without sharing ids or colours."""

import re
import sys
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from with_matplotlib import go_over  # noqa: E402

go_over()
import theme  # noqa: E402
from inline import inline_svg, with_own_ids  # noqa: E402
from sheet import Sheet  # noqa: E402


def picture(name, words="words"):
    sheet = Sheet("line", f"Title & {words}", "subtitle", "footnote")
    sheet.axes.plot([1, 2], [1, 2], color=theme.SERIES[1], marker="o", gid="line-<mine>, N = 3")
    sheet.axes.plot([1, 2], [2, 1], color=theme.SERIES[2], gid="line-(mine), N = 3")
    svg = inline_svg(sheet, name)
    sheet.close()
    return svg


def ids_of(svg):
    return [element.get("id") for element in xml.fromstring(svg).iter() if element.get("id")]


class InlineTest(unittest.TestCase):
    def test_two_pictures_share_no_id(self):
        ids = ids_of(picture("a")) + ids_of(picture("b"))
        self.assertGreater(len(ids), 40)
        self.assertEqual(len(set(ids)), len(ids))
        self.assertTrue(all(re.fullmatch(r"[ab](-[A-Za-z0-9_-]+)?", one) for one in ids), ids)

    def test_every_reference_is_to_the_same_picture(self):
        svg = picture("a")
        used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', svg))
        self.assertGreater(len(used), 2)
        self.assertLessEqual(used, set(ids_of(svg)))

    def test_ids_that_look_the_same_are_told_apart(self):
        self.assertEqual(with_own_ids('<a id="x y"/><a id="x.y"/><b href="#x.y"/>', "p"), '<a id="p-x_y"/><a id="p-x_y-1"/><b href="#p-x_y-1"/>')

    def test_it_brings_no_style_of_its_own(self):
        svg = picture("a")
        self.assertNotIn("<style", svg)
        self.assertTrue(svg.startswith("<svg class=\"picture\" id=\"a\" "))
        self.assertTrue(svg.rstrip().endswith("</svg>"))
        self.assertIn("<title>Title &amp; words</title>", svg)

    def test_the_page_has_a_rule_for_each_colour_also_of_markers(self):
        sheet = theme.page_sheet()
        for name, colour in theme.PAPER.items():
            self.assertIn(f'\n[style*="fill: {colour}"] {{ fill: var(--{name}) !important; }}', sheet)
        self.assertIn("@media screen and (prefers-color-scheme: dark)", sheet)


if __name__ == "__main__":
    unittest.main()
