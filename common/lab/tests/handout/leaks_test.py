"""Is a name of a solution found, and is nothing else called a leak?"""

import pytest

from nbody_lab.handout.leaks import find_leaks

CODE = "solutions/part1_words/02_clever_halves.hpp"
SOLUTIONS = {CODE: "class CleverHalves : public Naive {};\n"}
LAB = {"part1_words/naive.hpp": "class Naive : public Simulator {};\n"}


@pytest.mark.parametrize(
    ("text", "leak"),
    [
        ("as clever_halves does", f"names clever_halves of {CODE}"),
        ("class CleverHalves;", f"names CleverHalves of {CODE}"),
        ("a split loop, or my_clever_halves_too, as Naive", None),
    ],
)
def test_what_gives_a_solution_away(text, leak):
    """But not what the handout itself names."""
    found = find_leaks(SOLUTIONS, {**LAB, "common/b.md": text}, LAB)
    assert found == ([f"common/b.md {leak}"] if leak else [])
    lab = {**LAB, "part1_words/hints.md": "call it clever_halves\n"}
    assert find_leaks(SOLUTIONS, {"common/b.md": text}, lab) == []
