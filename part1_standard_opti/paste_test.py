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

HERE = pathlib.Path(__file__).resolve().parent
COMMON = HERE.parent / "common"
NAIVE = (HERE / "naive.hpp").read_text()
MINE = (HERE / "mine.hpp").read_text()
def functions_of_naive():
    """Name -> text of each overriding member function, with the comment above it."""
    pattern = r"((?:^  //[^\n]*\n)*^  [^\n]*\b(\w+)\([^\n]*\)[^\n]* override \{\n.*?^  \}\n)"
    return {name: text for text, name in re.findall(pattern, NAIVE, re.M | re.S)}


def pasted(*texts):
    """mine.hpp with the texts below its inherited constructor."""
    place = "  using Naive::Naive;\n"
    assert MINE.count(place) == 1, "mine.hpp no longer inherits the constructor"
    return MINE.replace(place, place + "\n" + "\n".join(texts))


def pasted_at_the_end(*texts):
    head, tail = MINE.split("};", 1)
    return head + "\n" + "\n".join(texts) + "};" + tail


def own_class():
    """The body of Naive in a class that derives from Simulator, as the comment in mine.hpp says."""
    text = MINE[: MINE.index("class Mine")] + NAIVE[NAIVE.index("class Naive") :]
    return text.replace("class Naive", "class Mine").replace("explicit Naive", "explicit Mine")


def compiles(mine, command):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "mine.hpp").write_text(mine)
        (folder / "naive.hpp").write_text(NAIVE)
        (folder / "use.cpp").write_text('#include "mine.hpp"\n')
        # Warnings too: a pasted line should not cause one.
        words = [*command, "-std=c++20", "-Wall", "-Wextra", "-Wdouble-promotion",
                 "-Wfloat-conversion", "-Werror", "-fsyntax-only", f"-I{COMMON}"]
        said = ""
        for real in ("float", "double"):
            said += subprocess.run([*words, f"-DLAB_REAL={real}", str(folder / "use.cpp")],
                                   capture_output=True, text=True).stderr
    return said == "", said


def cases():
    functions = functions_of_naive()
    expected = {"compute_accelerations", "largest_time_step", "update_bodies", "kick", "drift",
                "accelerations_and_jerk", "copy_state", "copy_accelerations"}
    assert set(functions) == expected, f"functions found in naive.hpp: {sorted(functions)}"
    yield "mine.hpp as it is", MINE, True
    for name, text in functions.items():
        yield f"{name} pasted", pasted(text), True
        yield f"{name} pasted at the end", pasted_at_the_end(text), True
        yield f"{name} misspelled", pasted(text.replace(name, name + "s")), False
    spelled_out = functions["update_bodies"].replace("auto& body", "Body& body")
    assert spelled_out != functions["update_bodies"]
    yield "Body by its name", pasted(spelled_out), True
    yield "all pasted", pasted(*functions.values()), True
    yield "a class of its own", own_class(), True


def main():
    if re.search(r"\) (const )?override", MINE):
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
