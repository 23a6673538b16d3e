#!/usr/bin/env python3
"""Does a function of naive.cuh compile once it is pasted into mine.cuh, with a kernel of its own? And is
a misspelled one refused? nvcc compiles for one GPU and links nothing, so none is needed.

usage: paste_test.py NVCC [FLAG...]
"""
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
COMMON = HERE.parent / "common"
NAIVE = (HERE / "naive.cuh").read_text()
MINE = (HERE / "mine.cuh").read_text()
def functions_of_naive():
    """Name -> text of each overriding member function."""
    pattern = r"(^  [^\n]*\b(\w+)\([^\n]*\)[^\n]* override \{\n.*?^  \}\n)"
    return {name: text for text, name in re.findall(pattern, NAIVE, re.M | re.S)}


def kernel_of_naive(name):
    pattern = r"^__global__ void " + name + r"\(.*?^\}\n"
    return re.search(pattern, NAIVE, re.M | re.S).group()


def pasted(*texts):
    """mine.cuh with the texts below its inherited constructor."""
    place = "  using Naive::Naive;\n"
    assert MINE.count(place) == 1, "mine.cuh no longer inherits the constructor"
    return MINE.replace(place, place + "\n" + "\n".join(texts))


def own_kernel():
    """A kernel under a name of its own, and the function that launches it."""
    kernel = kernel_of_naive("accelerations").replace("void accelerations(", "void my_accelerations(")
    function = functions_of_naive()["compute_accelerations"]
    function = function.replace("accelerations<<<", "my_accelerations<<<")
    assert "my_accelerations<<<" in function
    return pasted(function).replace("// Your version.", kernel + "\n// Your version.")


def own_class():
    """The body of Naive in a class that derives from Simulator, as the comment in mine.cuh says."""
    text = MINE[: MINE.index("class Mine")] + NAIVE[NAIVE.index("class Naive") :]
    return text.replace("class Naive", "class Mine").replace("explicit Naive", "explicit Mine")


def compiles(mine, command):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "mine.cuh").write_text(mine)
        (folder / "naive.cuh").write_text(NAIVE)
        (folder / "use.cu").write_text('#include "mine.cuh"\n')
        # Warnings too: a pasted line should not cause one.
        words = [*command, "-std=c++20", "--expt-relaxed-constexpr", "-arch=sm_75", "-cubin"]
        words += ["-Werror=all-warnings", "-Xcompiler=-Wall,-Wextra", f"-I{COMMON}"]
        done = subprocess.run([*words, "-o", str(folder / "use.cubin"), str(folder / "use.cu")],
                              capture_output=True, text=True)
    return done.returncode == 0, done.stderr + done.stdout


def cases():
    functions = functions_of_naive()
    expected = {"compute_accelerations", "largest_time_step", "update_bodies", "kick", "drift",
                "accelerations_and_jerk", "copy_state", "copy_accelerations"}
    assert set(functions) == expected, f"functions found in naive.cuh: {sorted(functions)}"
    yield "mine.cuh as it is", MINE, True
    yield "all pasted", pasted(*functions.values()), True
    yield "a kernel of its own", own_kernel(), True
    yield "a class of its own", own_class(), True
    for name in ("compute_accelerations", "update_bodies"):
        yield f"{name} misspelled", pasted(functions[name].replace(name, name + "s")), False


def main():
    if re.search(r"\) (const )?override", MINE):
        print("skipped: mine.cuh is no longer the file that students start from")
        return 77
    failures = 0
    for name, mine, wanted in cases():
        good, message = compiles(mine, sys.argv[1:])
        # Refused for the one reason, not because a bracket is missing.
        if not wanted and "override" not in message:
            good = True
        verdict = "ok" if good == wanted else "FAILED"
        print(f"{verdict}: {name} {'compiles' if wanted else 'is refused'}", flush=True)
        if good != wanted:
            failures += 1
            print(message)
    return 1 if failures else 0


sys.exit(main())
