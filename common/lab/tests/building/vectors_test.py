"""Does ./lab profile --vectors say of each loop of explained/loops.txt what its comments state?"""

import platform
import re
import shutil
from pathlib import Path

import pytest

from nbody_lab.building.manifest import Implementation
from nbody_lab.building.vectors import (
    Compilation,
    find_compilation,
    find_loops,
    report_loops,
)
from nbody_lab.core.errors import LabError
from tests.building.small_tree import CXX, LAB, read_sections

FLAGS = ["-std=c++20", "-O3", "-mavx2", "-mfma"]
FRAME = """#pragma once

#include <cmath>
#include <vector>

#include "simulator/real.hpp"

namespace nbody {

struct Loop {
%s};

}  // namespace nbody
"""
LOOPS = read_sections((Path(__file__).parent / "explained/loops.txt").read_text(encoding="utf-8"))
needs_x86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="the loops are for x86-64")


def report(folder: Path, name: str, *flags: str) -> str:
    header, source = folder / f"{name}.hpp", folder / "one.cpp"
    header.write_text(FRAME % LOOPS[name], encoding="utf-8")
    source.write_text(f'#include "{header}"\nnbody::Loop loop;\n', encoding="utf-8")
    flags = (*FLAGS, f"-I{LAB}/common", *flags)
    return "\n".join(report_loops(Compilation(CXX, list(flags), source, header)))


@needs_x86
@pytest.mark.parametrize("name", LOOPS)
def test_loop(tmp_path: Path, name: str) -> None:
    code = FRAME % LOOPS[name]
    flags = re.search(r"^// flags: *(.*)$", code, re.M)
    text = report(tmp_path, name, *(flags[1].split() if flags else []))
    numbers = {
        found[1]: str(number)
        for number, line in enumerate(code.split("\n"), 1)
        if (found := re.search(r"// ([A-Z]+)$", line))
    }
    sections = re.split(r"^(g\+\+|clang\+\+)\n", text, flags=re.M)[1:]
    assert sections
    for compiler, section in zip(sections[::2], sections[1::2]):
        for negation, words in re.findall(rf"^// {re.escape(compiler)}( not)?: *(.*)$", code, re.M):
            expected = re.sub(r"\b[A-Z]{3,}\b", lambda word: numbers[word[0]], words)
            assert (expected in section) == (not negation), section


@needs_x86
def test_double(tmp_path: Path) -> None:
    text = report(tmp_path, "root_allowed", "-DLAB_REAL=double", "-fno-math-errno")
    assert text.count("vectorized: 4 numbers at a time") == text.count("root_allowed.hpp")


@needs_x86
@pytest.mark.skipif(not shutil.which("clang++") or CXX != "c++", reason="for g++ and clang++")
def test_a_flag_that_only_the_first_compiler_knows(tmp_path: Path) -> None:
    """Its own report is there; the other one is named."""
    text = report(tmp_path, "call", "-fallow-store-data-races")
    assert "a call in the loop is not inlined" in text
    assert "clang++ cannot compile it with these flags: unknown argument: '-fallow" in text


def test_nothing_to_say(tmp_path: Path) -> None:
    """A header that does not compile, or has no loop; a program that is not made from a header."""
    with pytest.raises(LabError, match=r"cannot compile it with these flags: .*'nobody'"):
        report(tmp_path, "root", "-DLAB_REAL=nobody")
    header = tmp_path / "mine.hpp"
    header.write_text("class Mine {};")
    (line,) = report_loops(Compilation("c++", [], tmp_path, header))
    assert line == "  mine.hpp has no loop of its own: try the version it derives from"
    programs = [{"precision": "float", "program": "bin/part1/naive"}]
    row = Implementation(part="part1", name="naive", kind="naive", programs=programs)
    for precision in ("float", "double"):
        why = f"^part1/naive is not compiled from a header in {precision}"
        with pytest.raises(LabError, match=why):
            find_compilation(row, tmp_path / "nothing", precision)


def test_innermost_loops_alone(tmp_path: Path) -> None:
    header = tmp_path / "x.hpp"
    header.write_text(
        "void f() {\n  for (;;) {  // {\n#pragma omp simd\n    for (;;)\n      g();\n  }\n  while (x) y();\n}\n"
    )
    assert [(loop.line, len(loop.code)) for loop in find_loops(header)] == [(4, 2), (7, 1)]
