#!/usr/bin/env python3
"""Which compiler flags flags.txt may ask for: CMake reads small folders with flags of all kinds.

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
function(add_implementation name)
  cmake_parse_arguments(IMPL "" "CLASS;KIND" "FLAGS;LINK" ${{ARGN}})
  list(JOIN IMPL_FLAGS " " flags)
  file(APPEND ${{CMAKE_BINARY_DIR}}/found "${{name}}: ${{flags}}\\n")
endfunction()
add_student_implementations(${{CMAKE_SOURCE_DIR}}/flags.txt)
write_manifest()
"""

ALLOWED = [
    "-O3",
    "-Ofast",
    "-O1 -g",
    "-Os",
    "-fopenmp",
    "-ffast-math",
    "-fno-math-errno",
    "-funroll-loops",
    "-march=native",
    "-march=x86-64-v3",
    "-mavx512f",
    "-mprefer-vector-width=512",
    "-msse4.2",
    "-m64",
    "-mno-sse4.1",
    "-malign-data=abi",
    "-Wall",
    "-Wno-unused",
    "-fopt-info-vec",
]
REFUSED = [
    "-fplugin=x.so",
    "-fplugin=x",
    "-fplugin-arg-x-y",
    "/etc/passwd",
    "x.cpp",
    "@file",
    "-include x",
    "-o x",
    "-I/etc",
    "-L.",
    "-lm",
    "-Dx=y",
    "-x c",
    "-c",
    "-E",
    "-specs=x",
    "-B.",
    "-wrapper x",
    "-Wl,-x",
    "-Wa,-x",
    "-Wp,-MD,x",
    "-Xclang -load",
    "-std=c++11",
    "-fsanitize=address",
    "-fprofile-use=x",
    "-fdump-tree-all",
    "--param=x=1",
    "$(id)",
    "`id`",
    "-O3;-fplugin=x",
    "-O9",
    "-march=$ENV{HOME}",
    "-f$<1:plugin=x>",
    "-",
    "-S",
    "-fsyntax-only",
    "-fpreprocessed",
    "-fdirectives-only",
    "-fmodule-header",
    # Known to the compiler, but the file would no longer fit the lab's library.
    "-m32",
    "-mx32",
    "-m16",
    "-mabi=ms",
    "-mregparm=3",
    "-fpack-struct",
    "-fpack-struct=1",
    "-fshort-enums",
    "-fshort-wchar",
    "-mno-sse2",
    "-mgeneral-regs-only",
    "-fabi-version=2",
    "-mpreferred-stack-boundary=3",
    "-ffixed-rbx",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-pie",
]
# Lines below `-O3` and what is said of the second line, where mine and mine_fast are.
BAD_LINES = {
    "mine_fats: -O2": "there is no mine_fats.hpp (there are: mine.hpp mine_fast.hpp): correct the "
    "name or remove the line",
    "mine_fast: # -O3": "'mine_fast:': one line has the flags for all, and one line NAME: FLAGS",
    "mine_fast -O3": "'mine_fast -O3': one line has the flags for all, and one line NAME: FLAGS",
    "-O2": "'-O2': one line has the flags for all",
    "mine: \u2013O3": "'\u2013O3' is not allowed",
}


notices = []  # of each folder: what CMake left out


def read_flags(flags, headers=("mine.hpp",)):
    """What CMake found in the folder, {name: flags}, or its error message."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "CMakeLists.txt").write_text(PROJECT)
        if flags is not None:
            (folder / "flags.txt").write_text(flags)
        for header in headers:
            (folder / header).write_text("")
        done = subprocess.run(
            [sys.argv[1], "-S", str(folder), "-B", str(folder / "build")],
            check=False,
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            return " ".join(done.stderr.split())
        notices.append((folder / "build" / "notices.txt").read_text().strip())
        found = (folder / "build" / "found").read_text().splitlines()
        return dict(line.split(": ", 1) for line in found)


def refused(flags):
    """Refused with the message, which names the file, the word and what to do."""
    found = read_flags(f"-O3 {flags}\n")
    return isinstance(found, str) and all(
        part in found
        for part in (
            "flags.txt:1: '",
            "' is not allowed. Use optimisation flags only",
            "for example",
        )
    )


def main():
    failures = []

    def check(what, good):
        print("ok:" if good else "FAILED:", what)
        if not good:
            failures.append(what)

    for flags in ALLOWED:
        check(f"{flags} is allowed", read_flags(flags + "\n") == {"mine": flags})
    for flags in REFUSED:
        check(f"{flags} is refused", refused(flags))
    check("no line means -O3", read_flags("# nothing\n\n") == {"mine": "-O3"})
    check("a comment ends a line", read_flags("-O2 # -fplugin=x\n") == {"mine": "-O2"})

    both = ("mine.hpp", "mine_native.hpp", "other.hpp")
    own = "mine_native: -O3 -march=native"
    wanted = {"mine": "-O2", "mine_native": "-O3 -march=native"}
    check("a line of its own below", read_flags(f"-O2\n{own}\n", both) == wanted)
    check("a line of its own above", read_flags(f"{own}\n-O2\n", both) == wanted)
    check("a line of its own is checked", "'@x' is not allowed" in read_flags("mine: @x\n"))
    for line, said in BAD_LINES.items():
        found = read_flags(f"-O3\n{line}\n", ("mine.hpp", "mine_fast.hpp"))
        check(f"{line!r}: {said}", isinstance(found, str) and f"flags.txt:2: {said}" in found)
    found = read_flags("mine: -O3\n\n# so\nmine: -O2\n")
    check("two lines of one name", "flags.txt:4: 'mine: -O2': one line has" in found)
    check("no flags.txt", "flags.txt is missing: write it with" in read_flags(None))

    # Names that cannot be those of programs: left out, and said.
    for header in (
        "mine_my version.hpp",
        "mine_schnell\u00fc.hpp",
        "mine_x_count.hpp",
        "mine_a.b.hpp",
        "mine-2.hpp",
    ):
        found = read_flags("-O3\n", ("mine.hpp", header))
        check(
            f"{header} is left out",
            found == {"mine": "-O3"}
            and f"{header} is left out: rename it to mine_NAME.hpp" in notices[-1],
        )
    read_flags("-O3\n")
    check("nothing is left out", notices[-1] == "")
    return 1 if failures else 0


sys.exit(main())
