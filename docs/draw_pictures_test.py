"""Tests that the documents' pictures match the results, and that each is shown."""

import re
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

import draw_pictures
from nbody_lab import ROOT

PICTURES = ROOT / "docs/pictures"


def content(file):
    """What a picture says, and how many things it shows; not the bytes, which another matplotlib writes otherwise."""
    tree = xml.fromstring(file.read_bytes())
    named = sorted(
        element.get("id")
        for element in tree.iter()
        if re.match("(bar|line|whisker|cell|bars)-", element.get("id") or "")
    )
    return named, sorted(
        "".join(element.itertext()) for element in tree.iter("{http://www.w3.org/2000/svg}text")
    )


class DrawPicturesTest(unittest.TestCase):
    def test_they_are_of_the_results(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(draw_pictures.main([folder]), 0)
            for drawn in sorted(Path(folder).iterdir()):
                self.assertTrue(
                    (PICTURES / drawn.name).exists(),
                    f"{drawn.name} is not in docs/pictures: run docs/draw_pictures.py",
                )
                self.assertEqual(
                    content(PICTURES / drawn.name),
                    content(drawn),
                    f"{drawn.name} is stale: run docs/draw_pictures.py",
                )

    def test_each_is_shown(self):
        documents = [
            *ROOT.glob("*.md"),
            *ROOT.glob("docs/*.md"),
            *ROOT.glob("part*/*.md"),
            *ROOT.glob("solutions/**/*.md"),
        ]
        text = "\n".join(file.read_text(encoding="utf-8") for file in documents)
        for picture in sorted(PICTURES.iterdir()):
            self.assertTrue(
                f"pictures/{picture.name})" in text,
                f"no document shows docs/pictures/{picture.name}",
            )


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        (1e9, 4e9),  # blocks of 62.5 ms hide the messages
        (1e12, 16000**2 / (3 * (5e-5 + 64000 / 125e6) + 1.6e-5)),
    ],
)
def test_the_predicted_ring(rate, expected):
    assert draw_pictures.predict_ring(16000, rate, 4) == pytest.approx(expected)
