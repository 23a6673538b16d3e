"""Is a copied solution found, however disguised, and is nothing else called a leak?"""

import unittest

from nbody_lab.handout.leaks import leaks

NAIVE = """#pragma once
class Naive : public Simulator {
  void compute_accelerations() override {
    for (std::size_t i = 0; i < n; ++i) for (std::size_t j = 0; j < n; ++j) a[i] += b[j] * (q[j] - q[i]) / std::pow(r(i, j), 3);
  }
};
"""
SOLUTION = """#pragma once
#include "naive.hpp"
class CleverHalves : public Naive {
  void compute_accelerations() override {
    // Both halves at once.
    for (std::size_t i = 0; i < n; i += 2) {
      real sum = 0, other = 0;
      for (std::size_t j = 0; j < n; ++j) { sum += f(i, j); other += f(i + 1, j); }
      a[i] = sum;
      a[i + 1] = other;
    }
  }
};
"""
SOLUTIONS = {"solutions/part1_words/clever_halves.hpp": SOLUTION}
LAB = {
    "part1_words/naive.hpp": NAIVE,
    "part1_words/README.md": "write mine.hpp\n",
    "common/a.cpp": "int main() {}\n",
}


class LeaksTest(unittest.TestCase):
    def leaks(self, path, text, lab=LAB):
        return leaks(SOLUTIONS, {**lab, path: text}, lab)

    def test_a_lab_that_keeps_its_secret(self):
        self.assertEqual(leaks(SOLUTIONS, LAB, LAB), [])
        self.assertEqual(self.leaks("common/copy_of_naive.cpp", NAIVE), [])

    def test_code_in_other_lines_with_other_comments(self):
        body = SOLUTION[SOLUTION.index("for (std::size_t i") : SOLUTION.rindex("a[i + 1]")]
        found = self.leaks(
            "docs/notes.md",
            "look:\n\n    " + body.replace(" ", "  ").replace("{\n", "{  // so\n\n"),
        )
        self.assertEqual(
            found, ["docs/notes.md has code of solutions/part1_words/clever_halves.hpp"]
        )

    def test_names(self):
        for text in (
            "as clever_halves does",
            "class CleverHalves;",
            '#include "clever_halves.hpp"',
        ):
            (found,) = self.leaks("common/b.hpp", text)
            self.assertRegex(
                found,
                r"^common/b.hpp names (clever_halves|CleverHalves) of solutions/part1_words/clever_halves.hpp$",
            )
        self.assertEqual(self.leaks("common/b.hpp", "a split loop, or my_clever_halves_too"), [])

    def test_what_the_handout_itself_names_is_no_secret(self):
        lab = {**LAB, "part1_words/hints.md": "call it clever_halves\n"}
        self.assertEqual(
            self.leaks("common/b.hpp", "class CleverHalves;  // clever_halves", lab), []
        )

    def test_answers(self):
        answers = "".join(f"  double answer_{k} = {k} * n * (n - {k});\n" for k in range(12))
        solutions = {
            "solutions/part1_words/worksheet.hpp": "struct Worksheet {\n" + answers + "};\n"
        }
        self.assertEqual(
            leaks(solutions, {"docs/a.md": answers}, LAB),
            ["docs/a.md has code of solutions/part1_words/worksheet.hpp"],
        )
