#!/usr/bin/env python3
"""Is every header of common/work/uncountable explained at the right line, in these words?

    explain_uncountable_test.py [COMPILER FLAG...]      without: only what is recorded in uncountable_said.txt

XSIMD: the folder of its headers; if unset, headers that include them are skipped.
With a compiler, each header must also compile for float, so that only counting fails.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import folders  # noqa: E402, F401
from explain_uncountable import ROOT, explain, explanations  # noqa: E402

WORK = HERE.parents[1] / "work"
HEADERS = sorted((WORK / "uncountable").glob("*.hpp"))


def expected(header, gnu):
    """(line, words) of the comment "explained: words"; None if this compiler accepts the header."""
    mark = re.compile("explained( by g[+][+])?: (.*)" if gnu else "explained(): (.*)")
    for number, line in enumerate(header.read_text(encoding="utf-8").splitlines(), 1):
        found = mark.search(line)
        if found:
            return number, found[2]
    return None


class Explained(unittest.TestCase):
    def expect(self, header, gnu, lines):
        number, words = expected(header, gnu)
        self.assertTrue(lines, "not explained")
        self.assertTrue(lines[0].startswith(f"common/work/uncountable/{header.name}:{number}: "), lines)
        self.assertIn(words, lines[0])


class RecordedTest(Explained):
    def test_each_header(self):
        text = (HERE / "uncountable_said.txt").read_text(encoding="utf-8").replace("ROOT", str(ROOT))
        said = {tuple(part.split("\n", 1)[0].split()): part.split("\n", 1)[1] for part in text.split("=== ")[1:]}
        for header in HEADERS:
            for compiler in ("g++", "clang++"):
                if expected(header, compiler == "g++"):
                    with self.subTest(header.name, compiler=compiler):
                        self.expect(header, compiler == "g++", explanations(said[(compiler, header.stem)], header))

    def test_three_places_at_most_each_once(self):
        header = WORK / "uncountable/cast.hpp"
        log = "".join(f"{header}:{line}:1: error: cannot convert 'double' to \u2018nbody::real\u2019\n" for line in (3, 3, 5, 7, 9))
        self.assertEqual([line.split(":")[1] for line in explanations(log, header)], ["3", "5", "7"])

    def test_functions_whose_names_begin_with_f(self):
        for name in ("fabs", "fmax", "fma", "sqrt"):
            self.assertEqual(explain("", f"  x = {name}f(y);"), f"{name}f() takes float only; use std::{name}()")

    def test_types(self):
        self.assertEqual(explain("no match for 'operator+=' (operand types are 'double' and 'const real')", "sum += x;"),
                         "double is not real here: declare it as real, or use real(...)")
        self.assertEqual(explain("something new | a note", "x"), "does not compile for real: something new")

    def test_an_error_elsewhere_is_not_explained(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, "log")
            log.write_text("/elsewhere/other.hpp:1:1: error: unrelated\n", encoding="utf-8")
            for words, status in ((log, 1), (Path(folder, "none"), 2)):
                done = subprocess.run([sys.executable, HERE / "explain_uncountable.py", words, HEADERS[0]], capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stdout), (status, ""))


class CompilerTest(Explained):
    compiler = ()

    def compile(self, text, real):
        """The compiler's errors for a text; empty if it compiles."""
        xsimd = os.environ.get("XSIMD")
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "count.cpp")
            source.write_text(text, encoding="utf-8")
            words = [*self.compiler, "-std=c++20", f"-I{HERE.parents[1]}", *(["-isystem", xsimd] if xsimd else []),
                     "-fsyntax-only", "-x", "c++", f"-DLAB_REAL={real}", str(source)]
            done = subprocess.run(words, env={**os.environ, "LC_ALL": "C"}, capture_output=True, text=True, errors="replace", check=False)
        return done.stderr if done.returncode != 0 else ""

    def counted(self, header):
        """The program that counts the header, as CMake generates it."""
        number = "counting_batch" if "<xsimd/" in header.read_text(encoding="utf-8") else "counting_number"
        text = (WORK / "count.cpp.in").read_text(encoding="utf-8")
        for name, value in {"HEADER": str(header), "CLASS": "Mine", "COUNTED_BY": number}.items():
            text = text.replace(f"@LAB_{name}@", value)
        return text

    def test_each_header(self):
        if not self.compiler:
            self.skipTest("no compiler given")
        gnu = "clang" not in subprocess.run([self.compiler[0], "--version"], capture_output=True, text=True, check=True).stdout
        for header in HEADERS:
            if "<xsimd/" in header.read_text(encoding="utf-8") and not os.environ.get("XSIMD"):
                continue
            with self.subTest(header.name):
                self.assertEqual(self.compile(f'#include "{header}"\n', "float"), "", "does not compile for float")
                if expected(header, gnu):
                    said = self.compile(self.counted(header), "nbody::Counting")
                    self.assertNotEqual(said, "", "compiles with numbers that count")
                    self.expect(header, gnu, explanations(said, header))


if __name__ == "__main__":
    CompilerTest.compiler = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
