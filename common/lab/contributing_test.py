"""A new rung and a new part in a copy of the tree, by the lists of CONTRIBUTING.md and nothing more.

    contributing_test.py TREE      the copy; its build folder may stay from the last time
"""

import os
import subprocess
import sys
import unittest
from pathlib import Path

TREE = Path(sys.argv.pop()).resolve()
RUNG = '''#pragma once

#include "fused.hpp"

namespace nbody {

// Idea: nothing but a name.
class Renamed : public Fused {
 public:
  using Fused::Fused;
};

}  // namespace nbody
'''
PART = '''start_part(part9)
add_implementation(naive "the formulas")
add_student_implementations(${CMAKE_CURRENT_SOURCE_DIR}/flags.txt)
'''
SOLUTIONS = '''continue_part(part9)
add_implementation(twice "naive, once more" KIND solution)
'''
TWICE = '''#pragma once

#include "../../part9_scratch/naive.hpp"

namespace nbody {

class Twice : public Naive {
 public:
  using Naive::Naive;
};

}  // namespace nbody
'''


def lab(*words):
    done = subprocess.run([TREE / "lab", *words], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout + done.stderr


def add_line(file, after, line):
    path = TREE / file
    text = path.read_text(encoding="utf-8")
    assert text.count(after) == 1, f"{file} has no single place '{after}'"
    path.write_text(text.replace(after, after + line), encoding="utf-8")


class Contributing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # A rung: a header and a row.
        cls.has_solutions = (TREE / "solutions").is_dir()
        if cls.has_solutions:
            (TREE / "solutions/part1_standard_opti/renamed.hpp").write_text(RUNG, encoding="utf-8")
            with open(TREE / "solutions/part1_standard_opti/CMakeLists.txt", "a", encoding="utf-8") as rows:
                rows.write('add_implementation(renamed "fused under another name" PARENT fused PREDICTION 1)\n')
        # A part: its folder, that of its solutions, and two lists.
        part = TREE / "part9_scratch"
        part.mkdir(exist_ok=True)
        for name in ("naive.hpp", "mine.hpp", "flags.txt"):
            (part / name).write_bytes((TREE / "part1_standard_opti" / name).read_bytes())
        (part / "CMakeLists.txt").write_text(PART, encoding="utf-8")
        add_line("CMakeLists.txt", "part3_cuda", " part9_scratch")
        if cls.has_solutions:
            (TREE / "solutions/part9_scratch").mkdir(exist_ok=True)
            (TREE / "solutions/part9_scratch/CMakeLists.txt").write_text(SOLUTIONS, encoding="utf-8")
            (TREE / "solutions/part9_scratch/twice.hpp").write_text(TWICE, encoding="utf-8")
            add_line("solutions/CMakeLists.txt", "add_subdirectory(part3_cuda)\n", "add_subdirectory(part9_scratch)\n")

    def judged(self, part, name):
        status, said = lab("check", part, name, "--largest", "129", "--seeds", "1")
        self.assertEqual(status, 0, said)
        self.assertIn(f"{part}/{name}: passed", said)

    def test_rung(self):
        if not self.has_solutions:
            self.skipTest("there is no folder solutions")
        self.judged("part1", "renamed")
        status, said = lab("list", "part1")
        self.assertIn("fused under another name", said)
        status, said = lab("diff", "part1", "renamed")
        self.assertEqual(status, 0, said)
        self.assertIn("part1/renamed beside fused", said)
        status, said = lab("count", "part1", "renamed")
        self.assertEqual(status, 0, said)
        self.assertIn("compute_accelerations", said)

    def test_part(self):
        self.judged("part9", "mine")
        status, said = lab("run", "part9", "naive", "-n", "10", "-i", "2", "--precision", "double")
        self.assertEqual(status, 0, said)
        self.assertIn("precision   double", said)
        if self.has_solutions:
            self.judged("part9", "twice")


if __name__ == "__main__":
    os.environ.pop("MAKEFLAGS", None)
    unittest.main()
