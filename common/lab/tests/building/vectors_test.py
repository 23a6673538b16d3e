"""Does ./lab profile --vectors say of each loop of explained/loops.txt what its comments state?"""

import platform
import re
from pathlib import Path

import pytest

from nbody_lab.building.manifest import Implementation
from nbody_lab.building.vectors import Compilation, find_compilation, report_loops
from nbody_lab.core.errors import LabError
from tests.building.small_tree import CXX, LAB, read_sections

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


def report(folder: Path, name: str, *flags: str) -> str:
    header, source = folder / f"{name}.hpp", folder / "one.cpp"
    header.write_text(FRAME % LOOPS[name], encoding="utf-8")
    source.write_text(f'#include "{header}"\nnbody::Loop loop;\n', encoding="utf-8")
    every = ["-std=c++20", "-O3", "-mavx2", "-mfma", f"-I{LAB}/common", *flags]
    return "\n".join(report_loops(Compilation(CXX, every, source, header)))


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the loops are for x86-64")
@pytest.mark.parametrize("name", LOOPS)
def test_loop(tmp_path: Path, name: str) -> None:
    flags = re.search(r"^// flags: *(.*)$", LOOPS[name], re.M)
    text = report(tmp_path, name, *(flags[1].split() if flags else []))
    sections = re.split(r"^(g\+\+|clang\+\+)\n", text, flags=re.M)[1:]
    assert sections
    for compiler, section in zip(sections[::2], sections[1::2]):
        for words in re.findall(rf"^// {re.escape(compiler)}: *(.*)$", LOOPS[name], re.M):
            assert words in section


def test_nothing_to_say(tmp_path: Path) -> None:
    """A header that does not compile, or has no loop; a program that is not made from a header."""
    with pytest.raises(LabError, match=r"cannot compile it with these flags: .*'nobody'"):
        report(tmp_path, "root", "-DLAB_REAL=nobody")
    header = tmp_path / "mine.hpp"
    header.write_text("class Mine {};")
    (line,) = report_loops(Compilation("c++", [], tmp_path, header))
    assert line == "  mine.hpp has no loop of its own: try the version it derives from"
    row = Implementation(part="part1", name="naive", kind="naive")
    with pytest.raises(LabError, match=r"^part1/naive is not compiled from a header in float$"):
        find_compilation(row, tmp_path / "nothing", "float")
