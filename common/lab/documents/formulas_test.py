#!/usr/bin/env python3
"""Do formulas become complete MathML, and are unknown LaTeX commands refused?"""

import re
import sys
import unittest
import xml.etree.ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from with_mkdocs import ROOT, go_over_to_mkdocs  # noqa: E402

go_over_to_mkdocs()
from formulas import formula  # noqa: E402

FENCE = re.compile(r"^```math\n(.*?)^```$", re.M | re.S)


class FormulasTest(unittest.TestCase):
    def test_a_formula_and_its_number(self):
        made = formula(r"a_i = \frac{F_i}{m_i} \tag{Eq. 3}")
        self.assertRegex(made, r'^<div class="lab-formula"><math .*<mfrac>.*</math><span class="lab-number">\(Eq\. 3\)</span></div>$')
        self.assertNotIn("span", formula("a = b"))

    def test_an_unknown_word_is_refused(self):
        with self.assertRaisesRegex(ValueError, "cannot be shown"):
            formula(r"a = \nosuchword{b}")

    def test_all_formulas_of_the_documents(self):
        found = [source for pattern in ("docs/*.md", "part*/*.md", "solutions/*/*.md") for file in ROOT.glob(pattern)
                 for source in FENCE.findall(file.read_text(encoding="utf-8"))]
        self.assertGreater(len(found), 10)
        for source in found:
            xml.etree.ElementTree.fromstring(formula(source))


if __name__ == "__main__":
    unittest.main()
