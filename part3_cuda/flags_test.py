#!/usr/bin/env python3
"""Which flags of nvcc flags.txt may ask for: CMake reads small folders with flags of all kinds. No CUDA
is needed.

usage: flags_test.py CMAKE
"""

import pathlib
import subprocess
import sys
import tempfile

MODULES = pathlib.Path(__file__).resolve().parent.parent / "common" / "cmake"
# The real list of students' headers with a stand-in for what makes a program of each.
PROJECT = f"""cmake_minimum_required(VERSION 3.22)
project(flags NONE)
set(PYTHON3 {sys.executable})
include({MODULES}/implementations.cmake)
function(add_implementation name summary)
  cmake_parse_arguments(IMPL "" "CLASS;KIND" "FLAGS;LINK" ${{ARGN}})
  list(JOIN IMPL_FLAGS " " flags)
  file(APPEND ${{CMAKE_BINARY_DIR}}/found "${{name}}, ${{summary}}: ${{flags}}\\n")
endfunction()
add_student_implementations(${{CMAKE_SOURCE_DIR}}/flags.txt CUDA)
write_manifest()
"""

ALLOWED = [
    "-O3",
    "-O1 -g",
    "-use_fast_math",
    "-ftz=true",
    "-prec-sqrt=false -prec-div=false",
    "-fmad=false",
    "-maxrregcount=64",
    "-lineinfo",
    "-G",
    "-Xptxas=-v",
]
REFUSED = [
    "-Ofast",
    "-march=native",
    "-fopenmp",
    "-ftz=maybe",
    "-maxrregcount=",
    "-Xcompiler=-w",
    "-Xptxas=-o",
    "-arch=sm_90",
    "-gencode",
    "-include x",
    "-o x",
    "-Dx=y",
    "@file",
    "-ccbin=x",
    "-rdc=true",
    "-lx",
    "-I/etc",
    "--options-file x",
    "-dryrun",
    "$(id)",
    "-O3;-ccbin=x",
]


def read_flags(flags, headers=("mine.cuh",)):
    """What CMake made of a folder: its lines, or the error message; then what it left out."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "CMakeLists.txt").write_text(PROJECT)
        (folder / "flags.txt").write_text(flags)
        for header in headers:
            (folder / header).write_text("")
        done = subprocess.run(
            [sys.argv[1], "-G", "Ninja", "-S", str(folder), "-B", str(folder / "build")],
            check=False,
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            return " ".join(done.stderr.split()), ""
        notices = (folder / "build" / "notices.txt").read_text()
        return (folder / "build" / "found").read_text(), notices


def main():
    failures = []

    def check(what, good):
        print("ok:" if good else "FAILED:", what)
        if not good:
            failures.append(what)

    for flags in ALLOWED:
        check(
            f"{flags} is allowed",
            read_flags(flags + "\n")[0] == f"mine, your version (mine.cuh): {flags}\n",
        )
    for flags in REFUSED:
        found = read_flags(f"-O3 {flags}\n")[0]
        check(
            f"{flags} is refused",
            "flags.txt:1: '" in found
            and "' is not allowed. Use optimisation flags only (-O0 to -O3" in found,
        )
    found = read_flags("-O3\nmine_x: -O2\n")[0]
    check("a name that is not there", "there is no mine_x.cuh (there are: mine.cuh)" in found)
    found, notices = read_flags("-O3\n", ("mine.cuh", "mine_a.b.cuh", "mine.hpp", "mine_fast.cuh"))
    check(
        "mine_NAME.cuh joins, others do not",
        [line.split(",")[0] for line in found.splitlines()] == ["mine", "mine_fast"],
    )
    check(
        "what is left out is said",
        "mine_a.b.cuh is left out: rename it to mine_NAME.cuh" in notices,
    )
    return 1 if failures else 0


sys.exit(main())
