"""The messages for headers that do not compile, from a real compiler in a small tree (LAB_CXX: which)."""

import re

import pytest

from nbody_lab import ROOT as LAB
from nbody_lab.explain.compiler_text import plain
from nbody_lab.explain.failure import Culprit
from tests.explain.small_tree import PART1, name_object

MINE, MINE_DOUBLE = name_object("part1_mine"), name_object("part1_mine_double")
IMPLEMENTATIONS = Culprit.IMPLEMENTATIONS
COMPILES_NOT = "mine.hpp does not compile: line "

# Fault: pattern in the given header, replacement, the expected words in this order.
HEADERS = {
    "another class": (r"class Mine", "class Fast", ["mine.hpp has no class Mine"]),
    "an empty file": (r"(?s).*", "", ["mine.hpp is empty: ", "./lab undo part1 mine"]),
    "another namespace": (
        r"namespace nbody \{",
        "namespace mine {\nusing namespace nbody;",
        ["mine.hpp: its class Mine cannot be found: is it inside namespace nbody?"],
    ),
    "no namespace": (
        r"namespace nbody (?s:(.*)): public ",
        r"namespace mine \1: public nbody::",
        [COMPILES_NOT, "'real'", "(is it inside namespace nbody?)"],
    ),
    "no brace at the end": (
        r"\}  // namespace nbody\n",
        "",
        ["mine.hpp: the error is past its end: a missing brace, or stray text?"],
    ),
    "text at the end": (r"\}  // namespace nbody\n", "}\nconst\n", ["stray text?"]),
    "text of no type": (r"\}  // namespace nbody\n", "}\nblah blah\n", [COMPILES_NOT, "blah"]),
    "no brace of the class": (
        r"(?m)^\};",
        "",
        ["line ", "after class", "a brace may be missing above"],
    ),
    "no brace of a function": (r"(?m)^  \}$", "", ["(a brace may be missing above)"]),
    "a misspelled override": (
        r"compute_accelerations\(\) o",
        "compute_acceleration() o",
        [COMPILES_NOT, "override", "(is the name spelled right?)"],
    ),
    "an unknown member": (r"qx - ", "qxx - ", [COMPILES_NOT, "'qxx'"]),
    "no constructor": (
        r"  using Naive::Naive;\n",
        "",
        ["its class has no constructor that takes a Problem"],
    ),
    "a private base": (
        r": public Naive",
        ": Naive",
        ["mine.hpp: its class cannot be used as a Simulator: derive it with public, as in class M"],
    ),
    "a private constructor": (
        r" public:\n  using Naive::Naive;",
        " private:\n  Mine(const Problem& p) : Naive(p) {}",
        ["mine.hpp does not compile: ", "private"],
    ),
    "a function left out": (
        r"(using Naive::Naive;)",
        r"\1\n  virtual void more() = 0;",
        ["lacks a function"],
    ),
    "no semicolon": (r"(ax = 0);", r"\1", ["expected ';'"]),
    "an error in a library": (
        r"  void compute",
        "  std::vector<real&> wrong;\n  void compute",
        [COMPILES_NOT],
    ),
}


def in_order(words):
    return ".*".join(map(re.escape, words))


def test_the_given_header_compiles(tree):
    assert tree.compile() == ""


@pytest.mark.parametrize("fault", HEADERS)
def test_a_wrong_header(tree, fault):
    pattern, replacement, words = HEADERS[fault]
    everywhere = "no brace of a" in fault
    tree.write(re.sub(pattern, replacement, tree.mine, count=0 if everywhere else 1))
    output = tree.compile()
    assert output
    assert re.search(in_order(words), tree.explain_mine(IMPLEMENTATIONS, (MINE, output)))


def test_float_and_double_are_one_verdict(tree):
    tree.write(tree.mine.replace("qx - ", "qxx - "))
    tree.fail((MINE_DOUBLE, tree.compile(real="double")), (MINE, tree.compile()))
    lines = tree.explain(IMPLEMENTATIONS)
    assert [line for line in lines if line.startswith("lab: ")] == lines[-1:]
    assert COMPILES_NOT in lines[-1]


@pytest.mark.parametrize("flag", ["-march=nativ", "-fopenmpp"])
def test_a_refused_flag(tree, flag):
    tree.write(f"# comment\n-O3 {flag}\n", f"{PART1}/flags.txt")
    line = tree.explain_mine(IMPLEMENTATIONS, (MINE, tree.compile(flag)))
    assert f"{PART1}/flags.txt:2: the compiler does not know the flag {flag} (" in line


@pytest.mark.parametrize(
    ("text", "short"),
    [
        (
            "no match for x (nbody::Mine) [with _Tp = __gnu_cxx::__alloc_traits<std::allocator<"
            "nbody::Naive::Body>, nbody::Naive::Body>::value_type]",
            "no match for x (Mine) [with _Tp = Body]",
        ),
        ("'nbody::Problem' {aka 'nbody::ProblemOf<float>'}", "'Problem'"),
    ],
)
def test_names(text, short):
    assert plain(text) == short


def fail_in_double(tree, line):
    """The number of this line of a header that compiles for float only, and the output for double."""
    text = tree.mine.replace("const std::size_t n = bodies.size();", f"(void)({line});", 1)
    text = text.replace("i < n", "i < bodies.size()").replace("j < n", "j < bodies.size()")
    above = '#include <immintrin.h>\n#include "naive.hpp"\ninline void twice(float*) {}'
    text = text.replace('#include "naive.hpp"', above)
    tree.write(text)
    assert tree.compile("-mavx2") == ""
    return 1 + text[: text.index(line)].count("\n"), tree.compile("-mavx2", real="double")


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("std::max(softening, 0.f)", "; write real(0) for 0.f; log: "),
        ("std::min(1.5F, softening)", "; write real(1.5) for 1.5F; log: "),
        (
            "_mm256_loadu_ps(&bodies[0].ax)",
            "; these intrinsics take only float; use xsimd::batch<real>, or --no-double; log: ",
        ),
        ("static_cast<float*>(&bodies[0].ax)", "; write real for float; log: "),
        ("twice(&softening)", ""),
    ],
)
def test_what_only_float_allows(tree, line, advice):
    number, output = fail_in_double(tree, line)
    tree.write("", f"build/release/{MINE}")  # newer than the header
    words = [f"{PART1}/mine.hpp:{number} compiles for float, not for double: ", advice]
    explained = tree.explain_mine(IMPLEMENTATIONS, (MINE_DOUBLE, output))
    assert re.search(in_order(words), explained)


def test_float_has_not_been_tried(tree):
    number, output = fail_in_double(tree, "std::max(softening, 0.f)")
    words = [f"{PART1}/mine.hpp:{number} does not compile for double: ", "write real(0) for 0.f"]
    explained = tree.explain_mine(IMPLEMENTATIONS, (MINE_DOUBLE, output))
    assert re.search(in_order(words), explained)


@pytest.mark.parametrize(
    ("pattern", "replacement", "words"),
    [
        (
            r"limited_by = no_choice",
            "limited_by = d",
            ["worksheet.hpp does not compile: line ", "(a choice is written with quotes: 'a')"],
        ),
        (r"(double time_ratio.*);", r"\1", ["does not compile: line ", "expected ';'"]),
        (r"struct Worksheet", "struct Answered", ["worksheet.hpp has no class Worksheet"]),
    ],
)
def test_a_wrong_worksheet(tree, pattern, replacement, words):
    """It is compiled into the answers program, and into the one that shows Gflop/s: one verdict."""
    folder = "part1_worksheet_program"
    given = (LAB / PART1 / "worksheet.hpp").read_text(encoding="utf-8")
    text, changed = re.subn(pattern, replacement, given, count=1)
    assert changed
    header = tree.write(text, f"{PART1}/worksheet.hpp")
    program = tree.write(
        f'#include "{header}"\nnamespace nbody {{ double n_of() {{ return Worksheet{{1}}.n; }} }}\n',
        f"build/release/{PART1}/{folder}/worksheet_answers.cpp",
    )
    output = tree.compile(program=program)
    tree.fail(
        (name_object(folder, source=f"{folder}/worksheet_answers.cpp"), output),
        (name_object("part1_worksheet_answers", source="worksheet_flops.cpp"), output),
    )
    lines = tree.explain(IMPLEMENTATIONS)
    assert [line for line in lines if line.startswith("lab: ")] == lines[-1:]
    assert re.search(in_order([f"lab: {PART1}/", *words]), lines[-1])
