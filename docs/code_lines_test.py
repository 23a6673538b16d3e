"""Tests which lines the tables count as code."""

import tempfile
import unittest
from pathlib import Path
from unittest import mock

import code_lines

PYTHON = '''"""A docstring
of two lines."""

import math  # counted

TEXT = """counted
twice"""


def first(x):
    "a docstring, too"
    # a comment
    return max(
        x,
    )


def second(x):
    return x
'''
CPP = """#pragma once
// a comment { with a bracket
struct Sum {
  real x;  // counted
  /* not
     counted */
  void add(int k) {
    x += k;
  }
};

fn spread<T: Send>(found: [f32; 3]) -> [f32; 3] {
    found
}
"""


class CodeLinesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in (("a.py", PYTHON), ("a.hpp", CPP)):
            Path(folder.name, name).write_text(text, encoding="utf-8")
        patch = mock.patch.object(code_lines, "ROOT", Path(folder.name))
        patch.start()
        self.addCleanup(patch.stop)

    def test_what_is_counted(self):
        for where, lines in (
            ("a.py", 8),
            ("a.py:first", 3),
            ("a.py:second", 2),
            ("a.hpp", 7),
            ("a.hpp:Sum", 4),
            ("a.hpp:add", 2),
            ("a.hpp:spread", 2),
        ):
            self.assertEqual(code_lines.code_lines(where), lines, where)

    def test_a_name_that_is_not_there(self):
        for where in ("a.py:third", "a.hpp:third"):
            with self.assertRaisesRegex(ValueError, "has no 'third'"):
                code_lines.code_lines(where)
