"""Is what cannot be counted explained at the right line, in its words? Each header compiles for float, so that only counting
fails."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from nbody_lab.tasks.uncountable import ROOT, explain_uncountable
from tests import BUILD
from tests.building.small_tree import read_sections

PART1_HEADER = ROOT / "part1_standard_opti/mine.hpp"
FRAME = """#pragma once
{include}#include "work/test_implementations/small.hpp"
namespace nbody {{
inline float squared(float x) {{ return x * x; }}
class Mine : public Small {{
 public:
  using Small::Small;
  void compute_accelerations() override {{
    auto& q = bodies.qx;
{body}  }}
}};
}}  // namespace nbody
"""
# What stands in compute_accelerations(), below the header that it includes.
EXAMPLES = read_sections("""
=== accumulate
#include <numeric>
    q[0] = std::accumulate(q.begin(), q.end(), 0.0);  // explained: start with real(0)
=== atomic
#include <atomic>
    std::atomic<real> sum{0};  // explained: real cannot be atomic
    q[0] = sum.load();
=== batch_of_float
#include <xsimd/xsimd.hpp>
    using Batch = xsimd::batch<float>;
    const Batch x = Batch::load_unaligned(&q[0]);  // explained: write xsimd::batch<real>
    (void)x;
=== cast
    q[1] = static_cast<double>(q[0]) / 3;  // explained: a cast to double
=== function_of_float
    q[1] = squared(q[0]);  // explained: float is not real here
=== intrinsics
#include <immintrin.h>
    const __m128 x = _mm_loadu_ps(&q[0]);  // explained: intrinsics take
    _mm_storeu_ps(&q[0], _mm_rsqrt_ps(x));
=== missing_function
    q[1] = std::atan2(q[0], q[2]);  // explained: std::atan2() cannot be counted
=== pointer
    const float* x = q.data();  // explained: float* is not real* here
    q[0] = x[1];
=== prints
#include <cstdio>
    std::printf("%f\\n", q[0]);  // explained: real cannot be printed
=== sqrtf
#include <math.h>
    q[1] = sqrtf(q[0]);  // explained: sqrtf() takes float only; use std::sqrt()
""")
# As of count programs.
FLAGS = "-O1 -Wall -Wextra -Wno-unknown-pragmas -Werror=format -Werror=class-memaccess".split()
PLACES_OF_XSIMD = ("_deps/*/include/xsimd", "../tools/*/include/xsimd", "/usr/include/xsimd")
XSIMD = next(
    (found for place in PLACES_OF_XSIMD for found in Path("/").glob(f"{BUILD / place}"[1:])), None
)


@pytest.mark.parametrize(
    "log",
    [
        "/elsewhere/other.hpp:1:1: error: no\nHERE:14:1: error: cannot convert 'double' to \u2018nbody::real\u2019\n"
        "HERE:15:1: error: cannot convert 'float' to 'real'\n",
        "HERE:14:27:   required from here\n/usr/stl.h:141:16: error: cannot convert 'real' to 'double'\n",
        "/usr/stl.h:141:39: error: assigning to 'double' from incompatible type 'real'\n"
        "HERE:14:17: note: in instantiation of function 'x' requested here\n",
    ],
)
def test_the_first_place(log: str) -> None:
    """Named from the folder of the lab. Inside a library it is the line of the header, which g++ names before the error
    and clang after it; an error elsewhere is not explained."""
    told = explain_uncountable(log.replace("HERE", str(PART1_HEADER)), PART1_HEADER)
    assert told.startswith("part1_standard_opti/mine.hpp:14: double is not real here")


def run_compiler(compiler: str, folder: Path, text: str, real: str) -> str:
    """The compiler's errors for a text; empty if it compiles."""
    source = folder / "count.cpp"
    source.write_text(text, encoding="utf-8")
    words = [compiler, *FLAGS, "-std=c++20", f"-I{ROOT}/common"]
    words += ["-isystem", str(XSIMD.parent)] if XSIMD else []
    words += ["-fsyntax-only", f"-DLAB_REAL={real}", str(source)]
    environment = {**os.environ, "LC_ALL": "C"}
    done = subprocess.run(
        words, env=environment, capture_output=True, text=True, errors="replace", check=False
    )
    return done.stderr if done.returncode != 0 else ""


@pytest.mark.slow
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_compiled(name: str, compiler: str, tmp_path: Path) -> None:
    code = EXAMPLES[name]
    if not shutil.which(compiler) or ("<xsimd/" in code and not XSIMD):
        pytest.skip("the compiler or xsimd is not here")
    header = tmp_path.resolve() / "mine.hpp"
    include = re.match("#include.*\n|", code)
    text = FRAME.format(include=include[0], body=code[include.end() :])
    header.write_text(text, encoding="utf-8")
    assert run_compiler(compiler, tmp_path, f'#include "{header}"\n', "float") == ""
    number = "counting_batch" if "<xsimd/" in code else "counting_number"
    program = (ROOT / "common/work/count.cpp.in").read_text(encoding="utf-8")
    for word, value in (("HEADER", str(header)), ("CLASS", "Mine"), ("COUNTED_BY", number)):
        program = program.replace(f"@LAB_{word}@", value)
    line = explain_uncountable(run_compiler(compiler, tmp_path, program, "nbody::Counting"), header)
    before, _, words = text.partition("  // explained: ")
    number_of_line = before.count("\n") + 1
    assert line.startswith(f"{header}:{number_of_line}: ") and words.split("\n")[0] in line
