#!/usr/bin/env python3
"""What identifies an author is removed from a source; everything else stays on its line."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders  # noqa: E402, F401
from grade.anonymous import Names, code_of, without_author  # noqa: E402

NAMES = Names(["Anna-Maria Smith", "José Bo"], "12345", ["Anna-Maria Smith", "José Bo", "Will Power", "Mark"])


def told(text, headers=None):
    return without_author(text, NAMES, headers or {})


class AnonymousTest(unittest.TestCase):
    def test_comments_that_go(self):
        for comment in ("by ANNA", "Smith, A.", "jose's trick", "mail a.b+c@uni-x.example.org", "student 12345", "see /home/x/lab", r"in C:\lab",
                        "@author nn", "Author: me", "Written by me", "Copyright 2026", "thanks to Will  Power"):
            self.assertEqual(told(f"a; // {comment}\nb;\n"), "a;\nb;\n", comment)
            self.assertEqual(told(f"/* x\n {comment} */ b;\n"), "\n b;\n", comment)

    def test_comments_that_stay(self):
        for comment in ("this will be a power of 2, mark it", "Annabel, blacksmith", "bo", "123456", "a/home/b", "an author writes"):
            text = f"a; // {comment}\n"
            self.assertEqual(told(text), text)

    def test_strings(self):
        self.assertEqual(told('f("by Anna", "// Anna");  // fine\ng("other");\n'), 'f("removed", "removed");  // fine\ng("other");\n')

    def test_a_comment_in_a_string_hides_nothing(self):
        self.assertEqual(told('f("/*"); x(); // Smith\ny(); /* */\n'), 'f("/*"); x();\ny(); /* */\n')

    def test_own_headers_get_their_new_names(self):
        text = '#include "naive.hpp"\n#  include "anna_loop.hpp"  // Anna\n'
        self.assertEqual(told(text, {"anna_loop.hpp": "header_1.hpp"}), '#include "naive.hpp"\n#  include "header_1.hpp"\n')

    def test_lines_stay(self):
        text = "/* Anna\n\n*/\r\nint x;\t// fine\r\n"
        self.assertEqual(told(text), "\n\n\nint x;  // fine\n")

    def test_what_is_left_in_the_code(self):
        self.assertEqual(NAMES.left_in("class AnnasLoop { int smith_sum, blacksmith, max; };"), ["AnnasLoop", "smith_sum"])
        self.assertEqual(NAMES.left_in(code_of('f("Anna"); // Smith')), [])


if __name__ == "__main__":
    unittest.main()
