"""The slides of the first lecture: one idea each, few words, no figure without a measurement; and the page made of them."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from make_slides import SOURCE, page_of, slides_of
from nbody_lab import ROOT

MOST_WORDS = 40
TABLE_LINE, PICTURE = re.compile(r"^\|.*$", re.M), re.compile(r"!\[[^\]]*\]\([^)]*\)")
# What may be a figure in a sentence: names, settings of the measurement, and commands.
HARMLESS = re.compile(
    r"```.*?```|[Pp]arts? \d( to \d| and \d)?|[Tt]asks? \d+( and \d+)?|question \d+|Eq\. \d( to \d| and \d)?|AVX-?\d+|SSE2|H200|Zen 5|"
    r"(5000|131072) bodies|16 cores|about 3\.9 GHz|^\d+\. |\"\./lab[^\"]*\"",
    re.S | re.M,
)


def made(text, *more):
    """(status, page, what was said)"""
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder, "a.md"), Path(folder, "new/a.html")
        if text is not None:
            source.write_text(text, encoding="utf-8")
        Path(folder, "p.svg").write_text("<svg/>", encoding="utf-8")
        done = subprocess.run(
            [sys.executable, ROOT / "docs/make_slides.py", source, out, *more],
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, out.read_text(encoding="utf-8") if out.exists() else "", done.stderr


class Lecture(unittest.TestCase):
    def setUp(self):
        self.slides = slides_of(SOURCE.read_text(encoding="utf-8"))

    def test_about_twenty_with_notes(self):
        self.assertTrue(18 <= len(self.slides) <= 24, len(self.slides))
        for slide in self.slides:
            self.assertEqual(len(re.findall(r"^# ", slide.text, re.M)), 1, slide.text)
            self.assertGreater(len(slide.notes.split()), 10, slide.text)

    def test_few_words(self):
        for slide in self.slides:
            words = re.findall(
                r"\w*[A-Za-z]{2}[\w'./-]*|\b\d[\d.]*",
                re.sub(r"[*`_]", " ", PICTURE.sub("", slide.text)),
            )
            self.assertLessEqual(len(words), MOST_WORDS, slide.text)

    def test_figures_stand_in_tables_that_are_written(self):
        for slide in self.slides:
            for text in (PICTURE.sub("", TABLE_LINE.sub("", slide.text)), slide.notes):
                self.assertEqual(re.findall(r"\S*\d\S*", HARMLESS.sub("", text)), [], text)

    def test_a_page_that_needs_nothing_else(self):
        page = page_of(SOURCE)
        self.assertEqual(page.count("<section"), len(self.slides))
        self.assertEqual(re.findall(r'(?:src|href)="(?!data:)[^"]*"', page), [])
        self.assertNotIn("http", re.sub(r'"data:[^"]*"', "", page))


class AnySlides(unittest.TestCase):
    def test_pieces(self):
        text = "---\nmarp: true\n---\n\n# A\n\n<!-- table x -->\n| a |\n| - |\n| 1 |\n<!-- end of table -->\n\n<!-- said\nlow -->\n---\n# B\n"
        self.assertEqual(
            slides_of(text), [("# A\n\n| a |\n| - |\n| 1 |", "said\nlow"), ("# B", "")]
        )

    def test_page(self):
        status, page, said = made("# A <b>\n\n![x](p.svg)\n")
        self.assertEqual((status, said), (0, ""))
        self.assertIn("data:image/svg+xml;base64,PHN2Zy8+", page)

    def test_bad_input_is_one_line(self):
        for text, words, pattern in (
            ("text", (), "no slide in it begins with '# '"),
            ("# A\n![x](no.svg)\n", (), r"there is no picture no\.svg"),
            (None, (), "No such file"),
            ("# A\n", ("b",), "usage"),
        ):
            status, page, said = made(text, *words)
            self.assertEqual((status, page, said.count("\n")), (2, "", 1), said)
            self.assertRegex(said, pattern)
