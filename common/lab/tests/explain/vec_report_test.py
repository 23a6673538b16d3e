"""Does ./lab vec-report say of each loop of loops.txt what its comments state?

vec_report_test.py [COMPILER]      without: only the recorded output there is explained
"""

import os
import platform
import re
import subprocess
import sys
import unittest
from pathlib import Path

from nbody_lab.explain.vec_loops import Header, Loop
from nbody_lab.explain.vec_report import Program, lines_on, without_files, without_warnings
from nbody_lab.explain.vec_words import in_batches_at_once
from tests.explain.test_lab_tree import examples

HERE = Path(__file__).resolve().parent

LOOPS = {}  # name: Example
FLAGS = ["-std=c++20", "-O3", "-mavx2", "-mfma"]
TEXT = """namespace nbody {
class Loop {
  void outer() override {
    for (int i = 0; i < n; ++i) {  // { a brace in a comment
      for (int j = 0; j < n; ++j) x[j] = 0;
    }
  }
  void other() {
#pragma omp simd
    for (int i = 0; i < n; ++i) {
      if (x[i] > 0) {
        y[i] = 1;
      }
    }
    while (true)
      step();
  }
};
}
"""


FRAME = """#pragma once

#include <cmath>
#include <vector>

#include "simulator/real.hpp"

namespace nbody {

struct Loop {
%s};

}  // namespace nbody
"""


def setUpModule():
    LOOPS.update((one.name, one) for one in examples("loops.txt", lambda code: FRAME % code))


def flags_of(code):
    found = re.search(r"^// flags: *(.*)$", code, re.M)
    return FLAGS + (found[1].split() if found else [])


REPORT = "import sys; from nbody_lab.core.messages import ended; from nbody_lab.explain.vec_report import explain; sys.exit(ended(explain, sys.argv[1:]))"


class Judging(unittest.TestCase):
    def judge(self, code, who, said):
        """Checks the texts that the header expects; returns their number."""
        numbers = {
            found[1]: str(number)
            for number, line in enumerate(code.split("\n"), 1)
            if (found := re.search(r"// ([A-Z]+)$", line))
        }

        def texts(mark):
            found = re.findall(rf"^// {re.escape(mark)}: *(.*)$", code, re.M)
            return [
                re.sub(r"\b[A-Z]{3,}\b", lambda word: numbers[word[0]], words) for words in found
            ]

        wanted = texts(who)
        for words in wanted:
            self.assertIn(words, said)
        for words in texts(f"{who} not"):
            self.assertNotIn(words, said)
        return len(wanted)


class RecordedTest(Judging):
    def test_loops_of_a_header(self):
        header = Header("x.hpp", TEXT)
        self.assertEqual(
            header.loops,
            [Loop(5, 5, 5, "outer"), Loop(10, 14, 9, "other"), Loop(15, 16, 15, "other")],
        )
        self.assertEqual(header.line_of("if", header.loops[1]), 11)
        self.assertEqual(header.line_of("brace|if", header.loops[0]), 0)

    def test_each_loop(self):
        judged = 0
        for loop in LOOPS.values():
            for who in ("g++", "clang++"):
                with self.subTest(loop.name, compiler=who):
                    program = Program(who, flags_of(loop.code), "", loop.header)
                    lines = lines_on(program, loop.said[who], who == "clang++")
                    judged += self.judge(loop.code, who, "\n".join(lines))
        self.assertGreater(judged, 20)

    def test_doubles_are_half_as_many(self):
        messages = [
            "optimized: loop vectorized using 16 byte vectors",
            "optimized: loop vectorized using 32 byte vectors",
        ]
        self.assertEqual(in_batches_at_once(messages, 8), ["vectorized: 4 numbers at a time"])
        self.assertEqual(in_batches_at_once(messages, 4), ["vectorized: 8 numbers at a time"])

    def test_flags(self):
        words = [
            "-DX",
            "-Wa,-q",
            "-O3",
            "-Wno-restrict",
            "-Werror",
            "-Winvalid-pch",
            "-MD",
            "-MT",
            "x.o",
            "-MF",
            "x.d",
            "-o",
            "x.o",
            "-c",
            "x.cpp",
        ]
        self.assertEqual(without_warnings(without_files(words)), ["-DX", "-Wa,-q", "-O3"])


class CommandTest(Judging):
    compiler = os.environ.get("LAB_CXX", "c++")

    def run_report(self, *words):
        done = subprocess.run(
            [sys.executable, "-c", REPORT, *words], capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr

    def need_compiler(self):
        if not self.compiler:
            self.skipTest("no compiler given")
        if platform.machine() != "x86_64":
            self.skipTest("the loops are for x86-64")

    def report(self, name, *flags):
        status, said = self.run_report("--header", LOOPS[name].header, self.compiler, *flags)
        self.assertEqual(status, 0, said)
        return said

    def test_each_loop(self):
        self.need_compiler()
        judged = 0
        for loop in LOOPS.values():
            with self.subTest(loop.name):
                said = self.report(loop.name, *flags_of(loop.code))
                chapters = re.split(r"^(g\+\+|clang\+\+)\n", said, flags=re.M)[1:]
                for who, lines in zip(chapters[::2], chapters[1::2]):
                    judged += self.judge(loop.code, who, lines)
        self.assertGreater(judged, 7)

    def test_double(self):
        self.need_compiler()
        said = self.report("root_allowed", "-DLAB_REAL=double", *FLAGS, "-fno-math-errno")
        self.assertEqual(
            said.count("vectorized: 4 numbers at a time"), said.count("root_allowed"), said
        )

    def test_warnings_that_one_compiler_does_not_know(self):
        """A program may have warning flags that only g++ knows."""
        self.need_compiler()
        said = self.report(
            "root_allowed", *FLAGS, "-fno-math-errno", "-Wno-restrict", "-Wno-such", "-Werror"
        )
        self.assertNotIn("does not compile it with these flags", said)

    def test_wrong_words(self):
        nowhere = "/no/such/folder"
        self.assertEqual(
            self.run_report("part1", "nobody", nowhere),
            (2, "lab: part1/nobody is not compiled from a header\n"),
        )
        self.assertEqual(
            self.run_report("part1", "naive", nowhere, "--fast"),
            (2, "lab: vec-report has no option '--fast'; its only option is --double\n"),
        )
        self.assertEqual(self.run_report("--header", "none.hpp", "g++")[0], 2)
