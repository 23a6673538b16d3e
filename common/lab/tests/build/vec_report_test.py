"""Does ./lab profile --vectors say of each loop of loops.txt what its comments state? From the recorded output there, and from the
compilers.
"""

import platform
import re
import shutil
from pathlib import Path

import pytest

from nbody_lab.build.manifest import Implementation
from nbody_lab.build.vec_loops import Header, Loop, read_header
from nbody_lab.build.vec_report import (
    Compilation,
    DoesNotCompile,
    explain_log,
    find_compilation,
    report_loops,
    select_flags,
)
from nbody_lab.core.errors import LabError
from tests.build.small_tree import CXX, LAB, Example, read_examples

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
LOOPS = {one.name: one for one in read_examples("loops.txt", lambda code: FRAME % code)}
each_loop = pytest.mark.parametrize("example", LOOPS.values(), ids=list(LOOPS))
needs_x86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="the loops are for x86-64")


def find_flags(code: str) -> list[str]:
    found = re.search(r"^// flags: *(.*)$", code, re.M)
    return FLAGS + (found[1].split() if found else [])


def find_expected(code: str, mark: str) -> list[str]:
    """The texts after this mark, with the numbers of the lines that they name in capitals."""
    numbers = {
        found[1]: str(number)
        for number, line in enumerate(code.split("\n"), 1)
        if (found := re.search(r"// ([A-Z]+)$", line))
    }
    texts = re.findall(rf"^// {re.escape(mark)}: *(.*)$", code, re.M)
    return [re.sub(r"\b[A-Z]{3,}\b", lambda word: numbers[word[0]], text) for text in texts]


def judge(code: str, compiler: str, report: str) -> None:
    for words in find_expected(code, compiler):
        assert words in report
    for words in find_expected(code, f"{compiler} not"):
        assert words not in report


def test_loops_of_a_header() -> None:
    header = Header("x.hpp", TEXT)
    assert header.loops == [
        Loop(5, 5, 5, "outer"),
        Loop(10, 14, 9, "other"),
        Loop(15, 16, 15, "other"),
    ]
    assert header.find_line("if", header.loops[1]) == 11
    assert header.find_line("brace|if", header.loops[0]) == 0


@each_loop
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_recorded(example: Example, compiler: str, tmp_path: Path) -> None:
    assert sum(one.code.count("++: ") for one in LOOPS.values()) > 20
    header, outputs = example.write(tmp_path)
    compilation = Compilation(compiler, find_flags(example.code), header, read_header(header))
    lines = explain_log(compilation, outputs[compiler], compiler == "clang++")
    judge(example.code, compiler, "\n".join(lines))


def test_flags() -> None:
    """Without files, and without warnings; those with a comma are for assembler and linker."""
    words = "-DX -Wa,-q -O3 -Wno-restrict -Werror -Winvalid-pch -MD -MT x.o -MF x.d -o x.o -c x.cpp"
    assert select_flags(words.split()) == ["-DX", "-Wa,-q", "-O3"]


def report(folder: Path, name: str, *flags: str) -> str:
    header, _ = LOOPS[name].write(folder)
    source = folder / "one.cpp"
    source.write_text(f'#include "{header}"\nnbody::Loop loop;\n', encoding="utf-8")
    compilation = Compilation(CXX, [*flags, f"-I{LAB}/common"], source, read_header(header))
    return "\n".join(report_loops(compilation, folder))


@needs_x86
@each_loop
def test_compiled(example: Example, tmp_path: Path) -> None:
    text = report(tmp_path, example.name, *find_flags(example.code))
    compilers = re.split(r"^(g\+\+|clang\+\+)\n", text, flags=re.M)[1:]
    sections = dict(zip(compilers[::2], compilers[1::2]))
    assert sections
    for compiler, section in sections.items():
        judge(example.code, compiler, section)


@needs_x86
def test_double(tmp_path: Path) -> None:
    text = report(tmp_path, "root_allowed", "-DLAB_REAL=double", *FLAGS, "-fno-math-errno")
    assert text.count("vectorized: 4 numbers at a time") == text.count("root_allowed.hpp")


@needs_x86
@pytest.mark.skipif(not shutil.which("clang++") or CXX != "c++", reason="for g++ and clang++")
def test_a_flag_that_only_the_first_compiler_knows(tmp_path: Path) -> None:
    """Its own report is there; the other one is named."""
    text = report(tmp_path, "call", *FLAGS, "-fallow-store-data-races")
    assert "a call in the loop is not inlined" in text
    assert "clang++ cannot compile it with these flags: unknown argument: '-fallow" in text


def test_a_header_that_does_not_compile(tmp_path: Path) -> None:
    """The compiler's own words."""
    with pytest.raises(DoesNotCompile, match=r"error: .*'nobody'"):
        report(tmp_path, "root", "-DLAB_REAL=nobody", *FLAGS)


def test_a_header_without_loops(tmp_path: Path) -> None:
    compilation = Compilation("c++", [], tmp_path, Header("mine.hpp", "class Mine {};"))
    (line,) = report_loops(compilation, tmp_path)
    assert line == "  mine.hpp has no loop of its own: try the version it derives from"


def test_a_program_that_is_not_compiled_from_a_header(tmp_path: Path) -> None:
    programs = [{"precision": "float", "program": "bin/part1/naive"}]
    row = Implementation(part="part1", name="naive", kind="naive", programs=programs)
    for precision in ("float", "double"):
        why = f"^part1/naive is not compiled from a header in {precision}"
        with pytest.raises(LabError, match=why):
            find_compilation(row, tmp_path / "nothing", precision)
