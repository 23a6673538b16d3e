#!/usr/bin/env python3
"""Does a function of naive.hpp compile once it is pasted into mine.hpp? And is a misspelled one
refused?

usage: paste_test.py COMPILER [FLAG...]
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from nbody_lab.building.handed_out import is_given_mine

HERE = pathlib.Path(__file__).resolve().parent
COMMON = HERE.parent / "common"

NAIVE = (HERE / "naive.hpp").read_text()
BASE = (COMMON / "simulator/array_of_bodies.hpp").read_text()
MINE = (HERE / "mine.hpp").read_text()
OWN_LAYOUT = (HERE.parent / "docs/mine_own_layout.hpp").read_text(encoding="utf-8")
# Functions that stood in naive.hpp once: what was written then still compiles.
EARLIER = """  void copy_state(Bodies<real>& state) const override {
    for (std::size_t i = 0; i < bodies.size(); ++i) state.qx[i] = bodies[i].qx;
  }
  void copy_accelerations(Vectors<real>& accelerations) const override {
    Naive::copy_accelerations(accelerations);
    for (std::size_t i = 0; i < bodies.size(); ++i) accelerations.x[i] = bodies[i].ax;
  }
"""


def functions_of(text):
    """Name -> text of each overriding member function, with the comment above it."""
    pattern = r"((?:^  //[^\n]*\n)*^  [^\n]*\b(\w+)\([^\n]*\)[^\n]* override \{\n.*?^  \}\n)"
    return {name: text for text, name in re.findall(pattern, text, re.M | re.S)}


def empty():
    """mine.hpp without its function."""
    place = "  using Naive::Naive;\n"
    assert MINE.count(place) == 1, "mine.hpp no longer inherits the constructor"
    return MINE.replace("\n" + functions_of(MINE)["compute_accelerations"], "")


def pasted(*texts):
    """The texts below the inherited constructor."""
    place = "  using Naive::Naive;\n"
    return empty().replace(place, place + "\n" + "\n".join(texts))


def pasted_at_the_end(*texts):
    head, tail = empty().split("};", 1)
    return head + "\n" + "\n".join(texts) + "};" + tail


def compiles(mine, command):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "mine.hpp").write_text(mine)
        (folder / "naive.hpp").write_text(NAIVE)
        (folder / "use.cpp").write_text('#include "mine.hpp"\n')
        # Warnings too: a pasted line should not cause one.
        words = [
            *command,
            "-std=c++20",
            "-Wall",
            "-Wextra",
            "-Wdouble-promotion",
            "-Wfloat-conversion",
            "-Werror",
            "-fsyntax-only",
            f"-I{COMMON}",
        ]
        said = ""
        for real in ("float", "double"):
            said += subprocess.run(
                [*words, f"-DLAB_REAL={real}", str(folder / "use.cpp")],
                check=False,
                capture_output=True,
                text=True,
            ).stderr
    return said == "", said


def cases():
    functions = functions_of(NAIVE)
    assert set(functions) == {"compute_accelerations", "largest_time_step", "update_bodies"}, (
        f"functions found in naive.hpp: {sorted(functions)}"
    )
    of_base = functions_of(BASE)
    assert set(of_base) == {"kick", "drift", "copy_accelerations"}, (
        f"functions found in array_of_bodies.hpp: {sorted(of_base)}"
    )
    assert functions_of(MINE) == {"compute_accelerations": functions["compute_accelerations"]}, (
        "mine.hpp does not begin with naive's function"
    )
    yield "mine.hpp as it is", MINE, True
    yield "an empty mine.hpp", empty(), True
    for name, text in {**functions, **of_base}.items():
        yield f"{name} pasted", pasted(text), True
        yield f"{name} pasted at the end", pasted_at_the_end(text), True
        yield f"{name} misspelled", pasted(text.replace(name, name + "s")), False
    spelled_out = functions["update_bodies"].replace("auto& body", "Body& body")
    assert spelled_out != functions["update_bodies"]
    yield "Body by its name", pasted(spelled_out), True
    yield "all pasted", pasted(*functions.values(), *of_base.values()), True
    yield (
        "all as it once stood in naive.hpp",
        pasted(*functions.values(), of_base["kick"], of_base["drift"], EARLIER),
        True,
    )
    yield "a layout of its own", OWN_LAYOUT, True


def main():
    if not is_given_mine(HERE, MINE):
        print("skipped: mine.hpp is no longer the file that students start from")
        return 77
    failures = 0
    for name, mine, wanted in cases():
        good, message = compiles(mine, sys.argv[1:])
        # Refused for the one reason, not because a bracket is missing.
        if not wanted and "override" not in message:
            good = True
        verdict = "ok" if good == wanted else "FAILED"
        print(f"{verdict}: {name} {'compiles' if wanted else 'is refused'}")
        if good != wanted:
            failures += 1
            print(message)
    return 1 if failures else 0


sys.exit(main())
