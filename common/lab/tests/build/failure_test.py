"""The messages for headers that do not compile, from a real compiler in a small tree (LAB_CXX: which)."""

import re
from collections.abc import Iterable

import pytest

from nbody_lab import ROOT as LAB
from nbody_lab.build.failure import Culprit
from tests.build.small_tree import PART1, SmallTree, name_object, read_recorded

MINE, MINE_DOUBLE = name_object("part1_mine"), name_object("part1_mine_double")
HEADERS = read_recorded("headers.txt")
ONLY_FOR_FLOAT = {
    "std::min(1.5F, softening)": "; write real(1.5) for 1.5F; log: ",
    "_mm256_loadu_ps(&bodies[0].ax)": "; these intrinsics take only float; use xsimd::batch<real>, "
    "or --no-double; log: ",
    "static_cast<float*>(&bodies[0].ax)": "; write real for float; log: ",
    "twice(&softening)": "",
}


def in_order(words: Iterable[str]) -> str:
    return ".*".join(map(re.escape, words))


def verdict(tree: SmallTree) -> str:
    """The only line of a verdict, which is the last one."""
    lines = tree.explain(Culprit.IMPLEMENTATIONS)
    assert [line for line in lines if line.startswith("lab: ")] == lines[-1:]
    return lines[-1]


def test_the_given_header_compiles(tree: SmallTree) -> None:
    assert tree.compile() == ""


@pytest.mark.parametrize("fault", HEADERS)
def test_a_wrong_header(tree: SmallTree, fault: str) -> None:
    """Is explained in words of the lab."""
    lines = [line.replace("\\n", "\n") for line in HEADERS[fault].splitlines()]
    pattern, replacement, *words = lines
    everywhere = fault.endswith("everywhere")
    tree.write(re.sub(pattern, replacement, tree.mine, count=0 if everywhere else 1))
    assert re.search(in_order(words), tree.explain_mine((MINE, tree.compile())))


def test_float_and_double_are_one_verdict(tree: SmallTree) -> None:
    tree.write(tree.mine.replace("qx - ", "qxx - "))
    tree.fail((MINE_DOUBLE, tree.compile(real="double")), (MINE, tree.compile()))
    assert "mine.hpp does not compile: line " in verdict(tree)


@pytest.mark.parametrize("flag", ["-march=nativ", "-fopenmpp"])
def test_a_refused_flag(tree: SmallTree, flag: str) -> None:
    tree.write(f"# comment\n-O3 {flag}\n", f"{PART1}/flags.txt")
    line = tree.explain_mine((MINE, tree.compile(flag)))
    assert f"{PART1}/flags.txt:2: the compiler does not know the flag {flag} (" in line


def fail_in_double(tree: SmallTree, line: str) -> tuple[int, str]:
    """The number of this line of a header that compiles for float only, and the output for double."""
    text = tree.mine.replace("const std::size_t n = bodies.size();", f"(void)({line});", 1)
    text = text.replace("i < n", "i < bodies.size()").replace("j < n", "j < bodies.size()")
    above = '#include <immintrin.h>\n#include "naive.hpp"\ninline void twice(float*) {}'
    text = text.replace('#include "naive.hpp"', above)
    tree.write(text)
    assert tree.compile("-mavx2") == ""
    return 1 + text[: text.index(line)].count("\n"), tree.compile("-mavx2", real="double")


@pytest.mark.parametrize(("line", "advice"), ONLY_FOR_FLOAT.items())
def test_what_only_float_allows(tree: SmallTree, line: str, advice: str) -> None:
    number, output = fail_in_double(tree, line)
    tree.write("", f"build/release/{MINE}")  # newer than the header
    words = [f"{PART1}/mine.hpp:{number} compiles for float, not for double: ", advice]
    assert re.search(in_order(words), tree.explain_mine((MINE_DOUBLE, output)))


def test_float_has_not_been_tried(tree: SmallTree) -> None:
    number, output = fail_in_double(tree, "std::max(softening, 0.f)")
    words = [f"{PART1}/mine.hpp:{number} does not compile for double: ", "write real(0) for 0.f"]
    assert re.search(in_order(words), tree.explain_mine((MINE_DOUBLE, output)))


@pytest.mark.parametrize(
    ("pattern", "replacement", "words"),
    [
        ("by = no_choice", "by = d", ["line ", "(a choice is written with quotes: 'a')"]),
        ("struct Worksheet", "struct Answered", ["worksheet.hpp has no class Worksheet"]),
    ],
)
def test_a_wrong_worksheet(
    tree: SmallTree, pattern: str, replacement: str, words: list[str]
) -> None:
    """It is compiled into the answers program, and into the one that shows Gflop/s: one verdict."""
    folder = "part1_worksheet_program"
    given = (LAB / PART1 / "worksheet.hpp").read_text(encoding="utf-8")
    assert pattern in given
    header = tree.write(given.replace(pattern, replacement, 1), f"{PART1}/worksheet.hpp")
    program = tree.write(
        f'#include "{header}"\nnamespace nbody {{ double n_of() {{ return Worksheet{{1}}.n; }} }}\n',
        f"build/release/{PART1}/{folder}/worksheet_answers.cpp",
    )
    tree.fail(
        (
            name_object(folder, source=f"{folder}/worksheet_answers.cpp"),
            tree.compile(program=program),
        ),
        (name_object("part1_worksheet_answers", source="worksheet_flops.cpp"), ""),
    )
    assert re.search(in_order([f"lab: {PART1}/", *words]), verdict(tree))
