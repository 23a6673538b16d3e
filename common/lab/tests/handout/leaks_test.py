"""Is a copied solution found, however disguised, and is nothing else called a leak?"""

import pytest

from nbody_lab.handout.leaks import find_leaks

NAIVE = """class Naive : public Simulator {
  void compute_accelerations() override {
    for (std::size_t i = 0; i < n; ++i) for (std::size_t j = 0; j < n; ++j) a[i] += b[j] * (q[j] - q[i]) / std::pow(r(i, j), 3);
  }
};
"""
BODY = """for (std::size_t i = 0; i < n; i += 2) {
      real sum = 0, other = 0;
      for (std::size_t j = 0; j < n; ++j) { sum += f(i, j); other += f(i + 1, j); }
      a[i] = sum;
      a[i + 1] = other;
    }
"""
SOLUTION = f'#include "naive.hpp"\nclass CleverHalves : public Naive {{\n  // Both.\n  {BODY}}};\n'
ANSWERS = "".join(f"  double answer_{k} = {k} * n * (n - {k});\n" for k in range(12))
CODE, SHEET = "solutions/part1_words/02_clever_halves.hpp", "solutions/part1_words/worksheet.hpp"
SOLUTIONS = {CODE: SOLUTION, SHEET: "struct Worksheet {\n" + ANSWERS + "};\n"}
LAB = {"part1_words/naive.hpp": NAIVE, "common/a.cpp": "int main() {}\n"}


@pytest.mark.parametrize(
    ("text", "leak"),
    [
        ("as clever_halves does", f"names clever_halves of {CODE}"),
        ("class CleverHalves;", f"names CleverHalves of {CODE}"),
        ("look:\n" + BODY.replace(" ", "  ").replace("{\n", "{  // so\n\n"), f"has code of {CODE}"),
        (ANSWERS, f"has code of {SHEET}"),
        ("a split loop, or my_clever_halves_too", None),
        (NAIVE, None),
    ],
)
def test_what_gives_a_solution_away(text, leak):
    """Code in other lines with other comments, names, answers; but not the given code."""
    found = find_leaks(SOLUTIONS, {**LAB, "common/b.md": text}, LAB)
    assert found == ([f"common/b.md {leak}"] if leak else [])


@pytest.mark.parametrize(
    ("file", "leaks"),
    [
        ("docs/mistakes.md", False),
        ("part1_words/questions.py", False),
        ("part1_words/README.md", True),
        ("part1_words/hints.md", True),
    ],
)
def test_given_code_names_no_secret_but_a_text_of_a_part_does(file, leaks):
    files = {**LAB, file: "clever_halves\n"}
    expected = [f"{file} names clever_halves of {CODE}"] if leaks else []
    assert find_leaks(SOLUTIONS, files, files) == expected
