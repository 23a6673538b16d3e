"""Adds a rung, a part, a scheme and a question to a tree as CONTRIBUTING.md says; their documents are left out."""

import re
import shutil

RUNG = """#pragma once

#include "03_fused.hpp"

namespace nbody {

// Idea: nothing but a name.
class Renamed : public Fused {
 public:
  using Fused::Fused;
};

}  // namespace nbody
"""
PART = """start_part(part9)
add_implementation(naive "the formulas")
add_student_implementations(${CMAKE_CURRENT_SOURCE_DIR}/flags.txt)
"""
SOLUTIONS = """continue_part(part9)
add_implementation(twice "naive, once more" KIND solution)
"""
TWICE = (
    RUNG.replace("03_fused", "../../part9_scratch/naive")
    .replace("Renamed", "Twice")
    .replace("Fused", "Naive")
)
SCHEME = """      {.name = "halves",
       .summary = "semi-implicit Euler, each step in two halves",
       .order = 1,
       .symplectic = true,
       .evaluations = 2,
       .sequence = {{Move::accelerations}, {Move::kick, 0.5}, {Move::drift, 0.5},
                    {Move::accelerations}, {Move::kick, 0.5}, {Move::drift, 0.5}}},
"""


def add_line(file, after, line):
    text = file.read_text(encoding="utf-8")
    assert text.count(after) == 1, f"{file} does not contain '{after}' exactly once"
    file.write_text(text.replace(after, after + line), encoding="utf-8")


def question_in(contributing):
    """The row that CONTRIBUTING.md shows."""
    return re.search(r"`(Exact\(.*\),)`", contributing.read_text(encoding="utf-8")).group(1)


def add_question(tree):
    """Adds a row, and a member of the worksheet."""
    part, row = tree / "part1_standard_opti", question_in(tree / "CONTRIBUTING.md")
    questions = part / "questions.py"
    text = questions.read_text(encoding="utf-8")
    (last,) = re.findall(r".*\n(?=    \),\n\)\n# fmt: on)", text)
    add_line(questions, last, f"        {row}\n")
    name = re.findall(r'"(\w+)"', row)[1]
    words = f"  // 22  Bytes of a body in float.\n  double {name} = unanswered;\n"
    add_line(part / "worksheet.hpp", "  double drift_from_memory = unanswered;\n", words)


def add_everything(tree):
    part, solutions = tree / "part9_scratch", tree / "solutions"
    part.mkdir()
    for name in ("naive.hpp", "mine.hpp", "flags.txt"):
        shutil.copy(tree / "part1_standard_opti" / name, part)
    (part / "CMakeLists.txt").write_text(PART, encoding="utf-8")
    add_line(tree / "CMakeLists.txt", "part3_cuda", " part9_scratch")
    # A row behind the default's.
    default = ".sequence = {{Move::accelerations}, {Move::update}}},\n"
    add_line(tree / "common/core/schemes.cpp", default, SCHEME)
    add_question(tree)
    if solutions.is_dir():
        rungs = solutions / "part1_standard_opti"
        (rungs / "99_renamed.hpp").write_text(RUNG, encoding="utf-8")
        with open(rungs / "CMakeLists.txt", "a", encoding="utf-8") as rows:
            rows.write('add_implementation(renamed "fused under another name" PARENT fused)\n')
        (solutions / "part9_scratch").mkdir()
        (solutions / "part9_scratch/CMakeLists.txt").write_text(SOLUTIONS, encoding="utf-8")
        (solutions / "part9_scratch/01_twice.hpp").write_text(TWICE, encoding="utf-8")
        row = "add_subdirectory({})\n"
        add_line(
            solutions / "CMakeLists.txt", row.format("part3_cuda"), row.format("part9_scratch")
        )
