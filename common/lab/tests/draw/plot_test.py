"""Tests ./lab plot as a command: the files it writes, and one line and status 2 for bad input; and pictures inside a page."""

import os
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

from nbody_lab.draw import theme
from nbody_lab.draw.sheet import Sheet, inline_svg, with_own_ids
from tests import LAB
from tests.draw.runs_for_tests import RunFolder, circle


class Plot(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.run_ = RunFolder(folder.name, "moon")
        for k in range(0, 30, 10):
            self.run_.write(k, [circle(0.01, 3 + k), circle(1, k)], names=["Earth", "Moon"])

    def plot(self, *words):
        return subprocess.run([*LAB, "plot", *words], capture_output=True, text=True, check=False)

    def test_pictures_lie_beside_the_files(self):
        base = str(self.run_.base)
        for words, name in (
            (("orbits", base), "_orbits"),
            (("orbits", base, "--around", "Earth"), "_orbits_around_Earth"),
            (("energy", base), "_energy"),
        ):
            done = self.plot(*words)
            self.assertEqual(
                (done.stdout, done.stderr, done.returncode), (f"{base}{name}.svg and .png\n", "", 0)
            )
            for ending in (".svg", ".png"):
                self.assertTrue(Path(f"{base}{name}{ending}").stat().st_size > 5000)

    def test_one_line_and_status_2(self):
        base = str(self.run_.base)
        other = base.replace("moon", "mars")
        Path(f"{base}.40.dat").write_text("# nbody-lab: G=1 dt=0.5 mdt=0\n2\n1 x\n")
        none = f"{other}.<iteration>.dat: no such file; ./lab run PART NAME ... -w {other} --every 10 writes them"
        log = f"{base}.txt"
        Path(log).write_text("iteration,time\n", encoding="utf-8")
        for words, said in (
            (("orbits", other), none),
            (("energy", other), none),
            (("energy", log), f"{log}: is not a BASE of -w; a log of --log must end with .csv"),
            (("orbits", "six.csv"), "six.csv: orbits needs a BASE of -w; a log has no positions"),
            (
                ("energy", base),
                f"{base}.40.dat:3: radius of record 1 is 'x', not a finite decimal number: write it like 1.5e3",
            ),
            (("orbits",), "the following arguments are required: BASE; see ./lab plot orbits -h"),
            (("orbit", base), None),
            (("orbits", base, "--about", "1"), None),
            ((), None),
        ):
            done = self.plot(*words)
            self.assertEqual(
                (done.stdout, done.returncode, done.stderr.count("\n")), ("", 2, 1), done.stderr
            )
            if said:
                self.assertEqual(done.stderr, f"plot: {said}\n")

    def test_a_reader_that_has_seen_enough_is_no_fault(self):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [*LAB, "plot", "energy", str(self.run_.base)],
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        os.close(writing)
        self.assertEqual(done.stderr, "")

    def test_help_has_examples(self):
        for kind in ("bench", "orbits", "energy"):
            done = self.plot(kind, "-h")
            self.assertEqual(done.returncode, 0)
            self.assertIn(f"example: ./lab plot {kind} ", done.stdout)


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
        self.assertEqual(
            with_own_ids('<a id="x y"/><a id="x.y"/><b href="#x.y"/>', "p"),
            '<a id="p-x_y"/><a id="p-x_y-1"/><b href="#p-x_y-1"/>',
        )

    def test_it_brings_no_style_of_its_own(self):
        svg = picture("a")
        self.assertNotIn("<style", svg)
        self.assertTrue(svg.startswith('<svg class="picture" id="a" '))
        self.assertTrue(svg.rstrip().endswith("</svg>"))
        self.assertIn("<title>Title &amp; words</title>", svg)

    def test_the_page_has_a_rule_for_each_colour_also_of_markers(self):
        sheet = theme.page_sheet()
        for name, colour in theme.PAPER.items():
            self.assertIn(
                f'\n[style*="fill: {colour}"] {{ fill: var(--{name}) !important; }}', sheet
            )
        self.assertIn("@media screen and (prefers-color-scheme: dark)", sheet)
