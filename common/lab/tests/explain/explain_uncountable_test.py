"""Is every header of uncountable.txt explained at the right line, in its words?

    explain_uncountable_test.py [COMPILER FLAG...]      without: only the recorded output there

XSIMD: the folder of its headers; if unset, headers that include them are skipped.
With a compiler, each header must also compile for float, so that only counting fails.
"""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import pytest

from nbody_lab.explain.uncountable import ROOT, explain, explanations
from tests import BUILD
from tests.explain.test_lab_tree import examples

HERE = Path(__file__).resolve().parent


WORK = ROOT / "common/work"
PART1_HEADER = ROOT / "part1_standard_opti/mine.hpp"
EXAMPLES = []
FRAME = """#pragma once

{includes}#include "work/test_implementations/small.hpp"

namespace nbody {{

{above}class Mine : public Small {{
 public:
  using Small::Small;
  void compute_accelerations() override {{
    auto& q = bodies.qx;
{body}  }}
}};

}}  // namespace nbody
"""


def header_of(code):
    lines = code.splitlines(keepends=True)
    includes = [line for line in lines if line.startswith("#include")]
    body = [line for line in lines if line.startswith("    ")]
    above = [line for line in lines if line not in includes + body]
    return FRAME.format(
        includes="".join([*includes, "\n"] if includes else []),
        above="".join([*above, "\n"] if above else []),
        body="".join(body),
    )


def setUpModule():
    EXAMPLES.extend(examples("uncountable.txt", header_of))


def expected(code, gnu):
    """(line, words) of the comment "explained: words"; None if this compiler accepts the header."""
    mark = re.compile("explained( by g[+][+])?: (.*)" if gnu else "explained(): (.*)")
    for number, line in enumerate(code.splitlines(), 1):
        found = mark.search(line)
        if found:
            return number, found[2]
    return None


XSIMD = next(
    (
        found.parent
        for pattern in (
            f"{BUILD}/_deps/*/include/xsimd",
            f"{ROOT}/build/tools/*/include/xsimd",
            "/usr/include/xsimd",
        )
        for found in Path("/").glob(pattern.lstrip("/"))
    ),
    None,
)
pytestmark = pytest.mark.slow


class Explained(unittest.TestCase):
    def expect(self, example, gnu, said):
        number, words = expected(example.code, gnu)
        lines = explanations(said, example.header)
        self.assertTrue(lines, "not explained")
        self.assertTrue(lines[0].startswith(f"{example.header}:{number}: "), lines)
        self.assertIn(words, lines[0])


class RecordedTest(Explained):
    def test_each_header(self):
        judged = 0
        for example in EXAMPLES:
            for compiler in ("g++", "clang++"):
                if expected(example.code, compiler == "g++"):
                    with self.subTest(example.name, compiler=compiler):
                        self.expect(example, compiler == "g++", example.said[compiler])
                        judged += 1
        self.assertGreater(judged, 40)

    def test_three_places_at_most_each_once_in_the_folder_of_the_lab(self):
        log = "".join(
            f"{PART1_HEADER}:{line}:1: error: cannot convert 'double' to \u2018nbody::real\u2019\n"
            for line in (3, 3, 5, 7, 9)
        )
        self.assertEqual(
            [line.split(":")[:2] for line in explanations(log, PART1_HEADER)],
            [["part1_standard_opti/mine.hpp", number] for number in ("3", "5", "7")],
        )

    def test_functions_whose_names_begin_with_f(self):
        for name in ("fabs", "fmax", "fma", "sqrt"):
            self.assertEqual(
                explain("", f"  x = {name}f(y);"), f"{name}f() takes float only; use std::{name}()"
            )

    def test_types(self):
        self.assertEqual(
            explain(
                "no match for 'operator+=' (operand types are 'double' and 'const real')",
                "sum += x;",
            ),
            "double is not real here: declare it as real, or use real(...)",
        )
        self.assertEqual(
            explain("something new | a note", "x"), "does not compile for real: something new"
        )

    def test_an_error_elsewhere_is_not_explained(self):
        self.assertEqual(
            explanations("/elsewhere/other.hpp:1:1: error: unrelated\n", PART1_HEADER), []
        )


class CompilerTest(Explained):
    compiler = [
        "c++",
        "-O1",
        "-Wall",
        "-Wextra",
        "-Wno-unknown-pragmas",
        "-Werror=format",
        "-Werror=class-memaccess",
    ]  # as of count programs

    def compile(self, text, real):
        """The compiler's errors for a text; empty if it compiles."""
        xsimd = XSIMD
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "count.cpp")
            source.write_text(text, encoding="utf-8")
            words = [
                *self.compiler,
                "-std=c++20",
                f"-I{ROOT}/common",
                *(["-isystem", xsimd] if xsimd else []),
                "-fsyntax-only",
                "-x",
                "c++",
                f"-DLAB_REAL={real}",
                str(source),
            ]
            done = subprocess.run(
                words,
                env={**os.environ, "LC_ALL": "C"},
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
            )
        return done.stderr if done.returncode != 0 else ""

    def counted(self, example):
        """The program that counts the header, as CMake generates it."""
        number = "counting_batch" if "<xsimd/" in example.code else "counting_number"
        text = (WORK / "count.cpp.in").read_text(encoding="utf-8")
        for name, value in {
            "HEADER": str(example.header),
            "CLASS": "Mine",
            "COUNTED_BY": number,
        }.items():
            text = text.replace(f"@LAB_{name}@", value)
        return text

    def test_each_header(self):
        gnu = (
            "clang"
            not in subprocess.run(
                [self.compiler[0], "--version"], capture_output=True, text=True, check=True
            ).stdout
        )
        for example in EXAMPLES:
            if "<xsimd/" in example.code and not XSIMD:
                continue
            with self.subTest(example.name):
                self.assertEqual(
                    self.compile(f'#include "{example.header}"\n', "float"),
                    "",
                    "does not compile for float",
                )
                if expected(example.code, gnu):
                    said = self.compile(self.counted(example), "nbody::Counting")
                    self.assertNotEqual(said, "", "compiles with numbers that count")
                    self.expect(example, gnu, said)
