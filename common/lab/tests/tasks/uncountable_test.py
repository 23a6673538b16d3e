"""Is every header of uncountable.txt explained at the right line, in its words? From the recorded output there, and from the
compiler, for which each header must also compile for float, so that only counting fails.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

from nbody_lab.tasks.uncountable import ROOT, explain_message, explain_uncountable
from tests import BUILD
from tests.building.small_tree import Example, read_examples

PART1_HEADER = ROOT / "part1_standard_opti/mine.hpp"
FRAME = """#pragma once

{includes}#include "work/test_implementations/small.hpp"

namespace nbody {{

{above}class Mine : public Small {{
 public:
  using Small::Small;
  void compute_accelerations() override {{
    auto& q = bodies.qx;
{body}  }}
}};

}}  // namespace nbody
"""
# As of count programs.
COMPILER = (
    "c++ -O1 -Wall -Wextra -Wno-unknown-pragmas -Werror=format -Werror=class-memaccess".split()
)
PLACES_OF_XSIMD = ("_deps/*/include/xsimd", "../tools/*/include/xsimd", "/usr/include/xsimd")
XSIMD = next(
    (found for place in PLACES_OF_XSIMD for found in Path("/").glob(f"{BUILD / place}"[1:])), None
)


def complete(code: str) -> str:
    lines = code.splitlines(keepends=True)
    includes = [line for line in lines if line.startswith("#include")]
    body = [line for line in lines if line.startswith("    ")]
    above = [line for line in lines if line not in includes + body]
    texts = {"includes": includes, "above": above}
    parts = {name: "".join([*text, "\n"]) if text else "" for name, text in texts.items()}
    return FRAME.format(**parts, body="".join(body))


def find_expected(code: str, gnu: bool) -> tuple[int, str] | None:
    """(line, words) of the comment "explained: words"; None if this compiler accepts the header."""
    mark = re.compile("explained( by g[+][+])?: (.*)" if gnu else "explained(): (.*)")
    lines = enumerate(map(mark.search, code.splitlines()), 1)
    return next(((number, found[2]) for number, found in lines if found), None)


EXAMPLES = read_examples("uncountable.txt", complete)
RECORDED = [
    pytest.param(example, compiler, id=f"{example.name}-{compiler}")
    for example in EXAMPLES
    for compiler in ("g++", "clang++")
    if find_expected(example.code, compiler == "g++")
]


def judge(example: Example, header: Path, output: str, gnu: bool) -> None:
    number, words = find_expected(example.code, gnu) or (0, "")
    line = explain_uncountable(output, header)
    assert line.startswith(f"{header}:{number}: ") and words in line


@pytest.mark.parametrize(("example", "compiler"), RECORDED)
def test_recorded(example: Example, compiler: str, tmp_path: Path) -> None:
    assert len(RECORDED) > 40
    header, outputs = example.write(tmp_path)
    judge(example, header, outputs[compiler], compiler == "g++")


def test_the_first_place() -> None:
    """Named from the folder of the lab; an error elsewhere is not explained."""
    what = "1: error: cannot convert 'double' to \u2018nbody::real\u2019\n"
    log = "".join(f"{PART1_HEADER}:{line}:{what}" for line in (3, 5))
    assert explain_uncountable(log, PART1_HEADER).startswith("part1_standard_opti/mine.hpp:3: ")
    assert explain_uncountable(f"/elsewhere/other.hpp:1:{what}", PART1_HEADER) == ""


@pytest.mark.parametrize(
    ("message", "source", "sentence"),
    [
        ("", "  x = fabsf(y);", "fabsf() takes float only; use std::fabs()"),
        (
            "no match for 'operator+=' (operand types are 'double' and 'const real')",
            "sum += x;",
            "double is not real here: declare it as real, or use real(...)",
        ),
        ("something new | a note", "x", "does not compile for real: something new"),
    ],
)
def test_one_message(message: str, source: str, sentence: str) -> None:
    assert explain_message(message, source) == sentence


def run_compiler(folder: Path, text: str, real: str) -> str:
    """The compiler's errors for a text; empty if it compiles."""
    source = folder / "count.cpp"
    source.write_text(text, encoding="utf-8")
    words = [*COMPILER, "-std=c++20", f"-I{ROOT}/common"]
    words += ["-isystem", str(XSIMD.parent)] if XSIMD else []
    words += ["-fsyntax-only", f"-DLAB_REAL={real}", str(source)]
    environment = {**os.environ, "LC_ALL": "C"}
    done = subprocess.run(
        words, env=environment, capture_output=True, text=True, errors="replace", check=False
    )
    return done.stderr if done.returncode != 0 else ""


def make_counting_program(example: Example, header: Path) -> str:
    """The program that counts the header, as CMake generates it."""
    number = "counting_batch" if "<xsimd/" in example.code else "counting_number"
    text = (ROOT / "common/work/count.cpp.in").read_text(encoding="utf-8")
    for name, value in (("HEADER", str(header)), ("CLASS", "Mine"), ("COUNTED_BY", number)):
        text = text.replace(f"@LAB_{name}@", value)
    return text


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_compiled(example: Example, tmp_path: Path) -> None:
    if "<xsimd/" in example.code and not XSIMD:
        pytest.skip("xsimd is not here")
    header, _ = example.write(tmp_path)
    assert run_compiler(tmp_path, f'#include "{header}"\n', "float") == ""
    version = subprocess.run(["c++", "--version"], capture_output=True, text=True, check=True)
    gnu = "clang" not in version.stdout
    if find_expected(example.code, gnu):
        program = make_counting_program(example, header)
        judge(example, header, run_compiler(tmp_path, program, "nbody::Counting"), gnu)
