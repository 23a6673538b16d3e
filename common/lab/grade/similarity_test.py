#!/usr/bin/env python3
"""Similar sources are found, and the given code does not count."""

import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders  # noqa: E402, F401
from grade.similarity import MISSING, compare  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
GIVEN = [ROOT / "part1_standard_opti/naive.hpp", ROOT / "part1_standard_opti/mine.hpp"]
RUNGS = ROOT / "solutions/part1_standard_opti"
OWN = "double f{0}(double x) {{\n  int k = 0;\n  while (x > {0}) {{ x = x / 2 + k; ++k; }}\n  return k % 2 ? -x : x * k;\n}}\n"


class WithoutTheProgram(unittest.TestCase):
    def test_it_is_a_sentence(self):
        with mock.patch("shutil.which", return_value=None):
            self.assertEqual(compare({"a": GIVEN[0]}, {}, []), ([], [MISSING]))


@unittest.skipUnless(shutil.which("sim_c++"), "sim_c++ is missing: Debian's similarity-tester")
class Similarity(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def put(self, name, text):
        file = self.folder / name
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def pairs(self, new, old=None, given=()):
        found = compare(new, old or {}, given)
        self.assertEqual(found.problems, [])
        return found.pairs

    def test_other_names_and_comments_hide_nothing(self):
        lines = (RUNGS / "third_law.hpp").read_text()
        other = "// my own work\n\n" + lines.replace("dx", "distance").replace("bodies", "stars").replace("// ", "//// ")
        pair, = self.pairs({"anna": self.put("a", lines), "ben": self.put("b", other)})
        self.assertEqual((pair.first, pair.second), ("anna", "ben"))
        self.assertGreater(pair.share, 0.95)
        self.assertEqual(pair.runs[0].first_lines[0] + 2, pair.runs[0].second_lines[0])
        self.assertEqual(pair.tokens, sum(run.tokens for run in pair.runs))

    def test_different_work_is_not_alike(self):
        files = {name: self.put(name, text) for name, text in (("anna", OWN.format(1)), ("ben", "struct S { int a[3]; bool b; };\n" * 9))}
        self.assertEqual(self.pairs(files), [])

    def test_given_code_counts_for_nothing(self):
        files = {name: self.put(name, GIVEN[0].read_bytes()) for name in ("anna", "ben")}
        self.assertEqual(self.pairs(files)[0].share, 1)
        self.assertEqual(self.pairs(files, given=GIVEN), [])
        mixed = {name: self.put(name, GIVEN[0].read_bytes() + OWN.format(1).encode() * 3) for name in ("anna", "ben")}
        pair, = self.pairs(mixed, given=GIVEN)
        self.assertGreater(pair.runs[0].first_lines[0], len(GIVEN[0].read_text().splitlines()) - 2)

    def test_a_public_solution_is_found(self):
        rungs = {file.name: file for file in RUNGS.glob("*.hpp") if file.name != "worksheet.hpp"}
        copied = (RUNGS / "third_law.hpp").read_text().replace("ThirdLaw", "Mine")
        pairs = self.pairs({"anna": self.put("a", copied)}, rungs, GIVEN)
        self.assertIn(("anna", "third_law.hpp"), [(pair.first, pair.second) for pair in pairs if pair.share > 0.95])

    def test_earlier_years_are_not_compared_with_each_other(self):
        text = "".join(OWN.format(k) for k in range(6))
        old = {name: self.put(name, text) for name in ("year1", "year2")}
        self.assertEqual(self.pairs({"anna": self.put("a", "int x;\n")}, old), [])
        self.assertEqual(len(self.pairs({"anna": self.put("a", text)}, old)), 2)

    def test_odd_files(self):
        odd = {"empty": b"", "zeros": b"\0" * 5000, "binary": bytes(range(256)) * 300, "endless": b"a + b; " * 40000, "open": b'"' + b"/*" * 999,
               "line": b"x " * 99999, "ends": b"\r\n\x0c\x1a", "name": "void ü() {}".encode(), "deep": b"({[" * 20000}
        new = {name: self.put(name, content) for name, content in odd.items()}
        found = compare(new, {"zero": new["zeros"]}, GIVEN)
        self.assertEqual([one.split(":")[0] for one in found.problems], ["binary", "endless", "line", "deep"])
        self.assertEqual(self.pairs({}), [])

    def test_too_long_is_a_sentence(self):
        found = compare({name: GIVEN[0] for name in "abcdef"}, {}, [], seconds=1e-5)
        self.assertEqual(found.pairs, [])
        self.assertIn("took longer", found.problems[0])


if __name__ == "__main__":
    unittest.main()
